import WeirEngine

/// What the rules of WHIP ask of a step.
final class WHIPStep {
    /// The message.
    let message: WHIPMessage

    init(_ message: WHIPMessage) {
        self.message = message
    }
}

extension Step {
    /// The message, if it is a step of WHIP or WHEP.
    var whip: WHIPMessage? { (view as? WHIPStep)?.message }
}

/// A rule that looks at steps of WHIP: messages of HTTP.
protocol WHIPRule: Rule {}

extension WHIPRule {
    /// Messages of HTTP.
    static var observes: [String] { ["http"] }
}

extension WHIPMessage {
    /// Whether it is the offer of a client that publishes, or names an endpoint for that; not known of an answer whose
    /// request the capture lacks.
    var isPublishing: Bool {
        guard http.isRequest || request != nil else { return false }
        return !isPlayback || TextSyntax.lowercased(http.target ?? request?.target ?? "").contains("whip")
    }

    /// Whether it answers, and the answer is that all is well.
    var isSuccess: Bool { http.status.map { (200..<300).contains($0) } ?? false }
}
