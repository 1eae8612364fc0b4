import WeirEngine
import WeirPackets

/// The keys that identify the session of a message: flows, username fragments, names in signaling.
enum SessionNames {
    /// The key of a flow with checks, DTLS or media of the call.
    static func flow(_ id: Int) -> ClaimKey { .name(space: "webrtc.flow", String(id)) }
    /// The key of a username fragment of one of the agents (RFC 8839 §5.4).
    static func fragment(_ ufrag: String) -> ClaimKey { .name(space: "ice.ufrag", ufrag) }
    /// The key of the tie-breaker of one of the agents: a random 64-bit number that never changes (RFC 8445 §16.1).
    static func tieBreaker(_ number: UInt64) -> ClaimKey { .name(space: "ice.tieBreaker", String(number)) }
    /// The key of a candidate of one of the agents.
    static func candidate(isTCP: Bool, _ endpoint: Endpoint) -> ClaimKey {
        MediaFlow.reported(isTCP: isTCP, endpoint)
    }
    /// The key of a host that one of the agents runs on.
    private static func host(_ address: IPAddress) -> ClaimKey { .name(space: "webrtc.host", address.description) }
    /// The key of a host with checks or handshakes of a call whose signaling was not captured so far.
    static func end(_ address: IPAddress) -> ClaimKey { .name(space: "webrtc.end", address.description) }
    /// The key of a connection with signaling of the call.
    private static func signaling(_ id: Int) -> ClaimKey { .name(space: "webrtc.signaling", String(id)) }
    /// The key of the call's name at a server.
    private static func call(_ name: String, _ flow: FlowState) -> ClaimKey {
        .name(space: "webrtc.call", "\(flow.server) \(name)")
    }
    /// The key of the signaling session that the call's name starts with, at a server.
    private static func session(_ name: String, _ flow: FlowState) -> ClaimKey {
        .name(space: "webrtc.session", "\(flow.server) \(name)")
    }
    /// The key of the call's name at an authority: several hosts may share an address, and one host may have several.
    private static func resource(_ name: String, at authority: String) -> ClaimKey {
        .name(space: "webrtc.resource", "\(authority) \(name)")
    }
    /// The key of the two peers that signaling names, at a server.
    private static func peers(_ one: String, _ other: String, _ flow: FlowState) -> ClaimKey {
        .name(space: "webrtc.peers", "\(flow.server) \(min(one, other)) \(max(one, other))")
    }

