import WeirPackets

/// An interface on which capturing ended while it went on on others.
public struct LostInterface: Sendable, Hashable {
    /// The interface's name; empty if the file does not tell.
    public var name: String
    /// When capturing on it ended.
    public var time: Timestamp

    /// Says which interface, and when.
    public init(name: String, time: Timestamp) {
        self.name = name
        self.time = time
    }
}
