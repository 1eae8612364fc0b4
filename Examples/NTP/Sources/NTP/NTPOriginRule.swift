import WeirKit

/// NTP-ORIGIN: an answer gives back the transmit timestamp of the question.
///
/// A client throws an answer away whose origin timestamp is not what it sent: it would be bogus, or forged (RFC 5905 §8).
public struct NTPOriginRule: Rule {
    /// What it checks, and by which clause.
    public static let info = RuleInfo(
        "NTP-ORIGIN", .error, .must, reference: "RFC 5905 §8",
        check: "The origin timestamp of an answer is the transmit timestamp of the question.",
        example: "client asks, transmit 9ee7b800\nserver answers, origin 9ee7b801")

    /// The transmit timestamps of the questions on each flow, the last ones.
    private var asked: [(flow: Int, transmit: NTPTime)] = []
    private static let most = 64

    /// Begins watching a session.
    public init() {}

    /// Looks at one step.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let header = (step.event.message as? NTPMessage)?.header else { return }
        if header.isQuestion {
            if asked.count >= Self.most { asked.removeFirst() }
            asked.append((step.event.flow, header.transmit))
            return
        }
        let questions = asked.filter { $0.flow == step.event.flow }
        guard header.isAnswer, let last = questions.last else { return }
        if questions.contains(where: { $0.transmit == header.origin }) {
            judgement.pass()
        } else {
            judgement.fail(
                Text("NTP-ORIGIN.other"), expected: .wire("\(last.transmit)"), actual: .wire("\(header.origin)"),
                range: 24..<32)
        }
    }
}
