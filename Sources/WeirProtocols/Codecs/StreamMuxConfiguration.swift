import WeirPackets

/// The configuration of LATM elements: the StreamMuxConfig (ISO/IEC 14496-3 §1.7.3), in hexadecimal in `config` of
/// MP4A-LATM (RFC 6416), or in the elements themselves.
///
/// Limited to what RFC 6416 uses: one program with one layer of AAC; anything else is nil. GStreamer inserts the
/// complete decoder configuration of a file with an extension that is invalid here, and omits the end; it is parsed
/// nevertheless, as by other receivers.
struct StreamMuxConfiguration: Sendable, Hashable {
    /// The decoder configuration.
    private(set) var audio: MPEG4AudioConfiguration
    private var subframes: UInt8 = 0
    private var fixedOctets: UInt16 = 0
    private var others: UInt32 = 0
    /// Whether the syntax is standard, without the extension used in files.
    private(set) var isStandard = true

    /// Access units per element, 1 to 64.
    var units: Int { Int(subframes) + 1 }
    /// The size of each access unit in octets, or nil if each has its own length.
    var unitOctets: Int? { fixedOctets > 0 ? Int(fixedOctets) : nil }
    /// Bits of other data at the end of each element.
    var otherBits: Int { Int(others) }

    /// Parses a configuration; the bits after it belong to the element.
    @_lifetime(bits: copy bits)
    init?(_ bits: inout BitReader) {
        guard let isNewer = bits.flag() else { return nil }
        // A second flag in the newer syntax marks an unknown remainder; a fullness level precedes the rest.
        if isNewer {
            guard bits.flag() == false, Self.readValue(&bits) != nil else { return nil }
        }
        guard bits.flag() == true, let subframes = bits.read(6), bits.read(4) == 0, bits.read(3) == 0,
            let audio = Self.readAudio(&bits, isNewer: isNewer)
        else { return nil }
        self.audio = audio
        self.subframes = UInt8(subframes)
        if !isNewer, Self.skipExtension(&bits) {
            isStandard = false
            return
        }
        guard readLength(&bits), readOthers(&bits, isNewer: isNewer), let hasChecksum = bits.flag() else { return nil }
        if hasChecksum, bits.read(8) == nil { return nil }
    }

    /// Parses the value of `config` in a session description.
    init?(hexadecimal text: String) {
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(text)) else { return nil }
        var bits = BitReader(octets.rawSpan)
        self.init(&bits)
    }

    /// Parses a number with a length of its own: two bits with its size in octets minus one.
    @_lifetime(bits: copy bits)
    private static func readValue(_ bits: inout BitReader) -> UInt32? {
        guard let count = bits.read(2) else { return nil }
        return bits.read(UInt8(count + 1) * 8)
    }

    /// Parses the decoder configuration; in the newer syntax its length precedes it, and unused bits are padding.
    @_lifetime(bits: copy bits)
    private static func readAudio(_ bits: inout BitReader, isNewer: Bool) -> MPEG4AudioConfiguration? {
        guard isNewer else { return MPEG4AudioConfiguration(whole: &bits) }
        guard let length = readValue(&bits), Int(length) <= bits.remaining else { return nil }
        let end = bits.remaining - Int(length)
        guard let audio = MPEG4AudioConfiguration(whole: &bits), bits.remaining >= end else { return nil }
        bits.skip(bits.remaining - end)
        return audio
    }

    /// Skips the extension that files have after the configuration (ISO/IEC 14496-3 §1.6.2.1); returns false if there
    /// is none. Its first bits would be a reserved frame length type.
    @_lifetime(bits: copy bits)
    private static func skipExtension(_ bits: inout BitReader) -> Bool {
        var ahead = bits
        guard ahead.read(11) == 0x2B7 else { return false }
        bits = ahead
        return true
    }

    @_lifetime(bits: copy bits)
    private mutating func readLength(_ bits: inout BitReader) -> Bool {
        switch bits.read(3) {
        case 0: return bits.read(8) != nil
        case 1:
            // A length for all, in octets minus 20.
            guard let length = bits.read(9) else { return false }
            fixedOctets = UInt16(length) + 20
            return true
        default: return false
        }
    }

    @_lifetime(bits: copy bits)
    private mutating func readOthers(_ bits: inout BitReader, isNewer: Bool) -> Bool {
        guard let areThere = bits.flag() else { return false }
        guard areThere else { return true }
        if isNewer {
            guard let value = Self.readValue(&bits) else { return false }
            others = value
            return true
        }
        var goesOn = true
        while goesOn {
            guard others < 1 << 16, let flag = bits.flag(), let octet = bits.read(8) else { return false }
            others = others << 8 | octet
            goesOn = flag
        }
        return true
    }
}
