import WeirPackets

/// The percent-decoded bytes of a text (RFC 3986 §2.1), including repeated encoding, each with its position in the
/// text. A secret must be masked even if its delimiter is encoded.
package struct DecodedOctets {
    /// The maximum number of decoding passes.
    private static let mostTimes = 4

    /// The decoded bytes.
    package private(set) var octets: [UInt8]
    /// How many times each byte was encoded; empty if none was.
    private var depths: [UInt8] = []
    /// The position of each byte in the text, followed by the text's length; empty if nothing was encoded.
    private var starts: [Int] = []

    init(_ text: [UInt8]) {
        octets = text
        guard text.indices.contains(where: { Self.isEncoded(text[...], $0) }) else { return }
        depths = [UInt8](repeating: 0, count: text.count)
        starts = Array(0...text.count)
        for _ in 0..<Self.mostTimes where !decode() { break }
    }

    private static let percent = UInt8(ascii: "%")

    /// Whether a percent-encoded byte starts at `index`.
    static func isEncoded(_ octets: ArraySlice<UInt8>, _ index: Int) -> Bool {
        octets[index] == percent && index + 2 < octets.endIndex && digit(octets[index + 1]) != nil
            && digit(octets[index + 2]) != nil
    }

    /// Returns how many times the byte at `index` was encoded.
    func depth(_ index: Int) -> UInt8 { depths.indices.contains(index) ? depths[index] : 0 }

    /// Returns the range in the text of decoded bytes.
    package func place(_ range: Range<Int>) -> Range<Int> {
        guard starts.indices.contains(range.lowerBound), starts.indices.contains(range.upperBound) else { return range }
        return starts[range.lowerBound]..<starts[range.upperBound]
    }

    /// Removes one level of encoding; returns whether there was one.
    private mutating func decode() -> Bool {
        var decoded: [UInt8] = []
        var depths: [UInt8] = []
        var starts: [Int] = []
        var index = 0
        while index < octets.count {
            starts.append(self.starts[index])
            if octets[index] == Self.percent, index + 2 < octets.count, let high = Self.digit(octets[index + 1]),
                let low = Self.digit(octets[index + 2])
            {
                decoded.append(high << 4 | low)
                depths.append(1 + max(self.depths[index], self.depths[index + 1], self.depths[index + 2]))
                index += 3
            } else {
                decoded.append(octets[index])
                depths.append(self.depths[index])
                index += 1
            }
        }
        guard decoded.count < octets.count else { return false }
        starts.append(self.starts[octets.count])
        octets = decoded
        self.depths = depths
        self.starts = starts
        return true
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x30...0x39: octet - 0x30
        case 0x41...0x46: octet - 0x37
        case 0x61...0x66: octet - 0x57
        default: nil
        }
    }
}
