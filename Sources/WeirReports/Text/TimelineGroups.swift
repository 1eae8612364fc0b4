import WeirEngine

/// The state of a group: a session, or steps without one.
final class TimelineGroup {
    /// The current phase.
    var phase: Phase?
    /// The pending line, which may be extended.
    var line: TimelineLine?
    /// The phases with a heading.
    var phases: [Phase] = []
    /// The subject of the session, abbreviated in its steps.
    var subject: String?
    /// Steps that are counted instead of shown.
    private var counted = Lent(CountedSteps())
    /// Hashes of remarks and notes already printed, and of kinds of steps of which only the first is shown.
    var seen: Set<Int> = []

    /// The maximum number of hashes.
    private static let mostSeen = 10_000

    /// Counts a step instead of showing it.
    func count(_ event: Event, _ name: String, isAnswer: Bool) {
        var taken = counted.take()
        taken.count(event, name, isAnswer: isAnswer)
        counted.put(consume taken)
    }

    /// Removes and returns the counted steps.
    func takeCounted() -> CountedSteps {
        let taken = counted.take()
        counted.put(CountedSteps())
        return taken
    }

    /// Returns whether a hash is new; beyond the limit, new hashes are not stored.
    func isNew(_ hash: Int) -> Bool {
        seen.count >= Self.mostSeen ? !seen.contains(hash) : seen.insert(hash).inserted
    }
}

/// The groups by session. Objects: changing a large value in a dictionary allocates room for a copy.
struct TimelineGroups {
    private var groups = NumberedObjects<TimelineGroup>()

    /// The group of a session, or nil if there is none.
    subscript(session: Int) -> TimelineGroup? { groups[session] }

    /// Returns the group of a session, created if there is none.
    mutating func group(_ session: Int) -> TimelineGroup { groups.object(session) { TimelineGroup() } }

    /// Removes and returns the group of a session.
    mutating func remove(_ session: Int) -> TimelineGroup? { groups.remove(session) }
}
