import WeirEngine

/// TURN-NONCE: a client uses the nonce from a 438 response.
///
/// The client MUST retry the request with the NONCE of the 438 (Stale Nonce) response (RFC 8489 §9.2.5; RFC 8656 §8.3
/// has the same for Refresh). Evaluated for requests that must have been sent after the response arrived: a repetition
/// of the rejected request, or any request a second later. Only the first is reported, since such a client does so each
/// time.
struct TURNNonce: Rule {
    static let info = RuleInfo(
        "TURN-NONCE", .error, .must, reference: "RFC 8489 §9.2.5",
        check: "After 438 (Stale Nonce), requests carry the NONCE of that response.",
        example: "Refresh Request, NONCE a\nRefresh Error 438, NONCE b\nRefresh Request, NONCE a")
    static let observes = ["stun"]

    private var hasFailed = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.message(STUNMessage.self), let repeatsNonce = message.repeatsNonce else { return }
        guard repeatsNonce else { return judgement.pass() }
        guard !hasFailed else { return }
        hasFailed = true
        judgement.fail(Text("TURN-NONCE.old", .string(message.title.english)), subject: "nonce")
    }
}
