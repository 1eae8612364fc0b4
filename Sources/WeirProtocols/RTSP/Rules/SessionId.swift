import WeirEngine
import WeirPackets

/// The session IDs that the server assigned in its SETUP responses.
struct KnownSessions {
    /// The latest valid IDs.
    private(set) var current: Recent<String, Bool> = Recent(limit: 16)
    /// IDs ended by TEARDOWN.
    private(set) var ended: Recent<String, Bool> = Recent(limit: 16)
    /// Media of those sessions, by the URIs of accepted SETUPs.
    private var media: Recent<String, String> = Recent(limit: 64)

    /// Updates the IDs from a response.
    mutating func observe(_ step: Step) {
        switch step.acceptedMethod {
        case .setup:
            guard let (request, answer) = step.accepted(.setup), let id = answer.session?.identifier, !id.isEmpty
            else { return }
            current[id] = true
            ended[id] = nil
            if let uri = request.uri { media[uri] = id }
        case .teardown:
            if let (request, _) = step.accepted(.teardown) { end(request) }
        default: break
        }
    }

    /// Ends the session: TEARDOWN of the presentation or of its last medium (RFC 2326 §10.7).
    private mutating func end(_ request: RTSPMessage) {
        let id = request.session?.identifier ?? current.lastKey ?? ""
        if let uri = request.uri, media[uri] == id {
            media[uri] = nil
            if media.values.contains(id) { return }
        }
        media.removeAll { $0 == id }
        current[id] = nil
        ended[id] = true
    }
}

/// RTSP-SESSION-SET: the server assigns an ID.
///
/// The server creates an ID in response to SETUP (RFC 2326 §10.4). It may omit it if it identifies the session by other
/// means (§12.37), so this is a warning; in RTSP 2.0 the ID MUST be returned (RFC 7826 §18.49).
struct RTSPSessionSet: Rule {
    static let info = RuleInfo(
        "RTSP-SESSION-SET", .warning, .plain, reference: "RFC 2326 §10.4",
        check: "The response that accepts SETUP has a Session.",
        example: "SETUP …\nRTSP/1.0 200 OK … (no Session)")

    static var sorts: MessageSorts { .rtspSetupAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (_, answer) = step.accepted(.setup) else { return }
        if let id = answer.session?.identifier, !id.isEmpty {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-SESSION-SET.missing"), severity: answer.isVersion2 ? .error : nil,
                reference: answer.isVersion2 ? "RFC 7826 §18.49" : nil)
        }
    }
}

/// RTSP-SESSION-ECHO: the client repeats the ID.
///
/// Once the client has an ID, each of its requests for the session MUST contain it (RFC 2326 §12.37).
/// 1. Checked are SETUP, PLAY, PAUSE, RECORD, TEARDOWN, GET_PARAMETER and SET_PARAMETER. OPTIONS, DESCRIBE and ANNOUNCE
///    need not relate to the session. A parameter request without the ID is a warning: it may query the server, but
///    does not keep the session alive.
/// 2. An ID that the server never assigned is as wrong as none.
/// 3. `timeout` is only allowed in responses; repeating it is a note.
/// 4. In RTSP 2.0, Pipelined-Requests replaces the ID (RFC 7826 §18.33).
/// 5. A SETUP without the ID for another presentation starts another session (RFC 2326 §10.4), as does one after media
///    was accepted, or for a medium that is set up, if the response has another ID.
struct RTSPSessionEcho: Rule {
    static let info = RuleInfo(
        "RTSP-SESSION-ECHO", .error, .must, reference: "RFC 2326 §12.37",
        check: "Once the server has assigned a session id, every request of the session has it.",
        example: "SETUP → Session: 63A3E5E6;timeout=60\nPLAY … (no Session)")

    /// How requests with a method relate to a session.
    private enum Relation {
        /// They need the ID.
        case session
        /// They may also concern the server.
        case parameters

        init?(_ method: RTSPMethod?) {
            switch method {
            case .setup, .play, .pause, .record, .teardown: self = .session
            case .getParameter, .setParameter: self = .parameters
            default: return nil
            }
        }
    }

    private var known = KnownSessions()
    /// Requests for media that is set up already, whose responses decide: they may begin another session.
    private var undecided: Recent<Int, Int> = Recent(limit: 16)

