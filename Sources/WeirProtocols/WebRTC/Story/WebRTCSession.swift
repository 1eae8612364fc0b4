package import WeirEngine
package import WeirPackets

/// One call of WebRTC: what its peers signal, the checks with which they look for a way to each other (ICE), the DTLS
/// handshake on that way, and the media that it protects.
///
/// Every part may be missing: signaling is often encrypted, and the pair of fragments in the checks names the call all the
/// same. Messages that carry signaling hand over what they say as `WebRTCSignal`.
package final class WebRTCSession: Session {
    /// A check or a request to a relay that waits for its answer.
    struct Pending {
        var id: STUNTransaction
        var flow: Int
        var pair: Int?
        var request: STUNMessage
        var event: Int
        var time: Timestamp
        var direction: Direction
    }

    /// The agents, the one that offered first in front if the capture shows who did.
    var agents: ICEAgents
    /// The pairs that were tried, in order.
    package internal(set) var pairs: [ICEPair] = []
    /// The DTLS connections, in order.
    package internal(set) var connections: [DTLSConnection] = []
    /// The first signaling message.
    package internal(set) var signalingBegan: ICEPair.Moment?
    /// Whether octets were missing before it in the connection that carries it.
    var lacksOctetsBefore = false
    /// The first description that offers, and the first that answers.
    package internal(set) var firstOffer: ICEPair.Moment?
    package internal(set) var firstAnswer: ICEPair.Moment?
    /// The latest offer and answer, with the agents that made them.
    package internal(set) var offer: (agent: Int, content: SessionDescription)? {
        didSet { readDescriptions = .init() }
    }
    package internal(set) var answer: (agent: Int, content: SessionDescription)? {
        didSet { readDescriptions = .init() }
    }
    /// What was found out of them: each stream asks, and each packet of RTCP.
    var readDescriptions = ReadDescriptions()

    /// What the descriptions say, once it was asked for.
    struct ReadDescriptions {
        /// Of each medium.
        var agreements: [Int: StreamAgreement] = [:]
        /// Of which medium a source is, of the answer and of the offer.
        var sources: [[UInt32: Int]] = []
    }
    /// The first description, where it came before any handshake or media, and whose it was.
    var firstDescription: (agent: Int, isOffer: Bool)?
    /// Who made the latest offer, as signaling names the peers.
    var offerFrom: String?
    /// Whether an offer waits for its answer.
    var awaitsAnswer = false
    /// The latest offer: the flow that brought it, and its first and last frame.
    var latestOffer: (flow: Int, firstFrame: Int, frame: Int)?
    /// The latest refusal of an offer, and how many there were.
    var refusedOffer: RefusedOffer?
    var refusedOffers = 0
    /// The host at which signaling names the call, where it says so.
    var authority: String?
    /// Whether the peers have said that the call is over.
    var isHungUp = false
    /// How often ICE began anew while the call went on (RFC 8445 §9).
    package var restarts: Int { agents.all.map(\.restarts).max() ?? 0 }
    /// The latest of these.
    package internal(set) var restart: ICERestart?
    /// When names in checks on another way were new, and no description said why.
    var newNames: ICEPair.Moment?
    /// The addresses that relays gave, by flow.
    var relayAddresses: [Int: Endpoint] = [:]
    /// Refusals by relays: the code, and the first frame with it.
    package internal(set) var relayErrors: [(code: Int, frame: Int)] = []
    /// The exchanges with TURN servers, in order.
    package internal(set) var allocations: [TURNAllocation] = []
    /// Whether nothing but exchanges with TURN servers was seen of the session: its kind is `turn`.
    package internal(set) var isRelayOnly = false
    var pending: [Pending] = []
    /// Claims that were laid already.
    private(set) var names: Set<String> = []
    /// The streams that were seen, ended ones too.
    package var mediaStreams: [MediaEntry] = []
    /// When the first media packet came, and the last one.
    package internal(set) var firstMediaTime: Timestamp?
    var lastMediaTime: Timestamp?
    var mediaPackets = 0
    var mediaLost = 0
    var lastTime: Timestamp?
    /// When the capture began.
    let captureStart: Timestamp?
    let media: MediaStreams
    let gathered: GatheredAddresses
    let relayClients: RelayClients
    let limits: WebRTCLimits
    /// Transactions that went beyond what a session may keep.
    var forgotten = 0
    /// Candidates, pairs and addresses of relays that did.
    private var leftOut = 0
    /// Names that did.
    private var namesLeftOut = 0

    package override class var kind: String { "webrtc" }

    /// One connection of signaling may carry several calls.
    package override class var sharesFlows: Bool { true }

    /// Begins a session.
    package required init(_ context: StoryContext) {
        limits = context.limits[WebRTCLimits.self]
        agents = ICEAgents(generations: limits.generations)
        captureStart = context.outlet.timeline.start
        media = context.outlet.shared(MediaStreams.self)
        gathered = context.outlet.shared(GatheredAddresses.self)
        relayClients = context.outlet.shared(RelayClients.self)
        super.init(context)
        phase = .signaling
    }

    package override class func choose(
        for message: any Message, on flow: FlowState, _ outlet: StoryOutlet
    ) -> SessionChoice { SessionNames.choose(message, flow, outlet) }

    package override var isTornDown: Bool { isHungUp || hasReleasedAll }

    package override func isOver(at now: Timestamp) -> Bool { !holdsAllocation(at: now) }

    /// A host says that nobody takes packets at one of its ports: checks, or what was agreed on by them.
    package override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard let index = pairs.firstIndex(where: { !$0.isRelayed && ($0.client == endpoint || $0.server == endpoint) })
        else {
            return noteUnreachableRelay(endpoint, at: time, isRefusal: isRefusal).map { ("TURN", $0) }
        }
        return ("WebRTC", pairs[index].refusedEnds.insert(endpoint).inserted)
    }

    package override func facts(_ secrets: SecretPolicy) -> [Field] { ownFacts }

    package override func outcome() -> [Text] { ownOutcome }

    package override func causes() -> [Cause] {
        if isRelayOnly { return relayCauses }
        let refusals = refusalCauses
        return refusals + iceCauses().map(\.cause) + relayCauses.filter { $0.id == "stale-nonce" }
    }

    package override func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {
        relayClients.remove(self)
        for entry in mediaStreams { media.end(entry, at: frame) }
        if forgotten > 0 { outlet.reach("limit.requests", times: forgotten) }
        if leftOut > 0 { outlet.reach("limit.candidates", times: leftOut) }
        let forgottenNames = namesLeftOut + agents.forgotten
        if forgottenNames > 0 { outlet.reach("limit.callNames", times: forgottenNames, of: self) }
    }

    /// There is no room for a candidate, a pair of them, or an address of a relay.
    func leaveOut() {
        leftOut += 1
        noteLimit()
    }

    package override func forget() { mediaStreams = [] }

    package override func keepsPhase(throughConnectionOf flow: FlowState) -> Bool { phase != .signaling }

    /// The end of a signaling connection is not the end of the call.
    package override func closed(_ step: TCPEvent.Step, _ direction: Direction, frame: Int) {
        let before = phase
        super.closed(step, direction, frame: frame)
        if !pairs.isEmpty { phase = before }
    }

    package override func take(_ message: any Message, _ context: MessageContext, _ outlet: StoryOutlet) {
        if !isRelayOnly, lastTime == nil, (message as? STUNMessage)?.isRelayExchange ?? false {
            beginAsRelayClient(context.flow)
        } else if isRelayOnly, showsCall(message) {
            becomeCall(on: context.flow)
        }
        lastTime = context.at.time
        switch message {
        case let message as STUNMessage: takeCheck(message, context, outlet)
        case let message as DTLSMessage: takeHandshake(message, context, outlet)
        case let message as any WebRTCSignal: takeSignal(message, context, outlet)
        default:
            if let carrier = message as? any SignalCarrier { note(carrier: carrier, context) }
            outlet.showConnection(of: context.flow, self)
            outlet.tell(outlet.event(message, context), self)
        }
    }

    /// Whether a message is a step of a call, and not of an exchange with a relay.
    private func showsCall(_ message: any Message) -> Bool {
        if let message = message as? STUNMessage { return message.isICECheck || message.isPing }
        return message is DTLSMessage || message is any WebRTCSignal
    }

    /// Goes on to a phase, never back: candidates come while checks are sent already.
    func advance(to next: Phase) {
        let order: [Phase] = [.signaling, .ice, .dtls, .media, .close]
        guard let now = order.firstIndex(of: phase), let then = order.firstIndex(of: next) else {
            phase = next
            return
        }
        if then > now { phase = next }
    }

    func lay(_ key: ClaimKey, _ name: String, _ outlet: StoryOutlet) {
        guard !names.contains(name) else { return }
        guard names.count < limits.names else {
            namesLeftOut += 1
            return noteLimit()
        }
        names.insert(name)
        outlet.claim(Claim(key), for: self)
    }

    /// The flow's further messages are steps of this session; signaling that is seen later may be, too.
    func layFlow(_ flow: FlowState, _ outlet: StoryOutlet) {
        lay(SessionNames.flow(flow.id), "flow \(flow.id)", outlet)
        guard signalingBegan == nil else { return }
        // A TURN server is an end of all its clients' flows: it tells nothing of one.
        let ends = isRelayOnly ? [relayClient(of: flow)] : [flow.client, flow.server]
        for address in ends.map(\.address) {
            lay(SessionNames.end(address), "end \(address)", outlet)
        }
    }

    func layFragment(_ ufrag: String, _ outlet: StoryOutlet) {
        lay(SessionNames.fragment(ufrag), "ufrag \(ufrag)", outlet)
    }
}

extension Phase {
    /// WebRTC: the peers tell each other what they want to send, and where they may be reached.
    package static let signaling: Phase = "signaling"
    /// WebRTC: the peers look for a way to each other.
    package static let ice: Phase = "ice"
    /// WebRTC: the peers agree on keys.
    package static let dtls: Phase = "dtls"
}
