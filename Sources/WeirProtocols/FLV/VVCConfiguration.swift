import WeirPackets

// The configuration record of H.266 (ISO/IEC 14496-15, VvcDecoderConfigurationRecord), the sequence header of `vvc1`
// (E-RTMP v2 "Enhanced Video").

extension MediaConfiguration {
    /// NAL unit types in the arrays of the record (H.266).
    private static let vvcSets: [(type: UInt8, name: String)] = [(14, "VPS"), (15, "SPS"), (16, "PPS")]
    /// Types with a single unit per array: OPI and DCI.
    private static let singleUnits: Set<UInt8> = [12, 13]

    /// Parses the record, which contains the picture size, profile, tier and level unless it omits them.
    static func vvc(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        // In a file, four zero octets of version and flags precede the record; some senders may include them.
        let start = record.uint32(at: 0) == 0 ? 4 : 0
        var reader = ByteReader(record, layer: "VvcDecoderConfigurationRecord")
        do throws(DecodeError) {
            try reader.skip(start)
            let first = try reader.uint8()
            if first & 0xF8 != 0xF8 { configuration.note(.version) }
            configuration.lengthOctets = Int(first >> 1 & 3) &+ 1
            if configuration.lengthOctets == 3 { configuration.note(.lengthSize) }
            if first & 1 == 1 { try configuration.readProfile(&reader) }
            var counts: [UInt8: Int] = [:]
            for _ in 0..<(try reader.uint8()) {
                let type = try reader.uint8() & 0x1F
                let units = singleUnits.contains(type) ? 1 : Int(try reader.uint16())
                counts[type, default: 0] &+= units
                for _ in 0..<units { try reader.skip(Int(try reader.uint16())) }
            }
            configuration.parameterSets = vvcSets.map { Count(kind: $0.name, count: counts[$0.type] ?? 0) }
            if counts[15] ?? 0 == 0 || counts[16] ?? 0 == 0 { configuration.note(.noParameterSets) }
        } catch {
            configuration.note(.tooShort)
        }
        return configuration
    }

    @_lifetime(reader: copy reader)
    private mutating func readProfile(_ reader: inout ByteReader) throws(DecodeError) {
        // Nine bits of output layer set, three of sublayers, two of frame rate, two of chroma format.
        let sublayers = Int(try reader.uint16() >> 4 & 7)
        bitDepth = Int(try reader.uint8() >> 5) &+ 8
        let constraintOctets = Int(try reader.uint8() & 0x3F)
        let general = try reader.uint8()
        let levelNumber = try reader.uint8()
        try reader.skip(constraintOctets)
        if sublayers > 1 { try reader.skip((try reader.uint8()).nonzeroBitCount) }
        try reader.skip(4 &* Int(try reader.uint8()))
        (width, height) = (Int(try reader.uint16()), Int(try reader.uint16()))
        try reader.skip(2)  // average frame rate
        let names: [UInt8: String] = [1: "Main 10", 33: "Main 10 4:4:4"]
        profile = names[general >> 1] ?? "profile \(general >> 1)"
        // Level numbers use 16 per major and 3 per minor step.
        let name = "\(levelNumber / 16).\(levelNumber % 16 / 3)"
        level = name + (general & 1 == 1 ? " High" : "")
    }
}
