import WeirPackets

/// Pairs of octets with which something may begin, as a set of bits: most places in other content are passed over by it.
struct PairFilter {
    private var bits = [UInt64](repeating: 0, count: 1 << 10)

    /// Adds a pair.
    mutating func insert(_ first: UInt8, _ second: UInt8) {
        let index = Int(first) << 8 | Int(second)
        bits[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// Adds the first two octets of a text, whatever their case.
    mutating func insert(startOf text: [UInt8]) {
        guard text.count >= 2 else { return }
        let letterCase: UInt8 = 0x20
        for first in [text[0] & ~letterCase, text[0] | letterCase] {
            for second in [text[1] & ~letterCase, text[1] | letterCase] { insert(first, second) }
        }
    }

    /// Returns the first place of a pair from one place up to another; behind the last octet is a zero.
    @inline(__always)
    func firstPlace(in bytes: RawSpan, from start: Int, to end: Int) -> Int? {
        var place = start
        while place < end, let pair = bytes.uint16(at: place) {
            if contains(pair) { return place }
            place &+= 1
        }
        guard place < end, let octet = bytes.byte(at: place), contains(UInt16(octet) << 8) else { return nil }
        return place
    }

    @inline(__always)
    private func contains(_ pair: UInt16) -> Bool { bits[Int(pair >> 6)] >> UInt64(pair & 63) & 1 == 1 }
}
