/// Compresses a text to a given length (RFC 1951), so that a WebSocket message whose content was replaced has as many octets as
/// before (RFC 7692 §7.2.1).
///
/// Tokens are chosen by their cost in bits, so that the result is seldom longer than that of the peer. What remains is filled with
/// blocks without content.
struct DeflateEncoder {
    /// The tokens of the text, with codes for them.
    private struct Candidate {
        let tokens: [DeflateToken]
        let codes: DeflateCodes
        /// The bits of the block.
        let bits: Int

        init(_ tokens: [DeflateToken], _ codes: DeflateCodes) {
            self.tokens = tokens
            self.codes = codes
            var output = BitWriter()
            codes.writeStart(&output)
            bits = output.count + tokens.reduce(codes.bits(of: .end)) { $0 + codes.bits(of: $1) }
        }
    }

    private let text: [UInt8]
    private let candidates: [Candidate]

    /// A text with more octets is not compressed: the search takes time for each.
    static let mostOctets = 1 << 18
    /// How often tokens are chosen by the codes for the ones before.
    private static let searches = 6

    /// Prepares a text.
    ///
    /// - Parameters:
    ///   - window: The octets before it.
    ///   - farthest: How far back it may refer.
    init(_ text: [UInt8], behind window: [UInt8], farthest: Int) {
        self.text = text
        guard text.count <= Self.mostOctets else {
            candidates = []
            return
        }
        let matches = DeflateMatches(text, behind: window.suffix(farthest), farthest: farthest)
        var codes = DeflateCodes.fixed
        var candidates: [Candidate] = []
        for _ in 0..<Self.searches {
            let tokens = Self.tokens(text, matches, codes)
            codes = DeflateCodes(for: tokens)
            candidates += [Candidate(tokens, codes), Candidate(tokens, .fixed)]
        }
        self.candidates = candidates.sorted { $0.bits < $1.bits }
    }

    /// Returns a compressed message of some octets, without the four that a sender leaves out; nil if there is none.
    func message(octets: Int) -> [UInt8]? {
        if text.isEmpty, let filling = Filling(behind: 0, octets) { return filling.completed(BitWriter()) }
        for candidate in candidates {
            if let filling = Filling(behind: candidate.bits, octets) {
                return Self.written(candidate.tokens, candidate.codes, filling)
            }
            if let message = variant(candidate, octets) { return message }
        }
        return nil
    }

    // MARK: - Tokens

    /// Returns the tokens that take the fewest bits.
    private static func tokens(_ text: [UInt8], _ matches: DeflateMatches, _ codes: DeflateCodes) -> [DeflateToken] {
        var costs = [Int](repeating: .max, count: text.count + 1)
        var steps = [DeflateToken](repeating: .end, count: text.count + 1)
        costs[0] = 0
        var place = 0
        while place < text.count {
            func consider(_ token: DeflateToken, _ end: Int) {
                let cost = costs[place] + codes.likelyBits(of: token)
                guard cost < costs[end] else { return }
                costs[end] = cost
                steps[end] = token
            }
            if let longest = matches.matches[place].last, longest.length >= DeflateMatches.certain {
                consider(.match(length: longest.length, distance: longest.distance), place + longest.length)
                place += longest.length
                continue
            }
            consider(.literal(text[place]), place + 1)
            var length = DeflateMatches.shortest
            for match in matches.matches[place] {
                while length <= match.length {
                    consider(.match(length: length, distance: match.distance), place + length)
                    length += 1
                }
            }
            place += 1
        }
        return path(steps)
    }

    /// Returns the tokens that lead to the end.
    private static func path(_ steps: [DeflateToken]) -> [DeflateToken] {
        var tokens: [DeflateToken] = []
        var place = steps.count - 1
        while place > 0 {
            tokens.append(steps[place])
            place -= steps[place].count
        }
        return tokens.reversed()
    }

    // MARK: - Length

    /// What comes behind the block so that the message has some octets: blocks without content.
    private struct Filling {
        /// A stored block comes first: what follows it begins with an octet.
        let isStored: Bool
        /// Blocks with fixed codes, of ten bits each.
        let count: Int

        /// Finds the filling behind some bits; nil if there is none.
        init?(behind bits: Int, _ octets: Int) {
            for isStored in [false, true] {
                let bits = isStored ? (bits + 3 + 7) / 8 * 8 + 32 : bits
                // The header of the empty stored block that ends a message has three bits.
                let count = max(0, (8 * (octets - 1) - bits - 3) / 10 + 1)
                for count in [count - 1, count] where count >= 0 && (bits + 10 * count + 3 + 7) / 8 == octets {
                    self.isStored = isStored
                    self.count = count
                    return
                }
            }
            return nil
        }

        func completed(_ block: BitWriter) -> [UInt8] {
            var output = block
            if isStored {
                output.write(0, 3)
                output.align()
                output.write(0xFFFF_0000, 32)
            }
            for _ in 0..<count { output.write(2, 10) }
            output.write(0, 3)
            output.align()
            return output.octets
        }
    }

    /// Writes a match as literals, so that the block has another length, behind which there is a filling.
    private func variant(_ candidate: Candidate, _ octets: Int) -> [UInt8]? {
        guard candidate.bits < 8 * octets else { return nil }
        var place = 0
        for (index, token) in candidate.tokens.enumerated() {
            defer { place += token.count }
            guard token.count > 1 else { continue }
            let literals = text[place..<place + token.count].map { DeflateToken.literal($0) }
            guard literals.allSatisfy({ candidate.codes.bits(of: $0) > 0 }) else { continue }
            let bits = literals.reduce(candidate.bits - candidate.codes.bits(of: token)) {
                $0 + candidate.codes.bits(of: $1)
            }
            guard let filling = Filling(behind: bits, octets) else { continue }
            let tokens = candidate.tokens[..<index] + literals + candidate.tokens[(index + 1)...]
            return Self.written(Array(tokens), candidate.codes, filling)
        }
        return nil
    }

    private static func written(_ tokens: [DeflateToken], _ codes: DeflateCodes, _ filling: Filling) -> [UInt8] {
        var output = BitWriter()
        codes.writeStart(&output)
        codes.write(tokens, &output)
        return filling.completed(output)
    }
}
