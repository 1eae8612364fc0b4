import WeirPackets

/// An interface on which capturing ended while it went on on others.
package struct LostInterface: Sendable, Hashable {
    /// The interface's name; empty if the file does not tell.
    package var name: String
    /// When capturing on it ended.
    package var time: Timestamp

    /// Says which interface, and when.
    package init(name: String, time: Timestamp) {
        self.name = name
        self.time = time
    }
}
