public import WeirPackets

/// The live state of a session. A protocol's own session is a subclass.
open class Session {
    /// Number, from 1.
    public let id: Int
    /// What its plugin calls sessions of its kind, such as `rtsp`. Later messages may show that it is of another kind.
    public package(set) var kind: String { didSet { latestReference = nil } }
    /// The side that opened the first flow, or the one that shows what the session is.
    public package(set) var client: Endpoint { didSet { latestReference = nil } }
    /// The other side.
    public package(set) var server: Endpoint { didSet { latestReference = nil } }
    /// What kept the capture from holding the whole session without gaps.
    public package(set) var completeness = Completeness() { didSet { latestReference = nil } }
    /// The phases so far.
    public package(set) var phases: [SessionRecord.PhaseRecord] = []
    /// The phase that the next event belongs to.
    public package(set) var phase = Phase.connect
    /// The flows that took part, in order.
    public var flows: [Int] { flowList.all }
    /// The same, of which copies are cheap.
    private(set) var flowList = FlowList() { didSet { latestReference = nil } }
    /// The same, to be looked up, once they are many.
    private var manyFlows: Set<Int> = []
    /// So many flows are looked through one by one.
    private static let fewFlows = 16
    /// The streams, in order.
    public package(set) var streams: [Int] = []
    /// How the control connection ended.
    public package(set) var closedBy: TCPEvent.Step?
    /// Whether the control conversation travels in another protocol, such as HTTP.
    public package(set) var isTunnelled = false
    /// Until when the session was followed: to its end, or to the end of the capture. Nil as long as it goes on.
    public internal(set) var followedUntil: Timestamp?
    /// When the last segment or message of its control connections came.
    package internal(set) var latestTime = Timestamp(nanoseconds: 0)
    /// The protocol inside whose messages the control conversation travels whole; nil when it does not.
    public package(set) var carrier: String?
    /// The phases so far, in order.
    private var visitedPhases: [Phase] = []
    /// What reports know of it, made anew after any of that has changed.
    private var latestReference: SessionReference?
    /// What it is about, asked for anew when that changes: what else changes does so more often.
    private var latestSubject: SessionReference.Subject?
    /// What TCP did that held a step up longest.
    private(set) var longestDelay: TCPDelay?
    /// The receive window that was closed when one of its connections ended, the longest.
    private(set) var zeroWindow: ZeroWindow?
    /// How many frames there were when it began.
    var beganAt = 0
    /// Whether it began while the times of frames were behind others before them: what belongs to it, or ended it, may stand
    /// before it in the file.
    package internal(set) var beganBehind = false
    /// The last control connection was gone at this time.
    var closedAt: Timestamp?
    /// Where its control connections are kept, those that are gone included.
    var places: [FlowHandle] = []
    /// TCP connections that took part.
    var connections = 0
    /// Control connections that are still open.
    var controlFlows = 0
    /// Where its claims are kept.
    var claimedPlaces: Set<Claims.Place> = []
    /// The flows that met its claims, as places in the flow table.
    var claimedFlows: [Int] = []
    /// The key of the conversation inside other messages that it is about; nil when there is none, or it is not known yet.
    package var conversation: String?

    /// Phases that are told apart; a session that goes back and forth for longer stays in its last one.
    private static let maximumPhases = 1_000

    /// What a capture holds of a session. Rules that need what is missing are inconclusive.
    public struct Completeness: Sendable {
        /// The beginning was not captured.
        public var startsLate = false
        /// The end was not captured: the session was still open when the capture ended.
        public var endsEarly = false
        /// Octets of a control connection are missing, or were not followed.
        public package(set) var lacksOctets = false
        /// A limit of the analysis kept something of the session from being followed: what seems to be missing need not be.
        /// `lacksOctets` is so, too.
        public package(set) var isLimited = false
        /// Somebody spoke who had acknowledged octets of the other side that had not come here. Whether they came later, or
        /// never: what came first, and what did not come at all, cannot be told any more.
        public package(set) var isDisordered = false
        /// The side that speaks now may have heard what has not come here: later octets came, or none at all so far.
        public package(set) var mayHaveGap = false
        /// Whether something may have been said that is not here, or not in its place: nothing rests on an absence, nor on an
        /// order.
        public var hasGap: Bool { lacksOctets || isDisordered || mayHaveGap }
        /// Sides of a control connection of which the capture does not show how much they said: no FIN and no RST tells.
        private var unseenEnds = (client: false, server: false)
        /// A control connection went on of which nothing more could be read: what followed is not known.
        public package(set) var isReadInPart = false
        /// Only one direction of a control connection was captured.
        public var isOneSided = false
        /// Packets of the session were cut by the snap length.
        public var isCut = false

