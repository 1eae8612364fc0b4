import WeirEngine

/// RTP-TCP-FRAME: over TCP the length before each packet is that of the packet; a length of 0 is the null packet (RFC
/// 4571 §2).
///
/// At a known capture gap the next frame is searched for without reporting a fault.
struct RTPFraming: Rule {
    static let info = RuleInfo(
        "RTP-TCP-FRAME", .error, .must, reference: "RFC 4571 §2",
        check: "Over TCP, the length before each RTP or RTCP packet is correct.",
        example: "00 AC, and a packet of 170 octets")
    static var observes: [String] { ["rtp"] }

    private var isBroken = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let fault = step.message(RTPFramingFault.self) else { return }
        isBroken = true
        judgement.fail(Text("RTP-TCP-FRAME.length", .integer(fault.length), .integer(fault.skipped)))
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        guard details.isFramed else {
            judgement.notApplicable()
            return
        }
        if !isBroken { judgement.pass() }
    }
}
