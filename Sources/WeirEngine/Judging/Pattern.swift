import WeirPackets

/// A name pattern in which `*` matches any number of characters, including none.
package struct Pattern: Sendable, Hashable, CustomStringConvertible {
    /// The source text of the pattern.
    package let description: String
    /// The literal parts between the asterisks.
    private let parts: [[UInt8]]

    /// Parses a pattern.
    package init(_ text: String) {
        description = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether the pattern contains a wildcard.
    package var isWild: Bool { parts.count > 1 }

    /// Whether the pattern matches the entire name.
    package func matches(_ name: String) -> Bool {
        let octets = Array(name.utf8)
        guard let first = parts.first, let last = parts.last else { return false }
        guard isWild else { return octets == first }
        guard octets.count >= first.count + last.count, octets.starts(with: first),
            octets.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = octets[first.count..<octets.count - last.count]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = ASCII.range(of: part, in: rest) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
