import WeirEngine
import WeirPackets

/// The names by which steps of a call are known: its flows, the fragments of its agents, how signaling calls it.
enum SessionNames {
    /// A flow that carries checks, DTLS or media of the call.
    static func flow(_ id: Int) -> ClaimKey { .name(space: "webrtc.flow", String(id)) }
    /// A user name fragment of one of the agents (RFC 8839 §5.4).
    static func fragment(_ ufrag: String) -> ClaimKey { .name(space: "ice.ufrag", ufrag) }
    /// The tie-breaker of one of the agents: a random number of 64 bits that it keeps (RFC 8445 §16.1).
    static func tieBreaker(_ number: UInt64) -> ClaimKey { .name(space: "ice.tieBreaker", String(number)) }
    /// A candidate of one of the agents.
    static func candidate(isTCP: Bool, _ endpoint: Endpoint) -> ClaimKey {
        MediaFlow.told(isTCP: isTCP, endpoint)
    }
    /// A host on which one of the agents runs.
    private static func host(_ address: IPAddress) -> ClaimKey { .name(space: "webrtc.host", address.description) }
    /// A host from or to which its checks or handshakes go, where the capture lacks its signaling so far.
    static func end(_ address: IPAddress) -> ClaimKey { .name(space: "webrtc.end", address.description) }
    /// A connection that carries its signaling.
    private static func signaling(_ id: Int) -> ClaimKey { .name(space: "webrtc.signaling", String(id)) }
    /// How signaling calls it at a server.
    private static func call(_ name: String, _ flow: FlowState) -> ClaimKey {
        .name(space: "webrtc.call", "\(flow.server) \(name)")
    }
    /// The same where signaling says at which host: the address may be that of several, and one host have several addresses.
    private static func resource(_ name: String, at authority: String) -> ClaimKey {
        .name(space: "webrtc.resource", "\(authority) \(name)")
    }
    /// The two that signaling names, at a server.
    private static func peers(_ one: String, _ other: String, _ flow: FlowState) -> ClaimKey {
        .name(space: "webrtc.peers", "\(flow.server) \(min(one, other)) \(max(one, other))")
    }

    /// The names that a signaling message says.
    static func of(_ signal: WebRTCSignalContent, on flow: FlowState) -> [(key: ClaimKey, text: String)] {
        var names: [(key: ClaimKey, text: String)] = [
            (signaling(flow.id), "signaling \(flow.id)"), (host(flow.client.address), "host \(flow.client.address)"),
        ]
        if let call = signal.call {
            names.append((Self.call(call, flow), "call \(flow.server) \(call)"))
            if let authority = signal.authority {
                names.append((resource(call, at: authority), "resource \(authority) \(call)"))
            }
        }
        if let from = signal.from, let to = signal.to {
            names.append((peers(from, to, flow), "peers \(flow.server) \(min(from, to)) \(max(from, to))"))
        }
        return names
    }
}

// MARK: - Which session

extension SessionNames {
    /// The session that a message is a step of.
    static func choose(_ message: any Message, _ flow: FlowState, _ outlet: StoryOutlet) -> SessionChoice {
        if let signal = message as? any WebRTCSignal { return choose(signal.signal, flow, outlet) }
        let own = sessions(Self.flow(flow.id), outlet).last
        if let message = message as? STUNMessage { return choose(message, own, flow, outlet) }
        if let own { return isHello(message) && own.isOver(on: flow.id, at: outlet.now) ? .new : .known(own) }
        guard message is DTLSMessage else { return .none }
        let known = told(flow, outlet) ?? hidden(flow, outlet) ?? begun(flow, outlet) ?? relayClient(flow, outlet)
        return known.map { .known($0) } ?? .new
    }

    /// Whether a handshake begins anew.
    private static func isHello(_ message: any Message) -> Bool {
        guard let message = message as? DTLSMessage, case .clientHello = message.content else { return false }
        return !message.isRetransmission
    }

    /// The call that a host's signaling began, when the capture lacks what its descriptions say.
    private static func begun(_ flow: FlowState, _ outlet: StoryOutlet) -> WebRTCSession? {
        lastOfHosts(flow, outlet) { $0.lacksName && $0.pairs.isEmpty && $0.connections.isEmpty && !$0.isTornDown }
    }

