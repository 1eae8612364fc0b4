import WeirEngine
import WeirPackets

// The exchanges with TURN servers of a session, which may consist of nothing else.

extension Phase {
    /// TURN: the client asks for an address on the relay.
    package static let allocate: Phase = "allocate"
    /// TURN: the client names the peers that may send to it.
    package static let permissions: Phase = "permissions"
    /// TURN: the relay carries data, and the client keeps the allocation.
    package static let relay: Phase = "relay"
}

extension WebRTCSession {
    /// The kind of sessions that consist of exchanges with TURN servers.
    static var relayKind: String { "turn" }

    /// Seconds within which a client asks all servers that it knows, and within which its call begins.
    private static var gatheringSeconds: Double { 5 }
    private static var callSeconds: Double { 30 }
    /// Servers that a client asks at once.
    private static var mostServers: Int { 8 }

    /// The session begins with an exchange with a relay.
    func beginAsRelayClient(_ flow: FlowState) {
        isRelayOnly = true
        kind = Self.relayKind
        relayClients.add(self, on: relayClient(of: flow).address)
    }

    /// A message on a flow shows that there is a call: its ends name the session from now on.
    func becomeCall(on flow: FlowState) {
        guard isRelayOnly else { return }
        isRelayOnly = false
        kind = Self.kind
        phase = .signaling
        (client, server) = (flow.client, flow.server)
        relayClients.remove(self)
    }

    /// Follows a request to a relay, or a response, and marks what rules ask of it.
    func followRelay(_ message: inout STUNMessage, _ request: STUNMessage?, _ context: MessageContext) {
        let moment = ICEPair.Moment(frame: context.at.frame, time: context.at.time, event: 0)
        guard let index = allocation(on: context.flow, moment) else { return }
        if message.isRequest {
            message.repeatsNonce = allocations[index].note(request: message, moment)
        } else {
            allocations[index].note(response: message, to: request, moment)
        }
    }

    private func allocation(on flow: FlowState, _ moment: ICEPair.Moment) -> Int? {
        let client = gathered.relayClient(of: flow)
        if let known = allocations.firstIndex(where: { $0.isOn(flow, client) }) { return known }
        guard allocations.count < limits.allocations else {
            leaveOut()
            return nil
        }
        allocations.append(TURNAllocation(flow: flow, client: client, began: moment))
        return allocations.count - 1
    }

    func relayClient(of flow: FlowState) -> Endpoint {
        gathered.relayClient(of: flow) == .clientToServer ? flow.client : flow.server
    }

    /// The phase of a message of a session without a call.
    func relayPhase(of message: STUNMessage) -> Phase {
        let order: [Phase] = [.allocate, .permissions, .relay, .close]
        let next: Phase =
            switch message.method {
            case 0x003: .allocate
            case 0x004: message.lifetime == 0 ? .close : .relay
            case 0x008, 0x009: .permissions
            default: .relay
            }
        guard let now = order.firstIndex(of: phase), let then = order.firstIndex(of: next), then < now else {
            return next
        }
        return phase
    }

    /// Whether a client may still refresh an allocation that was granted: it may be silent until then, for longer than flows
    /// last, and come too late.
    func holdsAllocation(at now: Timestamp) -> Bool {
        guard isRelayOnly, let lastTime else { return false }
        return allocations.contains { allocation in
            if let expiry = allocation.expiry {
                let lifetime = min(Double(expiry.lifetime), Self.longestLifetime) + Self.lateSeconds
                if now.seconds(since: expiry.since.time) < lifetime { return true }
            }
            // The response that grants it may not be captured.
            return allocation.released == nil && allocation.hasCredentials
                && now.seconds(since: lastTime) < Self.usualLifetime
        }
    }

    /// Seconds that an allocation lasts unless client and server agree on others (RFC 8656 §3.2).
    private static var usualLifetime: Double { 600 }

    /// Seconds that allocations last at most by what is usual (RFC 8656 §7.2 recommends 3600).
    private static var longestLifetime: Double { 3_600 }

    /// Seconds by which a refresh may come too late.
    private static var lateSeconds: Double { 300 }

    /// Whether the client has given up all that it asked for.
    var hasReleasedAll: Bool {
        isRelayOnly && !allocations.isEmpty && allocations.allSatisfy { $0.released != nil }
    }

    /// A host says by ICMP that nothing listens on a server's port.
    func noteUnreachableRelay(_ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool) -> Bool? {
        guard let index = allocations.firstIndex(where: { $0.server == endpoint }) else { return nil }
        let isFirst = allocations[index].unreachable == nil
        if isRefusal { allocations[index].unreachable = allocations[index].unreachable ?? time }
        return isFirst
    }
}

// MARK: - Which session

extension WebRTCSession {
    /// Whether an exchange on another flow is of the same client: it goes on with an allocation behind a silence, or asks
    /// several servers while it gathers candidates.
    func goesOn(on flow: FlowState, at now: Timestamp) -> Bool {
        let client = gathered.relayClient(of: flow)
        if allocations.contains(where: { $0.isOn(flow, client) }) { return true }
        guard let first = allocations.first, allocations.count < Self.mostServers,
            now.seconds(since: first.began.time) <= Self.gatheringSeconds
        else { return false }
        let isTCP = flow.transport == .tcp
        let server = relayClient(of: flow) == flow.client ? flow.server : flow.client
        return !allocations.contains { $0.server == server && $0.isTCP == isTCP }
    }

    /// Whether a call that begins may be that of the client.
    func mayBeginCall(at now: Timestamp) -> Bool {
        isRelayOnly && (lastTime.map { now.seconds(since: $0) <= Self.callSeconds } ?? false)
    }

    /// Whether the client asks a relay from this end, over UDP.
    func asksRelay(from end: Endpoint) -> Bool { allocations.contains { !$0.isTCP && $0.client == end } }
}
