import WeirEngine

/// WHIP-DELETE: a session ends with DELETE.
///
/// To end a session the client MUST send DELETE to the URL of the Location (RFC 9725 §4.2). A client that goes without it
/// leaves the server to find out by the loss of consent.
struct WHIPDelete: WHIPRule {
    static let info = RuleInfo(
        "WHIP-DELETE", .warning, .must, needsFullCapture: true, reference: "RFC 9725 §4.2",
        check: "A session that was made ends with DELETE of its Location.", example: "201 Created … (no DELETE)")

    private var made: Int?
    private var isEnded = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        if message.purpose == .negotiation, message.isSuccess, message.resource != nil { made = step.event.frame }
        guard message.purpose == .end else { return }
        if message.http.isRequest, made != nil, !isEnded { judgement.pass() }
        isEnded = true
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let made, !isEnded else { return }
        judgement.fail(Text("WHIP-DELETE.none"), frame: made)
    }
}

/// WHIP-PATCH: candidates that come later have their type, say to which generation they belong, and are taken with 204.
///
/// The body of PATCH is `application/trickle-ice-sdpfrag`; If-Match MUST be there when the 201 had an ETag (RFC 9725 §4.3.1).
/// The answer to candidates is 204, without body and ETag; 428 says that If-Match is missing, 412 that it does not match,
/// 422 that PATCH is not supported for this (§4.3.2).
struct WHIPPatch: WHIPRule {
    static let info = RuleInfo(
        "WHIP-PATCH", .error, .must, reference: "RFC 9725 §4.3.1",
        check: "PATCH has its media type and If-Match where there is an ETag; candidates are answered with 204 alone.",
        example: "PATCH /resource/1 … Content-Type: application/json")

    private var tag: String?

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        if message.isSuccess, let new = message.http.headers.first("etag"), message.purpose != .end { tag = new }
        guard message.purpose == .update else { return }
        if message.http.isRequest { judge(request: message, &judgement) } else { judge(answer: message, &judgement) }
    }

    private func judge(request message: WHIPMessage, _ judgement: inout Judgement) {
        if HTTPInterest.mediaType(message.http) != "application/trickle-ice-sdpfrag" {
            return judgement.fail(
                Text("WHIP-PATCH.type"), expected: .wire("application/trickle-ice-sdpfrag"),
                actual: message.http.headers.first("content-type").map { .wire($0) }, subject: "type")
        }
        if tag != nil, message.http.headers.first("if-match") == nil {
            return judgement.fail(Text("WHIP-PATCH.ifMatch"), expected: tag.map { .wire($0) }, subject: "ifMatch")
        }
        judgement.pass()
    }

    private func judge(answer message: WHIPMessage, _ judgement: inout Judgement) {
        guard message.http.status == 204 else { return }
        guard message.bodyOctets > 0 || message.http.headers.first("etag") != nil else { return judgement.pass() }
        judgement.fail(Text("WHIP-PATCH.answer"), reference: "RFC 9725 §4.3.2", subject: "answer")
    }
}

/// WHIP-RESTART: a restart of ICE replaces what was agreed on, whatever its version.
///
/// PATCH with a new user name fragment is a restart. If-Match MUST be `*` there, with or without quotation marks; when it
/// succeeds the answer is 200 with a new ETag and a fragment with the server's new credentials (RFC 9725 §4.3.3).
struct WHIPRestart: WHIPRule {
    static let info = RuleInfo(
        "WHIP-RESTART", .error, .must, reference: "RFC 9725 §4.3.3",
        check: "A restart has If-Match *, and its success is 200 with a new ETag and new credentials.",
        example: "PATCH … If-Match: \"first\" … a=ice-ufrag:new1")

    private var fragment: String?
    private var tag: String?
    private var isPending = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        if message.http.isRequest {
            request(message, &judgement)
        } else if message.purpose == .update, isPending {
            isPending = false
            answer(message, &judgement)
        }
        if message.purpose == .negotiation, message.isSuccess { tag = message.http.headers.first("etag") }
    }

    private mutating func request(_ message: WHIPMessage, _ judgement: inout Judgement) {
        if let offered = message.content?.firstFragment { fragment = offered }
        guard message.purpose == .update, let fragment, let new = message.fragment?.firstFragment, new != fragment
        else { return }
        self.fragment = new
        isPending = true
        let match = message.http.headers.first("if-match").map { TextSyntax.unquote($0) }
        if match == "*" { return judgement.pass() }
        judgement.fail(
            Text("WHIP-RESTART.ifMatch"), expected: .wire("*"), actual: match.map { .wire($0) }, subject: "ifMatch")
    }

    private func answer(_ message: WHIPMessage, _ judgement: inout Judgement) {
        guard message.isSuccess else { return }
        if message.fragment == nil, message.bodyOctets == 0, message.http.headers.first("content-length") != "0" {
            return judgement.inconclusive(Text("WHIP-RESTART.undecided"), subject: "answer")
        }
        let new = message.http.headers.first("etag")
        guard message.http.status == 200, message.fragment?.firstFragment != nil, let new, new != tag else {
            return judgement.fail(
                Text("WHIP-RESTART.answer"), expected: .wire("200, ETag, a=ice-ufrag"),
                actual: message.http.status.map { .wire("\($0)") }, subject: "answer")
        }
        judgement.pass()
    }
}

/// WHIP-AUTH: a token goes with every request, or with none.
///
/// A client that was given a token MUST send it as Bearer with each request but those that browsers send ahead; one that
/// was given none MUST NOT send the field (RFC 9725 §4.7.1). What counts are the requests that the server accepted: a
/// client that repeats a refused request with a token does what the refusal asks for.
struct WHIPAuthorization: WHIPRule {
    static let info = RuleInfo(
        "WHIP-AUTH", .warning, .must, reference: "RFC 9725 §4.7.1",
        check: "Authorization: Bearer is in every request of a session, or in none.",
        example: "POST … Authorization: Bearer …\nDELETE … (without)")

    /// Whether the accepted requests carried a token; nil before the first of them.
    private var hasToken: Bool?

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        guard message.http.isRequest else {
            // Browsers send OPTIONS ahead without a token.
            if message.isSuccess, let request = message.request, request.method != "OPTIONS" {
                hasToken = hasToken ?? Self.hasToken(request)
            }
            return
        }
        guard message.http.method != "OPTIONS" else { return }
        let token = Self.hasToken(message.http)
        guard let hasToken, hasToken != token else { return judgement.pass() }
        judgement.fail(Text(token ? "WHIP-AUTH.late" : "WHIP-AUTH.without"), subject: message.http.method ?? "")
    }

    private static func hasToken(_ request: HTTPMessage) -> Bool {
        request.headers.first("authorization").map { TextSyntax.hasPrefix($0, "Bearer ") } ?? false
    }
}
