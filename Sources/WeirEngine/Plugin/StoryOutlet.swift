public import WeirPackets

/// Where stories, packet readers and fast paths say what happened, and ask for what belongs to the whole analysis.
public final class StoryOutlet {
    /// What is analysed, and how.
    public let options: AnalyzerOptions
    /// The bounds to keep.
    public var limits: Limits { options.limits }

    package let timeline: Timeline
    var claims: Claims
    /// What flows are to take another way, once the packet at hand is through.
    var pathChanges: [PathChange] = []
    unowned var driver: (any StoryDriver)?
    private var states: [ObjectIdentifier: any SharedState] = [:]
    private var streamCount = 0
    /// How many frames there were when each open stream began.
    private var streamBeginnings: [Int: Int] = [:]
    /// Streams that were begun and not reported yet.
    private(set) var openStreams = 0
    /// How often a limit was reached, in the order of first times.
    private(set) var reached: [(key: String, count: Int)] = []

    init(_ options: AnalyzerOptions, _ timeline: Timeline) {
        self.options = options
        self.timeline = timeline
        claims = Claims(options.limits)
    }

    /// What a protocol keeps for the whole analysis, made when it is first asked for.
    public func shared<State: SharedState>(_ type: State.Type) -> State {
        if let known = states[ObjectIdentifier(type)] as? State { return known }
        let made = State(self)
        states[ObjectIdentifier(type)] = made
        return made
    }

    /// The same for a path that is known only as one.
    func path(_ type: any FastPath.Type) -> any FastPath { shared(type) }

    /// The analysis is over: what was shared knows this outlet, and would never go by itself.
    func close() {
        states = [:]
    }

    // MARK: - Events

    /// The event of a message, not yet told: a story may add what it knows.
    public func event(_ message: any Message, _ context: MessageContext) -> Event {
        var event = timeline.event(message, at: context.at)
        context.locate(&event)
        return event
    }

    /// The event of a message that was made of what packets showed.
    public func event(_ message: any Message, at place: EventContext) -> Event {
        timeline.event(message, at: place)
    }

    /// Tells an event, as a step of the session if there is one.
    public func tell(_ event: consuming Event, _ session: Session?) {
        if let session, let stream = event.stream, wentBack(since: stream) { session.completeness.clockWentBack = true }
        timeline.emit(event, session: session)
    }

    /// Whether the capture's clock went back since a stream began, which may be before its session.
    private func wentBack(since stream: Int) -> Bool {
        guard let clock = driver?.captureClock, clock.wentBackAt > 0, let began = streamBeginnings[stream] else {
            return false
        }
        return clock.wentBackAt >= began
    }

    /// Reports a stream that is over.
    public func tell(_ stream: StreamRecord, _ session: Session?) {
        openStreams -= 1
        var stream = stream
        let began = streamBeginnings.removeValue(forKey: stream.id)
        if let began, let clock = driver?.captureClock {
            stream.clockWentBack = clock.wentBackAt >= began
            stream.hasDoubtfulTimes = clock.replacedAt >= began
        }
        timeline.stream(stream, session: session)
    }

    /// The number of the next stream.
    public func newStream() -> Int {
        streamCount += 1
        openStreams += 1
        streamBeginnings[streamCount] = driver?.frames
        return streamCount
    }

    /// Counts that a limit was reached; `key` is one of the string catalogue, with the number as its argument.
    ///
    /// - Parameter session: the one of which something was not followed for that.
    public func reach(_ key: String, times: Int = 1, of session: Session? = nil) {
        session?.noteLimit()
        if let index = reached.firstIndex(where: { $0.key == key }) {
            reached[index].count += times
        } else {
            reached.append((key, times))
        }
    }

    // MARK: - Claims

    /// Lays claim to flows that are to come, or to a name.
    public func claim(_ claim: Claim, for session: Session) {
        claims.add(claim, of: session)
        driver?.claimed(claim, by: session)
    }

    /// Gives up a claim.
    public func release(_ key: ClaimKey, of session: Session) {
        claims.remove(key, of: session)
    }

    /// The sessions that claim something, the one that did so first at the front.
    public func claimants(of key: ClaimKey) -> [Session] { claims.all(key).map(\.owner) }

