/// A part of a compressed text (RFC 1951 §3.2.5).
enum DeflateToken {
    /// An octet.
    case literal(UInt8)
    /// As many octets as occurred some octets before.
    case match(length: Int, distance: Int)
    /// The end of a block.
    case end

    /// The symbol that ends a block.
    static let endSymbol = 256

    /// The octets of text that it stands for.
    var count: Int {
        switch self {
        case .literal: 1
        case .match(let length, _): length
        case .end: 0
        }
    }

    static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    /// Returns the symbol of a length, from 257 on.
    static func symbol(length: Int) -> Int { 257 + lengthSymbols[length] }

    /// Returns the symbol of a distance.
    static func symbol(distance: Int) -> Int {
        var (low, high) = (0, distanceBases.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if distanceBases[middle] <= distance { low = middle } else { high = middle }
        }
        return low
    }

    /// The symbols of lengths, less 257.
    private static let lengthSymbols = (0...DeflateMatches.longest).map { length in
        lengthBases.lastIndex { $0 <= length } ?? 0
    }
}
