import WeirEngine

// The steps of WHIP and WHEP as signaling: as other carriers have them.

extension WHIPMessage {
    /// Returns an offer, an answer, candidates, their end, or the end of the call.
    package func steps(of event: Int) -> [any Message] {
        if purpose == .end, http.isRequest { return [SignalingMessage(.bye, inHTTP: event)] }
        if let content, content.role != .presentation {
            var step = SignalingMessage(http.isRequest ? .offer : .answer, inHTTP: event)
            step.description = content
            return [step]
        }
        var steps = signal.candidates.map { candidate in
            var step = SignalingMessage(.candidate, inHTTP: event)
            step.candidate = SignaledCandidate(content: candidate.content, mid: candidate.mid, ufrag: candidate.ufrag)
            return step
        }
        if fragment?.endsCandidates ?? false { steps.append(SignalingMessage(.endOfCandidates, inHTTP: event)) }
        return steps
    }
}
