import WeirEngine
import WeirPackets

/// RTSP-CLEN-PRESENT: a body has a Content-Length.
///
/// A message with a body must have Content-Length (RFC 2326 §12.14, also §9.2); without it a length of zero is assumed,
/// so that the body is parsed as the next message.
struct RTSPContentLengthPresent: Rule {
    static let info = RuleInfo(
        "RTSP-CLEN-PRESENT", .error, .must, reference: "RFC 2326 §12.14",
        check: "A message with a body has a numeric Content-Length.",
        example: "RTSP/1.0 200 OK\nContent-Type: application/sdp\n\nv=0 …")

    static var sorts: MessageSorts { .rtspBody }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        let subject = message.method ?? step.request?.method ?? ""
        if message.oddities.contains(.contentLengthNotNumber) {
            let sent = message.head.first(.contentLength) ?? ""
            judgement.fail(Text("RTSP-CLEN-PRESENT.notNumber", .wire(sent)), actual: .wire(sent), subject: subject)
        } else if message.bodyLength > 0, message.contentLength == nil {
            judgement.fail(
                Text("RTSP-CLEN-PRESENT.missing", .wire(subject), .integer(message.bodyLength)),
                expected: .wire("Content-Length: \(message.bodyLength)"), subject: subject)
        } else if message.bodyLength > 0 {
            judgement.pass()
        }
    }
}

/// RTSP-CLEN-MATCH: Content-Length matches the body.
///
/// Content-Length counts the octets of the body (RFC 2326 §4.4). It is wrong if a message starts within it, or if the
/// description in the body continues beyond it.
struct RTSPContentLengthMatch: Rule {
    static let info = RuleInfo(
        "RTSP-CLEN-MATCH", .error, .plain, reference: "RFC 2326 §4.4",
        check: "Content-Length is the number of octets before the next message.",
        example: "Content-Length: 512\n\n(508 octets, then the next RTSP/1.0 200 OK)")

    static var sorts: MessageSorts { .rtspBody }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, let length = message.contentLength else { return }
        guard message.bodyDelta != 0 else {
            judgement.pass()
            return
        }
        let key = message.bodyDelta > 0 ? "RTSP-CLEN-MATCH.longer" : "RTSP-CLEN-MATCH.shorter"
        judgement.fail(
            Text(key, .integer(length), .integer(message.bodyLength), .integer(abs(message.bodyDelta))),
            expected: .wire("Content-Length: \(message.bodyLength)"), actual: .wire("Content-Length: \(length)"),
            subject: message.method ?? step.request?.method ?? "")
    }
}

/// RTSP-CTYPE: a body has a Content-Type.
///
/// 1. A message with a body SHOULD have a Content-Type (RFC 2068 §7.2.1, adopted by RFC 2326 §8.2).
/// 2. The DESCRIBE response has a type that the client accepts (RFC 2326 §12.1); some cameras omit it.
struct RTSPContentType: Rule {
    static let info = RuleInfo(
        "RTSP-CTYPE", .warning, .should, reference: "RFC 2068 §7.2.1",
        check: "A body has a Content-Type, and a description has one that the client accepts.",
        example: "DESCRIBE … Accept: application/sdp\nRTSP/1.0 200 OK … Content-Type: text/plain")

    static var sorts: MessageSorts { .rtspBody }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.bodyLength > 0 else { return }
        let method = message.method ?? step.request?.method ?? ""
        guard let type = message.contentType, !type.isEmpty else {
            judgement.fail(
                Text("RTSP-CTYPE.missing", .wire(method)), quirk: method == "DESCRIBE" ? "Q-BASE" : nil,
                subject: method)
            return
        }
        if let (request, _) = step.accepted(.describe), !Self.accepts(request.accept, type) {
            judgement.fail(
                Text("RTSP-CTYPE.notAccepted", .wire(type), .wire(request.accept.joined(separator: ", "))),
                expected: .wire(request.accept.joined(separator: ", ")), actual: .wire(type),
                reference: "RFC 2326 §12.1", subject: method)
        } else {
            judgement.pass()
        }
    }

    /// Whether a list of media ranges (RFC 2068 §14.1) includes `type`; an empty list accepts everything.
    private static func accepts(_ ranges: [String], _ type: String) -> Bool {
        ranges.isEmpty
            || ranges.contains { range in
                let name = TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(range, at: ASCII.semicolon).0))
                if name == type || name == "*/*" || name == "*" { return true }
                return name.hasSuffix("/*") && type.hasPrefix(name.dropLast())
            }
    }
}
