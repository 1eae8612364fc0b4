import WeirPackets

// The configuration records of AV1 (AV1 Codec ISO Media File Format Binding, AV1CodecConfigurationRecord), VP8 and VP9
// (VP Codec ISO Media File Format Binding, VPCodecConfigurationRecord).

extension MediaConfiguration {
    static func av1(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        guard let first = record.byte(at: 0), let profile = record.byte(at: 1), let depth = record.byte(at: 2),
            record.byteCount >= 4
        else {
            configuration.problem = .tooShort
            return configuration
        }
        // The most significant bit is a marker, the other seven are the version.
        if first != 0x81 { configuration.problem = .version }
        configuration.profile = ["Main", "High", "Professional"][safe: Int(profile >> 5)] ?? "profile \(profile >> 5)"
        let level = profile & 0x1F
        configuration.level =
            "\(2 &+ level >> 2).\(level & 3)" + (depth & 0x80 != 0 ? " High" : "")
        configuration.bitDepth = depth & 0x40 == 0 ? 8 : depth & 0x20 == 0 ? 10 : 12
        if let size = AV1SequenceHeader.pictureSize(record.clamped(4)) {
            (configuration.width, configuration.height) = size
        }
        return configuration
    }

    static func vp(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        // In a file, the record is preceded by version 1 and flags 0, which some senders include.
        let start = record.uint32(at: 0) == 0x0100_0000 ? 4 : 0
        guard let profile = record.byte(at: start), let level = record.byte(at: start &+ 1),
            let depth = record.byte(at: start &+ 2), record.byteCount >= start &+ 8
        else {
            configuration.problem = .tooShort
            return configuration
        }
        configuration.profile = "profile \(profile)"
        if level > 0 { configuration.level = "\(level / 10).\(level % 10)" }
        configuration.bitDepth = Int(depth >> 4)
        if profile > 3 || ![8, 10, 12].contains(depth >> 4) { configuration.problem = .reserved }
        return configuration
    }
}

/// The AV1 sequence header (`sequence_header_obu`), parsed up to the picture size.
enum AV1SequenceHeader {
    /// Returns width and height from the first sequence header among length-delimited OBUs.
    static func pictureSize(_ units: RawSpan) -> (Int, Int)? {
        var offset = 0
        while let header = units.byte(at: offset) {
            var start = offset &+ (header & 0x04 != 0 ? 2 : 1)
            guard header & 0x02 != 0, let (length, octets) = leb128(units, at: start) else { return nil }
            start &+= octets
            if header >> 3 & 0x0F == 1 { return read(units.clamped(start, start &+ length)) }
            guard length <= units.byteCount &- start else { return nil }
            offset = start &+ length
        }
        return nil
    }

    /// Returns a `leb128` number, seven bits per octet with the least significant first, and its size in octets.
    private static func leb128(_ bytes: RawSpan, at start: Int) -> (Int, Int)? {
        var value = 0
        for index in 0..<4 {
            guard let octet = bytes.byte(at: start &+ index) else { return nil }
            value |= Int(octet & 0x7F) << (7 &* index)
            if octet & 0x80 == 0 { return (value, index &+ 1) }
        }
        return nil
    }

    private static func read(_ bytes: RawSpan) -> (Int, Int)? {
        var bits = BitReader(bytes)
        guard bits.read(3) != nil, bits.flag() != nil, let isReduced = bits.flag() else { return nil }
        if isReduced {
            guard bits.read(5) != nil else { return nil }
        } else if !skipOperatingPoints(&bits) {
            return nil
        }
        guard let widthBits = bits.read(4), let heightBits = bits.read(4),
            let width = bits.read(UInt8(widthBits) &+ 1), let height = bits.read(UInt8(heightBits) &+ 1)
        else { return nil }
        return (Int(width) &+ 1, Int(height) &+ 1)
    }

    @_lifetime(bits: copy bits)
    private static func skipOperatingPoints(_ bits: inout BitReader) -> Bool {
        var delayBits: UInt8 = 0
        var hasModel = false
        guard let hasTiming = bits.flag() else { return false }
        if hasTiming {
            guard bits.read(32) != nil, bits.read(32) != nil, let isEqual = bits.flag() else { return false }
            if isEqual, bits.unsignedExpGolomb() == nil { return false }
            guard let model = bits.flag() else { return false }
            hasModel = model
            if model {
                guard let length = bits.read(5), bits.read(32) != nil, bits.read(10) != nil else { return false }
                delayBits = UInt8(length) &+ 1
            }
        }
        guard let hasDelay = bits.flag(), let last = bits.read(5) else { return false }
        for _ in 0...last {
            guard bits.read(12) != nil, let level = bits.read(5) else { return false }
            if level > 7, bits.flag() == nil { return false }
            if hasModel {
                guard let isThere = bits.flag() else { return false }
                if isThere, bits.read(delayBits) == nil || bits.read(delayBits) == nil || bits.flag() == nil {
                    return false
                }
            }
            if hasDelay {
                guard let isThere = bits.flag() else { return false }
                if isThere, bits.read(4) == nil { return false }
            }
        }
        return true
    }
}
