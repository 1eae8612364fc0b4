import WeirEngine
import WeirPackets

/// TURN-FLOW: relayed packets have permissions, valid channels and credentials.
///
/// 1. A relay forwards packets only to and from addresses with a permission (RFC 8656 §9); a bound channel installs
///    one, too (§12). A pending permission counts as granted, since it usually is by the time the packet arrives.
/// 2. Channels have the numbers 0x4000 to 0x4FFF (§12).
/// 3. A second challenge to an Allocate request with credentials means that these are wrong (RFC 8489 §9.2.4). If the
///    server accepted those of this user before, they expired, or the nonce did, for which it sends 438. Other requests
///    come after an allocation, so that without it nothing is known.
///
/// Evaluated on connections whose allocation was captured; the dissector keeps the state of each, since a call may have
/// several relays, and start long after them.
struct TURNFlow: Rule {
    static let info = RuleInfo(
        "TURN-FLOW", .warning, .must, reference: "RFC 8656 §9",
        check: "Relayed data goes to peers with a permission or channel; channels and credentials are valid.",
        example: "Send Indication to a peer for which no CreatePermission was granted")
    static let observes = ["stun"]

    /// Whether rejected credentials were reported, so that further rejections are not.
    private var hasRefusal = false
    /// The user of the latest request with credentials.
    private var user: String?
    /// The first frame in which the server accepted credentials, and their user.
    private var accepted: (user: String, frame: Int)?

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), message.relay == nil, message.isTURN else { return }
        if message.isRequest, message.integrity != nil, let name = message.username { user = name }
        if message.messageClass == .success, message.answersSigned, accepted == nil, let user {
            accepted = (user, step.event.frame)
        }
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

    /// Reports rejected credentials; the first 401 only asks for them.
    private mutating func judge(_ message: STUNMessage, _ judgement: inout Judgement) {
        guard message.errorCode?.code == 401 else { return }
        guard message.answersSigned else { return judgement.pass() }
        guard !hasRefusal else { return }
        if let accepted, accepted.user == user {
            hasRefusal = true
            judgement.fail(
                Text("TURN-FLOW.accepted", .string(message.methodTitle), .integer(accepted.frame)),
                reference: "RFC 8489 §9.2.4", subject: "accepted")
        } else if message.method == 0x003 {
            hasRefusal = true
            judgement.fail(
                Text("TURN-FLOW.credentials", .string(message.methodTitle)),
                reference: "RFC 8489 §9.2.4", subject: "credentials")
        }
    }
}
