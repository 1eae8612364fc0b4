import WeirEngine
import WeirPackets

/// RTSP-UNANSWERED: every request is answered.
///
/// The recipient of a request acknowledges it (RFC 2326 §9.2), and every request has a response (§12.17). A response
/// after more than 10 seconds is a warning: most clients have timed out by then. An unanswered TEARDOWN is a note,
/// since many clients close the connection without waiting for the response.
struct RTSPUnanswered: Rule {
    static let info = RuleInfo(
        "RTSP-UNANSWERED", .error, .plain, needsFullCapture: true, reference: "RFC 2326 §12.17",
        check: "Each request gets a response before the connection closes, and within 10 seconds.",
        example: "DESCRIBE … CSeq: 2\n(the server closes the connection)", limits: [longest])

    private static let longest = RuleLimit("RTSP-UNANSWERED.longest", 10, "s")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, _) = step.answered, let exchange = step.event.answers else { return }
        let seconds = Double(exchange.latency) / 1_000_000_000
        guard seconds > judgement.limit(Self.longest) else {
            judgement.pass()
            return
        }
        let method = request.method ?? ""
        judgement.fail(
            Text("RTSP-UNANSWERED.late", .wire(method), .decimal(seconds, places: 1)), severity: .warning,
            subject: method)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        // An answer in another protocol is one.
        guard let rtsp = session as? RTSPSession, !rtsp.pending.isEmpty, rtsp.marks.otherProtocol == nil else { return }
        let pending = rtsp.pending
        guard session.completeness.isComplete else {
            judgement.inconclusive(
                Text("RTSP-UNANSWERED.inconclusive", .integer(pending.count)), frame: pending.first?.frame)
            return
        }
        for request in pending {
            let method = request.message.method ?? ""
            if session.completeness.mayLackEnd(of: request.direction.opposite) {
                judgement.inconclusive(Text("RTSP-UNANSWERED.unseen", .wire(method)), frame: request.frame)
                continue
            }
            if let number = request.message.cseq, rtsp.mayBeAnswered(number) {
                judgement.inconclusive(Text("RTSP-UNANSWERED.before", .wire(method)), frame: request.frame)
                continue
            }
            judgement.fail(
                Text("RTSP-UNANSWERED.never", .wire(method), .integer(request.frame)),
                severity: method == "TEARDOWN" ? .note : nil, subject: method, frame: request.frame)
        }
    }
}

/// RTSP-TIMESTAMP-ECHO: the client's timestamp is returned.
///
/// The server MUST repeat it unchanged, and MAY append its own delay (RFC 2326 §12.38). Error responses need not
/// contain it.
struct RTSPTimestampEcho: Rule {
    static let info = RuleInfo(
        "RTSP-TIMESTAMP-ECHO", .error, .must, reference: "RFC 2326 §12.38",
        check: "The response to a request with Timestamp repeats its value.",
        example: "OPTIONS * … Timestamp: 1470807662.5\n200 OK … Timestamp: 1470807663")

    static var sorts: MessageSorts { .rtspTimestamp }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.answered, let asked = request.timestamp,
            let value = TextSyntax.words(asked).first
        else { return }
        guard let given = answer.timestamp else {
            if answer.isSuccess {
                judgement.fail(
                    Text("RTSP-TIMESTAMP-ECHO.missing", .wire(value)), expected: .wire("Timestamp: \(value)"),
                    subject: request.method ?? "")
            } else {
                judgement.notApplicable()
            }
            return
        }
        if TextSyntax.words(given).first == value {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-TIMESTAMP-ECHO.other", .wire(value), .wire(given)), expected: .wire("Timestamp: \(value)"),
                actual: .wire("Timestamp: \(given)"), subject: request.method ?? "")
        }
    }
}

/// RTSP-REQUIRE-551: unsupported features are listed.
///
/// The options of Require that the server does not support MUST be listed in Unsupported (RFC 2326 §12.32), with status
/// 551 (§11.3.14).
struct RTSPRequire551: Rule {
    static let info = RuleInfo(
        "RTSP-REQUIRE-551", .error, .must, reference: "RFC 2326 §12.32",
        check: "The response to an unsupported required option is 551, with the option in Unsupported.",
        example: "SETUP … Require: funky-feature\nRTSP/1.0 551 Option not supported (no Unsupported)")

    static var sorts: MessageSorts { .rtspRequire }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.answered else { return }
        let asked = request.require + request.proxyRequire
        let unsupported = answer.unsupported
        guard !asked.isEmpty || answer.status == 551 else { return }
        if answer.status == 551, unsupported.isEmpty {
            judgement.fail(
                Text("RTSP-REQUIRE-551.unnamed"), expected: .wire("Unsupported: \(asked.joined(separator: ", "))"),
                reference: "RFC 2326 §11.3.14", subject: "unnamed")
        } else if !unsupported.isEmpty, answer.status != 551 {
            judgement.fail(
                Text(
                    "RTSP-REQUIRE-551.status", .wire(unsupported.joined(separator: ", ")),
                    .integer(answer.status ?? 0)),
                expected: .wire("551 Option not supported"), actual: .integer(answer.status ?? 0, answer),
                reference: "RFC 2326 §11.3.14", subject: "status")
        } else if answer.status == 551 || answer.isSuccess {
            judgement.pass()
        } else {
            judgement.notApplicable()
        }
    }
}
