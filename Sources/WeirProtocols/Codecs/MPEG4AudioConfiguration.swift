import WeirPackets

/// What a decoder of MPEG-4 audio has to know beforehand: the AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1), as `config` has
/// it in hexadecimal (RFC 3640 §4.1), and as it stands inside a StreamMuxConfig.
struct MPEG4AudioConfiguration: Sendable, Hashable {
    /// Sampling rates by their index (ISO/IEC 14496-3 §1.6.3.4).
    private static let rates: [UInt32] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// The audio object type of the core: 2 is AAC LC; never 0.
    private(set) var objectType: UInt8 = 0
    /// The index of the sampling rate of the core; 15 where the rate itself is given.
    private(set) var rateIndex: UInt8 = 0
    /// The channel configuration; 0 where the layout stands elsewhere.
    private(set) var layout: UInt8 = 0
    private var hertz: UInt32 = 0

    /// The sampling rate of the core in Hz; nil for a reserved index.
    var rate: Int? { hertz > 0 ? Int(hertz) : nil }
    /// How many channels the layout has; nil where it stands elsewhere.
    var channels: Int? { layout == 0 || layout > 7 ? nil : layout == 7 ? 8 : Int(layout) }

    /// Reads what all object types have in common; nil when the bits end before, or the type is 0.
    @_lifetime(bits: copy bits)
    init?(head bits: inout BitReader) {
        guard let type = Self.readObjectType(&bits), type > 0, let rate = Self.readRate(&bits),
            let layout = bits.read(4)
        else { return nil }
        self.layout = UInt8(layout)
        (rateIndex, hertz) = (rate.index, rate.hertz)
        objectType = type
        // Spectral band replication says so first, then the rate that comes out of it, then the core (types 5 and 29).
        guard type == 5 || type == 29 else { return }
        guard Self.readRate(&bits) != nil, let core = Self.readObjectType(&bits), core > 0 else { return nil }
        objectType = core
    }

    /// Reads all of it as far as the general audio coder goes (ISO/IEC 14496-3 §4.4.1): the bits behind are others'. Nil for
    /// object types of other coders, and where the layout stands in a program configuration.
    @_lifetime(bits: copy bits)
    init?(whole bits: inout BitReader) {
        self.init(head: &bits)
        guard 1...4 ~= objectType, layout != 0, bits.flag() != nil, let dependsOnCore = bits.flag() else { return nil }
        if dependsOnCore, bits.read(14) == nil { return nil }
        guard let isExtended = bits.flag() else { return nil }
        // What the extension of these types has is one flag.
        if isExtended, bits.flag() == nil { return nil }
    }

    /// Reads the value of `config` as a description has it.
    init?(hexadecimal text: String) {
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(text)) else { return nil }
        var bits = BitReader(octets.rawSpan)
        self.init(head: &bits)
    }

    /// Reads an audio object type: five bits, or six more for those from 32 on; nil when they are not there.
    @_lifetime(bits: copy bits)
    static func readObjectType(_ bits: inout BitReader) -> UInt8? {
        guard let type = bits.read(5) else { return nil }
        guard type == 31 else { return UInt8(type) }
        guard let more = bits.read(6) else { return nil }
        return UInt8(32 + more)
    }

    /// Reads a sampling rate: an index, or behind the index 15 the rate itself; 0 Hz for an index that nobody has defined.
    @_lifetime(bits: copy bits)
    static func readRate(_ bits: inout BitReader) -> (index: UInt8, hertz: UInt32)? {
        guard let index = bits.read(4) else { return nil }
        guard index == 15 else { return (UInt8(index), rates.indices.contains(Int(index)) ? rates[Int(index)] : 0) }
        guard let hertz = bits.read(24) else { return nil }
        return (15, hertz)
    }
}
