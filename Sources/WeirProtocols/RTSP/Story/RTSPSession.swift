package import WeirEngine
package import WeirPackets

/// One RTSP conversation: requests and answers paired, media set up, state followed (RFC 2326 appendix A).
package final class RTSPSession: Session {
    /// The states of RFC 2326 §A.1.
    package enum State: String, Sendable {
        /// Nothing is set up.
        case initial
        /// Media is set up, none flows.
        case ready
        /// The server sends media.
        case playing
        /// The client sends media.
        case recording
    }

    /// A request that waits for its answer.
    package struct PendingRequest: Sendable {
        /// The request.
        package var message: RTSPMessage
        /// Its event.
        package var event: Int
        /// Its frame.
        package var frame: Int
        /// When it was sent.
        package var time: Timestamp
        /// Who sent it.
        package var direction: Direction
    }

    /// The presentation's URI: of the first request that names one.
    package internal(set) var uri: String? { didSet { noteSubject() } }
    /// The session id that the server gave (RFC 2326 §12.37).
    package internal(set) var identifier: String?
    /// Seconds without a request after which the server may end the session, if it said so.
    package internal(set) var timeoutSeconds: Int?
    /// Where the session is, as its messages tell.
    package internal(set) var state = State.initial
    /// What is described: by the answer to DESCRIBE, or by ANNOUNCE.
    package var description: SessionDescription? { descriptions.last }
    /// The last one, if there is one: most sessions of a flood have none, and it is large.
    var descriptions: [SessionDescription] = []
    /// The URI that `a=control` is resolved against.
    package internal(set) var baseURI: String?
    /// The media that were set up, in order.
    package internal(set) var setups: [MediaSetup] = []
    /// Their URIs.
    var setupNames = SetupNames()
    /// What RTP-Info of the latest answer that accepts PLAY says, each with the setup that it names.
    package internal(set) var rtpInfo: [(entry: RTPInfoEntry, setup: Int?)] = []
    /// Requests without an answer, oldest first.
    package internal(set) var pending: [PendingRequest] = []
    /// How often each interleaved channel was used, and whether it was granted.
    package internal(set) var channels: [Int: ChannelUse] = [:]
    /// What it speaks beside RTSP.
    package internal(set) var dialect: RTSPDialect?
    /// `Server` of the answers.
    package internal(set) var serverName: String?
    /// `User-Agent` of the requests.
    package internal(set) var userAgent: String?
    /// The last answer that was not a success: its request's method, status, reason, frame and time.
    package internal(set) var lastFailure: (method: String, status: Int, reason: String, frame: Int, time: Timestamp)?
    /// The last answer that sent the client elsewhere: its request's method, status and where to.
    package internal(set) var redirection: (method: String, status: Int, location: String)?
    /// The last request that was sent by the client.
    package internal(set) var lastRequest: PendingRequest?
    /// When the first answer to PLAY or RECORD came.
    package internal(set) var playAnswerTime: Timestamp?
    /// When the first media packet came.
    package internal(set) var firstMediaTime: Timestamp?
    /// The session in which the media of this one is listed, since both receive the same multicast group.
    package internal(set) var sharesMediaWith: Int?
    /// ICMP errors about media of the session.
    package internal(set) var unreachableCount = 0

    /// The frame in which the server closed the connection though nobody had asked for the end.
    private(set) var serverLeftInFrame: Int?
    /// Messages that were looked at for a dialect: the first few show it.
    /// The numbers of answers that came before any request with theirs: the file may have the two the wrong way round.
    var unaskedAnswers: Set<UInt32> = []
    /// Numbers that are kept; of more of them nothing is claimed.
    static let mostUnasked = 64
    /// Whether an answer with this number may have come before its request.
    func mayBeAnswered(_ number: UInt32) -> Bool {
        unaskedAnswers.contains(number) || unaskedAnswers.count >= Self.mostUnasked
    }
    var messagesLookedAt = 0
    static let tellingMessages = 6
    private var clientFinished = false
    /// Who said first that it sends no more on the last connection, and in which frame.
    private(set) var firstToFinish: (direction: Direction, frame: Int)?
    /// Who broke it off, and in which frame.
    private(set) var resetBy: (direction: Direction, frame: Int)?
    /// When somebody said first that the end has come: TEARDOWN, FIN or RST.
    var hungUp: Timestamp?
    /// Requests and setups that went beyond what a session may keep.
    var forgotten = 0 { didSet { noteLimit() } }
    var firstRequestTime: Timestamp?
    var playRequestTime: Timestamp?
    var lastMediaTime: Timestamp?
    var mediaPackets = 0
    var mediaLost = 0
    /// Those of them that got to their receiver, as that reports.
    var mediaArrived = 0
    /// Those of them that the server skipped where media was stopped, started again or moved.
    var mediaSkipped = 0
    /// Those of them of which only a pause or a leap lets one think so.
    var mediaPerhapsSkipped = 0
    /// When that was.
    var turns = MediaTurns()
    /// When it was started, the first time too: sessions that share its group ask.
    var starts = MediaTurns()
    /// Where media went on after pauses, and where RTP-Info had announced that; the first ones.
    package internal(set) var resumptions: [Resumption] = []
    /// Those of interleaved media, where nothing is lost on the way.
    var interleavedLost = 0
    /// What went wrong on the way.
    var failures = RTSPFailures()
    /// What credentials the server asked for, and did not accept.
    var credentials = RTSPCredentials()
    /// What may explain the end.
    var marks = RTSPCauseMarks()
    var answered = 0
    var saidGoodbye = false
    /// When PLAY or RECORD was accepted first, and in which frame.
    package internal(set) var mediaAccepted: (time: Timestamp, frame: Int)?
    /// How often PLAY was accepted, and after how many pauses.
    package internal(set) var mediaTurns = 0
    /// Accepted pauses since.
    var acceptedPauses = 0
    package internal(set) var wasPaused = false
    /// When the pause was asked for that lasts.
    var pausedSince: Timestamp?
    /// Seconds of media that were paused, of the stream that had most of them.
    var mediaPaused = 0.0
    var sawPlay = false
    var wasRecording = false
    /// The streams that were seen, ended ones too.
    package var mediaStreams: [MediaEntry] = []
    let media: MediaStreams
    var unreachableRTCP: Set<Endpoint> = []
    /// Where packets did not get to, though nobody there refused them.
    var undelivered: Set<Endpoint> = []
    var uriOfDescription: String?
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    package override var isTornDown: Bool { saidGoodbye }

    package override func finished(_ direction: Direction, frame: Int) {
        if firstToFinish == nil { firstToFinish = (direction, frame) }
        let isFlowing = (state == .playing || state == .recording) && !isTornDown
        if direction == .serverToClient, !clientFinished, isFlowing { serverLeftInFrame = frame }
        if direction == .clientToServer { clientFinished = true }
        hungUp = hungUp ?? latestTime
    }

    package override func corrected(finishIn frame: Int, by first: (direction: Direction, frame: Int)?) {
        guard firstToFinish?.frame == frame else { return }
        firstToFinish = first
        if first?.direction != .serverToClient { serverLeftInFrame = nil }
    }

    package override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        super.closed(step, direction, frame: frame)
        if step == .reset, resetBy == nil { resetBy = (direction, frame) }
        hungUp = hungUp ?? latestTime
    }

    package override func goesOn() {
        super.goesOn()
        (firstToFinish, resetBy, serverLeftInFrame, clientFinished, hungUp) = (nil, nil, nil, false, nil)
    }

    private static let lingerSeconds = 5.0

    package override class var kind: String { "rtsp" }

    /// Begins a session.
    package required init(_ context: StoryContext) {
        limitsReference = context.limitsReference
        media = context.outlet.shared(MediaStreams.self)
        super.init(context)
    }

    /// Whether media was accepted over UDP, and none of it is in the capture. That of a group may belong to another session.
    package override var lacksMedia: Bool {
        !setups.isEmpty && !hasMulticast && phases.contains { $0.phase == .media }
            && setups.allSatisfy { !$0.rtpEndpoints.isEmpty && $0.mediaPackets == 0 }
    }

    /// The presentation's URI.
    package override func subject(_ secrets: SecretPolicy) -> String? { uri.map { secrets.apply(uri: $0) } }

    /// The session's own members of its record.
    package override func facts(_ secrets: SecretPolicy) -> [Field] {
        var facts: [Field] = []
        facts.add("uri", uri.map { secrets.apply(uri: $0) })
        facts.add("sessionId", identifier)
        facts.add("timeoutSeconds", timeoutSeconds)
        facts.add("state", state.rawValue)
        facts.add("userAgent", userAgent)
        facts.add("server", serverName)
        facts.add("dialect", dialect?.rawValue)
        facts.add("tunnel", isTunnelled ? "http" : carrier)
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

    /// Whether the control connections are gone, and no media came for a while either: late media still belongs to it.
    package override func isOver(at now: Timestamp) -> Bool {
        guard let closed = lastConnectionClosed else { return false }
        return now.seconds(since: media.latestPacket(of: self, since: closed)) > Self.lingerSeconds
    }

    /// Connections that come later carry the session on when their messages have its id.
    package override class func name(of message: any Message, on flow: FlowState) -> ClaimKey? {
        (message as? RTSPMessage)?.session.flatMap { name(of: $0.identifier, at: flow.server) }
    }

    private static func name(of identifier: String, at server: Endpoint) -> ClaimKey? {
        identifier.isEmpty ? nil : .name(space: "rtsp.session", "\(server.address) \(identifier)")
    }

    package override func take(_ message: any Message, _ context: MessageContext, _ outlet: StoryOutlet) {
        guard let message = message as? RTSPMessage else {
            outlet.showConnection(of: context.flow, self)
            if let description = message as? SessionDescription {
                observe(description)
                media.configureStreams(of: self)
            }
            outlet.tell(outlet.event(message, context), self)
            return
        }
        if flows.count == 1, !isTunnelled, carrier == nil {
            completeness.isOneSided = outlet.isOneSided(context.flow)
        }
        introduce(message)
        outlet.showConnection(of: context.flow, self)
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
        outlet.tell(event, self)
    }

    private func claimName(insteadOf before: String?, _ outlet: StoryOutlet) {
        if let old = before.flatMap({ Self.name(of: $0, at: server) }) { outlet.release(old, of: self) }
        if let new = identifier.flatMap({ Self.name(of: $0, at: server) }) { outlet.claim(Claim(new), for: self) }
    }

    /// A flow that a setup announced came: the client is who asked for it, whoever spoke first.
    package override func met(_ claim: Claim, by flow: FlowState, _ outlet: StoryOutlet) {
        let setup = setups[claim.purpose]
        if setup.rtpEndpoints.contains(flow.server) || setup.rtcpEndpoints.contains(flow.server) { flow.swapRoles() }
        if case .endpoint = claim.key { setups[claim.purpose].isMet = true }
    }

    /// The client's end of media turned out to be `peer`; `server` is the server's end, as it was announced.
    package override func learn(_ peer: Endpoint, purpose: Int, server: Endpoint) {
        guard setups.indices.contains(purpose) else { return }
        setups[purpose].learn(peer, server: server)
    }

    /// An ICMP error quoted a packet to `endpoint`; tells what was expected there, if anything, and whether it is the
    /// first such error.
    package override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard let known = unreachable(endpoint, at: time, isRefusal: isRefusal) else { return nil }
        unreachableCount += 1
        return known
    }

    package override func observe(_ error: ICMPEvent, frame: Int) {
        if error.isRefusal { marks.refuse(error.quotedDestination, in: frame) }
    }

    package override func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {
        for entry in mediaStreams { media.end(entry, at: frame) }
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten) }
        if mediaStreams.isEmpty { sharesMediaWith = sessionSharing(outlet)?.id }
    }

    /// Another session whose media comes from the same multicast group.
    private func sessionSharing(_ outlet: StoryOutlet) -> RTSPSession? {
        otherOfGroups(outlet) { !$0.mediaStreams.isEmpty }
    }

    /// The first of the other sessions with media from the same multicast groups that fits.
    private func otherOfGroups(_ outlet: StoryOutlet, where fits: (RTSPSession) -> Bool) -> RTSPSession? {
        let groups = setups.flatMap(\.rtpEndpoints).filter(\.address.isMulticast)
        let others = groups.compactMap { group in
            outlet.firstClaimant(of: .endpoint(group)) { $0 !== self && ($0 as? RTSPSession).map(fits) ?? false }
        }
        return others.min { $0.id < $1.id } as? RTSPSession
    }

    /// Whether another session started the media of a multicast group between two packets: servers then renumber it.
    func isStartedByOther(between before: Timestamp, and behind: Timestamp) -> Bool {
        otherOfGroups(media.outlet) { $0.starts.isTurn(between: before, and: behind) } != nil
    }

    package override func forget() { mediaStreams = [] }

    /// What happened in the end, in a line; and when media never came, what the capture shows about why.
    package override func outcome() -> [Text] { outcomeTexts() }

    package override func causes() -> [Cause] { foundCauses() }
}
