import WeirEngine
import WeirPackets

/// SIG-LOGIN-FIRST: a peer that must log in does so before anything else.
///
/// The server assigns an ID in the response to the login: earlier messages contain 0, or no ID, and are not delivered.
/// Evaluated on connections with a login, and for early messages only if the login is answered: many servers assign no
/// IDs. Heartbeats are exempt.
struct SIGLoginFirst: Rule {
    static let info = RuleInfo(
        "SIG-LOGIN-FIRST", .error, .profile, reference: "practice",
        check: "Only the login is sent before the response to it, and IDs are not 0.",
        example: "{\"type\":\"login\"}\n{\"type\":\"icecandidate\",\"destination\":0,…}")
    static let observes = ["signaling"]

    private enum State {
        /// A login is pending, with the messages sent meanwhile.
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

    /// The server's first message after the login is the response, unless it is forwarded from another peer.
    private mutating func hear(_ message: SignalingMessage, _ step: Step, _ judgement: inout Judgement) {
        guard case .asked(let early) = states[step.event.flow], message.purpose != .heartbeat else { return }
        states[step.event.flow] = .isIn
        switch message.purpose {
        case .offer, .answer, .candidate, .endOfCandidates: return
        default: break
        }
        for sent in early {
            // The response to the login may be in an earlier gap.
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

/// SIG-ROUTE: sender and recipient of messages are correct.
///
/// A server that routes by ID does not deliver, or delivers to another peer, if a client uses a sender ID other than
/// its own, or its own as the recipient. The recipient in the server's messages is the client's ID; a connection with
/// several is one between servers, and not evaluated.
struct SIGRoute: Rule {
    static let info = RuleInfo(
        "SIG-ROUTE", .error, .profile, reference: "practice",
        check: "The source of a client's message is its own ID, and the destination is another.",
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

/// SIG-HEARTBEAT: a side that sends heartbeats continues to do so.
///
/// The other side closes the connection after a timeout that a profile sets. Without a profile, a violation is a pause
/// longer than the limit and three times longer than those before it.
struct SIGHeartbeat: Rule {
    static let longest = RuleLimit("SIG-HEARTBEAT.longest", 10, "s")
    static let info = RuleInfo(
        "SIG-HEARTBEAT", .warning, .profile, needsFullCapture: true, reference: "practice",
        check: "The heartbeats of a side arrive within the other side's timeout.",
        example: "{\"type\":\"heartbeat\"} … 12 s … {\"type\":\"heartbeat\"}", limits: [longest])
    static let observes = ["signaling"]

    private struct Beats {
        var last: Timestamp
        var usual: Double?
    }
    private var beats = Recent<SignalingSender, Beats>(limit: 64)

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
/// If a client logs in again on another connection before the first is closed, the server closes one of them, or
/// delivers everything twice; several in a short time are a storm. Evaluated within a session, by the login ID.
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
