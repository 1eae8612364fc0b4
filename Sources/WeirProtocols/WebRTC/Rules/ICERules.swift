import WeirEngine
import WeirPackets

extension Step {
    /// The call that the step belongs to, or nil if the session is not a call.
    var call: WebRTCSession? { session as? WebRTCSession }
    /// The connectivity check, or nil if the step is not one.
    var check: STUNMessage? {
        guard let message = self.message(STUNMessage.self), message.isICECheck else { return nil }
        return message
    }
}

/// ICE-USERNAME: the USERNAME of a check starts with the receiver's username fragment.
///
/// RFC 8445 §7.2.2: USERNAME is the remote fragment, a colon, and the local one. It is wrong when the fragment of the
/// sending agent comes first. Evaluated where candidates identify the agent at an address.
struct ICEUsername: Rule {
    static let info = RuleInfo(
        "ICE-USERNAME", .error, .must, reference: "RFC 8445 §7.2.2",
        check: "The USERNAME of a check is the receiver's ice-ufrag, a colon, and the sender's ice-ufrag.",
        example: "a=ice-ufrag of the sender: 8hhY; USERNAME 8hhY:9b3w")
    static let observes = ["stun"]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let check = step.check, let call = step.call, let fragments = check.fragments else { return }
        guard let sender = call.agent(at: step.event.source) else {
            judgement.notApplicable()
            return
        }
        if sender.has(fragments.sender) {
            judgeReceiver(fragments, step, call, &judgement)
        } else if sender.has(fragments.receiver) {
            judgement.fail(
                Text("ICE-USERNAME.turned"), expected: .wire("\(fragments.sender):\(fragments.receiver)"),
                actual: .wire("\(fragments.receiver):\(fragments.sender)"), subject: "username")
        } else {
            judgement.notApplicable()
        }
    }

    /// Checks that the receiver's fragment is in its description. Requires complete signaling: a description that was
    /// not captured may contain another fragment.
    private func judgeReceiver(
        _ fragments: (receiver: String, sender: String), _ step: Step, _ call: WebRTCSession,
        _ judgement: inout Judgement
    ) {
        // Fragments known only from checks have no password.
        let reported = call.agent(at: step.event.destination)?.credentials.filter { $0.password != nil } ?? []
        guard let latest = reported.last, !reported.contains(where: { $0.ufrag == fragments.receiver }),
            call.restart == nil
        else { return judgement.pass() }
        let names = Text("ICE-USERNAME.other", .wire(fragments.receiver))
        guard call.sawSignaling else { return judgement.inconclusive(names, subject: "receiver") }
        judgement.fail(
            names, expected: .wire("\(latest.ufrag):\(fragments.sender)"),
            actual: .wire("\(fragments.receiver):\(fragments.sender)"), subject: "receiver")
    }
}

/// ICE-ATTRS: a check contains its priority and its sender's role, and only the controlling agent nominates.
///
/// RFC 8445 §7.1.1 to §7.1.3: PRIORITY MUST be present, and ICE-CONTROLLED or ICE-CONTROLLING, not both (§16.1);
/// USE-CANDIDATE is only for the controlling agent. Consent checks need none of them.
struct ICEAttributes: Rule {
    static let info = RuleInfo(
        "ICE-ATTRS", .error, .must, reference: "RFC 8445 §7.1.1",
        check: "A check has PRIORITY and one of ICE-CONTROLLING and ICE-CONTROLLED; USE-CANDIDATE only with the first.",
        example: "Binding Request 9b3w:8hhY without PRIORITY")
    static let observes = ["stun"]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let check = step.check, let call = step.call, !check.isConsent else { return }
        // A consent check of a call that started before the capture needs neither.
        if check.priority == nil, check.controlling == nil, check.controlled == nil, call.nomination == nil,
            call.signalingBegan == nil
        {
            return judgement.inconclusive(Text("ICE-ATTRS.undecided"), subject: "role")
        }
        var isKept = true
        func fail(_ key: String, _ reference: String) {
            isKept = false
            judgement.fail(Text("ICE-ATTRS.\(key)"), reference: reference, subject: key)
        }
        if check.priority == nil { fail("priority", "RFC 8445 §7.1.1") }
        if check.controlling == nil && check.controlled == nil { fail("role", "RFC 8445 §7.1.3") }
        if check.controlling != nil && check.controlled != nil { fail("roles", "RFC 8445 §16.1") }
        if check.nominates, check.controlling == nil { fail("nomination", "RFC 8445 §7.1.2") }
        if isKept { judgement.pass() }
    }
}

