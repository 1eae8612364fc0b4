import WeirPackets

/// An element of LATM, the audioMuxElement (ISO/IEC 14496-3 §1.7.3), or the first part of one: access units, each behind its
/// length (RFC 6416). Its fields need not begin at octets.
struct AudioMuxElement {
    /// How access units stand in it.
    let configuration: StreamMuxConfiguration
    /// Bits that it takes, as far as its lengths are there.
    private(set) var announcedBits = 0
    /// Whether all its lengths are there.
    private(set) var isKnown = true
    private let presentBits: Int
    private let startBits: Int

    /// Octets that it takes, as far as its lengths are there.
    var announcedOctets: Int { (announcedBits &+ 7) / 8 }
    /// Whether octets of it are missing here, so that more of them follow.
    var isFragment: Bool { !isKnown || announcedBits > presentBits }
    /// Whether octets are behind its end.
    var hasRest: Bool { presentBits &- announcedBits >= 8 }

    /// Reads the lengths of an element that begins here.
    ///
    /// - Parameters:
    ///   - configuration: the one that was announced, or that the last element had which has one.
    ///   - isInBand: whether elements say if they have a configuration of their own (`cpresent`).
    /// - Returns: nil where no configuration is known, or that of the element itself cannot be read.
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

    /// The access units of a whole element.
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

    /// The length of an access unit in octets: the sum of octets up to the first that is not 255.
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
