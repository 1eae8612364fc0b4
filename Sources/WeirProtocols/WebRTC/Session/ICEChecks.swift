import WeirEngine
import WeirPackets

// The connectivity checks of a call, and the responses of relays.

extension WebRTCSession {
    func takeCheck(_ message: STUNMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        var message = message
        let direction = context.at.direction
        let flow = context.flow
        flow.addProtocol(STUN.name)
        outlet.showConnection(of: flow, self)
        claimFlow(flow, outlet)
        // Media may precede everything that identifies its call.
        (flow.packets as? MediaFlow)?.join(self)
        var restarted: String?
        var isNewWay = true
        if message.isICECheck, let fragments = message.fragments {
            for ufrag in [fragments.receiver, fragments.sender] { claimFragment(ufrag, outlet) }
            let number = message.controlling ?? message.controlled
            if let number { lay(SessionNames.tieBreaker(number), "tie \(number)", outlet) }
            let known = pairs.firstIndex { $0.flow == flow.id && $0.isRelayed == (message.relay != nil) }
            let isRestart = agents.recordObserved(
                receiver: fragments.receiver, sender: fragments.sender, frame: context.at.frame,
                speaking: known.flatMap { author(of: direction, on: $0) } ?? agents.index(ofTieBreaker: number))
            restarted = isRestart ? fragments.sender : nil
            isNewWay = known == nil
            if let number, let sender = agents.index(of: fragments.sender) { agents[sender].tieBreaker = number }
        }
        if message.isICECheck, !pairs.contains(where: { $0.flow == flow.id }) { succeed(on: flow, context, outlet) }
        let place =
            message.isICECheck || message.isPing || message.isBinding && isChecked(message, flow, direction)
            ? pair(flow, message.relay) : nil
        let index = pending.lastIndex {
            $0.id == message.transaction && $0.flow == flow.id && $0.direction == direction.opposite
        }
        if message.integrity != nil { verify(&message, index.map { pending[$0].request }) }
        if let place, message.isICECheck || message.isPing && message.isRequest {
            message.isConsent = isConsent(place, direction)
        }
        if message.isRelayExchange { followRelay(&message, index.map { pending[$0].request }, context) }
        if isRelayOnly { phase = relayPhase(of: message) } else { advance(to: .ice) }
        var event = outlet.event(message, context)
        event.phase = phase
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if message.isBehindUnasked { noteUnasked(on: flow.id, at: moment.time) }
        // Without BUNDLE another media section has its own credentials. Only on a pair, which belongs to one transport,
        // do new ones mean another generation.
        if restarted != nil, isNewWay {
            newNames = newNames ?? moment
            event.remarks.append(Remark(Text("webrtc.remark.newNames"), reference: "RFC 8445 §9"))
        } else if let restarted {
            for index in agents.all.indices { agents[index].restarts += 1 }
            restart = ICERestart(moment: moment, fragment: restarted)
            event.remarks.append(Remark(Text("webrtc.remark.restarted"), reference: "RFC 8445 §9"))
        }
        if let place, message.isICECheck, let ends = introduce(place, direction) { event.remarks.append(Remark(ends)) }
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
        outlet.emit(event, self)
    }

    /// Seconds after a nomination within which a response may be to a check from before it.
    private static var answerSeconds: Double { 2 }

    /// Records a response to a check that was not captured.
    private func noteUnasked(on flow: Int, at time: Timestamp) {
        for index in pairs.indices where pairs[index].flow == flow {
            let since = pairs[index].nominated.map { time.seconds(since: $0.time) } ?? 0
            if since < Self.answerSeconds { pairs[index].lacksChecks = true }
        }
    }

    /// Describes the candidates of a pair at its first check.
    private func introduce(_ place: Int, _ direction: Direction) -> Text? {
        let pair = pairs[place]
        guard pair.fromClient.first == nil, pair.fromServer.first == nil else { return nil }
        return Text("webrtc.pair", .text(describe(direction, pair)), .text(describe(direction.opposite, pair)))
    }

    /// Describes an end of a pair, with its candidate if signaled.
    private func describe(_ direction: Direction, _ pair: ICEPair) -> Text {
        guard let end = pair.end(direction) else { return pair.name(direction) }
        for agent in agents.all {
            guard
                let known = agent.candidates.first(where: { $0.endpoint == end })
                    ?? agent.candidates.first(where: { $0.opens(pair, from: end) })
            else { continue }
            return Text("webrtc.end", .string(end.description), .string(known.content.type), .integer(known.frame))
        }
        for agent in agents.all {
            // With an mDNS name, only the port identifies a candidate.
            guard let known = agent.candidates.first(where: { $0.content.isMDNS && $0.content.port == end.port }) else {
                continue
            }
            return Text("webrtc.end.named", .string(end.description), .integer(known.frame))
        }
        return Text("webrtc.end.untold", .string(end.description))
    }

    /// Whether a response, or a request without a USERNAME, belongs to checks on the flow.
    private func isChecked(_ message: STUNMessage, _ flow: FlowState, _ direction: Direction) -> Bool {
        message.isAnswer
            && pending.contains {
                $0.id == message.transaction && $0.flow == flow.id && $0.pair != nil && $0.direction != direction
            }
    }

