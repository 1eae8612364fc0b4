import WeirPackets

/// A LATM audioMuxElement (ISO/IEC 14496-3 §1.7.3), or the first part of one: access units, each after its length (RFC
/// 6416). Fields need not be octet-aligned.
struct AudioMuxElement {
    /// The stream mux configuration of the element.
    let configuration: StreamMuxConfiguration
    /// Bits of the element, as far as its length fields are present.
    private(set) var announcedBits = 0
    /// Whether all its length fields are present.
    private(set) var isKnown = true
    private let presentBits: Int
    private let startBits: Int

    /// Octets of the element, as far as its length fields are present.
    var announcedOctets: Int { (announcedBits &+ 7) / 8 }
    /// Whether octets of the element are missing here, so that more follow.
    var isFragment: Bool { !isKnown || announcedBits > presentBits }
    /// Whether octets follow its end.
    var hasRest: Bool { presentBits &- announcedBits >= 8 }

    /// Parses the length fields of an element that begins here.
    ///
    /// - Parameters:
    ///   - configuration: the announced configuration, or that of the last element which had one.
    ///   - isInBand: whether elements may have their own configuration (`cpresent`).
    /// - Returns: nil if no configuration is known, or the element's own cannot be parsed.
    init?(_ bytes: RawSpan, _ configuration: StreamMuxConfiguration?, isInBand: Bool) {
        var bits = BitReader(bytes)
        presentBits = bits.remaining
        var own: StreamMuxConfiguration?
        if isInBand, bits.flag() == false {
            guard let read = StreamMuxConfiguration(&bits) else { return nil }
            own = read
        }
        guard let configuration = own ?? configuration else { return nil }
        self.configuration = configuration
        startBits = presentBits &- bits.remaining
        announcedBits = startBits &+ configuration.otherBits
        for _ in 0..<configuration.units {
            let before = bits.remaining
            guard let length = Self.length(&bits, configuration) else {
                isKnown = false
                return
            }
            announcedBits &+= before &- bits.remaining &+ length &* 8
            bits.skip(length &* 8)
        }
    }

    /// Returns the access units of a complete element.
    func units(_ bytes: RawSpan) -> [[UInt8]] {
        var bits = BitReader(bytes)
        bits.skip(startBits)
        var units: [[UInt8]] = []
        for _ in 0..<configuration.units {
            guard let length = Self.length(&bits, configuration), length &* 8 <= bits.remaining else { break }
            var unit: [UInt8] = []
            unit.reserveCapacity(length)
            for _ in 0..<length {
                guard let octet = bits.read(8) else { break }
                unit.append(UInt8(octet))
            }
            units.append(unit)
        }
        return units
    }

    /// Parses the length of an access unit in octets: the sum of octets up to the first one below 255.
    @_lifetime(bits: copy bits)
    private static func length(_ bits: inout BitReader, _ configuration: StreamMuxConfiguration) -> Int? {
        if let fixed = configuration.unitOctets { return fixed }
        var sum = 0
        while let octet = bits.read(8) {
            sum &+= Int(octet)
            if octet < 255 { return sum }
        }
        return nil
    }
}
