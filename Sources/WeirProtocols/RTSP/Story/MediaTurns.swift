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
    /// Numbers behind the announced one with which a medium may go on: servers that flush what was prepared skip so many.
    private static let mostBehind: UInt16 = 3

    /// A turn.
    private struct Turn {
        var asked: Timestamp
        var answered: Timestamp
        /// With which numbers media goes on, by setups; empty where nobody says that.
        var announced: [Int: UInt16]
    }

    private var turns: [Turn] = []

    /// Whether the capture shows none.
    var isEmpty: Bool { turns.isEmpty }

    /// Takes note of an accepted PAUSE, or of a PLAY that was not the first.
    mutating func note(asked: Timestamp, answered: Timestamp, announced: [Int: UInt16] = [:]) {
        if turns.count == Self.most { turns.removeFirst() }
        turns.append(Turn(asked: asked, answered: answered, announced: announced))
    }

    /// Whether one of them was between two packets of a medium, the second of which has this number. Where the server has said
    /// with which number that goes on, what is missing behind it was not skipped.
    func isTurn(of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp) -> Bool {
        guard let turn = turn(between: before, and: behind) else { return false }
        guard let medium, let announced = turn.announced[medium] else { return true }
        return sequence &- announced <= Self.mostBehind
    }

    /// Whether one of them was between two packets of any medium.
    func isTurn(between before: Timestamp, and behind: Timestamp) -> Bool { turn(between: before, and: behind) != nil }

    /// The latest one between two packets.
    private func turn(between before: Timestamp, and behind: Timestamp) -> Turn? {
        turns.last { $0.asked <= behind && before.nanoseconds <= $0.answered.nanoseconds &+ Self.grace }
    }
}
