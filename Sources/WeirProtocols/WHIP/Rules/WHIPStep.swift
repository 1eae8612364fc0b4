import WeirEngine

/// The view of a step for the rules of WHIP.
final class WHIPStep {
    /// The message.
    let message: WHIPMessage

    init(_ message: WHIPMessage) {
        self.message = message
    }
}

extension Step {
    /// The WHIP or WHEP message of the step, or nil.
    var whip: WHIPMessage? { (view as? WHIPStep)?.message }
}

/// A rule about HTTP messages of WHIP.
protocol WHIPRule: Rule {}

extension WHIPRule {
    /// The protocol of the messages.
    static var observes: [String] { ["http"] }
}

extension WHIPMessage {
    /// Whether it is the offer of a publisher, or for a publishing endpoint; false for a response whose request was not
    /// captured.
    var isPublishing: Bool {
        guard http.isRequest || request != nil else { return false }
        return !isPlayback || TextSyntax.lowercased(http.target ?? request?.target ?? "").contains("whip")
    }

    /// Whether it is a success response.
    var isSuccess: Bool { http.status.map { (200..<300).contains($0) } ?? false }
}
