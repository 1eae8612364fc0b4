import Crypto

/// The secret from which all replacements are derived: the same key gives the same replacements, and without it no original can
/// be computed or guessed from its replacement.
public struct RedactionKey: Sendable {
    private let key: SymmetricKey
    /// HMAC-SHA256 with the key, prepared: a code begins as a copy.
    private let code: HMAC<SHA256>

    /// Creates a random key.
    public init() {
        key = SymmetricKey(size: .bits256)
        code = HMAC(key: key)
    }

    /// Creates a key from its octets, at least 16.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= 16 else { return nil }
        key = SymmetricKey(data: octets)
        code = HMAC(key: key)
    }

    /// The octets of the key, for a mapping file.
    package var octets: [UInt8] {
        // Sound: the view is valid in the closure only, which copies it.
        unsafe key.withUnsafeBytes { unsafe Array($0) }
    }

    /// Returns octets that depend on a text, and on the kind of thing that it is: HMAC-SHA256 (RFC 2104).
    package func digest(_ kind: StaticString, _ text: some Sequence<UInt8>) -> [UInt8] {
        var code = code
        code.update(data: Array("\(kind):".utf8))
        code.update(data: Array(text))
        return Array(code.finalize())
    }

    /// Returns a number that depends on a text, and on the kind of thing that it is.
    package func number(_ kind: StaticString, _ text: some Sequence<UInt8>) -> UInt64 {
        digest(kind, text).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the noise for a payload, by its content, so that a packet that was captured or sent twice is replaced equally. Its
    /// beginning, end and length tell it apart.
    func noise(for payload: ArraySlice<UInt8>) -> Noise {
        let count = UInt32(truncatingIfNeeded: payload.count)
        let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        return Noise(seed: number("payload", payload.prefix(64) + payload.suffix(64) + size))
    }
}

/// Octets that replace content: a function of their place alone, so that a retransmitted octet is replaced equally, and nothing
/// of the content is kept.
package struct Noise: Sendable {
    private let seed: UInt64
    /// Whether the octets are those that begin an RTMP chunk without header (RTMP 1.0 §5.3.1.1) of chunk streams that no peer uses, so
    /// that a search for chunks finds none in them.
    private let avoidsChunks: Bool

    /// Creates the noise of a stream or datagram; `avoidsChunks` that of an RTMP connection.
    package init(seed: UInt64, avoidsChunks: Bool = false) {
        self.seed = seed
        self.avoidsChunks = avoidsChunks
    }

    /// The same noise for an RTMP connection.
    var avoidingChunks: Noise { Noise(seed: seed, avoidsChunks: true) }

    /// Returns the octet at a place. It is at least 4: neither start codes nor emulation prevention (ITU-T H.264 §7.4.1) can
    /// appear.
    package subscript(place: Int) -> UInt8 {
        let block = mix(seed, UInt64(truncatingIfNeeded: place >> 3))
        return fitting(UInt8(truncatingIfNeeded: block >> UInt64((place & 7) &* 8)))
    }

    /// Replaces a range of octets by those of their places.
    func fill(_ octets: inout [UInt8], _ range: Range<Int>) {
        var written = octets.mutableSpan
        var place = range.lowerBound
        while place < range.upperBound {
            let block = mix(seed, UInt64(truncatingIfNeeded: place >> 3))
            if place & 7 == 0, place &+ 8 <= range.upperBound {
                put(block, in: &written, at: place)
                place &+= 8
            } else {
                written[place] = fitting(UInt8(truncatingIfNeeded: block >> UInt64((place & 7) &* 8)))
                place &+= 1
            }
        }
    }

    /// Writes the octets of a whole block.
    @inline(__always)
    private func put(_ block: UInt64, in octets: inout MutableSpan<UInt8>, at start: Int) {
        precondition(start >= 0 && start <= octets.count &- 8)
        for index in 0..<8 {
            octets[start &+ index] = fitting(UInt8(truncatingIfNeeded: block >> UInt64(index &* 8)))
        }
    }

    @inline(__always)
    private func fitting(_ octet: UInt8) -> UInt8 {
        if avoidsChunks { return 0xF0 | octet & 0x0E }
        return octet < 4 ? octet &+ 0x54 : octet == 0xFF ? 0xFE : octet
    }

    /// The SplitMix64 generator's output for a counter.
    private func mix(_ seed: UInt64, _ counter: UInt64) -> UInt64 {
        var value = seed &+ (counter &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