/// ICE-ROLE: the offerer is controlling, except for a lite agent facing a full one.
///
/// RFC 8445 §6.1.1: the initiating agent takes the controlling role when both are full; a full agent takes it against a
/// lite one. A conflict is resolved with 487 (§7.3.1.1), after which the roles may differ.
struct ICERole: Rule {
    static let info = RuleInfo(
        "ICE-ROLE", .error, .must, reference: "RFC 8445 §6.1.1",
        check: "The offerer is controlling; against a lite agent, the full agent is.",
        example: "the offerer's first check has ICE-CONTROLLED")
    static let observes = ["stun"]

    private var judged: Set<Int> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let check = step.check, let call = step.call, let sender = check.fragments?.sender,
            let index = call.agents.index(of: sender), call.agents.all.count == 2,
            check.controlling != nil || check.controlled != nil
        else { return }
        // A username in the wrong order names the other agent, which is reported by ICE-USERNAME.
        let isOthers =
            call.agents.all[index].candidate(at: step.event.source) == nil
            && call.agents.all[1 - index].candidate(at: step.event.source) != nil
        guard !isOthers, judged.insert(index).inserted else { return }
        let (agent, other) = (call.agents[index], call.agents[index == 0 ? 1 : 0])
        // A truncated description does not show whether its agent is lite.
        guard let own = agent.description, let others = other.description, !own.has(.tooManyLines),
            !others.has(.tooManyLines), let isOfferer = agent.isOfferer
        else {
            judgement.notApplicable()
            return
        }
        let hasToControl = agent.isLite == other.isLite ? isOfferer : other.isLite
        let hadConflict = call.pairs.contains { $0.errors.contains { $0.code == 487 } }
        if hasToControl == (check.controlling != nil) || hadConflict {
            judgement.pass()
        } else {
            judgement.fail(
                Text(hasToControl ? "ICE-ROLE.controlled" : "ICE-ROLE.controlling"),
                subject: isOfferer ? "offerer" : "answerer")
        }
    }
}

/// ICE-PRIORITY: a candidate's priority is computed from its type, local and component preferences.
///
/// RFC 8445 §5.1.2.1 (SHOULD): 2^24 times the type preference (0 to 126), plus 2^8 times the local preference, plus 256
/// minus the component ID. §5.1.2: each candidate of a component has a unique priority.
struct ICEPriority: Rule {
    static let info = RuleInfo(
        "ICE-PRIORITY", .note, .should, reference: "RFC 8445 §5.1.2.1",
        check: "Candidate priorities follow the formula, and are unique within a component.",
        example: "a=candidate:1 1 udp 1 192.0.2.1 5000 typ host")
    static let observes = ["stun"]

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let call = session as? WebRTCSession else { return }
        for agent in call.agents.all {
            var seen: [String: ICEAgent.Candidate] = [:]
            for (place, candidate) in agent.candidates.enumerated() {
                // Bundled media and later descriptions may repeat a candidate.
                let isReported = agent.candidates.prefix(place).contains {
                    $0.content == candidate.content && $0.ufrag == candidate.ufrag
                }
                if !isReported { judge(candidate, &seen, &judgement) }
            }
        }
    }

    private func judge(
        _ candidate: ICEAgent.Candidate, _ seen: inout [String: ICEAgent.Candidate], _ judgement: inout Judgement
    ) {
        let content = candidate.content
        let key = "\(candidate.mid ?? "") \(candidate.ufrag ?? "") \(content.component) \(content.priority)"
        defer { seen[key] = candidate }
        if Int(content.priority & 0xFF) != (256 &- content.component) & 0xFF || content.priority >> 24 > 126 {
            judgement.fail(
                Text("ICE-PRIORITY.formula", .integer(Int(content.priority)), .string(content.type), place(content)),
                subject: content.type, frame: candidate.frame)
        } else if let other = seen[key], other.content.foundation != content.foundation {
            judgement.fail(
                Text(
                    "ICE-PRIORITY.twice", .integer(Int(content.priority)), place(other.content), place(content)),
                reference: "RFC 8445 §5.1.2",
                subject: content.type, frame: candidate.frame)
        } else {
            judgement.pass()
        }
    }
}

extension ICEPriority {
    /// The address of a candidate, as in its description.
    private func place(_ candidate: ICECandidate) -> Text.Argument {
        let address = candidate.address.utf8.contains(ASCII.colon) ? "[\(candidate.address)]" : candidate.address
        return .string("\(TextSyntax.lowercased(candidate.transport)) \(address):\(candidate.port)")
    }
}

