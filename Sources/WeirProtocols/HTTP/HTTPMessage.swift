public import WeirEngine
import WeirPackets

/// The parts of a request that explain its rejection.
package struct RefusedRequest: Sendable, Hashable {
    /// The method.
    package var method: String
    /// The path, without host and query.
    package var path: String
    /// The media type of the body, in lower case.
    package var mediaType: String?
    /// Whether there is an Authorization header.
    package var hasCredentials: Bool
    /// The frame with the first byte.
    package var firstFrame: Int?
}

/// An HTTP/1 request or response: start line and header fields (RFC 2068 §4 to §6).
public struct HTTPMessage: Message, Equatable {
    /// The start line.
    public enum StartLine: Sendable, Hashable {
        /// A request line.
        case request(method: String, target: String, version: String)
        /// A status line.
        case response(version: String, status: Int, reason: String)
    }

    /// The start line.
    public var startLine: StartLine
    /// The start line as sent, and the fields with their offsets.
    public var headers: HeaderBlock
    /// The length of the body in bytes, if known.
    public var bodyLength: Int?
    /// An explanation of the step, if the carrier provides one.
    public var note: Text?
    /// Whether data before the message is missing, so that responses cannot be matched to requests.
    public var isUnpaired = false
    /// For a response, the WebSocket subprotocols of its request; one of them may be a token.
    package var offeredSubprotocols: [String] = []
    /// Whether the target or Location is the URL of a resource created for one client: whoever knows it can change and
    /// end the resource.
    package var hidesResource = false
    /// The frame with the first byte, if known.
    public var firstFrame: Int?
    /// The rejected request, for an error response, if both are captured.
    package var refused: RefusedRequest?

    /// Creates a message from its header block; returns nil if the start line is not HTTP/1.
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

    /// Whether the message is a request.
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
    /// Not inlined: the optimizer of Swift 6.3.1 fails where the message is part of an optional tuple.
    @inline(never)
    public var status: Int? {
        if case .response(_, let status, _) = startLine { status } else { nil }
    }
    /// The reason phrase of a response.
    public var reason: String? {
        if case .response(_, _, let reason) = startLine { reason } else { nil }
    }

    /// Returns the path in `target`, without scheme, host and query.
    static func path(_ target: String) -> String {
        var rest = target[...]
        if let end = TextSyntax.endOfScheme(target) {
            rest = target[end...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        return String(rest.prefix { $0 != "?" && $0 != "#" })
    }

    /// The protocol name, `http`.
    public var protocolName: String { "http" }
    /// The message kind, `request` or `response`.
    public var kind: String { isRequest ? "request" : "response" }

    /// The start line without the version.
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

    /// The members of `fields` in the report.
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
