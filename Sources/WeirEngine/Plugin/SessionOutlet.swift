public import WeirPackets

/// Receives the output of stories, packet readers and fast paths, and provides analysis-wide state.
public final class SessionOutlet {
    /// The options of the analysis.
    public let options: AnalyzerOptions
    /// The limits.
    public var limits: Limits { _read { yield options.limits } }

    package let timeline: Timeline
    // In an array, since the value is large: taking it out and putting it back moves a reference.
    private var storedClaims: Lent<[Claims]>
    var claims: Claims {
        @inline(__always) _read {
            let list = storedClaims.current
            yield list.span[0]
        }
        @inline(__always) _modify {
            var taken = storedClaims.take()
            defer { storedClaims.put(taken) }
            yield &taken[0]
        }
    }
    /// The hosts captured in both directions.
    package let twoWayHosts = TwoWayHosts()
    /// Fast path changes to apply after the current packet.
    private var pathChanges: [PathChange] = []
    /// Whether there are such changes.
    private(set) var hasPathChanges = false
    private var storedDriver: DriverReference?
    private var driver: (any SessionDriver)? { storedDriver?.driver }
    /// Tracks when the capture clock last stepped back.
    var clock: CaptureClock?
    /// The states of protocols, by the identifier of their type: so few that searching takes less than hashing.
    private var states: [(key: Int, state: any SharedState)] = []
    private var streamCount = 0
    /// The frame count at the start of each open stream.
    private var streamBeginnings = Lent(KeyedLists<Int, Int>())
    /// The number of open streams.
    private(set) var openStreams = 0
    /// The limits reached, with counts, in order of first occurrence.
    private(set) var reached: [(key: String, count: Int)] = []

    init(_ options: AnalyzerOptions, _ timeline: Timeline) {
        self.options = options
        self.timeline = timeline
        storedClaims = Lent([Claims(options.limits)])
    }

    /// Returns the user-defined protocol of a flow. Here, since another module would copy the options.
    package func decodeAs(_ flow: FlowState) -> AnalyzerOptions.DecodeAs? { options.decodeAs(flow) }

    /// Returns the state that a protocol keeps for the whole analysis, created on first use.
    public func shared<State: SharedState>(_ type: State.Type) -> State {
        let key = Int(bitPattern: ObjectIdentifier(type))
        let known = states
        for index in known.indices where known[index].key == key {
            if let state = known[index].state as? State { return state }
        }
        let made = State(self)
        states = states + [(key, made)]
        return made
    }

    /// Returns the instance of a fast path type.
    func path(_ type: any FastPath.Type) -> any FastPath { shared(type) }

    /// Sets the driver.
    func attach(to driver: any SessionDriver) { storedDriver = DriverReference(driver) }

    /// Releases the shared state, which refers to this outlet, at the end of the analysis.
    func close() {
        states = []
    }

    // MARK: - Events

    /// Creates the event of a message without emitting it, so that a story can add information.
    public func event(_ message: any Message, _ context: MessageContext) -> Event {
        var event = timeline.event(message, at: context.at)
        context.locate(&event)
        return event
    }

    /// Creates the event of a message that was derived from packets.
    public func event(_ message: any Message, at place: EventContext) -> Event {
        timeline.event(message, at: place)
    }

    /// Emits an event, as part of a session if there is one.
    public func emit(_ event: consuming Event, _ session: Session?) {
        if let session, let stream = event.stream, wentBack(since: stream) { session.completeness.clockWentBack = true }
        timeline.emit(event, session: session)
    }

    /// Emits a step of a session without its event, if the report only counts such steps and no rule needs more. Returns false
    /// if the event is needed.
    ///
    /// - Parameters:
    ///   - name: The name under which the report counts it.
    ///   - sorts: The sorts of the message.
    ///   - answers: The answers of rules to a step with the same sender, container and view, if known; afterwards those to this
    ///     one, if nothing was found.
    ///   - message: Returns the message, if the event is created after all.
    package func emit(
        _ step: BriefStep, countedAs name: String, _ sorts: MessageSorts, stream: Int?, answers: inout RepeatedAnswers?,
        _ message: () -> any Message
    ) -> Bool {
        if let session = step.session, let stream, wentBack(since: stream) { session.completeness.clockWentBack = true }
        return timeline.brief(step, countedAs: name, sorts, stream: stream, answers: &answers, message)
    }