    /// Of the sessions that claim something and fit, the one that did so last.
    package func lastClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.lastOwner(key, where: fits)
    }

    /// The same among the latest few: there may be many.
    package func latestClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.latest(key, where: fits)
    }

    /// Of the sessions that claim two things, the one that did so last.
    package func lastClaimant(of one: ClaimKey, and other: ClaimKey) -> Session? { claims.lastOwner(one, and: other) }

    /// Of the sessions that claim something and fit, the one that began first.
    package func firstClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.firstOwner(key, where: fits)
    }

    // MARK: - Flows

    /// When the latest frame came.
    public var now: Timestamp { driver?.now ?? Timestamp(nanoseconds: 0) }

    /// A flow turned out to be a part of a session, though no message of it said so.
    package func attach(_ flow: FlowState, to session: Session) { driver?.attach(flow, to: session) }

    /// Shows that the flow's connection was made, and what the capture lacks of its beginning, if that was not shown yet.
    public func showConnection(of flow: FlowState, _ session: Session?) {
        guard flow.connected != nil || flow.lostEarly != nil else { return }
        driver?.showConnect(flow, session)
    }

    /// The session of a flow on which media came before any message did; it is begun when there is none.
    public func lateSession(of flow: FlowState) -> Session? {
        if flow.session == nil { driver?.openLate(flow) }
        return flow.session
    }

    /// Whether who speaks may have heard what has not come here.
    public func mayLackOctets(_ flow: FlowState, _ direction: Direction) -> Bool {
        driver?.mayLackOctets(flow, direction) ?? false
    }

    /// Whether nothing of one of the flow's sides was seen so far.
    public func isOneSided(_ flow: FlowState) -> Bool { driver?.isOneSided(flow) ?? true }

    /// Whether all packets of a flow went the same way so far.
    package func isOneWay(_ flow: FlowState) -> Bool { driver?.isOneWay(flow) ?? false }

    /// What TCP did on a flow between two moments that held up what is told now.
    public func delays(_ flow: FlowState, since start: Timestamp, until end: Timestamp) -> [Remark] {
        let found = flow.delays.found(since: start, until: end)
        for delay in found { flow.session?.note(delay) }
        return found.map(\.remark)
    }

    /// Whether packets may be missing from what began at `start`, and has not ended yet.
    public func sawDrops(since start: Timestamp) -> Bool { driver?.mayLackPackets(since: start) ?? false }

    /// From now on datagrams of a flow, in a direction, are taken by a fast path in this slot; by none when it is negative.
    public func take(_ flow: FlowState, _ direction: Direction, by path: any FastPath.Type, _ slot: Int32) {
        let table = flow.isTurned ? direction.opposite : direction
        pathChanges.append(PathChange(flow: flow, direction: table, path: path, slot: slot, former: nil))
    }

    /// From now on the fast path that takes a direction's datagrams in this slot takes them no more.
    public func leave(_ flow: FlowState, _ direction: Direction, _ path: any FastPath.Type, _ slot: Int32) {
        let table = flow.isTurned ? direction.opposite : direction
        pathChanges.append(PathChange(flow: flow, direction: table, path: path, slot: -1, former: slot))
    }
}

/// What a story may need of the driver.
protocol StoryDriver: AnyObject {
    var now: Timestamp { get }
    /// Frames so far.
    var frames: Int { get }
    /// How many there were when the capture's clock went back last.
    var captureClock: CaptureClock { get }
    func claimed(_ claim: Claim, by session: Session)
    func showConnect(_ flow: FlowState, _ session: Session?)
    func openLate(_ flow: FlowState)
    func attach(_ flow: FlowState, to session: Session)
    func mayLackOctets(_ flow: FlowState, _ direction: Direction) -> Bool
    func isOneSided(_ flow: FlowState) -> Bool
    func isOneWay(_ flow: FlowState) -> Bool
    func mayLackPackets(since start: Timestamp) -> Bool
}

/// A direction of a flow whose packets take another way from now on.
struct PathChange {
    let flow: FlowState
    let direction: Direction
    let path: any FastPath.Type
    let slot: Int32
    /// The slot that the direction must have had; nil when that does not matter.
    let former: Int32?
}
