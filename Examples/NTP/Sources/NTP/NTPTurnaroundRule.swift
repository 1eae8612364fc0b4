import WeirKit

/// NTP-TURNAROUND: an answer leaves after the question came.
///
/// Both times stand in the answer, and are of one clock (RFC 5905 §7.3): no packet that the capture may lack makes them
/// right. But a server may answer in interleaved mode, with the time at which its answer before left; the origin timestamp
/// is then not the question's. So it takes the question to tell, and without it nothing is certain.
public struct NTPTurnaroundRule: Rule {
    /// What it checks, and by which clause.
    public static let info = RuleInfo(
        "NTP-TURNAROUND", .error, .plain, reference: "RFC 5905 §7.3",
        check: "The transmit timestamp of an answer is not before its receive timestamp.",
        example: "server answers, receive 06:07:47.621, transmit 06:07:46.621")

    /// Begins watching: nothing is remembered, since the session has found the question.
    public init() {}

    /// Looks at one step.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let header = (step.event.message as? NTPMessage)?.header, header.isAnswer, header.kissCode == nil,
            header.isSynchronized
        else { return }
        // The seconds begin anew in 2036: what counts is how far the two are apart.
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
