import WeirEngine
import WeirPackets

/// The structure and NAL unit types of an H.266 RTP payload (RFC 9328). Contains numbers only.
package struct H266Payload: Sendable, Hashable {
    /// Type in the payload header: that of a NAL unit, 28 for an aggregation packet, 29 for a fragment.
    package let packetType: UInt8
    /// Types of the NAL units that begin or continue here, as a bit set.
    package private(set) var types: UInt32
    /// Whether the first NAL unit begins here.
    package private(set) var startsUnit = true
    /// Whether the last NAL unit ends here.
    package private(set) var endsUnit = true

    /// Whether the payload contains a random access picture (IDR or CRA, types 7 to 9) or a part of one.
    package var holdsRandomAccess: Bool { types & 0x380 != 0 }

    /// Parses the payload structure, or returns nil if octets are missing.
    package init?(_ bytes: RawSpan) {
        guard let header = bytes.uint16(at: 0) else { return nil }
        packetType = UInt8(truncatingIfNeeded: header >> 3) & 0x1F
        types = 1 << UInt32(packetType)
        switch packetType {
        case 28:
            types = 0
            var offset = 2
            while let size = bytes.uint16(at: offset), size > 0, let unit = bytes.uint16(at: offset &+ 2) {
                types |= 1 << UInt32(unit >> 3 & 0x1F)
                offset &+= 2 &+ Int(size)
            }
        case 29:
            guard let fragment = bytes.byte(at: 2) else { return nil }
            types = 1 << UInt32(fragment & 0x1F)
            startsUnit = fragment & 0x80 != 0
            endsUnit = fragment & 0x40 != 0
        default: break
        }
    }
}

extension H266Payload {
    private var typeList: [Int] { (0..<32).filter { types & 1 << UInt32($0) != 0 } }

    /// Structure and NAL unit types, in short.
    var wording: Wording {
        let list = typeList.map(String.init).joined(separator: ", ")
        switch packetType {
        case 28: return "aggregation of NAL unit types \(list)"
        case 29:
            let part: Wording = startsUnit ? "first fragment" : endsUnit ? "last fragment" : "fragment"
            return part + " of NAL unit type \(list)"
        default: return "NAL unit type \(list)"
        }
    }

    /// The members of `payload` in reports.
    var fields: [Field] {
        var fields = [
            Field("format", .string("H266")), Field("packetType", .integer(Int(packetType))),
            Field("nalUnitTypes", .array(typeList.map { .integer($0) })),
        ]
        if packetType == 29 {
            fields.append(Field("start", .bool(startsUnit)))
            fields.append(Field("end", .bool(endsUnit)))
        }
        return fields
    }
}