        /// The capture holds no UDP datagram of anybody: media that was to come by UDP is not missing, but was not captured.
        public var lacksDatagrams = false
        /// Packets were dropped before they could be captured, perhaps some of this session.
        public var hasDrops = false
        /// A filter kept packets from being analysed.
        public var isFiltered = false
        /// The times of the capture's frames went back while the session was open: how long something took is not known.
        public package(set) var clockWentBack = false

        /// Whether a side may have said more at the end than the capture holds.
        package func mayLackEnd(of side: Direction) -> Bool {
            side == .clientToServer ? unseenEnds.client : unseenEnds.server
        }

        mutating func noteUnseenEnd(of side: Direction) {
            if side == .clientToServer { unseenEnds.client = true } else { unseenEnds.server = true }
        }

        /// Whether the whole session is there.
        public var isComplete: Bool {
            !(startsLate || endsEarly || hasGap || isOneSided || isCut || hasDrops || isFiltered || clockWentBack)
        }
    }

    /// TCP held a step of the session up.
    func note(_ delay: TCPDelay) {
        if !delay.isHarmless, delay.seconds > longestDelay?.seconds ?? 0 { longestDelay = delay }
    }

    /// A receiver closed its window and did not open it again.
    func note(_ window: ZeroWindow) {
        if window.seconds > zeroWindow?.seconds ?? 0 { zeroWindow = window }
    }

    /// What reports call sessions of this kind.
    open class var kind: String { "session" }

    /// Whether one flow may carry several of its kind, told apart by `name`.
    open class var sharesFlows: Bool { false }

    /// What a message says that tells which session it is a step of, where its flow does not: a name that a session of this
    /// kind lays claim to.
    open class func name(of message: any Message, on flow: FlowState) -> ClaimKey? { nil }

    /// Which session a message is a step of, where neither its flow nor one name tells; by default these do.
    open class func choose(for message: any Message, on flow: FlowState, _ outlet: StoryOutlet) -> SessionChoice {
        .byFlowOrName
    }

    /// Begins a session.
    public required init(_ context: StoryContext) {
        id = context.id
        kind = Self.kind
        client = context.client
        server = context.server
    }

    /// The session goes on to a phase: the next event is a part of it.
    public func enter(_ phase: Phase) { self.phase = phase }

    /// A flow takes part. One that took part before is not listed again.
    func add(flow: Int) {
        if flowList.count >= Self.fewFlows {
            if manyFlows.isEmpty { manyFlows = Set(flowList.all) }
            guard manyFlows.insert(flow).inserted else { return }
        } else if flowList.contains(flow) {
            return
        }
        flowList.append(flow)
    }

    /// Whether it lays claim to something.
    package func claims(_ key: ClaimKey) -> Bool { claimedPlaces.contains(Claims.Place(key)) }

    /// A limit kept something of the session, or of what belongs to it, from being followed.
    public func noteLimit() {
        guard !completeness.isLimited else { return }
        completeness.isLimited = true
        completeness.lacksOctets = true
    }

    /// A stream of the session began.
    public func add(stream: Int) { streams.append(stream) }

    /// Takes a message: follows it, and tells it as an event. By default it is told as it is.
    open func take(_ message: any Message, _ context: MessageContext, _ outlet: StoryOutlet) {
        outlet.showConnection(of: context.flow, self)
        outlet.tell(outlet.event(message, context), self)
    }

    /// A flow met a claim.
    open func met(_ claim: Claim, by flow: FlowState, _ outlet: StoryOutlet) {}

    /// A flow met the claim of an open end at `server`: its other end is `peer`.
    open func learn(_ peer: Endpoint, purpose: Int, server: Endpoint) {}

    /// An ICMP error quoted a packet to `endpoint`, where the session claims something; tells what for, and whether it is
    /// the first such error.
    ///
    /// - Parameter isRefusal: the receiving host says that nobody takes packets there; else somebody on the way, or the
    ///   host, could not deliver this one.
    open func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? { nil }

    /// Octets of one of its flows are odd and belong to no message.
    open func observe(_ remarks: [Remark], at place: EventContext) {}

    /// The first ICMP error about an endpoint of the session is reported.
    open func observe(_ error: ICMPEvent, frame: Int) {}

    /// Whether the flow's connection is a step of the phase that the session is in, and not the beginning of it.
    open func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { false }

