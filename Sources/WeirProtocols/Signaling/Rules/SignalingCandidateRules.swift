import WeirEngine
import WeirPackets

/// SIG-CAND-EARLY: candidates follow their description.
///
/// A candidate belongs to a media section of a description (RFC 9429 §3.5.2.1): an earlier one is lost unless the peer
/// stores it. Candidates with members instead of text are of protocols without descriptions.
struct SIGCandidateEarly: Rule {
    static let info = RuleInfo(
        "SIG-CAND-EARLY", .warning, .plain, reference: "RFC 9429 §3.5.2",
        check: "A side sends its description before candidates.",
        example: "candidate …\noffer …")
    static let observes = ["signaling"]
    private var described = Recent<SignalingSender, Bool>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling else { return }
        if message.description != nil { described[step.speaker] = true }
        guard let candidate = message.candidate, candidate.isText else { return judgement.notApplicable() }
        guard described[step.speaker] == nil else { return judgement.pass() }
        let completeness = step.completeness
        if completeness?.startsLate == true || completeness?.hasGap == true || completeness?.isCut == true {
            return judgement.inconclusive(Text("SIG-CAND-EARLY.undecided"), subject: "candidate")
        }
        judgement.fail(Text("SIG-CAND-EARLY.early"), subject: "candidate")
    }
}

/// SIG-CAND-MID: a candidate references an existing media section, and the current generation.
///
/// 1. `sdpMid` takes precedence over `sdpMLineIndex` (RFC 9429 §3.5.2.1: MUST).
/// 2. A candidate without both MUST be rejected (§4.1.19). If the message format has no such members at all, the
///    receiver may identify the section in another way: a warning.
/// 3. The username fragment identifies the generation (§3.5.2.1): one that is not in the sender's latest description
///    belongs to none, or to one before a restart.
struct SIGCandidateMedium: Rule {
    static let info = RuleInfo(
        "SIG-CAND-MID", .error, .must, reference: "RFC 9429 §3.5.2.1",
        check: "A candidate names a media section of its sender's description, and its current username fragment.",
        example: "{\"candidate\":\"…\",\"sdpMid\":\"7\"} (media: 0, 1)")
    static let observes = ["signaling"]
    private var descriptions = Recent<SignalingSender, SessionDescription>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling else { return }
        if let description = message.description { descriptions[step.speaker] = description }
        guard let candidate = message.candidate, candidate.isText else { return judgement.notApplicable() }
        guard candidate.mid != nil || candidate.lineIndex != nil else {
            let isNull = message.saysMediumIsNull
            return judgement.fail(
                Text("SIG-CAND-MID.none"), severity: isNull ? nil : .warning, reference: "RFC 9429 §4.1.19",
                subject: "medium")
        }
        guard let description = descriptions[step.speaker] else { return judgement.notApplicable() }
        let isOld = step.completeness?.hasGap == true
        guard let fault = Self.fault(candidate, description) else { return judgement.pass() }
        // A later description may be in a gap.
        if isOld { return judgement.inconclusive(fault.message, subject: fault.subject) }
        judgement.fail(
            fault.message, expected: .wire(fault.expected), actual: .wire(fault.actual), subject: fault.subject)
    }

    /// Returns the reference of a candidate that its description does not contain.
    private static func fault(
        _ candidate: SignaledCandidate, _ description: SessionDescription
    ) -> (message: Text, expected: String, actual: String, subject: String)? {
        let mids = description.media.compactMap(\.mid)
        if let mid = candidate.mid, !mids.isEmpty, !mids.contains(mid) {
            return (Text("SIG-CAND-MID.unknown", .wire(mid)), mids.joined(separator: ", "), mid, "sdpMid")
        }
        if candidate.mid == nil, let index = candidate.lineIndex, !description.media.indices.contains(index) {
            return (
                Text("SIG-CAND-MID.index", .integer(index)), "0…\(max(0, description.media.count - 1))", "\(index)",
                "sdpMLineIndex"
            )
        }
        let known = ([description.iceUfrag] + description.media.map(\.iceUfrag)).compactMap { $0 }
        if let ufrag = candidate.ufrag ?? candidate.content.ufrag, !known.isEmpty, !known.contains(ufrag) {
            return (
                Text("SIG-CAND-MID.generation", .wire(ufrag)), Array(Set(known)).sorted().joined(separator: ", "),
                ufrag,
                "usernameFragment"
            )
        }
        return nil
    }
}

extension SignalingMessage {
    /// Whether the candidate's media section is null, and not only absent.
    fileprivate var saysMediumIsNull: Bool {
        func visit(_ node: JSONNode, _ depth: Int) -> Bool {
            guard depth < 8 else { return false }
            if let mid = node["sdpMid"], let index = node["sdpMLineIndex"], mid.isNull, index.isNull { return true }
            return node.members.contains { visit($0.value, depth + 1) }
                || node.elements.contains { visit($0, depth + 1) }
        }
        return json.map { visit($0, 0) } ?? false
    }
}

/// SIG-EOC: the end of candidates is signaled, and no candidates follow it.
///
/// An agent SHOULD signal the end of candidates (RFC 8838 §13), so that the other one need not wait before ICE fails;
/// no candidate of that generation follows (RFC 8840 §8.2). A note, since many clients never signal it.
struct SIGEndOfCandidates: Rule {
    static let info = RuleInfo(
        "SIG-EOC", .note, .should, needsFullCapture: true, reference: "RFC 8838 §13",
        check: "A side that sends candidates indicates their end, and sends none after that.",
        example: "{\"candidate\":\"\",\"sdpMid\":\"0\"}")
    static let observes = ["signaling"]

    private struct Side {
        var frame = 0
        var isEnded = false
        /// The sender and the recipient.
        var way = ""
    }
    private var sides = Recent<SignalingSender, Side>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling else { return }
        let speaker = step.speaker
        if message.description?.media.contains(where: \.endOfCandidates) == true || message.purpose == .endOfCandidates
        {
            var side = sides[speaker] ?? Side()
            if side.frame > 0, !side.isEnded { judgement.pass() }
            side.isEnded = true
            sides[speaker] = side
        } else if message.description != nil {
            // Another description may start another generation.
            sides[speaker] = nil
        }
        guard let candidate = message.candidate, candidate.isText else { return judgement.notApplicable() }
        var side = sides[speaker] ?? Side()
        // Media sections end separately.
        if side.isEnded, candidate.mid == nil {
            judgement.fail(
                Text("SIG-EOC.after", .wire("\(candidate.content.address) \(candidate.content.port)")),
                reference: "RFC 8840 §8.2", subject: "candidate")
        }
        if side.frame == 0 {
            side.frame = step.event.frame
            side.way = "\(step.event.source) → \(step.event.destination)"
        }
        sides[speaker] = side
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        for side in sides.values where side.frame > 0 && !side.isEnded {
            judgement.fail(Text("SIG-EOC.never", .string(side.way)), subject: "candidates", frame: side.frame)
        }
    }
}
