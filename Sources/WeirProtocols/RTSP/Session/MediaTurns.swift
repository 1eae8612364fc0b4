import WeirPackets

/// Media that resumed after a pause.
struct Resumption: Sendable, Hashable {
    /// Maximum number stored per session.
    static let most = 64

    /// The index of the setup.
    var setup: Int
    /// The sequence number that RTP-Info announced.
    var announced: UInt16
    /// The sequence number of the first packet.
    var first: UInt16
    /// The frame of the first packet.
    var frame: Int
}

/// Times at which media was paused, restarted or repositioned: servers skip sequence numbers there.
struct MediaTurns {
    /// Maximum number of turns stored; the losses they explain are reported soon afterwards.
    private static let most = 64
    /// Maximum time from the response to the first packet of the new position, in nanoseconds.
    private static let grace: Int64 = 500_000_000
    /// Maximum distance of the first sequence number from the announced one: servers that flush prepared packets skip
    /// up to this many.
    private static let mostBehind: UInt16 = 3

    /// A pause, restart or seek.
    private struct Turn {
        var asked: Timestamp
        var answered: Timestamp
        /// The announced next sequence numbers, by setup; empty if none were announced.
        var announced: [Int: UInt16]
    }

    private var turns: [Turn] = []

    /// Whether no turn was captured.
    var isEmpty: Bool { turns.isEmpty }

    /// Records an accepted PAUSE, or a PLAY other than the first.
    mutating func note(asked: Timestamp, answered: Timestamp, announced: [Int: UInt16] = [:]) {
        if turns.count == Self.most { turns.removeFirst() }
        turns.append(Turn(asked: asked, answered: answered, announced: announced))
    }

    /// Whether a turn lies between two packets of a medium, the second with this sequence number. If the server
    /// announced the next sequence number, packets missing after it were not skipped.
    func isTurn(of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp) -> Bool {
        guard let turn = turn(between: before, and: behind) else { return false }
        guard let medium, let announced = turn.announced[medium] else { return true }
        return sequence &- announced <= Self.mostBehind
    }

    /// Whether a turn lies between two packets of any medium.
    func isTurn(between before: Timestamp, and behind: Timestamp) -> Bool { turn(between: before, and: behind) != nil }

    /// Returns the latest turn between two packets.
    private func turn(between before: Timestamp, and behind: Timestamp) -> Turn? {
        turns.last { $0.asked <= behind && before.nanoseconds <= $0.answered.nanoseconds &+ Self.grace }
    }
}
