/// AES (FIPS 197), one block at a time and in one direction: as much as the key derivation of SRTP takes (RFC 3711 §4.3.3).
///
/// What swift-crypto has of it outside of its large collection of extras encrypts in modes of its own only. Nothing secret is
/// guarded with it: keys come from what the capture shows.
struct AESEncryption {
    /// What the cipher puts for each octet: its inverse in the field of 256 elements, turned.
    private static let substitutes: [UInt8] = {
        var table = [UInt8](repeating: 0x63, count: 256)
        // Both go through all elements but 0, one the inverse of the other: times 3, and divided by 3.
        var (element, inverse): (UInt8, UInt8) = (1, 1)
        repeat {
            element ^= doubled(element)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            var sum = inverse ^ 0x63
            for turn: UInt8 in 1...4 { sum ^= inverse << turn | inverse >> (8 - turn) }
            table[Int(element)] = sum
        } while element != 1
        return table
    }()

    /// Twice an element of the field.
    private static func doubled(_ octet: UInt8) -> UInt8 { octet << 1 ^ (octet & 0x80 != 0 ? 0x1B : 0) }

    /// The key of each round, four octets after each other.
    private let words: [SIMD4<UInt8>]

    /// Takes a key of 16, 24 or 32 octets; nil for others.
    init?(key: [UInt8]) {
        guard [16, 24, 32].contains(key.count) else { return nil }
        var words = stride(from: 0, to: key.count, by: 4).map { SIMD4(key[$0], key[$0 + 1], key[$0 + 2], key[$0 + 3]) }
        let own = words.count
        var constant: UInt8 = 1
        for place in own..<4 * (own + 7) {
            var word = words[place - 1]
            if place % own == 0 {
                word = Self.substituted(SIMD4(word.y, word.z, word.w, word.x))
                word.x ^= constant
                constant = Self.doubled(constant)
            } else if own > 6, place % own == 4 {
                word = Self.substituted(word)
            }
            words.append(word ^ words[place - own])
        }
        self.words = words
    }

    private static func substituted(_ word: SIMD4<UInt8>) -> SIMD4<UInt8> {
        SIMD4(
            substitutes[Int(word.x)], substitutes[Int(word.y)], substitutes[Int(word.z)], substitutes[Int(word.w)])
    }

    /// Encrypts a block of 16 octets; one of another length is none, and stays.
    func encrypted(_ block: [UInt8]) -> [UInt8] {
        guard block.count == 16 else { return block }
        var state = stride(from: 0, to: 16, by: 4).map { SIMD4(block[$0], block[$0 + 1], block[$0 + 2], block[$0 + 3]) }
        add(0, to: &state)
        let rounds = words.count / 4 - 1
        for round in 1...rounds {
            let before = state.map(Self.substituted)
            for column in 0..<4 {
                // Each row is turned by as many columns as it has above it.
                let word = SIMD4(
                    before[column].x, before[(column + 1) % 4].y, before[(column + 2) % 4].z, before[(column + 3) % 4].w
                )
                state[column] = round == rounds ? word : Self.mixed(word)
            }
            add(round, to: &state)
        }
        return state.flatMap { [$0.x, $0.y, $0.z, $0.w] }
    }

    private func add(_ round: Int, to state: inout [SIMD4<UInt8>]) {
        for column in 0..<4 { state[column] ^= words[round * 4 + column] }
    }

    /// A column of the state mixed.
    private static func mixed(_ word: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let next = SIMD4(word.y, word.z, word.w, word.x)
        let all = word.x ^ word.y ^ word.z ^ word.w
        let both = word ^ next
        return word ^ SIMD4(repeating: all) ^ SIMD4(doubled(both.x), doubled(both.y), doubled(both.z), doubled(both.w))
    }
}
