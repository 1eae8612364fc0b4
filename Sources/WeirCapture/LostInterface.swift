import WeirPackets

/// An interface whose capture ended while it continued on others.
package struct LostInterface: Sendable, Hashable {
    /// The name of the interface; empty if not recorded.
    package var name: String
    /// The time at which its capture ended.
    package var time: Timestamp

    /// Creates a record of a lost interface.
    package init(name: String, time: Timestamp) {
        self.name = name
        self.time = time
    }
}
