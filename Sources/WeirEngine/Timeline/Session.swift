public import WeirPackets

/// The state of an open session. Protocols define subclasses.
open class Session {
    /// The number, from 1.
    public let id: Int
    // Stored privately, so that all accesses are known and none has to be checked at run time.
    private var identity: (kind: String, client: Endpoint, server: Endpoint)
    private var seen = Completeness()
    /// The plugin's name for this kind of session, such as `rtsp`. Later messages may change it.
    public package(set) var kind: String {
        get { identity.kind }
        set { (identity.kind, latestReference) = (newValue, nil) }
    }
    /// The endpoint that opened the first flow, or that is recognized as client.
    public package(set) var client: Endpoint {
        get { identity.client }
        set { (identity.client, latestReference) = (newValue, nil) }
    }
    /// The other endpoint.
    public package(set) var server: Endpoint {
        get { identity.server }
        set { (identity.server, latestReference) = (newValue, nil) }
    }
    /// Which parts of the session the capture contains.
    public package(set) var completeness: Completeness {
        get { seen }
        set { (seen, latestReference) = (newValue, nil) }
    }
    /// The phases so far.
    public var phases: [SessionRecord.PhaseRecord] { progress.current.records }
    /// The phase of the next event.
    public package(set) var phase: Phase {
        get { currentPhase }
        set { currentPhase = newValue }
    }
    private var currentPhase = Phase.connect
    /// The phases so far, which each event changes in one access.
    private var progress = Lent(Progress())
    /// The flow ids, in order of joining.
    public var flows: [Int] { flowList.all }
    /// Whether it has a single flow.
    package var hasOneFlow: Bool { flowList.count == 1 }
    /// The flow ids as a list with cheap copies.
    var flowList: FlowList { storedFlows.current }
    private var storedFlows = Lent(FlowList())
    /// The flow ids after the first few, as a set.
    private var laterFlows: Set<Int> = []
    /// The stream ids, in order.
    public package(set) var streams: [Int] = []
    /// How the control connection ended.
    public package(set) var closedBy: TCPEvent.Step?
    /// Whether the control connection is tunneled in another protocol, such as HTTP.
    public package(set) var isTunneled = false
    /// The sources of the secrets with which its connections and media were decrypted, in order.
    public private(set) var decryptedWith: [String] = []
    /// The time until which the session was tracked, its end or that of the capture; nil while it is open.
    public internal(set) var followedUntil: Timestamp?
    /// Time of the latest control-connection activity.
    package internal(set) var latestTime = Timestamp(nanoseconds: 0)
    /// The protocol whose messages carry the control messages; nil if none does.
    public package(set) var carrier: String?
    /// The cached reference for reports, invalidated by changes.
    private var latestReference: SessionReference?
    /// The cached subject, which changes less often than the rest of the reference.
    private var latestSubject: SessionReference.Subject?
    /// The frame count at the start of the session.
    var beganAt = 0
    /// Whether the session started while frame times were behind earlier frames: related packets, even its end, may
    /// precede it in the file.
    package internal(set) var beganBehind: Bool {
        get { startedBehind }
        set { startedBehind = newValue }
    }
    private var startedBehind = false
    /// The flows that carry its control messages.
    let controlFlows = ControlFlows()
    /// What it has claimed.
    let claims = SessionClaims()
    /// The rules that judge it, with their state: kept here by `RuleJudges`, since a look-up for each event takes longer.
    var ruleInstances: RuleInstances?
    /// What a protocol keeps with sessions of all kinds, created by it.
    package final var attachment: AnyObject? {
        get { storedAttachment }
        set { storedAttachment = newValue }
    }
    private var storedAttachment: AnyObject?
    /// The key of its carried conversation, or nil if there is none or it is not yet known.
    package var conversation: String?

    /// The maximum number of phases; a session that keeps changing stays in the last one.
    private static let maximumPhases = 1_000

    /// Records that a connection or media is decrypted.
    package func note(decryptedWith source: String) {
        if !decryptedWith.contains(source) { decryptedWith.append(source) }
    }

    /// The name of this kind of session in reports.
    open class var kind: String { "session" }

    /// Whether a flow may carry several sessions of this kind, distinguished by `name`.
    open class var sharesFlows: Bool { false }