    /// Emits steps of one frame and session, each with the sender, container and view of an earlier one, without their events.
    /// Returns false if nothing was done: then `emit` is needed for each.
    ///
    /// - Parameters:
    ///   - step: The first of them.
    ///   - names: The names under which the report counts them.
    ///   - answers: The answers of rules to the earlier ones.
    package func repeats(_ step: BriefStep, countedAs names: (String, others: [String]), _ answers: RepeatedAnswers)
        -> Bool
    {
        if let clock, clock.wentBackAt > 0 { return false }
        return timeline.repeats(step, countedAs: names, answers)
    }

    /// Whether the report counts steps at the moment, without their events.
    package var countsSteps: Bool { timeline.countsSteps }

    /// Whether the records of routine messages may be copies of similar ones.
    package var copiesRecords: Bool { timeline.copiesRecords }

    /// Emits a routine message of a stream, given its outline. Returns false if nothing was done, and its event is
    /// needed.
    package func routine(
        _ type: any Message.Type, _ outline: borrowing RecordOutline, at moment: EventContext, _ session: Session?,
        stream: Int
    ) -> Bool {
        guard timeline.routine(type, outline, at: moment, session: session, stream: stream) else { return false }
        if let session, wentBack(since: stream) { session.completeness.clockWentBack = true }
        return true
    }

    /// Whether the capture clock has stepped back since the start of a stream, which may precede its session.
    private func wentBack(since stream: Int) -> Bool {
        guard let clock, clock.wentBackAt > 0, let began = streamBeginnings.current.element(of: stream) else {
            return false
        }
        return clock.wentBackAt >= began
    }

    /// Reports the end of a stream.
    public func emit(_ stream: consuming StreamRecord, _ session: Session?) {
        openStreams -= 1
        var beginnings = streamBeginnings.take()
        let began = beginnings.removeElement(of: stream.id)
        streamBeginnings.put(consume beginnings)
        if let began, let clock {
            stream.clockWentBack = clock.wentBackAt >= began
            stream.hasDoubtfulTimes = clock.replacedAt >= began
        }
        timeline.stream(stream, session: session)
    }

    /// Returns the id of a new stream.
    public func newStream() -> Int {
        streamCount += 1
        openStreams += 1
        if let frames = driver?.frames {
            var beginnings = streamBeginnings.take()
            _ = beginnings.append(frames, to: streamCount)
            streamBeginnings.put(consume beginnings)
        }
        return streamCount
    }

    /// Counts that a limit was reached; `key` is a string catalog key with the count as its argument.
    ///
    /// - Parameter session: The session that was not completely tracked as a result.
    public func reach(_ key: String, times: Int = 1, of session: Session? = nil) {
        session?.noteLimit()
        if let index = reached.firstIndex(where: { $0.key == key }) {
            reached[index].count += times
        } else {
            reached.append((key, times))
        }
    }

    // MARK: - Claims

    /// Claims expected flows or a name.
    public func claim(_ claim: consuming Claim, for session: Session) {
        let endpoint = claim.key.endpoint
        claims.add(claim, of: session)
        driver?.claimed(endpoint, by: session)
    }

    /// Releases a claim.
    public func release(_ key: ClaimKey, of session: Session) {
        claims.remove(key, of: session)
    }

    /// Returns the sessions that claim a key, oldest claim first.
    public func claimants(of key: ClaimKey) -> [Session] { claims.all(key).map(\.owner) }

