import WeirPackets

/// A name, or several: `*` stands for any characters, none included.
package struct Pattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    package let description: String
    /// What stands between the asterisks.
    private let parts: [[UInt8]]

    /// Reads a pattern.
    package init(_ text: String) {
        description = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether it names more than itself.
    package var isWild: Bool { parts.count > 1 }

    /// Whether the whole name fits.
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
