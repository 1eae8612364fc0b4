import WeirPackets

/// Replaces words: names, tokens, passwords. A replacement has the length of the word, and at each place a character of the same
/// class: upper or lower case, digit, or a letter of as many octets in UTF-8.
///
/// Words are compared without case, so that a host name is replaced equally however it is written. Not thread-safe: it remembers
/// results.
package final class WordMapping {
    private let key: RedactionKey
    private var known: [[UInt8]: [UInt8]] = [:]

    /// Creates a mapping.
    package init(_ key: RedactionKey) {
        self.key = key
    }

    /// Returns the replacement of a word.
    package func callAsFunction(_ word: [UInt8]) -> [UInt8] {
        let plain = word.map(ASCII.lowercased)
        let other = known[plain] ?? replacement(plain)
        known[plain] = other
        return zip(word, other).map { original, new in
            original &- 0x41 < 26 ? new & ~0x20 : new
        }
    }

    /// Sets the replacement of a word, both in lower case and of the same length.
    package func set(_ word: [UInt8], _ replacement: [UInt8]) {
        if word.count == replacement.count { known[word] = replacement }
    }

    /// Replaces words of a text by others that compress better: made of parts of words of the text that are kept.
    ///
    /// - Parameters:
    ///   - sensitive: The words that are replaced, in lower case.
    ///   - words: The words of the text, in lower case.
    ///   - attempt: Another number gives other replacements.
    package func shorten(_ sensitive: Set<[UInt8]>, in words: [[UInt8]], attempt: Int) {
        let kept = words.filter { !sensitive.contains($0) && $0.count > 2 && $0.allSatisfy(ASCII.isLetter) }
        guard !kept.isEmpty else { return }
        var used = Set(known.values).union(sensitive)
        for word in Set(words).intersection(sensitive).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let runs = word.split { !ASCII.isLetter($0) }
            for trial in 0..<Self.mostTrials {
                var noise = key.digest("short", word + [UInt8(truncatingIfNeeded: attempt), UInt8(trial)])[...]
                var other = replacement(word)
                for run in runs {
                    let long = kept.filter { $0.count >= run.count }
                    let source = long.isEmpty ? Array(kept.joined()) : long[Int(noise.popFirst() ?? 0) % long.count]
                    guard source.count >= run.count else { continue }
                    let start = Int(noise.popFirst() ?? 0) % (source.count - run.count + 1)
                    other.replaceSubrange(run.indices, with: source[start..<start + run.count])
                }
                guard used.insert(other).inserted else { continue }
                known[word] = other
                break
            }
        }
    }

    private static let mostTrials = 32

    /// Returns a text with each of its words replaced, whatever it is.
    package func text(_ text: [UInt8]) -> [UInt8] {
        var result = text
        var start = 0
        while start < text.count {
            guard Self.isWordOctet(text[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < text.count, Self.isWordOctet(text[end]) { end += 1 }
            result.replaceSubrange(start..<end, with: self(Array(text[start..<end])))
            start = end
        }
        return result
    }

    /// Whether an octet is part of a word: a letter, a digit, or part of a character outside ASCII.
    @inline(__always)
    package static func isWordOctet(_ octet: UInt8) -> Bool {
        ASCII.isDigit(octet) || ASCII.isLetter(octet) || octet >= 0x80
    }

    private func replacement(_ word: [UInt8]) -> [UInt8] {
        var noise: [UInt8] = []
        for block in 0...(word.count / 32) {
            noise += key.digest("word", word + [0, UInt8(truncatingIfNeeded: block)])
        }
        // Hexadecimal stays hexadecimal: a decoder may refuse other letters.
        let isHexadecimal =
            word.count >= 8
            && word.allSatisfy { ASCII.isDigit($0) || (0x61...0x66).contains($0) }
        var result: [UInt8] = []
        var place = 0
        while place < word.count {
            let (octet, random) = (word[place], noise[place])
            switch octet {
            case _ where ASCII.isDigit(octet):
                // A number keeps its length: no zero comes to its front, and none leaves it.
                let isFirst = place == 0 || !ASCII.isDigit(word[place - 1])
                result.append(!isFirst ? 0x30 + random % 10 : octet == 0x30 ? 0x30 : 0x31 + random % 9)
            case 0x80...:
                let length = Self.length(word[place...])
                result +=
                    length == 2
                    ? [0xC3, 0xA0 + random % 16]
                    : length == 3
                        ? [0xE4, 0xB8 + random % 8, 0x80 + random % 64]
                        : length == 4 ? [0xF0, 0xA0, 0x80 + random % 32, 0x80 + random % 64] : [octet]
                place += max(1, length) - 1
            default: result.append(0x61 + random % (isHexadecimal ? 6 : 26))
            }
            place += 1
        }
        return result
    }

    /// Returns the length of the character in UTF-8 at the start; 1 if it is not complete.
    private static func length(_ octets: ArraySlice<UInt8>) -> Int {
        let length =
            switch octets.first ?? 0 {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard octets.count >= length, octets.dropFirst().prefix(length - 1).allSatisfy({ $0 & 0xC0 == 0x80 }) else {
            return 1
        }
        return length
    }
}
