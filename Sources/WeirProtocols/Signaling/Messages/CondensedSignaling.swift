package import WeirEngine

extension SignalingMessage {
    /// Candidates are combined in one line; heartbeats recur throughout a call. The line of an HTTP message contains the
    /// other steps in it.
    package var condensed: Condensed {
        if httpEvent != nil, purpose != .candidate { return .omitted }
        guard flaws.isEmpty, brokenCandidate == nil, !isCut else { return .step }
        switch purpose {
        case .candidate: return candidate.map { .brief("candidate " + $0.wording) } ?? .step
        case .endOfCandidates: return .brief("end of candidates")
        case .heartbeat: return .firstOnly("heartbeat")
        default: return .step
        }
    }
}
