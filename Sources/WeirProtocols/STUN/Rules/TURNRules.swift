import WeirEngine
import WeirPackets

/// TURN-FLOW: what is relayed goes to peers that the relay was told of.
///
/// 1. A relay lets packets pass only to and from addresses for which a permission was granted (RFC 8656 §9); a bound channel
///    grants one, too (§12). One that is asked for already will mostly be granted before the packet comes there.
/// 2. Channels have the numbers 0x4000 to 0x4FFF (§12).
/// 3. Who is asked for credentials a second time although the request had them has wrong ones (RFC 8489 §9.2.4).
///
/// Judged on connections whose allocation the capture holds.
struct TURNFlow: Rule {
    static let info = RuleInfo(
        "TURN-FLOW", .warning, .must, reference: "RFC 8656 §9",
        check: "Relayed data goes to peers with a permission or a channel; channels and credentials are right.",
        example: "Send Indication to a peer for which no CreatePermission was granted")
    static let observes = ["stun"]

    /// A request that waits for its answer.
    private struct Asked {
        var id: STUNTransaction
        var peers: [IPAddress]
        var hasCredentials: Bool
        var isRefused = false
    }

    private static let most = 256
    private var asked: [Asked] = []
    private var hasAllocation = false
    private var permitted: Set<IPAddress> = []
    private var refused: Set<IPAddress> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.event.message as? STUNMessage, message.relay == nil, message.isTURN else { return }
        if message.isRequest { ask(message) }
        switch (message.messageClass, message.method) {
        case (.request, 0x009):
            guard let channel = message.channelNumber else { return }
            if 0x4000...0x4FFF ~= channel {
                judgement.pass()
            } else {
                judgement.fail(
                    Text("TURN-FLOW.channel", .string("0x" + STUNAttribute.digits(channel))),
                    reference: "RFC 8656 §12", subject: "channel")
            }
        case (.success, 0x003): hasAllocation = true
        case (.success, 0x008), (.success, 0x009):
            guard let request = asked.last(where: { $0.id == message.transaction }), permitted.count < Self.most else {
                return
            }
            permitted.formUnion(request.peers)
        case (.error, _):
            if let index = asked.lastIndex(where: { $0.id == message.transaction }) { asked[index].isRefused = true }
            judge(message, &judgement)
        case (.indication, 0x006):
            guard hasAllocation, let peer = message.peerAddress?.address, permitted.count < Self.most else { return }
            if permitted.contains(peer) || asked.contains(where: { !$0.isRefused && $0.peers.contains(peer) }) {
                judgement.pass()
            } else if refused.insert(peer).inserted {
                judgement.fail(Text("TURN-FLOW.permission", .string(peer.description)), subject: "permission")
            }
        default: break
        }
    }

    private mutating func ask(_ message: STUNMessage) {
        if asked.count >= Self.most { asked.removeFirst() }
        let peers = message.attributes.prefix(Self.most).compactMap { attribute -> IPAddress? in
            guard case .endpoint(let peer) = attribute.value else { return nil }
            return peer.address
        }
        asked.append(Asked(id: message.transaction, peers: peers, hasCredentials: message.integrity != nil))
    }

    /// Refused credentials: the first 401 only asks for them.
    private func judge(_ message: STUNMessage, _ judgement: inout Judgement) {
        guard message.errorCode?.code == 401, let request = asked.last(where: { $0.id == message.transaction }) else {
            return
        }
        if request.hasCredentials {
            judgement.fail(
                Text("TURN-FLOW.credentials", .string(message.methodName)), reference: "RFC 8489 §9.2.4",
                subject: "credentials")
        } else {
            judgement.pass()
        }
    }
}
