import WeirEngine

/// WHIP-POST: an offer is sent with POST, and the 201 response contains the answer and the session URL.
///
/// The client sends its offer as `application/sdp`. A server that accepts it MUST respond 201 with the SDP answer of
/// the same type, and with a Location that identifies the session (RFC 9725 §4.2).
struct WHIPPost: WHIPRule {
    static let info = RuleInfo(
        "WHIP-POST", .error, .must, reference: "RFC 9725 §4.2",
        check: "POST has application/sdp, and succeeds with 201, application/sdp and Location.",
        example: "HTTP/1.1 200 OK\nContent-Type: application/sdp")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip, message.purpose == .negotiation, message.isSuccess, let request = message.request
        else { return }
        var isKept = true
        func fail(_ key: String, expected: String, actual: String?) {
            isKept = false
            judgement.fail(Text(key), expected: .wire(expected), actual: actual.map { .wire($0) }, subject: key)
        }
        let asked = request.headers.first("content-type")
        if HTTPInterest.mediaType(request) != "application/sdp" {
            fail("WHIP-POST.offerType", expected: "application/sdp", actual: asked)
        }
        if message.http.status != 201 {
            fail("WHIP-POST.status", expected: "201 Created", actual: message.http.status.map { "\($0)" })
        }
        if HTTPInterest.mediaType(message.http) != "application/sdp" {
            fail(
                "WHIP-POST.answerType", expected: "application/sdp", actual: message.http.headers.first("content-type"))
        }
        if message.http.headers.first("location") == nil {
            fail("WHIP-POST.location", expected: "Location", actual: nil)
        }
        if isKept { judgement.pass() }
    }
}

/// WHIP-DIR: media is sent from the client to the server.
///
/// The client SHOULD offer `sendonly` and MAY offer `sendrecv`; it MUST NOT offer `recvonly` or `inactive`. The server
/// MUST answer `recvonly` (RFC 9725 §4.2). Players, which offer `recvonly` to another endpoint, use WHEP and are not
/// evaluated.
struct WHIPDirection: WHIPRule {
    static let info = RuleInfo(
        "WHIP-DIR", .error, .must, reference: "RFC 9725 §4.2",
        check: "A WHIP offer is sendonly or sendrecv, and its answer recvonly.", example: "POST /whip … a=recvonly")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip, message.purpose == .negotiation, let content = message.content,
            message.isPublishing
        else { return }
        let isOffer = message.http.isRequest
        let wanted = content.media.enumerated().filter {
            $0.element.port != 0 || $0.element.attributes.has("bundle-only")
        }
        let wrong = wanted.first { _, medium in
            let direction = medium.direction ?? content.direction ?? .sendrecv
            guard medium.isRTP else { return false }
            return isOffer
                ? direction == .recvonly || direction == .inactive : direction != .recvonly && direction != .inactive
        }
        guard let (index, medium) = wrong else { return judgement.pass() }
        judgement.fail(
            Text(isOffer ? "WHIP-DIR.offer" : "WHIP-DIR.answer", .integer(index + 1), .string(medium.type)),
            expected: .wire(isOffer ? "sendonly" : "recvonly"),
            actual: .wire((medium.direction ?? content.direction ?? .sendrecv).rawValue), subject: "m\(index)")
    }
}

/// WHIP-CANDS: the answer contains all candidates of the server.
///
/// The server SHALL gather its candidates before it answers, since it cannot send any later (RFC 9725 §4.3.2).
struct WHIPCandidates: WHIPRule {
    static let info = RuleInfo(
        "WHIP-CANDS", .warning, .must, reference: "RFC 9725 §4.3.2",
        check: "The answer in the 201 response has candidates.", example: "201 … a=ice-ufrag:8hhY … (no a=candidate)")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip, message.purpose == .negotiation, message.isSuccess, let content = message.content
        else { return }
        guard !content.has(.tooManyLines) else { return judgement.inconclusive(Text("SDP.tooManyLines")) }
        guard content.hasCandidates || content.attributes.has("candidate") else {
            return judgement.fail(Text("WHIP-CANDS.none"))
        }
        judgement.pass()
    }
}

/// WHIP-BUNDLE: all media of an offer share one transport, and form one stream.
///
/// Offers use BUNDLE for all sections and `rtcp-mux` in each; sections that are not `bundle-only` have `rtcp-mux-only`
/// (RFC 9725 §4.4.1). There is one stream, with at most one track of each kind (§4.4.2). Hardly any client sends
/// `rtcp-mux-only`, and servers do not require it: its absence is a note.
struct WHIPBundle: WHIPRule {
    static let info = RuleInfo(
        "WHIP-BUNDLE", .error, .must, reference: "RFC 9725 §4.4.1",
        check: "Offers bundle all media, multiplex RTCP, and have at most one stream, with one track of each kind.",
        example: "m=audio … m=video … (no a=group:BUNDLE)")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip, message.http.isRequest, let content = message.content, message.isPublishing
        else { return }
        let media = content.media.filter { $0.isRTP }
        var faults: [(key: String, severity: Severity?, reference: String?)] = []
        let bundle = content.bundle
        if media.count > 1, !media.allSatisfy({ medium in medium.mid.map { bundle.contains($0) } ?? false }) {
            faults.append(("WHIP-BUNDLE.group", nil, nil))
        }
        if !media.allSatisfy({ $0.rtcpMux || $0.attributes.has("rtcp-mux-only") }) {
            faults.append(("WHIP-BUNDLE.mux", nil, nil))
        } else if !media.allSatisfy({ $0.attributes.has("rtcp-mux-only") || $0.attributes.has("bundle-only") }) {
            faults.append(("WHIP-BUNDLE.muxOnly", .note, nil))
        }
        let streams = Set(media.compactMap { $0.msid.map { TextSyntax.words($0).first ?? "" } })
        if streams.count > 1 { faults.append(("WHIP-BUNDLE.streams", nil, "RFC 9725 §4.4.2")) }
        if Set(media.map(\.type)).count < media.count { faults.append(("WHIP-BUNDLE.tracks", nil, "RFC 9725 §4.4.2")) }
        for fault in faults {
            judgement.fail(Text(fault.key), severity: fault.severity, reference: fault.reference, subject: fault.key)
        }
        if faults.isEmpty { judgement.pass() }
    }
}

/// WHIP-REDIRECT: a POST is not redirected in a way that may drop its body.
///
/// After 301 and 302 a client may continue with GET: an endpoint MUST NOT use them for the POST; 307 SHOULD be used for
/// load balancing (RFC 9725 §4.5).
struct WHIPRedirect: WHIPRule {
    static let info = RuleInfo(
        "WHIP-REDIRECT", .error, .must, reference: "RFC 9725 §4.5",
        check: "The POST of an offer is redirected with 307 or 308, never with 301 or 302.",
        example: "HTTP/1.1 302 Found")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.whip, message.purpose == .negotiation, let status = message.http.status,
            (300..<400).contains(status)
        else { return }
        guard status == 301 || status == 302 || status == 303 else { return judgement.pass() }
        judgement.fail(Text("WHIP-REDIRECT.status"), expected: .wire("307"), actual: .wire("\(status)"))
    }
}