/// ICE-XMAPPED: a server-reflexive candidate is the mapped address that the server returned.
///
/// RFC 8445 §5.1.1.2: the mapped address of the response (RFC 8489 §14.2) is the candidate. Evaluated where the
/// response for the candidate's base was captured, and the candidate contains its base.
struct ICEMappedAddress: Rule {
    static let info = RuleInfo(
        "ICE-XMAPPED", .note, .plain, reference: "RFC 8445 §5.1.1.2",
        check: "A srflx candidate is the XOR-MAPPED-ADDRESS that the server returned.",
        example: "XOR-MAPPED-ADDRESS 198.51.100.7:4000; a=candidate … 198.51.100.8 4000 typ srflx")
    static let observes = ["stun"]

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let call = session as? WebRTCSession else { return }
        for candidate in call.agents.all.flatMap(\.candidates) where candidate.content.type == "srflx" {
            guard let base = candidate.content.relatedAddress.flatMap({ IPAddress($0) }),
                let port = candidate.content.relatedPort, let endpoint = candidate.endpoint,
                case let mapped = call.gathered.mapped(from: Endpoint(address: base, port: port)), !mapped.isEmpty
            else {
                judgement.notApplicable()
                continue
            }
            if mapped.contains(endpoint) {
                judgement.pass()
            } else {
                judgement.fail(
                    Text("ICE-XMAPPED.differs"), expected: .wire(mapped.map(\.description).joined(separator: ", ")),
                    actual: .wire(endpoint.description), subject: "srflx", frame: candidate.frame)
            }
        }
    }
}

/// ICE-PAIR: the agents nominate a candidate pair.
///
/// RFC 8445 §8.1.1: the controlling agent nominates a pair whose check succeeded; when no pair of a checklist works,
/// ICE has failed (§8.1.2). The causes are in the outcome of the session. Not evaluated where the capture may contain
/// only the packets that one endpoint sent.
struct ICEPairNominated: Rule {
    static let info = RuleInfo(
        "ICE-PAIR", .error, .must, needsFullCapture: true, reference: "RFC 8445 §8.1.1",
        check: "A candidate pair is nominated.",
        example: "12 checks of both agents, none answered")
    static let observes = ["stun"]

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let call = session as? WebRTCSession, !call.pairs.isEmpty else { return }
        if call.nomination != nil {
            judgement.pass()
            return
        }
        let checks = call.pairs.reduce(0) { $0 + $1.fromClient.sent + $1.fromServer.sent }
        guard checks > 0 else {
            judgement.notApplicable()
            return
        }
        // The peers are connected; the nomination was not captured.
        guard call.connections.isEmpty, call.mediaPackets == 0 else {
            let hasWay = call.pairs.contains(where: \.works)
            return judgement.inconclusive(Text(hasWay ? "ICE-PAIR.unseen" : "ICE-PAIR.undecided"), subject: "pair")
        }
        guard !call.mayLackEnd else {
            return judgement.inconclusive(Text("ICE-PAIR.oneSided"), subject: "pair", frame: call.firstCheck?.frame)
        }
        let answered = call.pairs.reduce(0) { $0 + $1.fromClient.succeeded + $1.fromServer.succeeded }
        let text = Text("ICE-PAIR.none", .integer(call.pairs.count), .integer(checks), .integer(answered))
        // Without a proven cause, responses may not have been captured.
        if call.hadTimeToConnect, call.iceCauses().contains(where: \.isHeld) {
            judgement.fail(text, subject: "pair", frame: call.firstCheck?.frame)
        } else {
            judgement.inconclusive(text, subject: "pair", frame: call.firstCheck?.frame)
        }
    }
}

/// ICE-CONSENT: a sender of media renews consent.
///
/// RFC 7675 §5.1: consent is requested every 4 to 6 seconds, and media stops at most 30 seconds after the last
/// response. Evaluated in calls whose media lasts longer than that.
struct ICEConsent: Rule {
    static let info = RuleInfo(
        "ICE-CONSENT", .error, .must, needsFullCapture: true, reference: "RFC 7675 §5.1",
        check: "Media stops within 30 seconds of the last answered check.",
        example: "last check at 10 s, media until 60 s")
    static let observes = ["stun"]

    private static let seconds = 30.0

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let call = session as? WebRTCSession,
            let pair = call.pairs.first(where: { $0.flow == stream.flow && $0.nominated != nil })
        else { return }
        guard let granted = pair[stream.direction].lastSuccess else {
            judgement.notApplicable()
            return
        }
        let without = stream.endTime.seconds(since: granted.time)
        if without > Self.seconds {
            judgement.fail(
                Text("ICE-CONSENT.late", .decimal(without, places: 1), .integer(granted.frame)),
                subject: stream.mediaType ?? "", frame: stream.lastFrame)
        } else {
            judgement.pass()
        }
    }
}
