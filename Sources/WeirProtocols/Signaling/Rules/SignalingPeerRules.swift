import WeirEngine
import WeirPackets

/// SIG-LOGIN-FIRST: who has to log in does so before anything else.
///
/// The server gives a peer its id in the answer to its login: what is sent before says 0, or nothing, and reaches nobody.
/// Judged on connections on which a login was seen, and what comes early only where the login is answered: many servers give
/// no ids. Heartbeats need none.
struct SIGLoginFirst: Rule {
    static let info = RuleInfo(
        "SIG-LOGIN-FIRST", .error, .profile, reference: "practice",
        check: "Nothing but login is sent before the answer to it, and ids are not 0.",
        example: "{\"type\":\"login\"}\n{\"type\":\"icecandidate\",\"destination\":0,…}")
    static let observes = ["signaling"]

    private enum State {
        /// A login waits for its answer; what was sent meanwhile.
        case asked(early: [Early])
        case isIn
    }
    private struct Early {
        var kind: String
        var frame: Int
        var destination: String?
    }
    private static let mostEarly = 32
    private var states = Recent<Int, State>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.carrier != .http else { return }
        let flow = step.event.flow
        guard step.event.direction == .clientToServer else {
            hear(message, step, &judgement)
            return judgement.notApplicable()
        }
        switch message.purpose {
        case .login:
            if states[flow] == nil { states[flow] = .asked(early: []) }
            judgement.pass()
        case .offer, .answer, .candidate, .endOfCandidates: judge(message, states[flow], step, &judgement)
        default: judgement.notApplicable()
        }
    }

    /// The server's first word after the login answers it, unless it is what another peer says.
    private mutating func hear(_ message: SignalingMessage, _ step: Step, _ judgement: inout Judgement) {
        guard case .asked(let early) = states[step.event.flow], message.purpose != .heartbeat else { return }
        states[step.event.flow] = .isIn
        switch message.purpose {
        case .offer, .answer, .candidate, .endOfCandidates: return
        default: break
        }
        for sent in early {
            // The answer to the login may be in a gap before this.
            guard !Self.mayHaveMissed(step) else {
                judgement.inconclusive(Text("SIG-LOGIN-FIRST.undecided"), subject: sent.kind, frame: sent.frame)
                continue
            }
            judgement.fail(
                Text("SIG-LOGIN-FIRST.early"), actual: sent.destination.map { .wire($0) }, subject: sent.kind,
                frame: sent.frame)
        }
    }

    private static func mayHaveMissed(_ step: Step) -> Bool {
        step.completeness.map { $0.startsLate || $0.hasGap || $0.isOneSided } ?? true
    }

    private mutating func judge(
        _ message: SignalingMessage, _ state: State?, _ step: Step, _ judgement: inout Judgement
    ) {
        let nobody = message.profile?.nobody ?? ["0"]
        let isNobody =
            message.envelope.to.map(nobody.contains) == true || message.envelope.from.map(nobody.contains) == true
        let needsLogin = message.profile?.needsLogin == true && !Self.mayHaveMissed(step)
        switch state {
        case .asked(var early) where !isNobody:
            if early.count < Self.mostEarly {
                early.append(Early(kind: message.kind, frame: step.event.frame, destination: message.envelope.to))
                states[step.event.flow] = .asked(early: early)
            }
        case nil where needsLogin: judgement.fail(Text("SIG-LOGIN-FIRST.never"), subject: message.kind)
        case nil: judgement.notApplicable()
        case .asked, .isIn:
            guard isNobody else { return judgement.pass() }
            judgement.fail(
                Text("SIG-LOGIN-FIRST.nobody"), actual: message.envelope.to.map { .wire($0) }, subject: message.kind)
        }
    }
}

