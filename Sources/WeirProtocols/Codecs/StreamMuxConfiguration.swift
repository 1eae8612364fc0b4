import WeirPackets

/// How access units stand in the elements of LATM: the StreamMuxConfig (ISO/IEC 14496-3 §1.7.3), as `config` of MP4A-LATM has it
/// in hexadecimal (RFC 6416), or as elements carry it themselves.
///
/// Read as far as RFC 6416 has use for: one program of one layer, of AAC. All else is nil. GStreamer puts the whole of what a file
/// has as the decoder's configuration in its middle, with an extension that has no place here, and leaves out the end: read all the
/// same, as other receivers do.
struct StreamMuxConfiguration: Sendable, Hashable {
    /// What the decoder has to know.
    private(set) var audio: MPEG4AudioConfiguration
    private var subframes: UInt8 = 0
    private var fixedOctets: UInt16 = 0
    private var others: UInt32 = 0
    /// Whether it is as the syntax has it; not where the extension of a file stands in it.
    private(set) var isStandard = true

    /// Access units in an element, 1 to 64.
    var units: Int { Int(subframes) + 1 }
    /// Octets of each access unit; nil where each says its own length.
    var unitOctets: Int? { fixedOctets > 0 ? Int(fixedOctets) : nil }
    /// Bits of other data at the end of each element.
    var otherBits: Int { Int(others) }

    /// Reads a configuration; the bits behind it are the element's.
    @_lifetime(bits: copy bits)
    init?(_ bits: inout BitReader) {
        guard let isNewer = bits.flag() else { return nil }
        // A second flag of the newer syntax says that all else is unknown; before the rest it has a level of filling.
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

    /// Reads the value of `config` as a description has it.
    init?(hexadecimal text: String) {
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(text)) else { return nil }
        var bits = BitReader(octets.rawSpan)
        self.init(&bits)
    }

    /// A number with its own length: two bits that count its octets, less one.
    @_lifetime(bits: copy bits)
    private static func readValue(_ bits: inout BitReader) -> UInt32? {
        guard let count = bits.read(2) else { return nil }
        return bits.read(UInt8(count + 1) * 8)
    }

    /// The decoder's configuration; in the newer syntax its length stands before it, and what it does not use is filled.
    @_lifetime(bits: copy bits)
    private static func readAudio(_ bits: inout BitReader, isNewer: Bool) -> MPEG4AudioConfiguration? {
        guard isNewer else { return MPEG4AudioConfiguration(whole: &bits) }
        guard let length = readValue(&bits), Int(length) <= bits.remaining else { return nil }
        let end = bits.remaining - Int(length)
        guard let audio = MPEG4AudioConfiguration(whole: &bits), bits.remaining >= end else { return nil }
        bits.skip(bits.remaining - end)
        return audio
    }

    /// Passes the extension that files have behind the configuration (ISO/IEC 14496-3 §1.6.2.1); false where there is none. What
    /// it begins with would be a length type that is reserved.
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
            // A length for all, in octets, less 20.
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
