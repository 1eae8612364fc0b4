import WeirEngine
import WeirPackets

/// A WebRTC call: signaling, connectivity checks (ICE), the DTLS handshake, and the media it protects.
///
/// Every part may be missing: signaling is often encrypted, and the pair of fragments in the checks identifies the call
/// without it. Messages that contain signaling provide it as `WebRTCSignal`.
final class WebRTCSession: Session {
    /// A pending check or TURN request.
    struct Pending {
        var id: STUNTransaction
        var flow: Int
        var pair: Int?
        var request: STUNMessage
        var event: Int
        var time: Timestamp
        var direction: Direction
    }

    /// The encrypted connections of the call's hosts when it started: flow id, and server.
    private(set) var encryptedFlows: [(id: Int, name: String)] = []
    /// The agents, the offerer first if known.
    var agents: ICEAgents
    /// The candidate pairs, in order.
    var pairs: [ICEPair] = []
    /// The DTLS connections, in order.
    var connections: [DTLSConnection] = []
    /// The first signaling message.
    var signalingBegan: ICEPair.Moment?
    /// Whether octets are missing before it in its connection.
    var lacksOctetsBefore = false
    /// The first offer, and the first answer.
    var firstOffer: ICEPair.Moment?
    var firstAnswer: ICEPair.Moment?
    /// The latest offer and answer, with the agents that made them.
    var offer: (agent: Int, content: SessionDescription)? {
        didSet { readDescriptions = .init() }
    }
    var answer: (agent: Int, content: SessionDescription)? {
        didSet { readDescriptions = .init() }
    }
    /// A cache of values derived from the descriptions, used for each stream and RTCP packet.
    var readDescriptions = ReadDescriptions()

    /// Values derived from the descriptions, computed on demand.
    struct ReadDescriptions {
        /// Parameters by media section.
        var agreements: [Int: StreamAgreement] = [:]
        /// Media sections by SSRC, of the answer and of the offer.
        var sources: [[UInt32: Int]] = []
    }
    /// The first description, if it precedes any handshake or media, and its author.
    var firstDescription: (agent: Int, isOffer: Bool)?
    /// The author of the latest offer, as signaling names the peers.
    var offerFrom: String?
    /// Whether an offer is pending.
    var awaitsAnswer = false
    /// The latest offer: its flow, and its first and last frame.
    var latestOffer: (flow: Int, firstFrame: Int, frame: Int)?
    /// The latest rejection of an offer, and the number of rejections.
    var refusedOffer: RefusedOffer?
    var refusedOffers = 0
    /// The host in the call's signaling, if present.
    var authority: String?
    /// Whether the peers ended the call.
    var isClosedByPeer = false
    /// The number of ICE restarts (RFC 8445 §9).
    var restarts: Int { agents.all.map(\.restarts).max() ?? 0 }
    /// The latest ICE restart.
    var restart: ICERestart?
    /// When checks on another pair had new fragments without a description.
    var newNames: ICEPair.Moment?
    /// The relayed addresses, by flow.
    var relayAddresses: [Int: Endpoint] = [:]
    /// The frames of ICMP errors which show that nothing is listening on an endpoint.
    private(set) var portsUnreachable: [Endpoint: Int] = [:]
    /// The servers and candidates without a pair that are unreachable according to ICMP.
    private var unreachable: Set<Endpoint> = []
    /// Error responses of relays: the code, and the first frame with it.
    var relayErrors: [(code: Int, frame: Int)] = []
    /// The exchanges with TURN servers, in order.
    var allocations: [TURNAllocation] = []
    /// Whether the session consists of exchanges with TURN servers only: its kind is `turn`.
    var isRelayOnly = false
    var pending: [Pending] = []
    /// The keys already claimed.
    private(set) var names: Set<String> = []
    /// The streams of the call, including ended ones.
    var mediaStreams: [MediaEntry] = []
    /// Times of the first and the latest media packet.
    var firstMediaTime: Timestamp?
    var lastMediaTime: Timestamp?
    var mediaPackets = 0
    var mediaLost = 0
    var lastTime: Timestamp?
    /// The start of the capture.
    let captureStart: Timestamp?
    let media: MediaStreams
    let gathered: GatheredAddresses
    let relayClients: RelayClients
    let twoWayHosts: TwoWayHosts
    let limits: WebRTCLimits
    /// Whether secrets of a DTLS connection may still be added to a key log.
    var awaitsKeys = false
    /// The number of transactions beyond the limit.
    var forgotten = 0
    /// The number of candidates, pairs and relayed addresses beyond the limit.
    private var leftOut = 0
    /// The number of names beyond the limit.
    private var namesLeftOut = 0

    override class var kind: String { "webrtc" }

    /// One signaling connection may carry several calls.
    override class var sharesFlows: Bool { true }

    /// Creates a session.
    required init(_ context: SessionContext) {
        limits = context.limits[WebRTCLimits.self]
        agents = ICEAgents(generations: limits.generations)
        captureStart = context.outlet.timeline.start
        media = context.outlet.shared(MediaStreams.self)
        gathered = context.outlet.shared(GatheredAddresses.self)
        relayClients = context.outlet.shared(RelayClients.self)
        twoWayHosts = context.outlet.twoWayHosts
        super.init(context)
        phase = .signaling
    }

    override class func choose(
        for message: any Message, on flow: FlowState, _ outlet: SessionOutlet
    ) -> SessionChoice { SessionNames.choose(message, flow, outlet) }

    /// Whether it needs no media, and has what it needs.
    override var worksWithoutMedia: Bool { worksWithoutStreams }

    override var isTornDown: Bool { isClosedByPeer || hasReleasedAll }

    override func isOver(at now: Timestamp) -> Bool { !holdsAllocation(at: now) }

