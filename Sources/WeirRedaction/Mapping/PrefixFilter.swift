import WeirPackets

/// The beginnings of texts, whatever their case, as a set of bits: tells of most places in other content that none begins there.
struct PrefixFilter {
    /// The octets of a beginning.
    private let count: Int
    private var bits = [UInt64](repeating: 0, count: 1 << 10)

    /// Creates a filter for texts of at least `count` octets, at most three.
    init(_ texts: some Sequence<[UInt8]>, count: Int) {
        self.count = count
        for text in texts where text.count >= count {
            let index = Self.index(text, 0, count)
            bits[index >> 6] |= 1 << UInt64(index & 63)
        }
    }

    /// Returns whether a text may begin at a place before `end`.
    @inline(__always)
    func mayBegin(_ octets: [UInt8], _ place: Int, _ end: Int) -> Bool {
        guard place &+ count <= end else { return false }
        let index = Self.index(octets, place, count)
        return bits[index >> 6] >> UInt64(index & 63) & 1 == 1
    }

    @inline(__always)
    private static func index(_ octets: [UInt8], _ place: Int, _ count: Int) -> Int {
        var prefix: UInt32 = 0
        for step in 0..<count { prefix = prefix << 8 | UInt32(ASCII.lowercased(octets[place &+ step])) }
        // Multiplicative hashing by the golden ratio.
        return Int((prefix &* 0x9E37_79B1) >> 16)
    }
}
