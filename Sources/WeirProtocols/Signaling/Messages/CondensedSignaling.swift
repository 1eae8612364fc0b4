package import WeirEngine

extension SignalingMessage {
    /// Candidates are combined in one line; heartbeats recur throughout a call.
    package var condensed: Condensed {
        guard flaws.isEmpty, brokenCandidate == nil, !isCut else { return .step }
        switch purpose {
        case .candidate: return candidate.map { .brief("candidate " + $0.wording) } ?? .step
        case .endOfCandidates: return .brief("end of candidates")
        case .heartbeat: return .firstOnly("heartbeat")
        default: return .step
        }
    }
}
