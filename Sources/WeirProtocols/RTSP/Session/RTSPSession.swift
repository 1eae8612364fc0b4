import WeirEngine
import WeirPackets

/// An RTSP session: pairs requests and responses, tracks setups and state (RFC 2326 appendix A).
final class RTSPSession: Session {
    /// The states of RFC 2326 §A.1.
    enum State: String, Sendable {
        /// Nothing is set up.
        case initial
        /// Media is set up but not sent.
        case ready
        /// The server sends media.
        case playing
        /// The client sends media.
        case recording
    }

    /// A pending request.
    struct PendingRequest: Sendable {
        var message: RTSPMessage
        /// The event of the request.
        var event: Int
        /// The frame of the request.
        var frame: Int
        /// The time of the request.
        var time: Timestamp
        /// The direction of the request.
        var direction: Direction
    }

    /// The event of the latest request of each side that was answered.
    struct LastAnswered: Sendable {
        private var ofClient = 0
        private var ofServer = 0

        subscript(direction: Direction) -> Int { direction == .clientToServer ? ofClient : ofServer }

        mutating func note(_ request: PendingRequest) {
            if request.direction == .clientToServer {
                ofClient = max(ofClient, request.event)
            } else {
                ofServer = max(ofServer, request.event)
            }
        }
    }

    /// The URI of the presentation, from the first request that contains one.
    var uri: String? { didSet { noteSubject() } }
    /// The session ID assigned by the server (RFC 2326 §12.37).
    var identifier: String?
    /// The session timeout announced by the server, in seconds.
    var timeoutSeconds: Int?
    /// The current state, derived from the messages.
    var state = State.initial
    /// The current description: from the response to DESCRIBE, or from ANNOUNCE.
    var description: SharedValue<SessionDescription>?
    /// The base URI of `a=control`.
    var baseURI: String?
    /// The setups, in order.
    var setups: [MediaSetup] {
        @inline(__always) get { storedSetups.current }
        _modify {
            var taken = storedSetups.take()
            defer { storedSetups.put(taken) }
            yield &taken
        }
    }
    private var storedSetups = Lent([MediaSetup]())
    /// The URIs of the setups.
    var setupNames = SetupNames()
    /// The RTP-Info entries of the latest accepted PLAY, each with the setup it refers to.
    var rtpInfo: [(entry: RTPInfoEntry, setup: Int?)] = []
    /// The pending requests, oldest first.
    var pending: [PendingRequest] = []
    /// The latest requests that were answered.
    var lastAnswered = LastAnswered()
    /// The use of each interleaved channel.
    var channels: [Int: ChannelUse] = [:]
    /// The dialect, if it is not plain RTSP.
    var dialect: RTSPDialect?
    /// The `Server` header of the responses.
    var serverName: String?
    /// The `User-Agent` header of the requests.
    var userAgent: String?
    /// The last error response: method of its request, status, reason, frame and time.
    var lastFailure: (method: String, status: Int, reason: String, frame: Int, time: Timestamp)?
    /// The last redirect: method of its request, status and target.
    var redirection: (method: String, status: Int, location: String)?
    /// The client's latest request.
    var lastRequest: PendingRequest?
    /// The time of the first response to PLAY or RECORD.
    var playAnswerTime: Timestamp?
    /// The time of the first media packet.
    var firstMediaTime: Timestamp?
    /// The session that lists this session's media, if both receive the same multicast group.
    var sharesMediaWith: Int?
    /// Number of ICMP errors for media of the session.
    var unreachableCount = 0