    /// Returns the matching session with the latest claim to a key.
    package func lastClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.lastOwner(key, where: fits)
    }

    /// Returns the matching session with the latest claim, considering only the most recent claims.
    package func latestClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.latest(key, where: fits)
    }

    /// Whether a session claims a key.
    package func isClaimed(_ key: ClaimKey, by session: Session) -> Bool { claims.has(session, key) }

    /// Returns the session with the latest claim to one key that also claims the other.
    package func lastClaimant(of one: ClaimKey, and other: ClaimKey) -> Session? { claims.lastOwner(one, and: other) }

    /// Returns the earliest matching session that claims a key.
    package func firstClaimant(of key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        claims.firstOwner(key, where: fits)
    }

    // MARK: - Flows

    /// The time of the latest frame.
    public var now: Timestamp { driver?.now ?? Timestamp(nanoseconds: 0) }

    /// Opens a session for a flow whose packets no dissector assigns to one.
    package func open(_ kind: Session.Type, for flow: FlowState) -> Session? { driver?.open(kind, flow) }

    /// Adds a flow to a session although no message assigned it.
    package func attach(_ flow: FlowState, to session: Session) { driver?.attach(flow, to: session) }

    /// Emits the establishment of the flow's connection, and bytes missing from its start, if not yet done.
    public func showConnection(of flow: FlowState, _ session: Session?) {
        guard flow.history?.isPending == true || flow.layer?.hasHeld == true else { return }
        driver?.showConnect(flow, session)
    }

    /// Returns the session of a flow whose media precedes all messages, creating it if necessary.
    public func lateSession(of flow: FlowState) -> Session? {
        if flow.session == nil { driver?.openLate(flow) }
        return flow.session
    }

    /// Whether the sender may have received data that was not captured.
    public func mayLackOctets(_ flow: FlowState, _ direction: Direction) -> Bool {
        driver?.mayLackOctets(flow, direction) ?? false
    }

    /// Processes something of a session that was read in a flow without its messages, and meanwhile records in the session what
    /// the capture may lack, as for messages.
    package func observe(_ session: Session, _ flow: FlowState, _ direction: Direction, _ body: () -> Void) {
        driver?.observe(session, flow, direction, body)
    }

    /// Returns the most recent encrypted connections of unknown purpose from or to these hosts.
    package func hiddenFlows(at hosts: [IPAddress]) -> [HiddenFlow] { driver?.hiddenFlows(at: hosts) ?? [] }

    /// Whether no packets of one side were seen so far.
    public func isOneSided(_ flow: FlowState) -> Bool { driver?.isOneSided(flow) ?? true }

    /// Whether all packets of a flow had the same direction so far.
    package func isOneWay(_ flow: FlowState) -> Bool { driver?.isOneWay(flow) ?? false }

    /// Returns remarks for delays caused by TCP between two times, and records them in the session.
    public func delays(_ flow: FlowState, since start: Timestamp, until end: Timestamp) -> [Remark] {
        let found = flow.history?.delays.found(since: start, until: end) ?? []
        for delay in found { flow.session?.controlFlows.note(delay) }
        return found.map(\.remark)
    }

    /// Whether packets may be missing since `start` from something that has not ended.
    public func sawDrops(since start: Timestamp) -> Bool { driver?.mayLackPackets(since: start) ?? false }

    /// Returns the number of fragmented datagrams from one host to another of which the capture does not contain
    /// all fragments.
    package func incompleteDatagrams(from source: IPAddress, to destination: IPAddress) -> Int {
        driver?.incompleteDatagrams(from: source, to: destination) ?? 0
    }

    /// Returns the fast path changes since the last call.
    func takePathChanges() -> [PathChange] {
        hasPathChanges = false
        defer { pathChanges = [] }
        return pathChanges
    }

    /// Assigns a direction of a flow's datagrams to a fast path slot, or to none if the slot is negative.
    public func take(_ flow: FlowState, _ direction: Direction, by path: any FastPath.Type, _ slot: Int32) {
        let table = flow.isTurned ? direction.opposite : direction
        pathChanges.append(PathChange(flow: flow, direction: table, path: path, slot: slot, former: nil))
        hasPathChanges = true
    }

    /// Removes a direction of a flow's datagrams from a fast path slot.
    public func leave(_ flow: FlowState, _ direction: Direction, _ path: any FastPath.Type, _ slot: Int32) {
        let table = flow.isTurned ? direction.opposite : direction
        pathChanges.append(PathChange(flow: flow, direction: table, path: path, slot: -1, former: slot))
        hasPathChanges = true
    }
}

/// The driver, which owns the outlet.
private final class DriverReference {
    unowned let driver: any SessionDriver

    init(_ driver: any SessionDriver) { self.driver = driver }
}

/// The parts of the driver that stories may need.
protocol SessionDriver: AnyObject {
    var now: Timestamp { get }
    /// The number of frames so far.
    var frames: Int { get }
    func hiddenFlows(at hosts: [IPAddress]) -> [HiddenFlow]
    func claimed(_ endpoint: Endpoint?, by session: Session)
    func showConnect(_ flow: FlowState, _ session: Session?)
    func openLate(_ flow: FlowState)
    func open(_ kind: Session.Type, _ flow: FlowState) -> Session
    func attach(_ flow: FlowState, to session: Session)
    func mayLackOctets(_ flow: FlowState, _ direction: Direction) -> Bool
    func observe(_ session: Session, _ flow: FlowState, _ direction: Direction, _ body: () -> Void)
    func isOneSided(_ flow: FlowState) -> Bool
    func isOneWay(_ flow: FlowState) -> Bool
    func mayLackPackets(since start: Timestamp) -> Bool
    func incompleteDatagrams(from source: IPAddress, to destination: IPAddress) -> Int
}

/// A change of the fast path for one direction of a flow.
struct PathChange {
    let flow: FlowState
    let direction: Direction
    let path: any FastPath.Type
    let slot: Int32
    /// The required previous slot of the direction, or nil for any.
    let former: Int32?
}