    /// The call under way that a connection of a host signals for, when the capture lacks what that said before: one of which
    /// no signaling was seen, to which the candidates lead, or the only one there is.
    private static func underWay(
        _ signal: WebRTCSignalContent, _ flow: FlowState, _ outlet: StoryOutlet
    ) -> WebRTCSession? {
        let mayLack = [Direction.clientToServer, .serverToClient].contains { outlet.mayLackOctets(flow, $0) }
        guard flow.startsLate || flow.lacksOctets || mayLack || outlet.isOneSided(flow) else { return nil }
        let open = sessions(end(flow.client.address), outlet).filter { $0.signalingBegan == nil && !$0.isTornDown }
        let ports = signal.candidates.map(\.content.port)
        return open.last { call in ports.contains { call.uses(port: $0) } } ?? (open.count == 1 ? open.first : nil)
    }

    /// The last call of a host of the flow that fits, the server's first.
    private static func lastOfHosts(
        _ flow: FlowState, _ outlet: StoryOutlet, where fits: (WebRTCSession) -> Bool
    ) -> WebRTCSession? {
        last(host(flow.server.address), outlet, where: fits) ?? last(host(flow.client.address), outlet, where: fits)
    }

    /// The last of the calls with a name that fits: there may be many with one.
    private static func last(
        _ key: ClaimKey, _ outlet: StoryOutlet, where fits: (WebRTCSession) -> Bool
    ) -> WebRTCSession? {
        outlet.lastClaimant(of: key) { ($0 as? WebRTCSession).map(fits) ?? false } as? WebRTCSession
    }

    private static func sessions(_ key: ClaimKey, _ outlet: StoryOutlet) -> [WebRTCSession] {
        outlet.claimants(of: key).compactMap { $0 as? WebRTCSession }
    }

    private static func choose(
        _ message: STUNMessage, _ own: WebRTCSession?, _ flow: FlowState, _ outlet: StoryOutlet
    ) -> SessionChoice {
        if message.isICECheck, let fragments = message.fragments {
            // Who knows both names comes before who knows one: a server may have the same for all its clients.
            let (receiver, sender) = (fragment(fragments.receiver), fragment(fragments.sender))
            if let both = outlet.lastClaimant(of: receiver, and: sender) as? WebRTCSession { return .known(both) }
            let open = [receiver, sender].lazy.compactMap { name in
                outlet.latestClaimant(of: name) { ($0 as? WebRTCSession)?.lacksName ?? false } as? WebRTCSession
            }
            if let known = open.first { return .known(known) }
            let number = message.controlling ?? message.controlled
            if let own {
                let isOver = !own.isRelayOnly && own.isOver(on: flow.id, unless: number, at: outlet.now)
                return isOver ? .new : .known(own)
            }
            // After a restart that the capture lacks, names are new, and the agent is the same.
            let known = number.map { sessions(tieBreaker($0), outlet) } ?? []
            let going = known.last { $0.runs(onAnyOf: [flow.client.address, flow.server.address]) }
            // Where a description tells other names than the checks have, candidates tell whose these are.
            let begun = told(flow, outlet) ?? offered(flow, outlet) ?? begun(flow, outlet)
            return (going ?? begun ?? relayClient(flow, outlet)).map { .known($0) } ?? .new
        }
        if let address = message.relayedAddress, let own { own.learn(relayAddress: address, of: flow.id) }
        if message.messageClass == .success { outlet.shared(GatheredAddresses.self).note(message, on: flow, outlet) }
        if let own { return .known(own) }
        guard message.isRequest || message.isRelayExchange, !message.transaction.isClassic else { return .none }
        // Who looks for its own addresses while a call begins does so for the call.
        let client = message.isRelayExchange ? relayEnd(of: flow, outlet) : flow.client
        let call = last(host(client.address), outlet) { !$0.hasPair && !$0.isTornDown }
        if let call { return .known(call) }
        return message.isRelayExchange ? relay(client, flow, outlet) : .none
    }

    /// The end of a flow that is a relay's client.
    private static func relayEnd(of flow: FlowState, _ outlet: StoryOutlet) -> Endpoint {
        let direction = outlet.shared(GatheredAddresses.self).relayClient(of: flow)
        return direction == .clientToServer ? flow.client : flow.server
    }

    /// The session of a client that asks a relay, when no call is known that it asks for: it may ask several at once.
    private static func relay(_ client: Endpoint, _ flow: FlowState, _ outlet: StoryOutlet) -> SessionChoice {
        let clients = outlet.shared(RelayClients.self)
        let known = clients.latest(on: client.address).lazy.compactMap { $0 as? WebRTCSession }
            .first { $0.goesOn(on: flow, at: outlet.now) }
        if let known { return .known(known) }
        guard clients.hasRoom else {
            outlet.reach("limit.turn")
            return .none
        }
        return .new
    }

