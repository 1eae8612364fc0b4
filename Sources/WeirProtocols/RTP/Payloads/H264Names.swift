import WeirEngine
extension H264Payload {
    /// Returns the report name of a NAL unit type (RFC 6184 §1.3, table 7-1 of H.264).
    package static func name(ofType type: UInt8) -> Wording {
        switch type {
        case 1: "slice"
        case 2: "slice partition A"
        case 3: "slice partition B"
        case 4: "slice partition C"
        case 5: "IDR slice"
        case 6: "SEI"
        case 7: "SPS"
        case 8: "PPS"
        case 9: "access unit delimiter"
        case 10: "end of sequence"
        case 11: "end of stream"
        case 12: "filler data"
        case 13: "SPS extension"
        case 14: "prefix"
        case 15: "subset SPS"
        case 19: "auxiliary slice"
        case 20: "slice extension"
        default: "type \(type)"
        }
    }

    /// The packet type name of RFC 6184 §5.2.
    package var structureName: String {
        switch structure {
        case .single: "single NAL unit"
        case .stapA: "STAP-A"
        case .stapB: "STAP-B"
        case .mtap16: "MTAP16"
        case .mtap24: "MTAP24"
        case .fuA: "FU-A"
        case .fuB: "FU-B"
        }
    }

    /// Everything that summary and fields depend on besides unit types and count.
    var outline: UInt64 {
        UInt64(structure.rawValue) | UInt64(nri) << 3 | (startsUnit ? 0x20 : 0) | (endsUnit ? 0x40 : 0)
    }

    /// The NAL unit types in the payload, lowest first.
    package var typeList: [UInt8] { (UInt8(0)..<32).filter(holds) }

    /// Structure and NAL unit types, in short.
    package var wording: Wording {
        var names = Wording(verbatim: "")
        for (place, type) in typeList.enumerated() {
            if place > 0 { names += ", " }
            names += Self.name(ofType: type)
        }
        switch structure {
        case .single: return names
        case .fuA, .fuB:
            switch (startsUnit, endsUnit) {
            case (true, true): return "\(structureName) complete \(names)"
            case (true, false): return "\(structureName) first fragment of \(names)"
            case (false, true): return "\(structureName) last fragment of \(names)"
            case (false, false): return "\(structureName) fragment of \(names)"
            }
        default: return "\(structureName) of \(unitCount): \(names)"
        }
    }

    /// The members of `payload` in reports.
    package var fields: [Field] {
        var fields = [
            Field("format", .string("H264")), Field("structure", .string(structureName)),
            Field("nri", .integer(Int(nri))),
            Field("nalUnitTypes", .array(typeList.map { .integer(Int($0)) })),
        ]
        if isFragment {
            fields.append(Field("start", .bool(startsUnit)))
            fields.append(Field("end", .bool(endsUnit)))
        } else if structure != .single {
            fields.append(Field("nalUnits", .integer(Int(unitCount))))
        }
        return fields
    }
}
