package import WeirEngine
package import WeirPackets

/// One call of WebRTC: what its peers signal, the checks with which they look for a way to each other (ICE), the DTLS
/// handshake on that way, and the media that it protects.
///
/// Every part may be missing: signaling is often encrypted, and the pair of fragments in the checks names the call all the
/// same. Messages that carry signaling hand over what they say as `WebRTCSignal`.
package final class WebRTCSession: Session {
    /// A check or a request to a relay that waits for its answer.
    private struct Pending {
        var id: STUNTransaction
        var flow: Int
        var pair: Int?
        var request: STUNMessage
        var event: Int
        var time: Timestamp
        var direction: Direction
    }

    /// The agents, the one that offered first in front if the capture shows who did.
    var agents = ICEAgents()
    /// The pairs that were tried, in order.
    package internal(set) var pairs: [ICEPair] = []
    /// The DTLS connections, in order.
    package internal(set) var connections: [DTLSConnection] = []
    /// The first signaling message.
    package private(set) var signalingBegan: ICEPair.Moment?
    /// The first description that offers, and the first that answers.
    package private(set) var firstOffer: ICEPair.Moment?
    package private(set) var firstAnswer: ICEPair.Moment?
    /// The latest offer and answer, with the agents that made them.
    package private(set) var offer: (agent: Int, content: SessionDescription)?
    package private(set) var answer: (agent: Int, content: SessionDescription)?
    /// Whether an offer waits for its answer.
    private var awaitsAnswer = false
    /// Whether the peers have said that the call is over.
    private var isHungUp = false
    /// Fragments that changed while the call went on: a restart (RFC 8445 §9).
    package private(set) var restarts = 0
    /// The addresses that relays gave, by flow.
    private var relayAddresses: [Int: Endpoint] = [:]
    /// Refusals by relays: the code, and the first frame with it.
    package private(set) var relayErrors: [(code: Int, frame: Int)] = []
    private var pending: [Pending] = []
    /// Claims that were laid already.
    private var names: Set<String> = []
    /// The streams that were seen, ended ones too.
    package var mediaStreams: [MediaEntry] = []
    /// When the first media packet came, and the last one.
    package internal(set) var firstMediaTime: Timestamp?
    var lastMediaTime: Timestamp?
    var mediaPackets = 0
    var mediaLost = 0
    private(set) var lastTime: Timestamp?
    let media: MediaStreams
    private let relays: RelayAddresses
    private let limits: WebRTCLimits

    package override class var kind: String { "webrtc" }

    /// One connection of signaling may carry several calls.
    package override class var sharesFlows: Bool { true }

    /// Begins a session.
    package required init(_ context: StoryContext) {
        limits = context.limits[WebRTCLimits.self]
        media = context.outlet.shared(MediaStreams.self)
        relays = context.outlet.shared(RelayAddresses.self)
        super.init(context)
        phase = .signaling
    }

    package override class func choose(
        for message: any Message, on flow: FlowState, _ outlet: StoryOutlet
    ) -> SessionChoice { SessionNames.choose(message, flow, outlet) }

    package override var isTornDown: Bool { isHungUp }

    package override func facts(_ secrets: SecretPolicy) -> [Field] { ownFacts }

    package override func title(_ secrets: SecretPolicy) -> String { ownTitle }

    package override func outcome() -> [Text] { ownOutcome }

    package override func finish(at frame: FrameInfo, _ outlet: StoryOutlet) {
        for entry in mediaStreams { media.end(entry, at: frame) }
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
        lastTime = context.at.time
        switch message {
        case let message as STUNMessage: takeCheck(message, context, outlet)
        case let message as DTLSMessage: takeHandshake(message, context, outlet)
        case let message as any WebRTCSignal: takeSignal(message, context, outlet)
        default:
            outlet.showConnection(of: context.flow, self)
            outlet.tell(outlet.event(message, context), self)
        }
    }

    /// Goes on to a phase, never back: candidates come while checks are sent already.
    private func advance(to next: Phase) {
        let order: [Phase] = [.signaling, .ice, .dtls, .media, .close]
        guard let now = order.firstIndex(of: phase), let then = order.firstIndex(of: next) else {
            phase = next
            return
        }
        if then > now { phase = next }
    }

    private func lay(_ key: ClaimKey, _ name: String, _ outlet: StoryOutlet) {
        guard names.count < 1_024, names.insert(name).inserted else { return }
        outlet.claim(Claim(key), for: self)
    }

    /// The flow's further messages are steps of this session.
    private func layFlow(_ flow: Int, _ outlet: StoryOutlet) {
        lay(SessionNames.flow(flow), "flow \(flow)", outlet)
    }

    private func layFragment(_ ufrag: String, _ outlet: StoryOutlet) {
        lay(SessionNames.fragment(ufrag), "ufrag \(ufrag)", outlet)
    }
}