    static var sorts: MessageSorts { [.rtspRequest, .rtspSetupAnswered, .rtspTeardownAccepted] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if !undecided.isEmpty, let exchange = step.event.answers, let frame = undecided[exchange.requestEvent] {
            undecided[exchange.requestEvent] = nil
            decide(step, exchange, frame, &judgement)
        }
        known.observe(step)
        guard let request = step.clientRequest, Relation(request.knownMethod) != nil, let method = request.method
        else { return }
        guard let id = known.current.lastKey else {
            beforeAny(step, request, method, &judgement)
            return
        }
        guard let sent = request.session, !sent.identifier.isEmpty else {
            guard step.rtspSession?.beginsAnother(request) != true else {
                judgement.notApplicable()
                return
            }
            if request.knownMethod == .setup, step.rtspSession?.mayBeginAgain(request) == true {
                undecided[step.event.id] = step.event.frame
            } else {
                missing(request, method, id, &judgement)
            }
            return
        }
        if known.current[sent.identifier] == nil, known.ended[sent.identifier] == nil {
            if step.mayHaveMissed {
                judgement.inconclusive(Text("RTSP-SESSION-ECHO.inconclusive", .wire(method)), subject: method)
            } else {
                judgement.fail(
                    Text("RTSP-SESSION-ECHO.wrong", .wire(method), .wire(sent.identifier), .wire(id)),
                    expected: .wire("Session: \(id)"), actual: .wire("Session: \(sent.raw)"), subject: method)
            }
        } else if sent.timeoutSeconds != nil {
            judgement.fail(
                Text("RTSP-SESSION-ECHO.timeout", .wire(method)), expected: .wire("Session: \(sent.identifier)"),
                actual: .wire("Session: \(sent.raw)"), severity: .note, subject: method)
        } else {
            judgement.pass()
        }
    }

    private func beforeAny(
        _ step: Step, _ request: RTSPMessage, _ method: String, _ judgement: inout Judgement
    ) {
        if step.mayHaveMissed, request.session == nil, request.knownMethod != .setup {
            judgement.inconclusive(Text("RTSP-SESSION-ECHO.inconclusive", .wire(method)), subject: method)
        } else {
            judgement.notApplicable()
        }
    }

    /// Judges a SETUP without the ID, sent after media was accepted: it is right if it began another session.
    private func decide(_ step: Step, _ exchange: Event.Exchange, _ frame: Int, _ judgement: inout Judgement) {
        guard let request = exchange.request as? RTSPMessage, let id = known.current.lastKey else { return }
        let other = step.accepted(.setup)?.answer.session?.identifier
        if let other, !other.isEmpty, known.current[other] == nil {
            judgement.notApplicable()
        } else {
            missing(request, "SETUP", id, frame: frame, &judgement)
        }
    }

    private func missing(
        _ request: RTSPMessage, _ method: String, _ id: String, frame: Int? = nil, _ judgement: inout Judgement
    ) {
        guard request.head.first(.pipelinedRequests) == nil else {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text("RTSP-SESSION-ECHO.missing", .wire(method), .wire(id)), expected: .wire("Session: \(id)"),
            severity: Relation(request.knownMethod) == .parameters ? .warning : nil, subject: method, frame: frame)
    }
}

/// RTSP-SESSION-STABLE: the server keeps the ID.
///
/// A SETUP with an ID must be added to that session, or rejected with 459 (RFC 2326 §10.4). Some cameras assign a new
/// ID with each SETUP.
struct RTSPSessionStable: Rule {
    static let info = RuleInfo(
        "RTSP-SESSION-STABLE", .warning, .must, reference: "RFC 2326 §10.4",
        check: "The response to a SETUP with a session id has the same id, or is 459.",
        example: "SETUP … Session: 12345678\n200 OK … Session: 87654321")

    static var sorts: MessageSorts { .rtspSetupAnswered }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard !step.isFromClient, let (request, answer) = step.answered, request.knownMethod == .setup,
            let asked = request.session?.identifier, !asked.isEmpty
        else { return }
        if answer.status == 459 {
            judgement.pass()
        } else if answer.isSuccess, let given = answer.session?.identifier, !given.isEmpty {
            if given == asked {
                judgement.pass()
            } else {
                judgement.fail(
                    Text("RTSP-SESSION-STABLE.changed", .wire(asked), .wire(given)),
                    expected: .wire("Session: \(asked)"), actual: .wire("Session: \(given)"), quirk: "Q-SETUP")
            }
        }
    }
}