    /// Records that an endpoint is unreachable according to ICMP: for checks, or for a pair in use.
    override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard let index = pairs.firstIndex(where: { !$0.isRelayed && ($0.client == endpoint || $0.server == endpoint) })
        else {
            if let isFirst = noteUnreachableRelay(endpoint, at: time, isRefusal: isRefusal) { return ("TURN", isFirst) }
            guard unreachable.count < limits.pairs else { return nil }
            return ("WebRTC", unreachable.insert(endpoint).inserted)
        }
        return ("WebRTC", pairs[index].refusedEnds.insert(endpoint).inserted)
    }

    override func observe(_ error: ICMPEvent, frame: Int) {
        guard error.isRefusal else { return }
        noteUnreachableRelay(error, frame: frame)
        guard portsUnreachable.count < limits.pairs, portsUnreachable[error.quotedDestination] == nil else { return }
        portsUnreachable[error.quotedDestination] = frame
    }

    override func facts(_ secrets: SecretPolicy) -> [Field] { ownFacts }

    override func outcome() -> [Text] { ownOutcome }

    override func causes() -> [Cause] {
        if isRelayOnly { return relayCauses }
        return refusalCauses + iceCauses().map(\.cause) + relayCausesOfCall
    }

    override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        relayClients.remove(self)
        for index in pairs.indices where pairs[index].carriesDTLS {
            let (client, server) = (pairs[index].client.address, pairs[index].server.address)
            pairs[index].incomplete = (
                outlet.incompleteDatagrams(from: client, to: server),
                outlet.incompleteDatagrams(from: server, to: client)
            )
        }
        for entry in mediaStreams { media.end(entry, at: frame) }
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten) }
        if leftOut > 0 { outlet.reach("limit.candidates", times: leftOut) }
        let forgottenNames = namesLeftOut + agents.forgotten
        if forgottenNames > 0 { outlet.reach("limit.callNames", times: forgottenNames, of: self) }
    }

    /// Counts a candidate, pair or relayed address beyond the limit.
    func leaveOut() {
        leftOut += 1
        noteLimit()
    }

    override func forget() { mediaStreams = [] }

    override func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { phase != .signaling }

    /// The end of a signaling connection does not end the call.
    override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        let before = phase
        super.closed(step, direction, frame: frame)
        if !pairs.isEmpty { phase = before }
    }

    override func take(_ message: any Message, _ context: MessageContext, _ outlet: SessionOutlet) {
        if !isRelayOnly, lastTime == nil, (message as? STUNMessage)?.isRelayExchange ?? false {
            beginAsRelayClient(context.flow)
        } else if isRelayOnly, showsCall(message) {
            becomeCall(on: context.flow)
        }
        lastTime = context.at.time
        if awaitsKeys { deriveAwaitedKeys() }
        switch message {
        case let message as STUNMessage: takeCheck(message, context, outlet)
        case let message as DTLSMessage: takeHandshake(message, context, outlet)
        case let message as any WebRTCSignal: takeSignal(message, context, outlet)
        default:
            if let carrier = message as? any SignalCarrier { note(carrier: carrier, context) }
            outlet.showConnection(of: context.flow, self)
            outlet.emit(outlet.event(message, context), self)
        }
    }

    /// Whether a message belongs to a call, and not to a TURN exchange.
    private func showsCall(_ message: any Message) -> Bool {
        if let message = message as? STUNMessage { return message.isICECheck || message.isPing }
        return message is DTLSMessage || message is any WebRTCSignal
    }

    /// Advances to a phase, never back: candidates may arrive after the first checks.
    func advance(to next: Phase) {
        let order: [Phase] = [.signaling, .ice, .dtls, .media, .close]
        guard let now = order.firstIndex(of: phase), let then = order.firstIndex(of: next) else {
            phase = next
            return
        }
        if then > now { phase = next }
    }

    func lay(_ key: ClaimKey, _ name: String, _ outlet: SessionOutlet) {
        guard !names.contains(name) else { return }
        guard names.count < limits.names else {
            namesLeftOut += 1
            return noteLimit()
        }
        names.insert(name)
        outlet.claim(Claim(key), for: self)
    }

    /// Records the encrypted connections of a flow's hosts, one of which may carry the signaling.
    private func noteEncrypted(of flow: FlowState, _ outlet: SessionOutlet) {
        encryptedFlows = outlet.hiddenFlows(at: [flow.client.address, flow.server.address]).suffix(8).map { hidden in
            (hidden.id, (hidden.message as? TLSClientHello)?.serverName ?? hidden.server.description)
        }
    }

    /// Claims the flow for further messages, and its endpoints for signaling that is captured later.
    func claimFlow(_ flow: FlowState, _ outlet: SessionOutlet) {
        if encryptedFlows.isEmpty, signalingBegan == nil, pairs.count < 2 { noteEncrypted(of: flow, outlet) }
        lay(SessionNames.flow(flow.id), "flow \(flow.id)", outlet)
        guard signalingBegan == nil else { return }
        // A TURN server is an endpoint of all its clients' flows, so it identifies none of them.
        let ends = isRelayOnly ? [relayClient(of: flow)] : [flow.client, flow.server]
        for address in ends.map(\.address) {
            lay(SessionNames.end(address), "end \(address)", outlet)
        }
    }

    func claimFragment(_ ufrag: String, _ outlet: SessionOutlet) {
        lay(SessionNames.fragment(ufrag), "ufrag \(ufrag)", outlet)
    }
}

extension Phase {
    /// WebRTC: the peers exchange descriptions and candidates.
    static let signaling: Phase = "signaling"
    /// WebRTC: the agents perform connectivity checks.
    static let ice: Phase = "ice"
    /// WebRTC: the peers exchange keys.
    static let dtls: Phase = "dtls"
}