    /// The session of a client that asked relays a moment ago, when a call of its host begins of which nothing else is known.
    private static func relayClient(_ flow: FlowState, _ outlet: StoryOutlet) -> WebRTCSession? {
        let clients = outlet.shared(RelayClients.self)
        for end in [flow.client, flow.server] {
            let known = clients.latest(on: end.address).lazy.compactMap { $0 as? WebRTCSession }
            if flow.transport == .udp,
                let same = known.first(where: { $0.asksRelay(from: end) && $0.mayBeginCall(at: outlet.now) })
            {
                return same
            }
            if let only = onlyClient(of: end.address, outlet) { return only }
        }
        return nil
    }

    /// The same where one client of a host alone asked relays.
    private static func onlyClient(of host: IPAddress, _ outlet: StoryOutlet) -> WebRTCSession? {
        guard let only = outlet.shared(RelayClients.self).only(on: host) as? WebRTCSession,
            only.mayBeginCall(at: outlet.now)
        else { return nil }
        return only
    }

    /// The call of which signaling has told candidates at the flow's ends, each of another agent, when the capture lacks the
    /// checks.
    private static func told(_ flow: FlowState, _ outlet: StoryOutlet) -> WebRTCSession? {
        let isTCP = flow.transport == .tcp
        return last(candidate(isTCP: isTCP, flow.server), outlet) {
            !$0.isTornDown && $0.pairs.isEmpty && $0.isTold(flow.client, flow.server)
        }
    }

    /// The call of a host of which signaling has told a candidate with a port of the flow, and a name of multicast DNS for its
    /// address, when the capture lacks the checks.
    private static func hidden(_ flow: FlowState, _ outlet: StoryOutlet) -> WebRTCSession? {
        let isTCP = flow.transport == .tcp
        return lastOfHosts(flow, outlet) {
            !$0.isTornDown && $0.pairs.isEmpty && $0.connections.isEmpty
                && $0.hides([flow.client.port, flow.server.port], isTCP: isTCP)
        }
    }

    /// The call of which signaling has told candidates at one of the flow's ends, but no names: the capture lacks its
    /// descriptions. Connections that an active candidate opens come from any port, for which it says 9 (RFC 6544).
    private static func offered(_ flow: FlowState, _ outlet: StoryOutlet) -> WebRTCSession? {
        let isTCP = flow.transport == .tcp
        var ends = [flow.client, flow.server]
        if isTCP { ends.append(Endpoint(address: flow.client.address, port: 9)) }
        for end in ends {
            let known = last(candidate(isTCP: isTCP, end), outlet) { $0.isNameless && !$0.isTornDown }
            if let known { return known }
        }
        return nil
    }

    private static func choose(
        _ signal: WebRTCSignalContent, _ flow: FlowState, _ outlet: StoryOutlet
    ) -> SessionChoice {
        for ufrag in signal.userFragments {
            if let known = sessions(fragment(ufrag), outlet).last { return .known(known) }
        }
        if signal.answersConnection,
            let asked = sessions(signaling(flow.id), outlet).first(where: { $0.isOpenToAnswer && !$0.isTornDown })
        {
            return .known(asked)
        }
        let named = of(signal, on: flow)
        // The last of the names is the closest: a call's or a pair's, before a connection's. A host alone is none.
        for name in named.reversed() where !name.text.hasPrefix("host ") {
            var open = sessions(name.key, outlet).filter { !$0.isTornDown }
            if signal.call != nil, name.text.hasPrefix("call ") || name.text.hasPrefix("resource ") {
                open = closest(open.filter { $0.mayStand(at: signal.authority) }, flow, outlet)
                // Of which of several calls with one name a request without any other is, nobody can tell.
                if open.count > 1, signal.description == nil { return .none }
            } else if name.text.hasPrefix("peers "), let call = signal.call {
                // Two who are in several calls at once say which is meant.
                let same = open.filter { $0.names.contains("call \(flow.server) \(call)") }
                open = same.isEmpty ? open.filter { !$0.hasCallName(at: flow.server) } : same
            }
            if let known = fitting(open, signal, isNamed: !name.text.hasPrefix("signaling ")) { return .known(known) }
        }
        if let known = underWay(signal, flow, outlet) { return .known(known) }
        // What comes after the end of a call, and begins none, still belongs to it.
        if signal.description == nil, let over = sessions(signaling(flow.id), outlet).last { return .known(over) }
        // An end of which the capture lacks the call tells nothing.
        if signal.endsCall, signal.description == nil { return .none }
        return onlyClient(of: flow.client.address, outlet).map { .known($0) } ?? .new
    }

