/// A set of bytes with which the bytes of a protocol may begin.
public struct FirstOctets: Sendable, Equatable {
    private var words = SIMD4<UInt64>()

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
    public static var all: Self { Self(.min ... .max) }

    /// Adds a byte.
    public mutating func insert(_ octet: UInt8) {
        words[Int(octet >> 6)] |= 1 << UInt64(octet & 63)
    }

    /// Returns the bytes of both sets.
    public func union(_ other: Self) -> Self {
        var both = self
        both.words |= other.words
        return both
    }

    /// Whether the set contains a byte.
    public func contains(_ octet: UInt8) -> Bool {
        words[Int(octet >> 6)] >> UInt64(octet & 63) & 1 != 0
    }
}