    /// The frame in which the server closed the connection without a TEARDOWN.
    private(set) var serverLeftInFrame: Int?
    /// The numbers of responses that preceded any request with their number: the file may contain the two out of order.
    var unmatchedResponses: Set<UInt32> = []
    /// Maximum count stored; no conclusions are drawn beyond it.
    static let maxUnmatchedResponses = 64
    /// Whether a response with this number may have preceded its request.
    func mayBeAnswered(_ number: UInt32) -> Bool {
        unmatchedResponses.contains(number) || unmatchedResponses.count >= Self.maxUnmatchedResponses
    }
    var messagesLookedAt = 0
    static let dialectSampleSize = 6
    private var clientFinished = false
    /// The side that sent the first FIN on the last connection, and its frame.
    private(set) var firstToFinish: (direction: Direction, frame: Int)?
    /// The side that sent RST, and its frame.
    private(set) var resetBy: (direction: Direction, frame: Int)?
    /// Time of the first TEARDOWN, FIN or RST.
    var closeTime: Timestamp?
    /// Number of requests and setups beyond the limits of a session.
    var forgotten = 0 { didSet { noteLimit() } }
    var firstRequestTime: Timestamp?
    var playRequestTime: Timestamp?
    var lastMediaTime: Timestamp?
    var mediaPackets = 0
    var mediaLost = 0
    /// Lost media packets that arrived according to receiver reports.
    var mediaArrived = 0
    /// Lost media packets that the server skipped at a pause, restart or seek.
    var mediaSkipped = 0
    /// Lost media packets possibly skipped, suggested only by a pause or a timestamp jump.
    var mediaPerhapsSkipped = 0
    /// Times of pauses, restarts and seeks.
    var turns = MediaTurns()
    /// Times of all starts, including the first; used by sessions that share the group.
    var starts = MediaTurns()
    /// Resumptions with an announced sequence number; only the first ones are stored.
    var resumptions: [Resumption] = []
    /// Lost packets of interleaved media, which cannot be lost in transit.
    var interleavedLost = 0
    /// Whether octets outside any frame or message show that frames were damaged by their sender.
    var hasFramingFault = false
    /// Failures during the session.
    var failures = RTSPFailures()
    /// Requested credentials, and why they were not accepted.
    var credentials = RTSPCredentials()
    /// Evidence for the cause of the end.
    var marks = RTSPCauseMarks()
    var answered = 0
    var saidGoodbye = false
    /// The number of times that another session began on the connection, with the same media or after TEARDOWN.
    var restarts = 0
    /// The times of streams, to tell media from the time between sessions; the first ones are kept.
    var mediaSpans: [(start: Timestamp, end: Timestamp)] = []
    /// Time and frame of the first accepted PLAY or RECORD since then.
    var mediaAccepted: (time: Timestamp, frame: Int)?
    /// Number of accepted PLAYs, plus the accepted pauses before them.
    var mediaTurns = 0
    /// That number when another session began on the connection.
    var firstTurn = 0
    /// Media that was accepted, and of which none came before another session began; the first ones.
    var formerMedia: [FormerMedium] = []
    /// Number of pauses accepted since the latest PLAY.
    var acceptedPauses = 0
    var wasPaused = false
    /// Time of the request for the current pause.
    var pausedSince: Timestamp?
    /// Paused seconds of media: the maximum over all streams.
    var mediaPaused = 0.0
    var sawPlay = false
    var wasRecording = false
    /// The captured streams, including ended ones.
    var mediaStreams: [MediaEntry] = []
    let media: MediaStreams
    var unreachableRTCP: Set<Endpoint> = []
    /// Endpoints that packets did not reach without an ICMP error.
    var undelivered: Set<Endpoint> = []
    var uriOfDescription: String?
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    override var isTornDown: Bool { saidGoodbye }

    override func finished(_ direction: Direction, frame: Int) {
        if firstToFinish == nil { firstToFinish = (direction, frame) }
        let isFlowing = (state == .playing || state == .recording) && !isTornDown
        if direction == .serverToClient, !clientFinished, isFlowing { serverLeftInFrame = frame }
        if direction == .clientToServer { clientFinished = true }
        closeTime = closeTime ?? latestTime
    }

    override func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {
        guard firstToFinish?.frame == frame else { return }
        firstToFinish = first
        if first?.direction != .serverToClient { serverLeftInFrame = nil }
    }

