/// Sorts of messages of one protocol, by which rules say at which of them they look: each protocol gives the bits names of
/// its own.
public struct MessageSorts: OptionSet, Sendable, Hashable {
    /// A bit for each sort.
    public let rawValue: UInt32

    /// Sorts by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// All of them.
    public static let all = MessageSorts(rawValue: .max)
}
