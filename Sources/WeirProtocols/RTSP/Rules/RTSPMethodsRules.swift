import WeirEngine
import WeirPackets

/// RTSP-PUBLIC: the server lists its methods.
///
/// A response to OPTIONS lists the supported methods in Public (RFC 2326 §10.1, RFC 2068 §14.35; a server must be able
/// to send it, RFC 2326 §D.2). A server must support SETUP, TEARDOWN, OPTIONS, and PLAY or RECORD (§10 table 2, §D.2).
/// A list without OPTIONS, as in the RFC's own example, is a note. Each list is checked once.
struct RTSPPublic: Rule {
    static let info = RuleInfo(
        "RTSP-PUBLIC", .warning, .plain, reference: "RFC 2326 §10.1",
        check: "The response to OPTIONS lists at least SETUP, TEARDOWN, and PLAY or RECORD in Public.",
        example: "OPTIONS *\nRTSP/1.0 200 OK … (no Public)")

    private var judged: [String]?

    static var sorts: MessageSorts { .rtspOptionsAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (_, answer) = step.accepted(.options) else { return }
        let methods = answer.publicMethods
        guard methods != judged else { return }
        judged = methods
        guard !methods.isEmpty else {
            judgement.fail(Text("RTSP-PUBLIC.missing"), expected: .wire("Public: OPTIONS, SETUP, TEARDOWN, PLAY"))
            return
        }
        var missing = ["SETUP", "TEARDOWN"].filter { !methods.contains($0) }
        if !methods.contains("PLAY"), !methods.contains("RECORD") { missing.append("PLAY") }
        var list: String { methods.joined(separator: ", ") }
        if !missing.isEmpty {
            judgement.fail(
                Text("RTSP-PUBLIC.incomplete", .string(missing.joined(separator: ", "))), actual: .wire(list),
                subject: missing.joined(separator: " "))
        } else if !methods.contains("OPTIONS") {
            judgement.fail(Text("RTSP-PUBLIC.withoutOptions"), actual: .wire(list), severity: .note)
        } else {
            judgement.pass()
        }
    }
}

/// RTSP-PUBLIC-LIE: the list of methods is correct.
///
/// 1. A method in Public is not rejected with 405 or 501 (RFC 2326 §10.1, §11).
/// 2. After a 501 the client should not use the method with this server again (§10); after a 405, not for this
///    resource.
/// 3. A client uses only listed methods; since a list may omit common ones (RFC 2068 §14.35), using others is only a
///    note.
struct RTSPPublicLie: Rule {
    static let info = RuleInfo(
        "RTSP-PUBLIC-LIE", .warning, .should, reference: "RFC 2326 §10",
        check: "A listed method is not rejected, and a rejected method is not retried.",
        example: "Public: … PAUSE\nPAUSE … → 405 Method Not Allowed")

    private var listed: [String] = []
    /// Rejected methods, with the resource if it was a 405.
    private var refused: Recent<String, Int> = Recent(limit: 32)
    private var unlisted = Habits()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let request = step.clientRequest {
            asked(request, step, &judgement)
        } else if !step.isFromClient, let (request, answer) = step.answered {
            answered(request, answer, &judgement)
        }
    }

    private mutating func asked(_ request: RTSPMessage, _ step: Step, _ judgement: inout Judgement) {
        guard let method = request.method else { return }
        if !refused.isEmpty, let status = refused[method] ?? refused["\(method) \(request.uri ?? "")"] {
            judgement.fail(
                Text("RTSP-PUBLIC-LIE.triedAgain", .wire(method), .integer(status)), subject: method)
        } else if !listed.isEmpty, !listed.contains(method), request.knownMethod != .options {
            guard unlisted.isNews(method, step.event) else { return }
            judgement.fail(
                Text("RTSP-PUBLIC-LIE.unlisted", .wire(method)),
                expected: .wire(listed.joined(separator: ", ")), actual: .wire(method), severity: .note,
                reference: "RFC 2326 §10.1", subject: method)
        }
    }

    private mutating func answered(_ request: RTSPMessage, _ answer: RTSPMessage, _ judgement: inout Judgement) {
        guard let method = request.method, let status = answer.status else { return }
        if request.knownMethod == .options, answer.isSuccess, !answer.publicMethods.isEmpty {
            listed = answer.publicMethods
        }
        // The resource does not support the method, or the server.
        guard status == 405 || status == 501 else {
            if listed.contains(method) { judgement.pass() }
            return
        }
        refused[status == 501 ? method : "\(method) \(request.uri ?? "")"] = status
        guard listed.contains(method) else { return }
        judgement.fail(
            Text("RTSP-PUBLIC-LIE.refused", .wire(method), .integer(status)), actual: .integer(status, answer),
            quirk: method == "SET_PARAMETER" ? "Q-KEEPALIVE" : nil, reference: "RFC 2326 §10.1", subject: method)
    }
}

/// RTSP-METHOD-501: the response to an unknown method.
///
/// A server that does not implement a method must respond with 501 (RFC 2326 §10). Checked for methods that no
/// specification defines; one that the server supports is an extension. Authentication, session and resource errors
/// take precedence over the method and are not checked.
struct RTSPMethod501: Rule {
    static let info = RuleInfo(
        "RTSP-METHOD-501", .warning, .must, reference: "RFC 2326 §10",
        check: "The response to an unknown method is 501, not another error and not silence.",
        example: "JUMP rtsp://… → 400 Bad Request")

    private static let earlier: Set = [401, 403, 404, 407, 454, 503, 505]

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard !step.isFromClient, let (request, answer) = step.answered, request.knownMethod == nil,
            let method = request.method, let status = answer.status
        else { return }
        if status == 501 {
            judgement.pass()
        } else if status < 400 || Self.earlier.contains(status) {
            judgement.notApplicable()
        } else {
            judgement.fail(
                Text("RTSP-METHOD-501.otherStatus", .wire(method), .integer(status)),
                expected: .wire("501 Not Implemented"), actual: .integer(status, answer), subject: method)
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let pending = (session as? RTSPSession)?.pending else { return }
        for request in pending where request.direction == .clientToServer {
            guard request.message.knownMethod == nil, let method = request.message.method else { continue }
            if session.completeness.isComplete {
                judgement.fail(
                    Text("RTSP-METHOD-501.silence", .wire(method), .integer(request.frame)),
                    expected: .wire("501 Not Implemented"), subject: method, frame: request.frame)
            } else {
                judgement.inconclusive(
                    Text("RTSP-METHOD-501.inconclusive", .wire(method)), subject: method, frame: request.frame)
            }
        }
    }
}

extension Text {
    /// The status code and reason of a response.
    static func integer(_ status: Int, _ answer: RTSPMessage) -> Text {
        .wire("\(status) \(answer.reason ?? "")")
    }
}
