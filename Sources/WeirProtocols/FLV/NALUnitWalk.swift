import WeirPackets

/// Tracks the NAL units of a video message while its octets arrive in pieces of any size: inspects only the lengths,
/// the first octet of each unit and the payload types of SEI, and buffers nothing.
struct NALUnitWalk: Sendable, Hashable {
    private enum Step: Sendable, Hashable {
        /// In the length before a unit.
        case length
        /// At the first octet of a unit.
        case header
        /// In SEI (`sei_message`): at the payload type or size.
        case kind, size
    }

    private let lengthOctets: Int
    private let isHEVC: Bool
    /// The offset in the message of the next octet to inspect.
    private(set) var offset: Int
    private var step = Step.length
    /// Octets to skip before it.
    private var passing = 0
    /// The number being parsed, and its octets so far.
    private var value = 0
    private var read = 0
    /// Octets of the unit not yet inspected or skipped.
    private var left = 0
    private var kind = 0
    private var units = NALUnits()

    /// Starts at `start`, the position of the first length.
    init(at start: Int, lengthOctets: Int, isHEVC: Bool) {
        self.lengthOctets = lengthOctets
        self.isHEVC = isHEVC
        offset = start
    }

    /// The offset of the next octets to inspect, or `.max` after a problem.
    var nextLook: Int { units.problem == nil ? offset &+ passing : .max }

    /// Advances to the end of `bytes`, which start at octet `start` of a message of `length` octets.
    mutating func pass(_ bytes: RawSpan, from start: Int, length: Int) {
        let end = start &+ bytes.byteCount
        // Pieces without octets to inspect may have been skipped.
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

    /// Returns the result for a message of `length` octets that was processed completely.
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
        // A first unit of one octet is not a unit but the start code 00 00 00 01.
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
            // The H.265 header has a second octet.
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
            // Another message or the trailing bits may follow.
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
