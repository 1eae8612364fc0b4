import WeirPackets

/// Follows the NAL units of a video message while its octets pass by in pieces of any size: only lengths and the first
/// octet of each unit are looked at, of supplemental information also the kinds. Nothing is kept.
struct NALUnitWalk: Sendable, Hashable {
    private enum Step: Sendable, Hashable {
        /// In the length in front of a unit.
        case length
        /// At the first octet of a unit.
        case header
        /// In supplemental information (`sei_message`): at its type, at its size.
        case kind, size
    }

    private let lengthOctets: Int
    private let isHEVC: Bool
    /// Offset in the message of the next octet that is looked at.
    private(set) var offset: Int
    private var step = Step.length
    /// Octets to pass before that.
    private var passing = 0
    /// The number that is being read, and how many octets of it were.
    private var value = 0
    private var read = 0
    /// Octets of the unit that were not looked at or passed yet.
    private var left = 0
    private var kind = 0
    private var units = NALUnits()

    /// Begins at `start`, where the first length stands.
    init(at start: Int, lengthOctets: Int, isHEVC: Bool) {
        self.lengthOctets = lengthOctets
        self.isHEVC = isHEVC
        offset = start
    }

    /// Where octets have to be looked at next; `.max` when nothing can be found any more.
    var nextLook: Int { units.problem == nil ? offset &+ passing : .max }

    /// Passes on to the end of `bytes`, which begin at octet `start` of a message of `length` octets.
    mutating func pass(_ bytes: RawSpan, from start: Int, length: Int) {
        let end = start &+ bytes.byteCount
        // Pieces in which there is nothing to look at need not come here.
        let skipped = max(0, min(passing, start &- offset))
        offset &+= skipped
        passing &-= skipped
        guard offset >= start else { return }
        while offset < end, units.problem == nil {
            if passing > 0 {
                let some = min(passing, end &- offset)
                offset &+= some
                passing &-= some
                continue
            }
            guard let octet = bytes.byte(at: offset &- start) else { return }
            offset &+= 1
            if step == .length {
                value = value << 8 | Int(octet)
                read &+= 1
                if read == lengthOctets { begin(messageLeft: length &- offset) }
            } else {
                left &-= 1
                take(octet)
            }
        }
    }

    /// What was found in a message of `length` octets, all of which were passed.
    func finished(length: Int) -> NALUnits {
        var units = units
        if units.problem == nil {
            if step == .length, read > 0 { units.problem = .leftover(read) }
            if offset &+ passing < length { units.problem = .leftover(length &- offset &- passing) }
        }
        return units
    }

    private mutating func begin(messageLeft: Int) {
        defer { (value, read) = (0, 0) }
        // A unit of one octet as the first is none: it is the start code 00 00 00 01.
        if lengthOctets == 4, value == 1, units.count == 0 {
            units.problem = .startCodes
        } else if value > messageLeft {
            units.problem = .overrun(needed: value, left: messageLeft)
        } else if value == 0 {
            units.empty &+= 1
        } else {
            units.count &+= 1
            left = value
            step = .header
        }
    }

    private mutating func take(_ octet: UInt8) {
        switch step {
        case .header:
            let type = Int(isHEVC ? octet >> 1 & 0x3F : octet & 0x1F)
            units.types |= 1 << UInt64(type)
            // The header of H.265 has a second octet.
            let rest = isHEVC ? 1 : 0
            guard type == (isHEVC ? 39 : 6), left > 1 &+ rest else { return passUnit() }
            passing = rest
            left &-= rest
            (kind, value, step) = (0, 0, .kind)
        case .kind:
            kind &+= Int(octet)
            if octet != 0xFF { step = .size }
        case .size:
            value &+= Int(octet)
            guard octet != 0xFF else { break }
            if kind == 6 { units.hasRecoveryPoint = true }
            // Another one may follow, or the octet that ends the unit.
            guard value < left &- 1 else { return passUnit() }
            passing = value
            left &-= value
            (kind, value, step) = (0, 0, .kind)
        case .length: break
        }
        if left <= 0 { passUnit() }
    }

    private mutating func passUnit() {
        passing = max(0, left)
        (left, value, step) = (0, 0, .length)
    }
}
