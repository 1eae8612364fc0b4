import WeirPackets

// The configurations of AAC (ISO/IEC 14496-3, AudioSpecificConfig), Opus (RFC 7845 §5.1) and FLAC.

extension MediaConfiguration {
    static func aac(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        var bits = BitReader(record)
        guard let type = objectType(&bits), let rate = sampleRate(&bits), let layout = bits.read(4) else {
            configuration.problem = .tooShort
            return configuration
        }
        var core = type
        var played = rate
        var hasReplication = type == 5 || type == 29
        var hasParametricStereo = type == 29
        if hasReplication {
            // The object type of the core coder follows the sample rate after spectral band replication.
            guard let extended = sampleRate(&bits), let inner = objectType(&bits) else {
                configuration.problem = .tooShort
                return configuration
            }
            (played, core) = (extended, inner)
        }
        configuration.channels = layout < 8 ? [nil, 1, 2, 3, 4, 5, 6, 8][Int(layout)] : [11: 7, 12: 8, 14: 8][layout]
        guard skipGeneral(&bits, core, layout, &configuration) else {
            configuration.problem = .tooShort
            return configuration
        }
        // Replication may also be signaled at the end, where decoders without support do not look.
        if !hasReplication, bits.remaining >= 16, bits.read(11) == 0x2B7, objectType(&bits) == 5, bits.flag() == true {
            if let extended = sampleRate(&bits) {
                (hasReplication, played) = (true, extended)
                if bits.remaining >= 12, bits.read(11) == 0x548 { hasParametricStereo = bits.flag() == true }
            }
        }
        let name = objectTypes[core] ?? "object type \(core)"
        configuration.profile = hasParametricStereo ? "HE-AACv2" : hasReplication ? "HE-AAC" : name
        if hasParametricStereo, configuration.channels == 1 { configuration.channels = 2 }
        configuration.sampleRate = played
        if played != rate { configuration.coreSampleRate = rate }
        if rate == 0 || played == 0 || objectTypes[core] == nil { configuration.note(.reserved) }
        if rate == 0 || played == 0 { configuration.sampleRate = nil }
        return configuration
    }

    @_lifetime(bits: copy bits)
    private static func objectType(_ bits: inout BitReader) -> UInt32? {
        guard let type = MPEG4AudioConfiguration.readObjectType(&bits) else { return nil }
        return UInt32(type)
    }

    @_lifetime(bits: copy bits)
    private static func sampleRate(_ bits: inout BitReader) -> Int? {
        guard let rate = MPEG4AudioConfiguration.readRate(&bits) else { return nil }
        return Int(rate.hertz)
    }

    /// Skips the GASpecificConfig of the types that have it, and counts the channels of a program_config_element.
    @_lifetime(bits: copy bits)
    private static func skipGeneral(
        _ bits: inout BitReader, _ type: UInt32, _ layout: UInt32, _ configuration: inout MediaConfiguration
    ) -> Bool {
        guard [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(type) else { return true }
        guard bits.flag() != nil, let hasCoreCoder = bits.flag() else { return false }
        if hasCoreCoder, bits.read(14) == nil { return false }
        guard bits.flag() != nil else { return false }
        if layout == 0 {
            guard let channels = programChannels(&bits) else { return false }
            configuration.channels = channels
        }
        return true
    }

    /// Counts the channels of a program_config_element.
    @_lifetime(bits: copy bits)
    private static func programChannels(_ bits: inout BitReader) -> Int? {
        guard bits.read(10) != nil, let front = bits.read(4), let side = bits.read(4), let back = bits.read(4),
            let low = bits.read(2), bits.read(3) != nil, bits.read(4) != nil
        else { return nil }
        for width in [UInt8(4), 4, 3] {
            guard let isThere = bits.flag() else { return nil }
            if isThere, bits.read(width) == nil { return nil }
        }
        var channels = Int(low)
        for _ in 0..<front &+ side &+ back {
            guard let isPair = bits.flag(), bits.read(4) != nil else { return nil }
            channels &+= isPair ? 2 : 1
        }
        return channels
    }

    private static let objectTypes: [UInt32: String] = [
        1: "Main", 2: "LC", 3: "SSR", 4: "LTP", 6: "Scalable", 7: "TwinVQ", 17: "ER LC", 19: "ER LTP",
        20: "ER Scalable", 22: "ER BSAC", 23: "LD", 34: "Layer-3", 39: "ELD", 42: "USAC",
    ]

    static func opus(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        guard record.byteCount >= 19 else {
            configuration.problem = .tooShort
            return configuration
        }
        if record.clamped(0, 8).text() != "OpusHead" || record.byte(at: 8).map({ $0 >> 4 }) != 0 {
            configuration.problem = .version
        }
        configuration.channels = record.byte(at: 9).map { Int($0) }
        // Opus is always decoded at 48 kHz (RFC 7845 §5.1).
        configuration.sampleRate = 48_000
        return configuration
    }

    static func flac(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        // A signature and a metadata block header come first; some senders omit them.
        let isBare = record.byteCount == 34
        let start = isBare ? 0 : 8
        guard record.byteCount >= start &+ 34, let high = record.uint16(at: start &+ 10),
            let low = record.uint16(at: start &+ 12)
        else {
            configuration.problem = .tooShort
            return configuration
        }
        if isBare {
            configuration.problem = .signature
        } else if record.clamped(0, 4).text() != "fLaC" || record.byte(at: 4).map({ $0 & 0x7F }) != 0 {
            configuration.problem = .version
        }
        let bits = UInt32(high) << 16 | UInt32(low)
        configuration.sampleRate = Int(bits >> 12)
        configuration.channels = Int(bits >> 9 & 7) &+ 1
        configuration.bitDepth = Int(bits >> 4 & 31) &+ 1
        return configuration
    }
}
