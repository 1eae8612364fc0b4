import WeirEngine
import WeirPackets

/// TURN-FLOW: what is relayed goes to peers that the relay was told of.
///
/// 1. A relay lets packets pass only to and from addresses for which a permission was granted (RFC 8656 §9); a bound channel
///    grants one, too (§12). One that is asked for already will mostly be granted before the packet comes there.
/// 2. Channels have the numbers 0x4000 to 0x4FFF (§12).
/// 3. Who is asked for credentials a second time although the request had them has wrong ones (RFC 8489 §9.2.4).
///
/// Judged on connections whose allocation the capture holds; what each has shown its dissector knows, since a call may have
/// several relays, and begin long after them.
struct TURNFlow: Rule {
    static let info = RuleInfo(
        "TURN-FLOW", .warning, .must, reference: "RFC 8656 §9",
        check: "Relayed data goes to peers with a permission or a channel; channels and credentials are right.",
        example: "Send Indication to a peer for which no CreatePermission was granted")
    static let observes = ["stun"]

    /// Whether refused credentials were told: each further refusal says the same.
    private var hasRefusal = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), message.relay == nil, message.isTURN else { return }
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
        case (.error, _): judge(message, &judgement)
        case (.indication, 0x006):
            guard let hasPermission = message.hasPermission, let peer = message.peerAddress?.address else { return }
            if hasPermission {
                judgement.pass()
            } else {
                judgement.fail(Text("TURN-FLOW.permission", .string(peer.description)), subject: "permission")
            }
        default: break
        }
    }

    /// Refused credentials: the first 401 only asks for them.
    private mutating func judge(_ message: STUNMessage, _ judgement: inout Judgement) {
        guard message.errorCode?.code == 401 else { return }
        if message.answersSigned {
            guard !hasRefusal else { return }
            hasRefusal = true
            judgement.fail(
                Text("TURN-FLOW.credentials", .string(message.methodName)), reference: "RFC 8489 §9.2.4",
                subject: "credentials")
        } else {
            judgement.pass()
        }
    }
}