    /// The session is over, and its flows are gone: tells what is still to be told, before it is reported.
    open func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {}

    /// It was reported: lets go of what knows it.
    open func forget() {}

    /// What reports know of it, as it is now.
    public var reference: SessionReference {
        if let latestReference { return latestReference }
        let about =
            latestSubject ?? SessionReference.Subject(masked: subject(.masked), revealed: subject(.revealed))
        latestSubject = about
        let reference = SessionReference(self, phases: visitedPhases, about)
        latestReference = reference
        return reference
    }

    /// What `subject` says has changed.
    public func noteSubject() {
        latestSubject = nil
        latestReference = nil
    }

    /// What the session is about, for people, such as its URI; nil when that is not known.
    open func subject(_ secrets: SecretPolicy) -> String? { nil }

    /// Members of the session's record that only its own protocol has, in order.
    open func facts(_ secrets: SecretPolicy) -> [Field] { [] }

    /// Whether media was to travel beside the control connections, and the capture holds none of it.
    open var lacksMedia: Bool { false }

    /// Whether the peers have said that the session is over.
    open var isTornDown: Bool { false }

    /// When its last connection was closed; nil while one is open.
    package var lastConnectionClosed: Timestamp? { closedAt }

    /// Whether nothing more will come, now that its last connection is gone.
    open func isOver(at now: Timestamp) -> Bool { true }

    /// What happened in the end.
    open func outcome() -> [Text] { [] }

    /// Why it failed, or may have failed: only what the packets show or make likely. Ruled out is what others would suspect.
    open func causes() -> [Cause] { [] }

    /// What the peers are, as far as they tell.
    open func peers() -> [Text] { [] }

    /// One side says that it sends no more on the control connection.
    open func finished(_ direction: Direction, frame: Int) {}

    /// The FIN of this frame was taken for a connection's first, and was not: that was `first`, in another frame unless the
    /// capture lacks it. Nil when nobody can tell which was.
    open func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {}

    /// The control connection is over; `direction` is that of the segment that ended it.
    open func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        closedBy = step
        phase = step == .refused ? .connect : .close
    }

    /// Another connection carries it on: the end of the one before was not its own.
    open func goesOn() {
        if closedBy == .close || closedBy == .reset { closedBy = nil }
    }

    /// The connection that had been refused was made after all.
    func reopened() {
        closedBy = nil
        phase = .connect
    }

    /// The phase that the session was in at a time: an event may be told later than it was.
    func phase(at time: Timestamp) -> Phase {
        guard let last = phases.last, time < last.startTime, last.phase == phase else { return phase }
        return phases.last { $0.startTime <= time }?.phase ?? phase
    }

    /// Counts an event into the phase it belongs to.
    package func note(_ event: Event) {
        guard let phase = event.phase else { return }
        if let last = phases.last, event.time < last.startTime,
            let index = phases.lastIndex(where: { $0.phase == phase && $0.startTime <= event.time })
        {
            phases[index].endTime = max(phases[index].endTime, event.time)
        } else if let last = phases.indices.last, phases[last].phase == phase || phases.count >= Self.maximumPhases {
            phases[last].endTime = max(phases[last].endTime, event.time)
            phases[last].lastEvent = event.id
        } else {
            latestReference = nil
            visitedPhases.append(phase)
            phases.append(
                .init(
                    phase: phase, startTime: event.time, endTime: event.time, firstEvent: event.id, lastEvent: event.id)
            )
        }
    }
}

/// Which session a message is a step of.
public enum SessionChoice {
    /// The flow's own, one that lays claim to the name that the message says, or a new one.
    case byFlowOrName
    /// This one.
    case known(Session)
    /// One that begins with it.
    case new
    /// None: it is told by itself.
    case none
}

/// A place in the flow table, and whose it was.
struct FlowHandle {
    /// The place.
    var index: Int
    /// The flow's number.
    var id: Int
}

/// What a session knows when it begins.
public struct StoryContext {
    /// Its number, from 1.
    public let id: Int
    /// The side that opened its first flow.
    public let client: Endpoint
    /// The other side.
    public let server: Endpoint
    /// The bounds to keep, to be kept themselves by who needs them for long.
    public let limitsReference: LimitsReference
    /// The bounds to keep.
    public var limits: Limits { limitsReference.values }
    /// Where it says what happened.
    public let outlet: StoryOutlet

    init(id: Int, client: Endpoint, server: Endpoint, limits: LimitsReference, outlet: StoryOutlet) {
        self.id = id
        self.client = client
        self.server = server
        limitsReference = limits
        self.outlet = outlet
    }
}
