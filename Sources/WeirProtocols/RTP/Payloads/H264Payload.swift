import WeirPackets

/// The structure and NAL unit types of an H.264 RTP payload (RFC 6184 §5.2). Contains numbers only.
package struct H264Payload: Sendable, Hashable {
    /// The payload structures, by the type in the first octet (RFC 6184 §5.2, §5.4).
    package enum Structure: UInt8, Sendable, Hashable {
        /// A single NAL unit (RFC 6184 §5.6).
        case single
        /// Several NAL units of the same time (RFC 6184 §5.7.1).
        case stapA
        /// Like STAP-A, with decoding order numbers.
        case stapB
        /// Several NAL units with 16-bit timestamp offsets (RFC 6184 §5.7.2).
        case mtap16
        /// Like MTAP16, with 24-bit timestamp offsets.
        case mtap24
        /// A fragment of a NAL unit (RFC 6184 §5.8).
        case fuA
        /// Like FU-A, with a decoding order number.
        case fuB
    }

    /// Violations of RFC 6184 in the payload.
    package struct Oddities: OptionSet, Sendable, Hashable {
        /// The bit set.
        package let rawValue: UInt8
        /// Creates a set from bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The `forbidden_zero_bit` is set (RFC 6184 §1.3).
        package static let forbiddenBit = Self(rawValue: 1)
        /// The sizes in an aggregation packet do not add up to the payload (RFC 6184 §5.7.1).
        package static let aggregationSize = Self(rawValue: 2)
        /// An aggregation packet contains an aggregation packet or a fragment (RFC 6184 §5.7).
        package static let nested = Self(rawValue: 4)
        /// A fragment has both the start and the end bit (RFC 6184 §5.8).
        package static let wholeFragment = Self(rawValue: 8)
        /// The payload begins with an Annex B start code.
        package static let startCode = Self(rawValue: 16)
        /// A type unused in RFC 6184 §5.2: 0, 30 or 31.
        package static let undefinedType = Self(rawValue: 32)
        /// A fragment without a payload (RFC 6184 §5.8).
        package static let emptyFragment = Self(rawValue: 64)
        /// The NRI of an aggregation packet is not the highest of its NAL units (RFC 6184 §5.7).
        package static let importance = Self(rawValue: 128)
    }

    /// The payload structure.
    package private(set) var structure = Structure.single
    /// `nal_ref_idc` of the payload's first octet, 0–3.
    package private(set) var nri: UInt8
    /// Type of the first NAL unit, or of the fragmented one.
    package private(set) var firstType: UInt8 = 0
    /// The NAL unit types that begin or continue in this payload, as a bit set: bit 5 for type 5.
    package private(set) var types: UInt32 = 0
    /// NAL units in the payload; 1 for a fragment.
    package private(set) var unitCount: UInt16 = 1
    /// Whether the first NAL unit begins here: false for a later fragment.
    package private(set) var startsUnit = true
    /// Whether the last NAL unit ends here: false for an earlier fragment.
    package private(set) var endsUnit = true
    /// Violations found.
    package private(set) var oddities: Oddities = []

    /// Whether the payload is a fragment of a NAL unit.
    package var isFragment: Bool { structure == .fuA || structure == .fuB }

    /// Parses the payload structure, or returns nil if octets are missing.
    @inline(__always)
    package init?(_ bytes: RawSpan) {
        guard let first = bytes.byte(at: 0) else { return nil }
        nri = first >> 5 & 3
        if first & 0x80 != 0 { oddities.insert(.forbiddenBit) }
        let type = first & 0x1F
        switch type {
        case 1...23:
            firstType = type
            types = 1 << UInt32(type)
        case 28, 29:
            guard let header = bytes.byte(at: 1) else { return nil }
            structure = type == 28 ? .fuA : .fuB
            firstType = header & 0x1F
            types = 1 << UInt32(firstType)
            startsUnit = header & 0x80 != 0
            endsUnit = header & 0x40 != 0
            if startsUnit && endsUnit { oddities.insert(.wholeFragment) }
            if bytes.byteCount <= (type == 28 ? 2 : 4) { oddities.insert(.emptyFragment) }
        case 24: readUnits(.stapA, bytes)
        case 25: readUnits(.stapB, bytes)
        case 26: readUnits(.mtap16, bytes)
        case 27: readUnits(.mtap24, bytes)
        default:
            firstType = type
            types = 1 << UInt32(type)
            oddities.insert(bytes.startsWithStartCode ? .startCode : .undefinedType)
        }
    }

    @inline(never)
    private mutating func readUnits(_ aggregation: Structure, _ bytes: RawSpan) {
        structure = aggregation
        unitCount = 0
        var highest: UInt8 = 0
        var units = H264AggregatedUnits(aggregation, bytes.byteCount)
        while let range = units.next(bytes) {
            guard let header = bytes.byte(at: range.lowerBound) else { continue }
            let type = header & 0x1F
            if unitCount == 0 { firstType = type }
            unitCount &+= 1
            types |= 1 << UInt32(type)
            highest = max(highest, header >> 5 & 3)
            if type >= 24 { oddities.insert(.nested) }
            if header & 0x80 != 0 { oddities.insert(.forbiddenBit) }
        }
        if !units.addsUp { oddities.insert(.aggregationSize) }
        if unitCount > 0, highest != nri { oddities.insert(.importance) }
    }

    /// Returns whether the payload contains a NAL unit of this type, or a part of one.
    @inline(__always)
    package func holds(_ type: UInt8) -> Bool { types & 1 << UInt32(type & 31) != 0 }
}

/// Iterates over the NAL units of an aggregation packet (RFC 6184 §5.7.1, §5.7.2).
package struct H264AggregatedUnits {
    private var offset: Int
    private let skip: Int
    private let length: Int
    /// Whether all sizes so far fit the payload.
    package private(set) var addsUp = true

    /// Creates an iterator at the first unit of a payload of `length` octets.
    package init(_ structure: H264Payload.Structure, _ length: Int) {
        // STAP-B and MTAPs have a 16-bit decoding order number before the first unit; each MTAP unit has a DON
        // difference octet and a timestamp offset between size and data.
        offset = structure == .stapA ? 1 : 3
        skip = structure == .mtap16 ? 3 : structure == .mtap24 ? 4 : 0
        self.length = length
    }

    /// Returns the range of the next unit in the payload, or nil at the end or if a size does not fit.
    package mutating func next(_ bytes: RawSpan) -> Range<Int>? {
        guard offset < length else {
            if offset > length { addsUp = false }
            return nil
        }
        guard let size = bytes.uint16(at: offset), size > 0 else {
            addsUp = false
            return nil
        }
        let start = offset &+ 2 &+ skip
        let end = start &+ Int(size)
        guard end <= length else {
            addsUp = false
            return nil
        }
        offset = end
        return start..<end
    }
}

extension RawSpan {
    /// Whether the octets begin with the start code `00 00 01` or `00 00 00 01`, which separates NAL units in a byte
    /// stream.
    package var startsWithStartCode: Bool {
        guard let first = uint16(at: 0), first == 0, let third = byte(at: 2) else { return false }
        return third == 1 || (third == 0 && byte(at: 3) == 1)
    }
}
