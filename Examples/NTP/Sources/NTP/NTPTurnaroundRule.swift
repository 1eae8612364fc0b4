import WeirKit

/// NTP-TURNAROUND: an answer is sent after its request was received.
///
/// Both times are in the answer and from one clock (RFC 5905 §7.3), so missing packets cannot cause the violation. But
/// a server in interleaved mode sends the transmission time of its previous answer; the origin timestamp then differs
/// from the request's. The verdict therefore needs the request, and without it is undecided.
public struct NTPTurnaroundRule: Rule {
    /// What the rule checks, with its clause.
    public static let info = RuleInfo(
        "NTP-TURNAROUND", .error, .plain, reference: "RFC 5905 §7.3",
        check: "The transmit timestamp of an answer is not before its receive timestamp.",
        example: "server answers, receive 06:07:47.621, transmit 06:07:46.621")

    /// Creates the rule. It has no state: the session matches requests and answers.
    public init() {}

    /// Checks one step.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let header = (step.event.message as? NTPMessage)?.header, header.isAnswer, header.kissCode == nil,
            header.isSynchronized
        else { return }
        // NTP seconds wrap in 2036, so the rule compares the difference.
        let turnaround = Int64(bitPattern: header.transmit.value &- header.receive.value)
        if turnaround >= 0 {
            judgement.pass()
        } else if step.event.answers == nil {
            judgement.inconclusive(Text("NTP-TURNAROUND.unasked"))
        } else {
            judgement.fail(
                Text("NTP-TURNAROUND.early"), expected: .wire("\(header.receive)"), actual: .wire("\(header.transmit)"),
                range: 40..<48)
        }
    }
}