    /// Returns the index of the pair, or nil if there are too many.
    func pair(_ flow: FlowState, _ relay: STUNMessage.Relay?) -> Int? {
        if let known = pairs.firstIndex(where: {
            $0.flow == flow.id && $0.isRelayed == (relay != nil) && (relay == nil || $0.peer == relay?.peer)
        }) {
            return known
        }
        guard pairs.count < limits.pairs else {
            leaveOut()
            return nil
        }
        var pair = ICEPair(
            flow: flow.id, client: flow.client, server: flow.server, isTCP: flow.transport == .tcp,
            isRelayed: relay != nil, peer: relay?.peer, relayClient: gathered.relayClient(of: flow))
        pair.interface = flow.interface
        pair.relayAddress = relayAddresses[flow.id] ?? gathered[flow.id]
        pairs.append(pair)
        return pairs.count - 1
    }

    /// Whether a check renews consent: earlier checks of its sender succeeded, and the pair was nominated (RFC 7675
    /// §5.1).
    private func isConsent(_ place: Int, _ direction: Direction) -> Bool {
        pairs[place].nominated != nil && pairs[place][direction].succeeded > 0
    }

    /// Verifies the message integrity with the password of the receiver of the check, which also protects the response
    /// (RFC 8445 §7.2.2, §7.3.1.3).
    private func verify(_ message: inout STUNMessage, _ request: STUNMessage?) {
        guard let fragments = message.isAnswer ? request?.fragments : message.fragments,
            let password = agents.password(of: fragments.receiver), let isRight = message.verify(password: password)
        else { return }
        // A username in the wrong order does not make the password wrong. A response has the password of its request.
        let maySwap = !isRight && request.map { $0.verify(password: password) != true } ?? true
        let isSwapped =
            maySwap && agents.password(of: fragments.sender).flatMap { message.verify(password: $0) } == true
        message.integrity = isRight || isSwapped ? .valid : .invalid
    }

    private func ask(_ message: STUNMessage, _ event: Event, _ place: Int?, _ moment: ICEPair.Moment) {
        let direction = event.direction
        if let place {
            observeCheck(message, place, direction, moment)
        }
        guard !message.isRetransmission else { return }
        if pending.count >= limits.transactions {
            pending.removeFirst()
            forgotten += 1
            noteLimit()
        }
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
        if let fragments = message.fragments { pairs[place][direction].fragments = fragments }
        if let priority = message.priority { pairs[place].component = UInt8(truncatingIfNeeded: 0 &- priority) }
        if message.controlling != nil { pairs[place][direction].isControlling = true }
        if message.controlled != nil { pairs[place][direction].isControlling = false }
        if message.nominates { pairs[place].nominating = pairs[place].nominating ?? moment }
        if message.integrity == .invalid { pairs[place].integrityFault = pairs[place].integrityFault ?? moment }
        if message.integrity == .valid { pairs[place].integrityProof = pairs[place].integrityProof ?? moment }
    }

    private func conclude(_ request: Pending, _ message: STUNMessage, _ event: Event, _ moment: ICEPair.Moment) {
        guard let place = request.pair, pairs.indices.contains(place) else {
            observeRelay(request.request, message, event)
            return
        }
        let direction = request.direction
        if message.integrity == .invalid {
            // The sender of the check discards it (RFC 8489 §9.1.4).
            pairs[place][direction].unauthenticated += 1
            pairs[place].responseFault = pairs[place].responseFault ?? moment
            return
        }
        if let code = message.errorCode?.code {
            pairs[place][direction].refused += 1
            let known = pairs[place][direction].errors
            if !known.contains(where: { $0.code == code }), known.count < 16 {
                pairs[place][direction].errors.append((code, event.frame))
            }
            // The pair is nominated by a later check, after a conflict of roles for example.
            if pairs[place].nominating?.event == request.event { pairs[place].nominating = nil }
            return
        }
        pairs[place][direction].succeeded += 1
        pairs[place][direction].firstSuccess = pairs[place][direction].firstSuccess ?? moment
        pairs[place][direction].lastSuccess = moment
        if let mapped = message.mappedAddress { pairs[place].recordObserved(mapped: mapped, of: direction) }
        let latency = event.time.nanoseconds &- request.time.nanoseconds
        if latency >= 0 {
            pairs[place][direction].roundTrip = min(pairs[place][direction].roundTrip ?? latency, latency)
        }
        if request.request.nominates {
            if pairs[place].nominated == nil {
                pairs[place].nominated = moment
                if pairs[place].nominating?.event != request.event { pairs[place].lacksChecks = true }
            }
            pairs[place].nominatedLast = moment
            restart?.observe(request.request.fragments, moment)
        }
    }

    /// Records a response of a relay.
    private func observeRelay(_ request: STUNMessage, _ message: STUNMessage, _ event: Event) {
        if let address = message.relayedAddress {
            if relayAddresses.count < limits.pairs {
                recordObserved(relayAddress: address, of: event.flow)
            } else {
                leaveOut()
            }
        }
        // The first 401 only asks for credentials, and 438 for a new nonce (RFC 8489 §9.2.4).
        guard let code = message.errorCode?.code, message.isTURN, code != 401 || message.answersSigned, code != 438,
            relayErrors.count < 16
        else { return }
        if !relayErrors.contains(where: { $0.code == code }) { relayErrors.append((code, event.frame)) }
    }

    /// Records the relayed address allocated on a flow.
    func recordObserved(relayAddress: Endpoint, of flow: Int) {
        relayAddresses[flow] = relayAddress
        for index in pairs.indices where pairs[index].flow == flow && pairs[index].isRelayed {
            pairs[index].relayAddress = relayAddress
        }
    }
}