    /// Those of several calls with one name that a message is nearest to: a server may give all its calls the same. Those
    /// of its own connection come first, then those of its own host.
    private static func closest(
        _ open: [WebRTCSession], _ flow: FlowState, _ outlet: StoryOutlet
    ) -> [WebRTCSession] {
        guard open.count > 1 else { return open }
        for key in [signaling(flow.id), host(flow.client.address)] {
            let near = open.filter { $0.claims(key) }
            if !near.isEmpty { return near }
        }
        return open
    }

    /// The session that a message continues among those that share a name with it.
    private static func fitting(
        _ open: [WebRTCSession], _ signal: WebRTCSignalContent, isNamed: Bool
    ) -> WebRTCSession? {
        guard let description = signal.description else { return open.last }
        if let known = open.last(where: { $0.knows(description.content) }) { return known }
        if description.type != .offer { return open.last { $0.isOpenToAnswer } ?? open.last }
        // An offer by somebody new begins a call, unless the two are in one already.
        return isNamed
            ? open.last { !$0.isOther(description.content, from: signal.from) }
            : open.last { !$0.hasDescriptions || $0.lacksOffer }
    }
}

extension WebRTCSession {
    /// Whether checks or handshakes of the call use a port.
    fileprivate func uses(port: UInt16) -> Bool { pairs.contains { $0.client.port == port || $0.server.port == port } }

    /// Whether the name of the call may be one that stands at a host: each host has names of its own.
    fileprivate func mayStand(at other: String?) -> Bool {
        authority == nil || other == nil || authority == other
    }

    /// Checks are of the call when nothing but its candidates is known of it, and handshakes when the capture lacks checks.
    func layCandidates(_ candidates: [ICECandidate], _ outlet: StoryOutlet) {
        for candidate in candidates {
            guard let address = IPAddress(candidate.address) else { continue }
            let endpoint = Endpoint(address: address, port: candidate.port)
            let isTCP = ASCII.equalIgnoringCase(candidate.transport, "tcp")
            lay(SessionNames.candidate(isTCP: isTCP, endpoint), "candidate \(isTCP) \(endpoint)", outlet)
        }
    }

    /// Whether one agent has told a candidate at the one end, and the other at the other.
    fileprivate func isTold(_ one: Endpoint, _ other: Endpoint) -> Bool {
        func agent(at end: Endpoint) -> Int? {
            agents.all.firstIndex { $0.candidates.contains { $0.endpoint == end } }
        }
        guard let first = agent(at: one), let second = agent(at: other) else { return false }
        return first != second
    }

    /// Whether nothing came of the call yet, and signaling told candidates at these ends.
    package func tells(_ one: Endpoint, _ other: Endpoint) -> Bool {
        !isTornDown && pairs.isEmpty && isTold(one, other)
    }

    /// Whether an agent has told a candidate with one of these ports, and hidden its address.
    fileprivate func hides(_ ports: [UInt16], isTCP: Bool) -> Bool {
        agents.all.contains { agent in
            agent.candidates.contains {
                $0.content.isMDNS && ports.contains($0.content.port)
                    && ASCII.equalIgnoringCase($0.content.transport, "tcp") == isTCP
            }
        }
    }

    /// Whether checks of the call came from or went to one of the hosts.
    fileprivate func runs(onAnyOf hosts: [IPAddress]) -> Bool {
        pairs.contains { hosts.contains($0.client.address) || hosts.contains($0.server.address) }
    }

    /// Whether signaling calls it by a name at a server.
    fileprivate func hasCallName(at server: Endpoint) -> Bool { names.contains { $0.hasPrefix("call \(server) ") } }

    /// Whether an offer is of another connection between the same two: whoever makes it waits for the answer to one with
    /// another certificate.
    fileprivate func isOther(_ content: SessionDescription, from author: String?) -> Bool {
        let own = Set(content.allFingerprints.map(\.value))
        let waiting = offer?.content.allFingerprints.map(\.value) ?? []
        guard isOpenToAnswer, let author, author == offerFrom, !own.isEmpty, !waiting.isEmpty else { return false }
        return own.isDisjoint(with: waiting)
    }

    /// Whether nothing has named an agent yet.
    var isNameless: Bool { agents.all.allSatisfy(\.credentials.isEmpty) }

    /// Whether one of the agents has no name yet: then a check with the other's name may be of this call.
    fileprivate var lacksName: Bool { agents.all.count < 2 || agents.all.contains { $0.credentials.isEmpty } }
}
