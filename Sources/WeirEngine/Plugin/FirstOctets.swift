/// A set of bytes with which the bytes of a protocol may begin.
public struct FirstOctets: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Creates an empty set.
    public init() {}

    /// Creates a set of the bytes in a range.
    public init(_ range: ClosedRange<UInt8>) {
        for octet in range { insert(octet) }
    }

    /// Creates a set of ASCII characters.
    public init(ascii text: String) {
        for octet in text.utf8 { insert(octet) }
    }

    /// All bytes.
    public static var all: Self {
        var octets = Self()
        octets.words = (.max, .max, .max, .max)
        return octets
    }

    /// Adds a byte.
    public mutating func insert(_ octet: UInt8) {
        let bit: UInt64 = 1 << UInt64(octet & 63)
        switch octet >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    /// Returns the bytes of both sets.
    public func union(_ other: Self) -> Self {
        var both = self
        both.words.0 |= other.words.0
        both.words.1 |= other.words.1
        both.words.2 |= other.words.2
        both.words.3 |= other.words.3
        return both
    }

    /// Whether the set contains a byte.
    public func contains(_ octet: UInt8) -> Bool {
        let word =
            switch octet >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(octet & 63) & 1 != 0
    }

    /// Calls a function with each byte of the set, ascending.
    func forEach(_ body: (UInt8) -> Void) {
        Self.forEach(words.0, from: 0, body)
        Self.forEach(words.1, from: 64, body)
        Self.forEach(words.2, from: 128, body)
        Self.forEach(words.3, from: 192, body)
    }

    @inline(__always)
    private static func forEach(_ word: UInt64, from first: UInt8, _ body: (UInt8) -> Void) {
        var rest = word
        while rest != 0 {
            body(first | UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
    }
}
