public import WeirEngine
import WeirPackets

/// The parts of a request that tell why it was refused.
package struct RefusedRequest: Sendable, Hashable {
    /// The method.
    package var method: String
    /// The path that it names, without host and query.
    package var path: String
    /// The media type of its body, in lower case.
    package var mediaType: String?
    /// Whether it has an Authorization header.
    package var hasCredentials: Bool
    /// The frame that brought its first octet.
    package var firstFrame: Int?
}

/// An HTTP/1 request or response: start line and header fields (RFC 2068 §4 to §6).
public struct HTTPMessage: Message, Equatable {
    /// The first line.
    public enum StartLine: Sendable, Hashable {
        /// What is asked, of which resource.
        case request(method: String, target: String, version: String)
        /// How it went.
        case response(version: String, status: Int, reason: String)
    }

    /// The first line.
    public var startLine: StartLine
    /// The first line as sent, and the fields with their places.
    public var headers: HeaderBlock
    /// Octets of the body, when they are known.
    public var bodyLength: Int?
    /// What this step does, when the carrier knows.
    public var note: Text?
    /// Whether octets are missing before it, so that it is not known which answer belongs to which request.
    public var isUnpaired = false
    /// The subprotocols of WebSocket that the request offered which it answers: one of them may be a token.
    package var offeredSubprotocols: [String] = []
    /// Whether its target, or its Location, is the address of what the server made for one client: who knows it can change
    /// and end that.
    package var hidesResource = false
    /// The frame that brought its first octet, when it is known.
    public var firstFrame: Int?
    /// The request that a refusal answers, where both are captured.
    package var refused: RefusedRequest?

    /// Reads a message from its header block; nil when the start line is not one of HTTP/1.
    public init?(_ headers: HeaderBlock, bodyLength: Int? = nil, note: Text? = nil) {
        let words = TextSyntax.words(headers.startLine)
        guard words.count >= 2, let first = words.first, let last = words.last else { return nil }
        if TextSyntax.hasPrefix(first, "HTTP/") {
            guard let status = TextSyntax.decimal(words[1]), status < 1000 else { return nil }
            startLine = .response(version: first, status: status, reason: words[2...].joined(separator: " "))
        } else {
            guard words.count >= 3, TextSyntax.hasPrefix(last, "HTTP/1."), first.utf8.allSatisfy(TextSyntax.isToken)
            else { return nil }
            let target = words[1..<(words.count - 1)].joined(separator: " ")
            startLine = .request(method: first, target: target, version: last)
        }
        self.headers = headers
        self.bodyLength = bodyLength
        self.note = note
    }

    /// Whether it is a request.
    public var isRequest: Bool {
        if case .request = startLine { true } else { false }
    }
    /// The method of a request.
    public var method: String? {
        if case .request(let method, _, _) = startLine { method } else { nil }
    }
    /// The target of a request, as sent.
    public var target: String? {
        if case .request(_, let target, _) = startLine { target } else { nil }
    }
    /// The status code of a response.
    ///
    /// It is not inlined because the optimizer of Swift 6.3.1 fails on it where the message comes in an optional tuple.
    @inline(never)
    public var status: Int? {
        if case .response(_, let status, _) = startLine { status } else { nil }
    }
    /// The reason phrase of a response.
    public var reason: String? {
        if case .response(_, _, let reason) = startLine { reason } else { nil }
    }

    /// The place in `target`, without scheme, host and query.
    static func path(_ target: String) -> String {
        var rest = target[...]
        if let end = TextSyntax.endOfScheme(target) {
            rest = target[end...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        return String(rest.prefix { $0 != "?" && $0 != "#" })
    }

    /// `http`.
    public var protocolName: String { "http" }
    /// `request` or `response`.
    public var kind: String { isRequest ? "request" : "response" }

    /// The start line without its version.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch startLine {
        case .request(let method, let target, _): Wording(verbatim: "\(method) \(shown(target, secrets))")
        case .response(_, let status, let reason):
            Wording(verbatim: reason.isEmpty ? "\(status)" : "\(status) \(secrets.apply(reason: reason))")
        }
    }

    private func shown(_ target: String, _ secrets: SecretPolicy) -> String {
        hidesResource ? secrets.apply(resource: target) : secrets.apply(target: target)
    }

    /// The members of the report's `fields`.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("method", method)
        fields.add("target", target.map { shown($0, secrets) })
        fields.add("status", status)
        let resource = hidesResource ? headers.first("location") ?? target ?? "" : nil
        let headers = headers.fields.map {
            $0.shown(secrets, offered: offeredSubprotocols, resource: resource)
        }
        fields.add("headers", .array(headers))
        fields.add("bodyLength", bodyLength)
        return fields
    }
}