/// RTSP-SESSION-454: the server checks the ID.
///
/// 454 is the response to a missing, wrong or expired ID (RFC 2326 §11.3.5, §12.37). A server that assigned an ID and
/// then accepts requests without it, or with another, lets anyone control the session; the client's error is
/// RTSP-SESSION-ECHO.
struct RTSPSessionNotFound: Rule {
    static let info = RuleInfo(
        "RTSP-SESSION-454", .warning, .plain, reference: "RFC 2326 §11.3.5",
        check: "The response to a request with a missing or unknown session id is 454.",
        example: "PLAY … (no Session)\nRTSP/1.0 200 OK")

    private static let methods: [RTSPMethod] = [.play, .pause, .record, .teardown]

    private var known = KnownSessions()

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        judge(step, &judgement)
        known.observe(step)
    }

    private func judge(_ step: Step, _ judgement: inout Judgement) {
        guard !known.current.isEmpty, !step.isFromClient, let (request, answer) = step.answered else { return }
        let sent = request.session?.identifier ?? ""
        // The usual case first: the session is known.
        guard known.current[sent] == nil, known.ended[sent] == nil, let method = request.knownMethod,
            Self.methods.contains(method), request.head.first(.pipelinedRequests) == nil
        else { return }
        let name = method.name
        guard !step.mayHaveMissed else {
            judgement.inconclusive(Text("RTSP-SESSION-454.inconclusive", .wire(name)), subject: name)
            return
        }
        if answer.status == 454 {
            judgement.pass()
        } else if answer.isSuccess {
            judgement.fail(
                sent.isEmpty
                    ? Text("RTSP-SESSION-454.missing", .wire(name))
                    : Text("RTSP-SESSION-454.unknown", .wire(name), .wire(sent)),
                expected: .wire("454 Session Not Found"), actual: .integer(answer.status ?? 0, answer), subject: name)
        } else {
            judgement.notApplicable()
        }
    }
}

/// RTSP-SESSION-LENGTH: the ID is hard to guess.
///
/// 1. It MUST be random, and MUST have eight octets or more (RFC 2326 §3.4).
/// 2. Randomness cannot be judged from one value; consecutive numbers, or a small number with leading zeros, are a
///    counter.
/// 3. It consists of letters, digits and `$-_.+` (§3.4); others are a note.
struct RTSPSessionLength: Rule {
    static let info = RuleInfo(
        "RTSP-SESSION-LENGTH", .warning, .must, reference: "RFC 2326 §3.4",
        check: "A session id has at least 8 octets and is not a counter.",
        example: "Session: 1\nSession: 63A3E5E6")

    private var judged: Recent<String, Bool> = Recent(limit: 16)

    static var sorts: MessageSorts { .rtspSetupAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (_, answer) = step.accepted(.setup), let id = answer.session?.identifier, !id.isEmpty else { return }
        let clipped = Text.clip(id)
        guard judged[clipped] == nil else { return }
        let number = TextSyntax.decimal(id, as: UInt64.self)
        let follows = judged.keys.contains { earlier in
            guard let number, let before = TextSyntax.decimal(earlier, as: UInt64.self) else { return false }
            return number > before && number - before <= 16
        }
        judged[clipped] = true
        if id.utf8.count < 8 {
            judgement.fail(
                Text("RTSP-SESSION-LENGTH.short", .wire(id), .integer(id.utf8.count)), actual: .wire(id),
                quirk: step.airPlay, subject: "short")
        } else if follows || number.map({ $0 < 65_536 }) ?? false {
            judgement.fail(Text("RTSP-SESSION-LENGTH.counter", .wire(id)), actual: .wire(id), subject: "counter")
        } else if !id.hasOnly(Self.isAllowed) {
            judgement.fail(
                Text("RTSP-SESSION-LENGTH.characters", .wire(id)), actual: .wire(id), severity: .note,
                subject: "characters")
        } else {
            judgement.pass()
        }
    }

    private static let marks = OctetSet("$-_.+")

    private static func isAllowed(_ octet: UInt8) -> Bool {
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || marks.contains(octet)
    }
}