    /// Returns the claimed name by which a message identifies its session, where its flow does not.
    open class func name(of message: any Message, on flow: FlowState) -> ClaimKey? { nil }

    /// Returns which session a message belongs to; by default determined by flow or name.
    open class func choose(for message: any Message, on flow: FlowState, _ outlet: SessionOutlet) -> SessionChoice {
        .byFlowOrName
    }

    /// Creates a session.
    public required init(_ context: SessionContext) {
        id = context.id
        identity = (Self.kind, context.client, context.server)
    }

    /// Changes the phase, from the next event on.
    public func enter(_ phase: Phase) { self.phase = phase }

    /// Adds a flow, once.
    func add(flow: Int) {
        var taken = storedFlows.take()
        let isNew =
            !taken.begins(with: flow) && (taken.count < FlowList.mostFew || laterFlows.insert(flow).inserted)
        if isNew { taken.append(flow) }
        storedFlows.put(consume taken)
        if isNew { latestReference = nil }
    }

    /// Records whether only one direction of a control connection was captured. Mostly nothing changes.
    package func noteOneSided(_ isOneSided: Bool) {
        if completeness.isOneSided != isOneSided { completeness.isOneSided = isOneSided }
    }

    /// Records whether octets may be missing while something is processed. The reference for reports does not contain it.
    func noteGap(possible: Bool) { seen.mayHaveGap = possible }

    /// Records that a limit prevented complete tracking of the session or of something that belongs to it.
    public func noteLimit() {
        guard !completeness.isLimited else { return }
        var seen = completeness
        (seen.isLimited, seen.lacksOctets) = (true, true)
        completeness = seen
    }

    /// Adds a media stream.
    public func add(stream: Int) { streams.append(stream) }

    /// Processes a message and emits it as an event; by default unchanged.
    open func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        outlet.showConnection(of: context.flow, self)
        outlet.emit(outlet.event(message, context), self)
    }

    /// Called when a flow matches a claim.
    open func matched(_ claim: Claim, by flow: FlowState, _ outlet: SessionOutlet) {}

    /// Called when a flow matches the open-endpoint claim at `server`; `peer` is its other endpoint.
    open func recordObserved(_ peer: Endpoint, purpose: Int, server: Endpoint) {}

    /// Called for an ICMP error that quotes a packet to `endpoint`, which the session has claimed. Returns the purpose
    /// of the claim, and whether this is the first such error.
    ///
    /// - Parameter isRefusal: Whether the receiving host reports the port as unreachable; otherwise a router or the
    ///   host could not deliver this packet.
    open func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? { nil }

    /// Called for anomalous bytes in a flow that belong to no message.
    open func observe(_ remarks: [Remark], at place: EventContext) {}

    /// Called when the first ICMP error for an endpoint of the session is reported.
    open func observe(_ error: ICMPEvent, frame: Int) {}

    /// Whether the flow's connection belongs to the current phase instead of starting a new one.
    open func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { false }

    /// Called when the session and its flows have ended; emits remaining events before the session is reported.
    open func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {}

    /// Called after the session was reported; breaks reference cycles.
    open func forget() {}

    /// The session's current state, for reports.
    public var reference: SessionReference {
        if let latestReference { return latestReference }
        let about =
            latestSubject ?? SessionReference.Subject(masked: subject(.masked), revealed: subject(.revealed))
        latestSubject = about
        let reference = SessionReference(self, phases: progress.current.visited, about)
        latestReference = reference
        return reference
    }

    /// Invalidates the cached subject.
    public func noteSubject() {
        latestSubject = nil
        latestReference = nil
    }

    /// Returns the subject of the session for display, such as its URI, or nil if unknown.
    open func subject(_ secrets: SecretPolicy) -> String? { nil }

    /// Returns the protocol-specific members of the session record, in order.
    open func facts(_ secrets: SecretPolicy) -> [Field] { [] }

    /// Whether media outside the control connections was negotiated but not captured.
    open var lacksMedia: Bool { false }

    /// Whether it succeeded without a media stream of its own.
    open var worksWithoutMedia: Bool { false }

    /// Whether the peers have terminated the session.
    open var isTornDown: Bool { false }

    /// The time at which the last connection was closed, or nil while one is open.
    package var lastConnectionClosed: Timestamp? { controlFlows.closedAt }

    /// Whether the session is complete after its last connection has ended.
    open func isOver(at now: Timestamp) -> Bool { true }

    /// Returns the outcome.
    open func outcome() -> [Text] { [] }

    /// Returns the causes of a failure: those that the packets prove or make likely, and those ruled out that
    /// readers would suspect.
    open func causes() -> [Cause] { [] }

    /// Returns the software on each side, with the evidence for it.
    open func peers() -> [Text] { [] }

    /// Called when one side sends a FIN on a control connection.
    open func finished(_ direction: Direction, frame: Int) {}

    /// Corrects a frame that was reported as the first FIN of a connection. `first` is the actual first FIN, in another
    /// frame unless that was not captured; nil if unknown.
    open func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {}

    /// Called when the control connection ends; `direction` is that of the segment that ended it.
    open func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        closedBy = step
        phase = step == .refused ? .connect : .close
    }

    /// Called when another connection continues the session, so that the previous connection's end was not its own.
    open func goesOn() {
        if closedBy == .close || closedBy == .reset { closedBy = nil }
    }

    /// Records that a refused connection attempt later succeeded.
    func reopened() {
        closedBy = nil
        phase = .connect
    }

    /// Adds a routine message to the phase of its time.
    func enter(event: Int, at time: Timestamp) {
        var taken = progress.take()
        let isEntered = taken.enter(event, time, in: currentPhase)
        progress.put(consume taken)
        if !isEntered { _ = enter(nil, event: event, at: time) }
    }

    /// Adds an event to its phase, or to that of its time if it has none yet, and returns the phase.
    func enter(_ phase: Phase?, event: Int, at time: Timestamp) -> Phase {
        var taken = progress.take()
        let (phase, isNew) = taken.enter(phase, from: currentPhase, event, time)
        progress.put(consume taken)
        if isNew { latestReference = nil }
        return phase
    }
}

