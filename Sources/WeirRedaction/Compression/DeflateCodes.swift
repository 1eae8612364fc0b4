/// The two prefix codes of a block (RFC 1951 §3.2.3): of literals and lengths, and of distances.
struct DeflateCodes {
    let literals: [Int]
    let distances: [Int]
    /// Whether the block does not state its codes.
    let isFixed: Bool

    /// The codes that need not be stated (RFC 1951 §3.2.6).
    static let fixed = DeflateCodes(
        literals: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8),
        distances: [Int](repeating: 5, count: 30), isFixed: true)

    /// The best codes for some tokens.
    init(for tokens: [DeflateToken]) {
        var counts = [Int](repeating: 0, count: 286)
        var distanceCounts = [Int](repeating: 0, count: 30)
        counts[DeflateToken.endSymbol] = 1
        for token in tokens {
            switch token {
            case .literal(let octet): counts[Int(octet)] += 1
            case .match(let length, let distance):
                counts[DeflateToken.symbol(length: length)] += 1
                distanceCounts[DeflateToken.symbol(distance: distance)] += 1
            case .end: break
            }
        }
        literals = HuffmanLengths.lengths(of: counts, limit: 15)
        distances = HuffmanLengths.lengths(of: distanceCounts, limit: 15)
        isFixed = false
    }

    private init(literals: [Int], distances: [Int], isFixed: Bool) {
        self.literals = literals
        self.distances = distances
        self.isFixed = isFixed
    }

    /// The bits of a token; 0 for a literal without a code.
    func bits(of token: DeflateToken) -> Int { bits(of: token, rare: 0) }

    /// The bits of a token, where a symbol without a code counts as a rare one, so that a search may choose it.
    func likelyBits(of token: DeflateToken) -> Int { bits(of: token, rare: 13) }

    private func bits(of token: DeflateToken, rare: Int) -> Int {
        switch token {
        case .literal(let octet): return literals[Int(octet)] == 0 ? rare : literals[Int(octet)]
        case .end: return literals[DeflateToken.endSymbol]
        case .match(let length, let distance):
            let (symbol, other) = (DeflateToken.symbol(length: length), DeflateToken.symbol(distance: distance))
            return (literals[symbol] == 0 ? rare : literals[symbol]) + DeflateToken.lengthBits[symbol - 257]
                + (distances[other] == 0 ? rare : distances[other]) + DeflateToken.distanceBits[other]
        }
    }

    // MARK: - Writing

    /// Writes the start of a block that is not the last: its kind, and its codes.
    func writeStart(_ output: inout BitWriter) {
        output.write(0, 1)
        output.write(isFixed ? 1 : 2, 2)
        guard !isFixed else { return }
        let literalCount = max(257, (literals.lastIndex { $0 > 0 } ?? 0) + 1)
        let distanceCount = max(1, (distances.lastIndex { $0 > 0 } ?? 0) + 1)
        let runs = Self.runs(Array(literals[..<literalCount] + distances[..<distanceCount]))
        var counts = [Int](repeating: 0, count: 19)
        for run in runs { counts[run.symbol] += 1 }
        let lengths = HuffmanLengths.lengths(of: counts, limit: 7)
        let codes = HuffmanLengths.codes(lengths)
        let stated = max(4, (Self.order.lastIndex { lengths[$0] > 0 } ?? 0) + 1)
        output.write(UInt32(literalCount - 257), 5)
        output.write(UInt32(distanceCount - 1), 5)
        output.write(UInt32(stated - 4), 4)
        for symbol in Self.order[..<stated] { output.write(UInt32(lengths[symbol]), 3) }
        for run in runs {
            output.write(codes[run.symbol], lengths[run.symbol])
            output.write(UInt32(run.extra), run.bits)
        }
    }

    /// Writes tokens, and the end of the block.
    func write(_ tokens: [DeflateToken], _ output: inout BitWriter) {
        let (codes, distanceCodes) = (HuffmanLengths.codes(literals), HuffmanLengths.codes(distances))
        for token in tokens {
            switch token {
            case .literal(let octet): output.write(codes[Int(octet)], literals[Int(octet)])
            case .match(let length, let distance):
                let symbol = DeflateToken.symbol(length: length)
                output.write(codes[symbol], literals[symbol])
                output.write(
                    UInt32(length - DeflateToken.lengthBases[symbol - 257]), DeflateToken.lengthBits[symbol - 257])
                let other = DeflateToken.symbol(distance: distance)
                output.write(distanceCodes[other], distances[other])
                output.write(UInt32(distance - DeflateToken.distanceBases[other]), DeflateToken.distanceBits[other])
            case .end: break
            }
        }
        output.write(codes[DeflateToken.endSymbol], literals[DeflateToken.endSymbol])
    }

    /// The order in which lengths of the code for lengths are stated (RFC 1951 §3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Returns lengths of codes as runs: a length, a repetition of the last one, or zeros.
    private static func runs(_ lengths: [Int]) -> [(symbol: Int, extra: Int, bits: Int)] {
        var runs: [(symbol: Int, extra: Int, bits: Int)] = []
        var place = 0
        while place < lengths.count {
            let value = lengths[place]
            let count = lengths[place...].prefix { $0 == value }.count
            if value == 0, count >= 11 {
                runs.append((18, min(count, 138) - 11, 7))
                place += min(count, 138)
            } else if value == 0, count >= 3 {
                runs.append((17, count - 3, 3))
                place += count
            } else if place > 0, lengths[place - 1] == value, count >= 3 {
                runs.append((16, min(count, 6) - 3, 2))
                place += min(count, 6)
            } else {
                runs.append((value, 0, 0))
                place += 1
            }
        }
        return runs
    }
}