    /// Returns the keys in a signaling message.
    static func of(_ signal: WebRTCSignalContent, on flow: FlowState) -> [(key: ClaimKey, text: String)] {
        var names: [(key: ClaimKey, text: String)] = [
            (signaling(flow.id), "signaling \(flow.id)"), (host(flow.client.address), "host \(flow.client.address)"),
        ]
        if let call = signal.call {
            if call.first != "/", let outer = call.split(separator: "/").first {
                names.append((session(String(outer), flow), "session \(flow.server) \(outer)"))
            }
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

// MARK: - Session lookup

extension SessionNames {
    /// Chooses the session of a message.
    static func choose(_ message: any Message, _ flow: FlowState, _ outlet: SessionOutlet) -> SessionChoice {
        if let signal = message as? any WebRTCSignal { return choose(signal.signal, flow, outlet) }
        let own = sessions(Self.flow(flow.id), outlet).last
        if let message = message as? STUNMessage { return choose(message, own, flow, outlet) }
        if let own { return isHello(message) && own.isOver(on: flow.id, at: outlet.now) ? .new : .known(own) }
        guard message is DTLSMessage else { return .none }
        let known = reported(flow, outlet) ?? hidden(flow, outlet) ?? begun(flow, outlet) ?? relayClient(flow, outlet)
        return known.map { .known($0) } ?? .new
    }

    /// Whether a message starts a handshake.
    private static func isHello(_ message: any Message) -> Bool {
        guard let message = message as? DTLSMessage, case .clientHello = message.content else { return false }
        return !message.isRetransmission
    }

    /// Returns the call that a host's signaling started, if its descriptions were not captured.
    private static func begun(_ flow: FlowState, _ outlet: SessionOutlet) -> WebRTCSession? {
        lastOfHosts(flow, outlet) { $0.lacksName && $0.pairs.isEmpty && $0.connections.isEmpty && !$0.isTornDown }
    }

    /// Returns the ongoing call of a host whose earlier signaling was not captured: one without any signaling that the
    /// candidates match, or the only one of the host.
    private static func underWay(
        _ signal: WebRTCSignalContent, _ flow: FlowState, _ outlet: SessionOutlet
    ) -> WebRTCSession? {
        let mayLack = [Direction.clientToServer, .serverToClient].contains { outlet.mayLackOctets(flow, $0) }
        guard flow.startsLate || flow.lacksOctets || mayLack || outlet.isOneSided(flow) else { return nil }
        let open = sessions(end(flow.client.address), outlet).filter { $0.signalingBegan == nil && !$0.isTornDown }
        let ports = signal.candidates.map(\.content.port)
        return open.last { call in ports.contains { call.uses(port: $0) } } ?? (open.count == 1 ? open.first : nil)
    }

    /// Returns the latest matching call of a host of the flow, those of the server first.
    private static func lastOfHosts(
        _ flow: FlowState, _ outlet: SessionOutlet, where fits: (WebRTCSession) -> Bool
    ) -> WebRTCSession? {
        last(host(flow.server.address), outlet, where: fits) ?? last(host(flow.client.address), outlet, where: fits)
    }

    /// Returns the latest matching call with a key, of possibly many.
    private static func last(
        _ key: ClaimKey, _ outlet: SessionOutlet, where fits: (WebRTCSession) -> Bool
    ) -> WebRTCSession? {
        outlet.lastClaimant(of: key) { ($0 as? WebRTCSession).map(fits) ?? false } as? WebRTCSession
    }

    private static func sessions(_ key: ClaimKey, _ outlet: SessionOutlet) -> [WebRTCSession] {
        outlet.claimants(of: key).compactMap { $0 as? WebRTCSession }
    }

    private static func choose(
        _ message: STUNMessage, _ own: WebRTCSession?, _ flow: FlowState, _ outlet: SessionOutlet
    ) -> SessionChoice {
        if message.isICECheck, let fragments = message.fragments {
            // Matching both fragments takes precedence over matching one: a server may use the same for all its
            // clients.
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
            // After a restart that was not captured, the fragments are new, and the tie-breaker is the same.
            let known = number.map { sessions(tieBreaker($0), outlet) } ?? []
            let going = known.last { $0.runs(onAnyOf: [flow.client.address, flow.server.address]) }
            // If the checks' fragments are not in a description, candidates identify the agents.
            let begun = reported(flow, outlet) ?? offered(flow, outlet) ?? begun(flow, outlet)
            return (going ?? begun ?? relayClient(flow, outlet)).map { .known($0) } ?? .new
        }
        if let address = message.relayedAddress, let own { own.recordObserved(relayAddress: address, of: flow.id) }
        if message.messageClass == .success { outlet.shared(GatheredAddresses.self).note(message, on: flow, outlet) }
        if let own { return .known(own) }
        guard message.isRequest || message.isRelayExchange, !message.transaction.isClassic else { return .none }
        // A client that gathers candidates while a call starts does so for that call.
        let client = message.isRelayExchange ? relayEnd(of: flow, outlet) : flow.client
        if let call = gathering(client, message, outlet) { return .known(call) }
        return message.isRelayExchange ? relay(client, flow, outlet) : .none
    }

    /// Returns the call that a client gathers candidates for, or nil if it may be one of several.
    private static func gathering(
        _ client: Endpoint, _ message: STUNMessage, _ outlet: SessionOutlet
    ) -> WebRTCSession? {
        let host = host(client.address)
        guard let latest = last(host, outlet, where: { !$0.hasPair && !$0.isTornDown }) else { return nil }
        guard message.isRelayExchange else { return latest }
        // A call that has an allocation of another port needs no other.
        let fits = { (call: Session) in
            guard let call = call as? WebRTCSession else { return false }
            return !call.hasPair && !call.isTornDown && call.isRecent(at: outlet.now)
                && call.allocations.allSatisfy { $0.client == client }
        }
        guard let one = outlet.firstClaimant(of: host, where: fits) as? WebRTCSession,
            let other = outlet.lastClaimant(of: host, where: fits) as? WebRTCSession
        else { return latest }
        return one === other ? one : nil
    }

    /// Returns the session of a TURN client whose relayed address is among the candidates of a message.
    private static func relayed(
        _ signal: WebRTCSignalContent, _ flow: FlowState, _ outlet: SessionOutlet
    ) -> WebRTCSession? {
        let described = signal.description?.content.media.flatMap(\.candidates) ?? []
        let ends = (signal.candidates.map(\.content) + described).compactMap { candidate -> Endpoint? in
            guard candidate.type == "relay" else { return nil }
            return IPAddress(candidate.address).map { Endpoint(address: $0, port: candidate.port) }
        }
        guard !ends.isEmpty else { return nil }
        let clients = outlet.shared(RelayClients.self)
        let known = [flow.client, flow.server].flatMap { clients.latest(on: $0.address) }
        return known.lazy.compactMap { $0 as? WebRTCSession }.first { session in
            session.mayBeginCall(at: outlet.now) && session.hasRelayedAddress(among: ends)
        }
    }

    /// Returns the endpoint of the relay's client on a flow.
    private static func relayEnd(of flow: FlowState, _ outlet: SessionOutlet) -> Endpoint {
        let direction = outlet.shared(GatheredAddresses.self).relayClient(of: flow)
        return direction == .clientToServer ? flow.client : flow.server
    }

    /// Returns the session of a TURN client without a known call; it may query several servers at once.
    private static func relay(_ client: Endpoint, _ flow: FlowState, _ outlet: SessionOutlet) -> SessionChoice {
        let clients = outlet.shared(RelayClients.self)
        let known = clients.latest(on: client.address).lazy.compactMap { $0 as? WebRTCSession }
            .first { $0.goesOn(on: flow, at: outlet.now) }
        if let known { return .known(known) }
        guard clients.isWithinLimit else {
            outlet.reach("limit.turn")
            return .none
        }
        return .new
    }

    /// Returns the session of a client that queried relays shortly before an otherwise unknown call of its host starts.
    private static func relayClient(_ flow: FlowState, _ outlet: SessionOutlet) -> WebRTCSession? {
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

    /// Returns the session of the only TURN client on a host.
    private static func onlyClient(of host: IPAddress, _ outlet: SessionOutlet) -> WebRTCSession? {
        guard let only = outlet.shared(RelayClients.self).only(on: host) as? WebRTCSession,
            only.mayBeginCall(at: outlet.now)
        else { return nil }
        return only
    }

    /// Returns the call with signaled candidates at both ends of the flow, of different agents, if the checks were not
    /// captured.
    private static func reported(_ flow: FlowState, _ outlet: SessionOutlet) -> WebRTCSession? {
        let isTCP = flow.transport == .tcp
        return last(candidate(isTCP: isTCP, flow.server), outlet) {
            !$0.isTornDown && $0.pairs.isEmpty && $0.isReported(flow.client, flow.server)
        }
    }

    /// Returns the call of a host with a signaled candidate that has a port of the flow and an mDNS name as address, if
    /// the checks were not captured.
    private static func hidden(_ flow: FlowState, _ outlet: SessionOutlet) -> WebRTCSession? {
        let isTCP = flow.transport == .tcp
        return lastOfHosts(flow, outlet) {
            !$0.isTornDown && $0.pairs.isEmpty && $0.connections.isEmpty
                && $0.hides([flow.client.port, flow.server.port], isTCP: isTCP)
        }
    }

    /// Returns the call with signaled candidates at one end of the flow, but without fragments, since its descriptions
    /// were not captured. Connections of an active TCP candidate, signaled with port 9, use any port (RFC 6544).
    private static func offered(_ flow: FlowState, _ outlet: SessionOutlet) -> WebRTCSession? {
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
        _ signal: WebRTCSignalContent, _ flow: FlowState, _ outlet: SessionOutlet
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
        // Later names are more specific: a call's or a pair's follow a connection's. A host alone does not identify a
        // call.
        for name in named.reversed() where !name.text.hasPrefix("host ") {
            // A session of signaling may have several calls.
            if name.text.hasPrefix("session "), !signal.isBare { continue }
            var open = sessions(name.key, outlet).filter { !$0.isTornDown }
            if signal.call != nil, name.text.hasPrefix("call ") || name.text.hasPrefix("resource ") {
                open = closest(open.filter { $0.mayStand(at: signal.authority) }, flow, outlet)
                // With several calls of one name, a message without any other name is ambiguous.
                if open.count > 1, signal.description == nil { return .none }
            } else if name.text.hasPrefix("peers "), let call = signal.call {
                // Peers with several simultaneous calls include the call's name.
                let same = open.filter { $0.names.contains("call \(flow.server) \(call)") }
                open = same.isEmpty ? open.filter { !$0.hasCallName(at: flow.server) } : same
            }
            if let known = fitting(open, signal, isNamed: !name.text.hasPrefix("signaling ")) { return .known(known) }
        }
        if let known = underWay(signal, flow, outlet) { return .known(known) }
        // A message after the end of a call that does not start another one still belongs to it.
        if signal.description == nil, let over = sessions(signaling(flow.id), outlet).last { return .known(over) }
        if signal.isExchange, signal.isBare, let over = ended(named, outlet) { return .known(over) }
        // The end of a call that was not captured identifies nothing.
        if signal.endsCall, signal.description == nil { return .none }
        // A request without a name, on a connection of its own, starts no call.
        if signal.isExchange, flow.context.isKnownServer, signal.call == nil, signal.isBare { return .none }
        let client = relayed(signal, flow, outlet) ?? onlyClient(of: flow.client.address, outlet)
        return client.map { .known($0) } ?? .new
    }

    /// Returns the latest call with one of the names of calls and sessions, whether it has ended or not.
    private static func ended(
        _ named: [(key: ClaimKey, text: String)], _ outlet: SessionOutlet
    ) -> WebRTCSession? {
        named.reversed().lazy.filter { $0.text.hasPrefix("call ") || $0.text.hasPrefix("session ") }
            .compactMap { sessions($0.key, outlet).last }.first
    }

    /// Returns the most likely of several calls with one name, since a server may use one name for all: those of the
    /// same connection first, then those of the same host.
    private static func closest(
        _ open: [WebRTCSession], _ flow: FlowState, _ outlet: SessionOutlet
    ) -> [WebRTCSession] {
        guard open.count > 1 else { return open }
        for key in [signaling(flow.id), host(flow.client.address)] {
            let near = open.filter { outlet.isClaimed(key, by: $0) }
            if !near.isEmpty { return near }
        }
        return open
    }

    /// Returns the session that a message continues among those that share a name with it.
    private static func fitting(
        _ open: [WebRTCSession], _ signal: WebRTCSignalContent, isNamed: Bool
    ) -> WebRTCSession? {
        guard let description = signal.description else { return open.last }
        if let known = open.last(where: { $0.knows(description.content) }) { return known }
        if description.type != .offer { return open.last { $0.isOpenToAnswer } ?? open.last }
        // An offer by a new peer starts a call, unless the two already are in one.
        return isNamed
            ? open.last { !$0.isOther(description.content, from: signal.from) }
            : open.last { !$0.hasDescriptions || $0.lacksOffer }
    }
}
