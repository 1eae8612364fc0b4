package import WeirEngine

// The signaling in a message, for the session of its call.

extension SignalingMessage: WebRTCSignal {
    /// Each message is a step of a call.
    package var sessionType: Session.Type? { WebRTCSession.self }

    /// The message's contents for its call.
    var signal: WebRTCSignalContent {
        var content = WebRTCSignalContent(call: envelope.call, from: envelope.from, to: envelope.to)
        content.isExchange = carrier == .http
        if let description { content.description = .init(role, description, isWrapped: true) }
        if let candidate {
            content.candidates = [.init(candidate.content, mid: candidate.mid, ufrag: candidate.ufrag)]
        }
        content.endsCandidates = purpose == .endOfCandidates
        content.endsCall = purpose == .bye
        return content
    }

    private var role: WebRTCSignalContent.DescriptionType {
        if descriptionType == "pranswer" { return .provisionalAnswer }
        return purpose == .answer ? .answer : .offer
    }
}
