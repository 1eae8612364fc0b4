import WeirEngine

/// WHIP-DELETE: a session ends with DELETE.
///
/// To end a session the client MUST send DELETE to the URL of the Location, which may be relative to that of the endpoint
/// (RFC 9725 §4.2). Otherwise the server detects the end only by the loss of consent.
struct WHIPDelete: WHIPRule {
    static let info = RuleInfo(
        "WHIP-DELETE", .warning, .must, needsFullCapture: true, reference: "RFC 9725 §4.2",
        check: "An established session ends with DELETE of its Location.", example: "201 Created … (no DELETE)")

    private var made: Int?
    /// The path of the session.
    private var resource: String?
    private var isEnded = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        if message.purpose == .negotiation, message.isSuccess, message.resource != nil {
            (made, resource) = (step.event.frame, message.resource)
        }
        guard message.purpose == .end else { return }
        if message.http.isRequest, made != nil, !isEnded {
            if let resource, let path = message.resource, path != resource {
                judgement.fail(Text("WHIP-DELETE.other"), subject: "other")
            } else {
                judgement.pass()
            }
        }
        isEnded = true
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let made, !isEnded else { return }
        judgement.fail(Text("WHIP-DELETE.none"), frame: made)
    }
}

/// WHIP-PATCH: trickled candidates have the right media type and generation, and are accepted with 204.
///
/// The body of PATCH is `application/trickle-ice-sdpfrag`; If-Match MUST be present if the 201 had an ETag (RFC 9725
/// §4.3.1). The response to candidates is 204, without body and ETag; 428 means that If-Match is missing, 412 that it
/// does not match, 422 that PATCH is not supported for this (§4.3.2).
struct WHIPPatch: WHIPRule {
    static let info = RuleInfo(
        "WHIP-PATCH", .error, .must, reference: "RFC 9725 §4.3.1",
        check: "PATCH has its media type, and If-Match if there is an ETag; candidates are answered with 204 alone.",
        example: "PATCH /resource/1 … Content-Type: application/json")

    private var tag: String?
    /// The username fragment of the session.
    private var fragment: String?
    /// Whether the latest PATCH contains nothing but candidates of the session.
    private var isTrickle = false

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        if message.http.isRequest { note(message) }
        if message.isSuccess, let new = message.http.headers.first("etag"), message.purpose != .end { tag = new }
        guard message.purpose == .update else { return }
        if message.http.isRequest { judge(request: message, &judgement) } else { judge(answer: message, &judgement) }
    }

    private mutating func note(_ message: WHIPMessage) {
        if let offered = message.content?.firstFragment { fragment = offered }
        let new = message.fragment?.firstFragment
        isTrickle = message.purpose == .update && message.fragment != nil && fragment != nil && new == fragment
        if message.purpose == .update, let new { fragment = new }
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
        guard message.http.status == 204 else {
            guard isTrickle, message.isSuccess, let status = message.http.status else { return }
            return judgement.fail(
                Text("WHIP-PATCH.status", .integer(status)), expected: .wire("204"), actual: .wire("\(status)"),
                reference: "RFC 9725 §4.3.2", subject: "answer")
        }
        guard message.bodyOctets > 0 || message.http.headers.first("etag") != nil else { return judgement.pass() }
        judgement.fail(Text("WHIP-PATCH.answer"), reference: "RFC 9725 §4.3.2", subject: "answer")
    }
}

/// WHIP-RESTART: an ICE restart replaces the previous ICE session, whatever its ETag.
///
/// PATCH with a new username fragment is a restart. If-Match MUST be `*`, with or without quotation marks; on success
/// the response is 200 with a new ETag and a fragment with the server's new credentials (RFC 9725 §4.3.3).
struct WHIPRestart: WHIPRule {
    static let info = RuleInfo(
        "WHIP-RESTART", .error, .must, reference: "RFC 9725 §4.3.3",
        check: "An ICE restart has If-Match *, and succeeds with 200, a new ETag and new credentials.",
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

/// WHIP-AUTH: either all requests contain a token, or none does.
///
/// A client with a token MUST send it as Bearer in each request except CORS preflight requests; one without a token
/// MUST NOT send the field (RFC 9725 §4.7.1). Only requests that the server accepted are evaluated: a client that
/// repeats a rejected request with a token behaves as intended.
struct WHIPAuthorization: WHIPRule {
    static let info = RuleInfo(
        "WHIP-AUTH", .warning, .must, reference: "RFC 9725 §4.7.1",
        check: "Every request of a session has Authorization: Bearer, or none does.",
        example: "POST … Authorization: Bearer …\nDELETE … (without)")

    /// Whether the accepted requests contain a token, or nil before the first of them.
    private var hasToken: Bool?

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip else { return }
        guard message.http.isRequest else {
            // Browsers send preflight OPTIONS requests without a token.
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