extension Session {
    /// The phases so far.
    private struct Progress {
        var records: [SessionRecord.PhaseRecord] = []
        /// Their phases.
        private(set) var visited: [Phase] = []
        /// The number of phases of most sessions.
        private static let usualPhases = 6

        /// Returns the phase at a time, since events may be emitted late.
        private func phase(at time: Timestamp, _ current: Phase) -> Phase {
            guard let last = records.indices.last, time < records[last].startTime, records[last].phase == current
            else { return current }
            return records.last { $0.startTime <= time }?.phase ?? current
        }

        /// Adds an event if it belongs to the latest phase, as most; otherwise returns false.
        @inline(__always)
        mutating func enter(_ event: Int, _ time: Timestamp, in current: Phase) -> Bool {
            let last = records.count &- 1
            guard last >= 0 else { return false }
            var records = records.mutableSpan
            guard time >= records[last].startTime, records[last].phase == current else { return false }
            if records[last].endTime < time { records[last].endTime = time }
            records[last].lastEvent = event
            return true
        }

        /// Adds an event to its phase; returns the phase, and whether it is another one than before.
        mutating func enter(
            _ given: Phase?, from current: Phase, _ event: Int, _ time: Timestamp
        ) -> (phase: Phase, isNew: Bool) {
            let phase = given ?? phase(at: time, current)
            // By index: a copy of the latest record for each event would take longer than the rest.
            let last = records.indices.last
            if let last, time < records[last].startTime,
                let index = records.lastIndex(where: { $0.phase == phase && $0.startTime <= time })
            {
                records[index].endTime = max(records[index].endTime, time)
            } else if let last, records[last].phase == phase || records.count >= Session.maximumPhases {
                records[last].endTime = max(records[last].endTime, time)
                records[last].lastEvent = event
            } else {
                if records.isEmpty { records.reserveCapacity(Self.usualPhases) }
                records.append(
                    .init(phase: phase, startTime: time, endTime: time, firstEvent: event, lastEvent: event))
                visited.append(phase)
                return (phase, true)
            }
            return (phase, false)
        }
    }
}

/// Which session a message belongs to.
public enum SessionChoice {
    /// The flow's own session, one that has claimed the name in the message, or a new one.
    case byFlowOrName
    /// The given session.
    case known(Session)
    /// A new session.
    case new
    /// No session.
    case none
}
