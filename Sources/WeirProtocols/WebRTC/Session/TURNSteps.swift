import WeirEngine
import WeirPackets

// Exchanges with TURN servers, with or without a call.

extension Phase {
    /// TURN: the client requests an allocation.
    static let allocate: Phase = "allocate"
    /// TURN: the client installs permissions for its peers.
    static let permissions: Phase = "permissions"
    /// TURN: the relay transports data, and the client refreshes the allocation.
    static let relay: Phase = "relay"
}

extension WebRTCSession {
    /// The kind of sessions that consist of exchanges with TURN servers.
    static var relayKind: String { "turn" }

    /// Seconds within which a client queries all its servers, and within which its call starts.
    private static var gatheringSeconds: Double { 5 }
    private static var callSeconds: Double { 30 }
    /// The maximum number of servers that a client queries at once.
    private static var mostServers: Int { 8 }

    /// Starts the session with a TURN exchange.
    func beginAsRelayClient(_ flow: FlowState) {
        isRelayOnly = true
        kind = Self.relayKind
        relayClients.add(self, on: relayClient(of: flow).address)
    }

    /// Turns the session into a call after a message on a flow, whose endpoints identify the session from now on.
    func becomeCall(on flow: FlowState) {
        guard isRelayOnly else { return }
        isRelayOnly = false
        kind = Self.kind
        phase = .signaling
        (client, server) = (flow.client, flow.server)
        relayClients.remove(self)
    }

    /// Tracks a TURN request or response, and marks what rules evaluate.
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

    /// Returns the phase of a message of a session without a call.
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

    /// Whether a client may still refresh its allocation: until then it may be silent, for longer than flows last, and
    /// refresh too late.
    func holdsAllocation(at now: Timestamp) -> Bool {
        guard isRelayOnly, let lastTime else { return false }
        return allocations.contains { allocation in
            if let expiry = allocation.expiry {
                let lifetime = min(Double(expiry.lifetime), Self.longestLifetime) + Self.lateSeconds
                if now.seconds(since: expiry.since.time) < lifetime { return true }
            }
            // The response that grants it may not have been captured.
            return allocation.released == nil && allocation.hasCredentials
                && now.seconds(since: lastTime) < Self.usualLifetime
        }
    }

    /// The default lifetime of allocations in seconds (RFC 8656 §3.2).
    private static var usualLifetime: Double { 600 }

    /// The maximum usual lifetime of allocations in seconds (RFC 8656 §7.2 recommends 3600).
    private static var longestLifetime: Double { 3_600 }

    /// Seconds by which a refresh may be late.
    private static var lateSeconds: Double { 300 }

    /// Whether the client has deleted all its allocations.
    var hasReleasedAll: Bool {
        isRelayOnly && !allocations.isEmpty && allocations.allSatisfy { $0.released != nil }
    }

    /// Records that a server's port is unreachable according to ICMP.
    func noteUnreachableRelay(_ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool) -> Bool? {
        guard let index = allocations.firstIndex(where: { $0.server == endpoint }) else { return nil }
        let isFirst = allocations[index].unreachable == nil
        if isRefusal { allocations[index].unreachable = allocations[index].unreachable ?? time }
        return isFirst
    }

    /// Records the frame of the ICMP error about a server's port.
    func noteUnreachableRelay(_ error: ICMPEvent, frame: Int) {
        guard let index = allocations.firstIndex(where: { $0.server == error.quotedDestination }) else { return }
        allocations[index].unreachableFrame = allocations[index].unreachableFrame ?? frame
    }
}

// MARK: - Session lookup

extension WebRTCSession {
    /// Whether an exchange on another flow is of the same client: it continues an allocation after a silence, or
    /// queries several servers while gathering candidates.
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

    /// Whether a new call may belong to the client.
    func mayBeginCall(at now: Timestamp) -> Bool {
        isRelayOnly && (lastTime.map { now.seconds(since: $0) <= Self.callSeconds } ?? false)
    }

    /// Whether the call had a message within the time in which its client gathers candidates.
    func isRecent(at now: Timestamp) -> Bool { lastTime.map { now.seconds(since: $0) <= Self.callSeconds } ?? false }

    /// Whether the client was granted one of these addresses.
    func hasRelayedAddress(among ends: [Endpoint]) -> Bool {
        allocations.contains { allocation in allocation.granted?.address.map(ends.contains) ?? false }
    }

    /// Whether the client uses a relay from this endpoint, over UDP.
    func asksRelay(from end: Endpoint) -> Bool { allocations.contains { !$0.isTCP && $0.client == end } }
}
