import WeirPackets

/// The decoder configuration of MPEG-4 audio: the AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1), in hexadecimal in
/// `config` (RFC 3640 §4.1), or within a StreamMuxConfig.
struct MPEG4AudioConfiguration: Sendable, Hashable {
    /// Sampling rates by index (ISO/IEC 14496-3 §1.6.3.4).
    private static let rates: [UInt32] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// The audio object type of the core: 2 is AAC LC; never 0.
    private(set) var objectType: UInt8 = 0
    /// The sampling rate index of the core; 15 if the rate is explicit.
    private(set) var rateIndex: UInt8 = 0
    /// The channel configuration; 0 if the layout is defined elsewhere.
    private(set) var layout: UInt8 = 0
    private var hertz: UInt32 = 0

    /// The sampling rate of the core in Hz, or nil for a reserved index.
    var rate: Int? { hertz > 0 ? Int(hertz) : nil }
    /// The number of channels of the layout, or nil if it is defined elsewhere.
    var channels: Int? { layout == 0 || layout > 7 ? nil : layout == 7 ? 8 : Int(layout) }

    /// Parses the part common to all object types, or returns nil if the bits end early or the type is 0.
    @_lifetime(bits: copy bits)
    init?(head bits: inout BitReader) {
        guard let type = Self.readObjectType(&bits), type > 0, let rate = Self.readRate(&bits),
            let layout = bits.read(4)
        else { return nil }
        self.layout = UInt8(layout)
        (rateIndex, hertz) = (rate.index, rate.hertz)
        objectType = type
        // With spectral band replication the output rate precedes the core (types 5 and 29).
        guard type == 5 || type == 29 else { return }
        guard Self.readRate(&bits) != nil, let core = Self.readObjectType(&bits), core > 0 else { return nil }
        objectType = core
    }

    /// Parses all of it through the general audio coder (ISO/IEC 14496-3 §4.4.1); later bits belong to other
    /// structures. Returns nil for object types of other coders, and if the layout is in a program configuration.
    @_lifetime(bits: copy bits)
    init?(whole bits: inout BitReader) {
        self.init(head: &bits)
        guard 1...4 ~= objectType, layout != 0, bits.flag() != nil, let dependsOnCore = bits.flag() else { return nil }
        if dependsOnCore, bits.read(14) == nil { return nil }
        guard let isExtended = bits.flag() else { return nil }
        // The extension of these types is a single flag.
        if isExtended, bits.flag() == nil { return nil }
    }

    /// Parses the value of `config` in a session description.
    init?(hexadecimal text: String) {
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(text)) else { return nil }
        var bits = BitReader(octets.rawSpan)
        self.init(head: &bits)
    }

    /// Parses an audio object type of five bits, or eleven for those from 32 on; returns nil if the bits end early.
    @_lifetime(bits: copy bits)
    static func readObjectType(_ bits: inout BitReader) -> UInt8? {
        guard let type = bits.read(5) else { return nil }
        guard type == 31 else { return UInt8(type) }
        guard let more = bits.read(6) else { return nil }
        return UInt8(32 + more)
    }

    /// Parses a sampling rate: an index, or the explicit rate after index 15; 0 Hz for an undefined index.
    @_lifetime(bits: copy bits)
    static func readRate(_ bits: inout BitReader) -> (index: UInt8, hertz: UInt32)? {
        guard let index = bits.read(4) else { return nil }
        guard index == 15 else { return (UInt8(index), rates.indices.contains(Int(index)) ? rates[Int(index)] : 0) }
        guard let hertz = bits.read(24) else { return nil }
        return (15, hertz)
    }
}
