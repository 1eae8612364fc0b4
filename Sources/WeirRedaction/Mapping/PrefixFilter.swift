import WeirPackets

/// The beginnings of texts, whatever their case, as a set of bits: tells of most places in other content that none begins there.
struct PrefixFilter {
    /// The octets of a beginning that are compared; without the bit that tells the case of a letter.
    private let mask: UInt32
    private var bits = [UInt64](repeating: 0, count: 1 << 10)

    /// Creates a filter by the first octets of texts, at most three.
    init(_ texts: some Sequence<[UInt8]>, count: Int) {
        mask = 0xDFDF_DFDF << UInt32(8 * (4 - count))
        for text in texts where text.count >= count {
            let first = (text + [0, 0, 0, 0]).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let index = index(first)
            bits[index >> 6] |= 1 << UInt64(index & 63)
        }
    }

    /// Returns whether a text may begin with four octets, the first in the highest bits.
    @inline(__always)
    func mayBegin(_ octets: UInt32) -> Bool {
        let index = index(octets)
        return bits[index >> 6] >> UInt64(index & 63) & 1 == 1
    }

    /// Multiplicative hashing by the golden ratio.
    @inline(__always)
    private func index(_ octets: UInt32) -> Int { Int((octets & mask &* 0x9E37_79B1) >> 16) }
}
