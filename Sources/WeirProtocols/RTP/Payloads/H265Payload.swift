import WeirEngine
import WeirPackets

/// The structure and NAL unit types of an H.265 RTP payload (RFC 7798 §4.4). Contains numbers only.
package struct H265Payload: Sendable, Hashable {
    /// Type in the payload header: that of a NAL unit, 48 for an aggregation packet, 49 for a fragment, 50 for PACI.
    package let packetType: UInt8
    /// Types of the NAL units that begin or continue here, as a bit set.
    package private(set) var types: UInt64
    /// Whether the first NAL unit begins here.
    package private(set) var startsUnit = true
    /// Whether the last NAL unit ends here.
    package private(set) var endsUnit = true

    /// Parses the payload structure, or returns nil if octets are missing.
    @inline(__always)
    package init?(_ bytes: RawSpan) {
        guard let header = bytes.uint16(at: 0) else { return nil }
        packetType = UInt8(truncatingIfNeeded: header >> 9) & 0x3F
        types = 1 << UInt64(packetType)
        if packetType == 49 {
            guard let fragment = bytes.byte(at: 2) else { return nil }
            types = 1 << UInt64(fragment & 0x3F)
            startsUnit = fragment & 0x80 != 0
            endsUnit = fragment & 0x40 != 0
        } else if packetType == 48 {
            types = Self.aggregatedTypes(bytes)
        }
    }

    /// Returns the types in an aggregation packet without decoding order numbers (RFC 7798 §4.4.2).
    private static func aggregatedTypes(_ bytes: RawSpan) -> UInt64 {
        var types: UInt64 = 0
        var offset = 2
        while let size = bytes.uint16(at: offset), size > 0, let header = bytes.byte(at: offset &+ 2) {
            types |= 1 << UInt64(header >> 1 & 0x3F)
            offset &+= 2 &+ Int(size)
        }
        return types
    }

    /// Whether the payload contains an IRAP picture (types 16 to 23) or a part of one.
    package var holdsRandomAccess: Bool { types & 0xFF_0000 != 0 }

    /// Everything that summary and fields depend on besides the types.
    var outline: UInt64 {
        UInt64(packetType) | (startsUnit ? 0x40 : 0) | (endsUnit ? 0x80 : 0)
    }

    /// Structure and NAL unit types, in short.
    package var wording: Wording {
        let list = (0..<64).filter { types & 1 << UInt64($0) != 0 }.map(String.init).joined(separator: ", ")
        switch packetType {
        case 48: return "aggregation of NAL unit types \(list)"
        case 49:
            let part: Wording = startsUnit ? "first fragment" : endsUnit ? "last fragment" : "fragment"
            return part + " of NAL unit type \(list)"
        default: return "NAL unit type \(list)"
        }
    }

    /// The members of `payload` in reports.
    package var fields: [Field] {
        let list = (0..<64).filter { types & 1 << UInt64($0) != 0 }
        var fields = [
            Field("format", .string("H265")), Field("packetType", .integer(Int(packetType))),
            Field("nalUnitTypes", .array(list.map { .integer($0) })),
        ]
        if packetType == 49 {
            fields.append(Field("start", .bool(startsUnit)))
            fields.append(Field("end", .bool(endsUnit)))
        }
        return fields
    }
}
