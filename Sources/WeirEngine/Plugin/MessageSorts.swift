/// Sorts of messages of one protocol, by which rules select what they observe. Each protocol defines its own bits.
public struct MessageSorts: OptionSet, Sendable, Hashable {
    /// One bit per sort.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// All sorts.
    public static let all = MessageSorts(rawValue: .max)
}