    override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        super.closed(step, direction, frame: frame)
        if step == .reset, resetBy == nil { resetBy = (direction, frame) }
        closeTime = closeTime ?? latestTime
    }

    override func goesOn() {
        super.goesOn()
        (firstToFinish, resetBy, serverLeftInFrame, clientFinished, closeTime) = (nil, nil, nil, false, nil)
    }

    private static let lingerSeconds = 5.0

    override class var kind: String { "rtsp" }

    /// Creates a session.
    required init(_ context: SessionContext) {
        limitsReference = context.limitsReference
        media = context.outlet.shared(MediaStreams.self)
        super.init(context)
    }

    /// Whether media was accepted over UDP and none is captured. Media of a multicast group may belong to another
    /// session.
    override var lacksMedia: Bool {
        !setups.isEmpty && !hasMulticast && phases.contains { $0.phase == .media }
            && setups.allSatisfy { !$0.rtpEndpoints.isEmpty && $0.mediaPackets == 0 }
    }

    /// Whether its media is that of another session.
    override var worksWithoutMedia: Bool { sharesMediaWith != nil }

    /// The URI of the presentation.
    override func subject(_ secrets: SecretPolicy) -> String? { uri.map { secrets.apply(uri: $0) } }

    /// The RTSP members of the session record.
    override func facts(_ secrets: SecretPolicy) -> [Field] {
        var facts: [Field] = []
        facts.add("uri", uri.map { secrets.apply(uri: $0) })
        facts.add("sessionId", identifier)
        facts.add("timeoutSeconds", timeoutSeconds)
        facts.add("state", state.rawValue)
        facts.add("userAgent", userAgent)
        facts.add("server", serverName)
        facts.add("dialect", dialect?.rawValue)
        facts.add("tunnel", isTunneled ? "http" : carrier)
        facts.add("setupTimeMs", interval(firstRequestTime, playAnswerTime))
        facts.add("timeToFirstMediaMs", interval(playRequestTime, firstMediaTime))
        facts.add("requests", answered + pending.count)
        facts.add("unansweredRequests", pending.count)
        if unreachableCount > 0 { facts.add("icmpUnreachable", unreachableCount) }
        return facts
    }

    private func interval(_ start: Timestamp?, _ end: Timestamp?) -> Double? {
        guard let start, let end, end >= start else { return nil }
        return Double(end.nanoseconds &- start.nanoseconds) / 1_000_000
    }

    /// Whether the control connections are closed and no media arrived for a while; late media still belongs to the
    /// session.
    override func isOver(at now: Timestamp) -> Bool {
        guard let closed = lastConnectionClosed else { return false }
        return now.seconds(since: media.latestPacket(of: self, since: closed)) > Self.lingerSeconds
    }

    /// Returns the session ID as claim key, by which later connections join the session.
    override class func name(of message: any Message, on flow: FlowState) -> ClaimKey? {
        RTSPMessage(message)?.session.flatMap { name(of: $0.identifier, at: flow.server) }
    }

    private static func name(of identifier: String, at server: Endpoint) -> ClaimKey? {
        identifier.isEmpty ? nil : .name(space: "rtsp.session", "\(server.address) \(identifier)")
    }

    override func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        guard let message = RTSPMessage(message) else {
            outlet.showConnection(of: context.flow, self)
            if let description = message as? SessionDescription {
                observe(description)
                media.configureStreams(of: self)
            }
            if let other = message as? RTSPOtherProtocol { marks.otherProtocol = (other.found.name, context.at.frame) }
            outlet.emit(outlet.event(message, context), self)
            return
        }
        if hasOneFlow, !isTunneled, carrier == nil { noteOneSided(outlet.isOneSided(context.flow)) }
        noteFraming(context.remarks)
        introduce(message)
        outlet.showConnection(of: context.flow, self)
        outlet.emit(event(message, context, outlet), self)
    }

    /// Processes a message, and returns its event. A function, since a variable would be copied when it is emitted.
    private func event(_ message: RTSPMessage, _ context: MessageContext, _ outlet: SessionOutlet) -> Event {
        var event = outlet.event(message, context)
        event.isCut = message.isCut
        let before = identifier
        let effects = observe(message, &event)
        event.answers = effects.exchange
        if let latency = effects.exchange?.latency {
            let asked = Timestamp(nanoseconds: event.time.nanoseconds &- latency)
            event.remarks += outlet.delays(context.flow, since: asked, until: event.time)
        }
        if identifier != before { claimName(insteadOf: before, outlet) }
        for claim in effects.claims { outlet.claim(claim, for: self) }
        return event
    }

    private func claimName(insteadOf before: String?, _ outlet: SessionOutlet) {
        if let old = before.flatMap({ Self.name(of: $0, at: server) }) { outlet.release(old, of: self) }
        if let new = identifier.flatMap({ Self.name(of: $0, at: server) }) { outlet.claim(Claim(new), for: self) }
    }

    /// Handles a flow that a setup announced: the client is the side that requested it, not the one that sent first.
    override func matched(_ claim: Claim, by flow: FlowState, _ outlet: SessionOutlet) {
        let index = claim.purpose
        guard setups.indices.contains(index) else { return }
        if setups[index].rtpEndpoints.contains(flow.server) || setups[index].rtcpEndpoints.contains(flow.server) {
            flow.swapRoles()
        }
        if case .endpoint = claim.key { setups[index].isMatched = true }
    }

    /// Adds `peer` as client endpoint of media; `server` is the server's endpoint as announced.
    override func recordObserved(_ peer: Endpoint, purpose: Int, server: Endpoint) {
        guard setups.indices.contains(purpose) else { return }
        setups[purpose].recordObserved(peer, server: server)
    }

    /// Records an ICMP error that quotes a packet to `endpoint`; returns what was expected there, if anything, and
    /// whether it is the first such error.
    override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard let known = unreachable(endpoint, at: time, isRefusal: isRefusal) else { return nil }
        unreachableCount += 1
        return known
    }

    override func observe(_ remarks: [Remark], at place: EventContext) { noteFraming(remarks) }

    /// Records whether octets were skipped that belong to no frame.
    func noteFraming(_ remarks: [Remark]) {
        guard !completeness.startsLate else { return }
        if remarks.contains(where: { Self.framingFaults.contains($0.text.key) }) { hasFramingFault = true }
    }

    private static let framingFaults: Set = ["rtsp.remark.skipped", "rtsp.remark.malformed"]

    override func observe(_ error: ICMPEvent, frame: Int) {
        if error.isRefusal { marks.refuse(error.quotedDestination, in: frame) }
    }

    override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        for entry in mediaStreams { media.end(entry, at: frame) }
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten) }
        if mediaStreams.isEmpty { sharesMediaWith = sessionSharing(outlet)?.id }
    }

    /// Returns another session whose media uses the same multicast group.
    private func sessionSharing(_ outlet: SessionOutlet) -> RTSPSession? {
        otherOfGroups(outlet) { !$0.mediaStreams.isEmpty }
    }

    /// Returns the first matching other session with media in the same multicast groups.
    private func otherOfGroups(_ outlet: SessionOutlet, where fits: (RTSPSession) -> Bool) -> RTSPSession? {
        let groups = setups.flatMap(\.rtpEndpoints).filter(\.address.isMulticast)
        let others = groups.compactMap { group in
            outlet.firstClaimant(of: .endpoint(group)) { $0 !== self && ($0 as? RTSPSession).map(fits) ?? false }
        }
        return others.min { $0.id < $1.id } as? RTSPSession
    }

    /// Whether another session started media of a multicast group between two packets: servers renumber it then.
    func isStartedByOther(between before: Timestamp, and behind: Timestamp) -> Bool {
        otherOfGroups(media.outlet) { $0.starts.isTurn(between: before, and: behind) } != nil
    }

    override func forget() { mediaStreams = [] }

    /// Returns the outcome; if there was no media, with the reason as far as captured.
    override func outcome() -> [Text] { outcomeTexts() }

    override func causes() -> [Cause] { foundCauses() }
}
