import WeirPackets

/// Pauses, restarts and seeks of sessions whose setup was not captured: they may be turns of any stream between the two
/// hosts, at which senders skip sequence numbers.
struct UnsignaledTurns {
    /// Maximum number of turns stored; the losses they explain are reported soon afterwards.
    private static let most = 64
    /// Maximum time from the response to the first packet of the new position, in nanoseconds.
    private static let grace: Int64 = 500_000_000

    private struct Turn {
        var sender: IPAddress
        var receiver: IPAddress
        var asked: Timestamp
        var answered: Timestamp
    }

    private var turns: [Turn] = []

    mutating func note(from sender: IPAddress, to receiver: IPAddress, asked: Timestamp, answered: Timestamp) {
        if turns.count == Self.most { turns.removeFirst() }
        turns.append(Turn(sender: sender, receiver: receiver, asked: asked, answered: answered))
    }

    /// Whether there may be a turn of a stream between two of its packets.
    func mayHold(of entry: MediaEntry, between before: Timestamp, and behind: Timestamp) -> Bool {
        turns.contains { turn in
            turn.sender == entry.source.address && turn.receiver == entry.destination.address
                && turn.asked <= behind && before.nanoseconds <= turn.answered.nanoseconds &+ Self.grace
        }
    }
}
