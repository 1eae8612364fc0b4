import WeirPackets

/// Media that went on after a pause.
package struct Resumption: Sendable, Hashable {
    /// Most that are kept of a session.
    static let most = 64

    /// Which medium, as a setup.
    package var setup: Int
    /// The sequence number that RTP-Info announced.
    package var announced: UInt16
    /// That of the first packet.
    package var first: UInt16
    /// The frame of the first packet.
    package var frame: Int
}

/// When media was stopped, started again or moved: around such a turn servers skip sequence numbers.
struct MediaTurns {
    /// Turns that are remembered: what they explain is told soon after.
    private static let most = 64
    /// How long after the answer the first packet of the new place may come, in nanoseconds.
    private static let grace: Int64 = 500_000_000

    private var turns: [(asked: Timestamp, answered: Timestamp)] = []

    /// Takes note of an accepted PAUSE, or of a PLAY that was not the first.
    mutating func note(asked: Timestamp, answered: Timestamp) {
        if turns.count == Self.most { turns.removeFirst() }
        turns.append((asked, answered))
    }

    /// Whether one of them was between two packets.
    func isTurn(between before: Timestamp, and behind: Timestamp) -> Bool {
        turns.contains {
            $0.asked <= behind && before.nanoseconds <= $0.answered.nanoseconds &+ Self.grace
        }
    }
}
