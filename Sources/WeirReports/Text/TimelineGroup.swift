import WeirEngine

/// The state of a group: a session, or steps without one.
final class TimelineGroup {
    /// The data for the row and the section of the session while it is open.
    private(set) var digest: SessionDigest?
    /// The latest flows of which it is the first session; -1 for none.
    private var ownFlows = noFlows
    private var storedWaiting = Lent(WaitingSteps())
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

    /// The steps that wait.
    var waiting: WaitingSteps { storedWaiting.current }
    /// The frame of the last of them.
    var lastFrame: Int? { storedWaiting.current.lastFrame }

    private static let noFlows = (-1, -1, -1, -1)
    /// The maximum number of hashes.
    private static let mostSeen = 10_000

    /// Opens the session.
    func open(_ session: SessionReference) { digest = SessionDigest(reference: session) }

    /// Ends the session; its steps may still be printed.
    func end() {
        digest = nil
        ownFlows = Self.noFlows
    }

    /// Whether the session is known to be open, and the first of a flow.
    func owns(_ flow: Int) -> Bool {
        flow == ownFlows.0 || flow == ownFlows.1 || flow == ownFlows.2 || flow == ownFlows.3
    }

    /// Records that the session, which is open, is the first of a flow.
    func own(_ flow: Int) { ownFlows = (flow, ownFlows.0, ownFlows.1, ownFlows.2) }

    /// Adds a step that waits.
    func insert(_ entry: consuming WaitingSteps.Entry, frame: Int?, octets: Int = 0) {
        var taken = storedWaiting.take()
        taken.insert(entry, frame: frame, octets: octets)
        storedWaiting.put(consume taken)
    }

    /// Adds steps that wait.
    func insert(_ steps: WaitingSteps) {
        var taken = storedWaiting.take()
        taken.insert(steps)
        storedWaiting.put(consume taken)
    }

    /// Removes and returns the steps that wait.
    func takeWaiting() -> WaitingSteps {
        let taken = storedWaiting.take()
        storedWaiting.put(WaitingSteps())
        return taken
    }

    /// Counts a step instead of showing it.
    func count(_ protocolName: String, frame: Int, _ name: String, isAnswer: Bool) {
        var taken = counted.take()
        taken.count(protocolName, frame: frame, name, isAnswer: isAnswer)
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
