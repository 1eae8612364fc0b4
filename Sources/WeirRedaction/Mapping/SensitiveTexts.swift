import WeirPackets

/// The texts of a capture that must not be passed on: words, numbers in their context, and texts in another encoding.
package struct SensitiveTexts: Sendable {
    /// Words in lower case.
    package private(set) var words: Set<[UInt8]> = []
    /// Texts that are replaced as a whole, such as credentials in base64, with their replacements of the same length.
    package private(set) var phrases: [[UInt8]: [UInt8]] = [:]
    /// The number of words and phrases that are kept; a capture with more is not redacted.
    package let limit: Int
    /// Whether there were more.
    package private(set) var isFull = false

    /// The length from which a word is replaced inside of longer ones, too.
    package static let shortestInside = 8

    /// Creates an empty set.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Adds the words of a text, except for common ones and numbers.
    package mutating func add(_ text: some Sequence<UInt8>) {
        for word in Self.words(Array(text)) where !word.allSatisfy(ASCII.isDigit) {
            let plain = word.map(ASCII.lowercased)
            if !CommonWords.contains(plain) { insert(plain) }
        }
    }

    /// Adds a secret: its words, also common ones, and its numbers.
    package mutating func add(secret text: some Sequence<UInt8>) {
        for word in Self.words(Array(text)) where word.count >= 3 {
            let plain = word.map(ASCII.lowercased)
            // A short number is everywhere: only its place makes it a secret.
            if word.allSatisfy(ASCII.isDigit), word.count < Self.shortestInside { continue }
            if !CommonWords.contains(plain) { insert(plain) }
        }
    }

    /// Adds a text that is replaced as a whole. Both have the same length.
    package mutating func add(phrase: [UInt8], _ replacement: [UInt8]) {
        guard phrase.count == replacement.count, phrase.count >= 4, phrase != replacement else { return }
        guard words.count + phrases.count < limit else {
            isFull = true
            return
        }
        phrases[phrase] = replacement
    }

    private mutating func insert(_ word: [UInt8]) {
        guard words.count + phrases.count < limit else {
            isFull = true
            return
        }
        words.insert(word)
    }

    /// Returns the words of a text. Escapes of a URI (RFC 3986 §2.1) are between words.
    package static func words(_ text: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        var place = 0
        while place < text.count {
            if text[place] == 0x25, place + 2 < text.count {
                words.append([])
                place += 3
                continue
            }
            if WordMapping.isWordOctet(text[place]) {
                words[words.count - 1].append(text[place])
            } else {
                words.append([])
            }
            place += 1
        }
        return words.filter { !$0.isEmpty }
    }
}