/// SIG-ROUTE: messages say truly who sends them, and to whom.
///
/// A server that routes by id delivers nothing, or to a stranger, when a client writes another id than its own, or its own
/// as the destination. Which id is its own is told by what the server sends to it; a connection on which the server
/// addresses several is one between servers, and not judged.
struct SIGRoute: Rule {
    static let info = RuleInfo(
        "SIG-ROUTE", .error, .profile, reference: "practice",
        check: "A client's messages have its own id as their source, and another as their destination.",
        example: "{\"source\":7,\"destination\":7,…}")
    static let observes = ["signaling"]
    private var own = Recent<Int, Set<String>>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.isEvidence else { return judgement.notApplicable() }
        let flow = step.event.flow
        let (from, to) = (message.envelope.from, message.envelope.to)
        guard step.event.direction == .clientToServer else {
            if let to, (own[flow]?.count ?? 0) < 8 { own[flow] = (own[flow] ?? []).union([to]) }
            return judgement.notApplicable()
        }
        guard let from, let to else { return judgement.notApplicable() }
        if from == to, from != "0" {
            return judgement.fail(Text("SIG-ROUTE.self", .wire(to)), actual: .wire(to), subject: "destination")
        }
        guard let known = own[flow], known.count == 1, let id = known.first, id != "0", from != "0" else {
            return judgement.pass()
        }
        guard from != id else { return judgement.pass() }
        judgement.fail(Text("SIG-ROUTE.source"), expected: .wire(id), actual: .wire(from), subject: "source")
    }
}

/// SIG-HEARTBEAT: a side that sends heartbeats goes on with them.
///
/// The other side gives the connection up after a time that a profile names. Without one, a pause counts that is longer
/// than the limit and three times longer than those before it.
struct SIGHeartbeat: Rule {
    static let longest = RuleLimit("SIG-HEARTBEAT.longest", 10, "s")
    static let info = RuleInfo(
        "SIG-HEARTBEAT", .warning, .profile, needsFullCapture: true, reference: "practice",
        check: "Heartbeats of a side follow each other within the time that the other waits.",
        example: "{\"type\":\"heartbeat\"} … 12 s … {\"type\":\"heartbeat\"}", limits: [longest])
    static let observes = ["signaling"]

    private struct Beats {
        var last: Timestamp
        var usual: Double?
    }
    private var beats = Recent<SignalingSpeaker, Beats>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.carrier != .http else { return }
        let time = step.event.time
        guard let known = beats[step.speaker] else {
            if message.purpose == .heartbeat { beats[step.speaker] = Beats(last: time, usual: nil) }
            return judgement.notApplicable()
        }
        let pause = Double(time.nanoseconds &- known.last.nanoseconds) / 1e9
        guard message.purpose == .heartbeat else { return judgement.notApplicable() }
        beats[step.speaker] = Beats(last: time, usual: min(pause, known.usual ?? pause))
        let longest: Double
        if let timeout = message.profile?.heartbeatTimeout {
            longest = timeout
        } else {
            guard let usual = known.usual else { return judgement.notApplicable() }
            longest = max(judgement.limit(Self.longest), 3 * usual)
        }
        guard pause > longest else { return judgement.pass() }
        judgement.fail(
            Text("SIG-HEARTBEAT.pause", .decimal(pause, places: 1)),
            expected: .wire("≤ \(rounded(longest, places: 0)) s"),
            actual: .wire("\(rounded(pause, places: 1)) s"), subject: "heartbeat")
    }
}

/// SIG-RECONNECT: a client has one connection to its server.
///
/// One that logs in again on another connection before the former is given up makes a server close the one or the other,
/// or deliver everything twice; several in a short time are a storm. Judged in one session, by who logs in.
struct SIGReconnect: Rule {
    static let within = RuleLimit("SIG-RECONNECT.within", 10, "s")
    static let info = RuleInfo(
        "SIG-RECONNECT", .note, .practice, reference: "practice",
        check: "A client does not log in on several connections within a short time.",
        example: "login (connection 1)\nlogin (connection 2, 1 s later)", limits: [within])
    static let observes = ["signaling"]

    private struct Login {
        var flow: Int
        var time: Timestamp
    }
    private var logins = Recent<String, Login>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.signaling, message.purpose == .login, message.carrier != .http,
            step.event.direction == .clientToServer
        else { return }
        let client = "\(step.event.source.address) \(message.envelope.from ?? "") \(message.envelope.call ?? "")"
        let before = logins[client]
        logins[client] = Login(flow: step.event.flow, time: step.event.time)
        guard let before, before.flow != step.event.flow else { return judgement.pass() }
        let pause = Double(step.event.time.nanoseconds &- before.time.nanoseconds) / 1e9
        guard pause < judgement.limit(Self.within) else { return judgement.pass() }
        judgement.fail(Text("SIG-RECONNECT.again", .decimal(pause, places: 1)), subject: "login")
    }
}