// MARK: - Signaling

extension WebRTCSession {
    /// Whether the call has no description yet, or waits for an answer.
    var isOpenToAnswer: Bool { awaitsAnswer }
    /// Whether descriptions came already.
    var hasDescriptions: Bool { firstOffer != nil || firstAnswer != nil }
    /// Whether checks found a way already.
    var hasPair: Bool { pairs.contains { $0.nominated != nil } }

    /// Whether one of the agents made descriptions of this origin.
    func knows(_ description: SessionDescription) -> Bool {
        guard let origin = description.origin else { return false }
        return agents.all.contains { $0.origin == "\(origin.username) \(origin.sessionId)" }
    }

    private func takeSignal(_ message: any WebRTCSignal, _ context: MessageContext, _ outlet: StoryOutlet) {
        let signal = message.signal
        outlet.showConnection(of: context.flow, self)
        var event = outlet.event(message, context)
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        signalingBegan = signalingBegan ?? moment
        for name in SessionNames.of(signal, on: context.flow) { lay(name.key, name.text, outlet) }
        if let description = signal.description { observe(description, moment, event, outlet) }
        for candidate in signal.candidates { observe(candidate, moment, event) }
        if signal.endsCandidates,
            let author = agents.author(ofCandidate: nil, flow: event.flow, event.direction)
        {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        if signal.endsCall {
            isHungUp = true
            phase = .close
        }
        event.phase = phase
        outlet.tell(event, self)
        if let description = signal.description {
            if description.isWrapped { tell(description, context, outlet) }
            media.configureStreams(of: self)
        }
    }

    /// Tells a description that the message around it does not hold octet by octet.
    private func tell(
        _ description: WebRTCSignalContent.Description, _ context: MessageContext, _ outlet: StoryOutlet
    ) {
        var content = description.content
        content.role = description.type == .offer ? .offer : .answer
        var event = outlet.event(content, context)
        event.phase = phase
        event.remarks = []
        // Lines of it have no place of their own in the frame.
        event.byteRange = nil
        outlet.tell(event, self)
    }

    private func observe(
        _ description: WebRTCSignalContent.Description, _ moment: ICEPair.Moment, _ event: Event, _ outlet: StoryOutlet
    ) {
        let content = description.content
        let author = agents.author(of: description, flow: event.flow, event.direction)
        let fragments = content.userFragments
        if let known = agents[author].credentials.last, let first = fragments.first, known.password != nil,
            !agents[author].has(first)
        {
            restarts += 1
        }
        for ufrag in fragments {
            agents.add(ufrag, content.password(of: ufrag), to: author, event.frame)
            layFragment(ufrag, outlet)
        }
        if agents[author].speaksOn.count < 8 { agents[author].speaksOn.append((event.flow, event.direction)) }
        agents[author].description = content
        agents[author].descriptionFrame = event.frame
        agents[author].isLite = content.isICELite
        agents[author].setup = content.setup ?? content.media.lazy.compactMap(\.setup).first
        let fingerprints = content.fingerprints + content.media.flatMap(\.fingerprints)
        if !fingerprints.isEmpty { agents[author].fingerprints = Array(fingerprints.prefix(16)) }
        if content.media.contains(where: \.endOfCandidates) || content.attributes.has("end-of-candidates") {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        for medium in content.media {
            for candidate in medium.candidates {
                add(candidate, medium.mid, medium.iceUfrag ?? content.iceUfrag, to: author, moment)
            }
        }
        if description.type == .offer {
            if firstOffer == nil {
                firstOffer = moment
                if agents[author].isOfferer == nil { agents[author].isOfferer = true }
            }
            offer = (author, content)
            awaitsAnswer = true
        } else {
            firstAnswer = firstAnswer ?? moment
            if agents[author].isOfferer == nil { agents[author].isOfferer = false }
            answer = (author, content)
            if description.type == .answer { awaitsAnswer = false }
        }
    }

    private func observe(_ candidate: WebRTCSignalContent.Candidate, _ moment: ICEPair.Moment, _ event: Event) {
        let ufrag = candidate.ufrag ?? candidate.content.ufrag
        // Candidates may overtake the description that they belong to: who sends them is known by the connection.
        let author = agents.author(ofCandidate: ufrag, flow: event.flow, event.direction)
        guard let author else { return }
        add(candidate.content, candidate.mid, ufrag, to: author, moment)
    }

    private func add(
        _ candidate: ICECandidate, _ mid: String?, _ ufrag: String?, to author: Int, _ moment: ICEPair.Moment
    ) {
        guard agents[author].candidates.count < limits.candidates,
            !agents[author].candidates.contains(where: { $0.content == candidate && $0.ufrag == ufrag })
        else { return }
        agents[author].candidates.append(
            ICEAgent.Candidate(
                content: candidate, frame: moment.frame, time: moment.time, event: moment.event, mid: mid, ufrag: ufrag)
        )
    }
}

// MARK: - Checks

extension WebRTCSession {
    private func takeCheck(_ message: STUNMessage, _ context: MessageContext, _ outlet: StoryOutlet) {
        var message = message
        let direction = context.at.direction
        let flow = context.flow
        outlet.showConnection(of: flow, self)
        layFlow(flow.id, outlet)
        if message.isICECheck, let fragments = message.fragments {
            for ufrag in [fragments.receiver, fragments.sender] { layFragment(ufrag, outlet) }
            let known = pairs.firstIndex { $0.flow == flow.id && $0.isRelayed == (message.relay != nil) }
            agents.learn(
                receiver: fragments.receiver, sender: fragments.sender, frame: context.at.frame,
                speaking: known.flatMap { author(of: direction, on: $0) })
        }
        let place =
            message.isICECheck || message.isBinding && isChecked(message, flow, direction)
            ? pair(flow, message.relay) : nil
        let index = pending.lastIndex {
            $0.id == message.transaction && $0.flow == flow.id && $0.direction == direction.opposite
        }
        if message.integrity != nil { verify(&message, index.map { pending[$0].request }) }
        if let place, message.isICECheck { message.isConsent = isConsent(place, direction) }
        advance(to: .ice)
        var event = outlet.event(message, context)
        event.phase = phase
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if message.isRequest {
            ask(message, event, place, moment)
        } else if message.isAnswer, let index {
            let request = pending.remove(at: index)
            if request.request.isConsent {
                message.isConsent = true
                event.message = message
            }
            event.answers = Event.Exchange(
                requestEvent: request.event, request: request.request,
                latency: event.time.nanoseconds &- request.time.nanoseconds, pairing: .number)
            conclude(request, message, event, moment)
        }
        outlet.tell(event, self)
    }

    /// Whether an answer, or a request without a name, belongs to checks on the flow.
    private func isChecked(_ message: STUNMessage, _ flow: FlowState, _ direction: Direction) -> Bool {
        message.isAnswer
            && pending.contains {
                $0.id == message.transaction && $0.flow == flow.id && $0.pair != nil && $0.direction != direction
            }
    }

    /// The pair's place; nil when there are too many.
    func pair(_ flow: FlowState, _ relay: STUNMessage.Relay?) -> Int? {
        if let known = pairs.firstIndex(where: {
            $0.flow == flow.id && $0.isRelayed == (relay != nil) && (relay == nil || $0.peer == relay?.peer)
        }) {
            return known
        }
        guard pairs.count < limits.pairs else { return nil }
        var pair = ICEPair(
            flow: flow.id, client: flow.client, server: flow.server, isTCP: flow.transport == .tcp,
            isRelayed: relay != nil, peer: relay?.peer)
        pair.relayAddress = relayAddresses[flow.id] ?? relays[flow.id]
        pairs.append(pair)
        return pairs.count - 1
    }

    /// Whether a check keeps up what works already: its sender's checks were granted before, and the pair was nominated
    /// (RFC 7675 §5.1).
    private func isConsent(_ place: Int, _ direction: Direction) -> Bool {
        pairs[place].nominated != nil && pairs[place][direction].succeeded > 0
    }

    /// Verifies the authentication code with the password that belongs to it: of the receiver of a check, which is also
    /// that of its answer (RFC 8445 §7.2.2, §7.3.1.3).
    private func verify(_ message: inout STUNMessage, _ request: STUNMessage?) {
        guard let ufrag = (message.isAnswer ? request?.fragments : message.fragments)?.receiver,
            let password = agents.password(of: ufrag), let isRight = message.verify(password: password)
        else { return }
        message.integrity = isRight ? .valid : .invalid
    }

    private func ask(_ message: STUNMessage, _ event: Event, _ place: Int?, _ moment: ICEPair.Moment) {
        let direction = event.direction
        if let place {
            observeCheck(message, place, direction, moment)
        }
        guard !message.isRetransmission else { return }
        if pending.count >= limits.transactions { pending.removeFirst() }
        pending.append(
            Pending(
                id: message.transaction, flow: event.flow, pair: place, request: message, event: event.id,
                time: event.time, direction: direction))
    }

    private func observeCheck(
        _ message: STUNMessage, _ place: Int, _ direction: Direction, _ moment: ICEPair.Moment
    ) {
        if message.isRetransmission {
            pairs[place][direction].repeated += 1
        } else {
            pairs[place][direction].sent += 1
        }
        pairs[place][direction].first = pairs[place][direction].first ?? moment
        pairs[place][direction].last = moment
        pairs[place][direction].fragments = message.fragments
        if message.controlling != nil { pairs[place][direction].isControlling = true }
        if message.controlled != nil { pairs[place][direction].isControlling = false }
        if message.usesCandidate { pairs[place].nominating = pairs[place].nominating ?? moment }
        if message.integrity == .invalid { pairs[place].integrityFault = pairs[place].integrityFault ?? moment }
        if message.integrity == .valid { pairs[place].integrityProof = pairs[place].integrityProof ?? moment }
    }

    private func conclude(_ request: Pending, _ message: STUNMessage, _ event: Event, _ moment: ICEPair.Moment) {
        guard let place = request.pair, pairs.indices.contains(place) else {
            observeRelay(request.request, message, event)
            return
        }
        let direction = request.direction
        if let code = message.errorCode?.code {
            pairs[place][direction].refused += 1
            if !pairs[place].errors.contains(where: { $0.code == code }), pairs[place].errors.count < 16 {
                pairs[place].errors.append((code, event.frame))
            }
            return
        }
        pairs[place][direction].succeeded += 1
        pairs[place][direction].firstSuccess = pairs[place][direction].firstSuccess ?? moment
        pairs[place][direction].lastSuccess = moment
        pairs[place][direction].mapped = message.mappedAddress ?? pairs[place][direction].mapped
        let latency = event.time.nanoseconds &- request.time.nanoseconds
        if latency >= 0 {
            pairs[place][direction].roundTrip = min(pairs[place][direction].roundTrip ?? latency, latency)
        }
        if request.request.usesCandidate {
            if pairs[place].nominated == nil {
                pairs[place].nominated = moment
                pairs[place].nominatedBy = direction
            }
            pairs[place].nominatedLast = moment
        }
    }

    /// What a relay answered.
    private func observeRelay(_ request: STUNMessage, _ message: STUNMessage, _ event: Event) {
        if let address = message.relayedAddress, relayAddresses.count < limits.pairs {
            learn(relayAddress: address, of: event.flow)
        }
        guard let code = message.errorCode?.code, message.isTURN, code != 401, code != 438, relayErrors.count < 16
        else { return }
        if !relayErrors.contains(where: { $0.code == code }) { relayErrors.append((code, event.frame)) }
    }

    /// A relay gave an address on a flow.
    func learn(relayAddress: Endpoint, of flow: Int) {
        relayAddresses[flow] = relayAddress
        for index in pairs.indices where pairs[index].flow == flow && pairs[index].isRelayed {
            pairs[index].relayAddress = relayAddress
        }
    }
}

// MARK: - DTLS

extension WebRTCSession {
    private func takeHandshake(_ message: DTLSMessage, _ context: MessageContext, _ outlet: StoryOutlet) {
        context.flow.addProtocol("dtls")
        layFlow(context.flow.id, outlet)
        advance(to: .dtls)
        var event = outlet.event(message, context)
        event.phase = phase
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if let place = dtlsPair(context.flow, message) {
            pairs[place].carriesDTLS = true
            let index = connections.firstIndex { $0.pair == place } ?? connections.count
            if index == connections.count { connections.append(DTLSConnection(pair: place)) }
            connections[index].observe(message, event.direction, moment)
            if case .certificate = message.content, !message.isRetransmission {
                let matches = matches(message, place, event.direction)
                connections[index].certificates.append((event.direction, moment, matches))
                if let matches {
                    event.note = Text(
                        matches ? "dtls.certificate.matches" : "dtls.certificate.differs",
                        .integer(author(of: event.direction, on: place).flatMap { agents[$0].descriptionFrame } ?? 0))
                }
            }
        }
        outlet.tell(event, self)
    }

    /// The pair that a DTLS message travels on: behind a relay the one that is used.
    private func dtlsPair(_ flow: FlowState, _ message: DTLSMessage) -> Int? {
        guard message.isRelayed else { return pair(flow, nil) }
        return pairs.lastIndex { $0.flow == flow.id && $0.isRelayed && $0.nominating != nil }
            ?? pairs.lastIndex { $0.flow == flow.id && $0.isRelayed }
    }

    /// The agent that speaks in a direction of a pair, as its checks show.
    package func author(of direction: Direction, on place: Int) -> Int? {
        if let sender = pairs[place][direction].fragments?.sender { return agents.index(of: sender) }
        if let receiver = pairs[place][direction.opposite].fragments?.receiver { return agents.index(of: receiver) }
        return nil
    }

    /// Whether a certificate is the one whose hash its sender's description says (RFC 8122 §5); nil when the capture
    /// holds no such description.
    private func matches(_ message: DTLSMessage, _ place: Int, _ direction: Direction) -> Bool? {
        guard let author = author(of: direction, on: place), !agents[author].fingerprints.isEmpty else { return nil }
        var known = false
        for fingerprint in agents[author].fingerprints {
            guard let own = message.fingerprint(fingerprint.hash) else { continue }
            known = true
            if ASCII.equalIgnoringCase(own, "\(fingerprint.hash) \(fingerprint.value)") { return true }
        }
        return known ? false : nil
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
