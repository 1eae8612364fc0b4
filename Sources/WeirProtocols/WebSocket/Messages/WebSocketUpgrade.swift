import Crypto
package import WeirEngine
import WeirPackets

/// The agreement by which a connection became WebSocket (RFC 6455 §4): what was asked for, and what was answered.
package struct WebSocketUpgrade: Message, Hashable {
    /// What the server appends to the client's key before it hashes it (RFC 6455 §1.3).
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The resource.
    package var target: String?
    /// The version that the client speaks (RFC 6455 §4.1).
    package var version: String?
    /// The client's key.
    package var key: String?
    /// The server's proof that it has read the key.
    package var accept: String?
    /// The application protocols that the client offers (RFC 6455 §11.3.4).
    package var offeredProtocols: [String]
    /// The one that the server chose.
    package var subprotocol: String?
    /// The extensions that the client offers, with their parameters.
    package var offeredExtensions: [String]
    /// Those that the server accepts.
    package var extensions: [String]
    /// Whether the capture holds the request.
    package var hasRequest: Bool

    /// Reads the messages that agreed; nil when the answer is not among them.
    init?(_ agreement: [any Message]) {
        let messages = agreement.compactMap { $0 as? HTTPMessage }
        guard let response = messages.last, !response.isRequest else { return nil }
        let request = messages.first { $0.isRequest }
        hasRequest = request != nil
        target = request?.target
        version = request?.headers.first("sec-websocket-version")
        key = request?.headers.first("sec-websocket-key")
        accept = response.headers.first("sec-websocket-accept")
        offeredProtocols = Self.list(request, "sec-websocket-protocol")
        subprotocol = response.headers.first("sec-websocket-protocol")
        offeredExtensions = Self.list(request, "sec-websocket-extensions")
        extensions = Self.list(response, "sec-websocket-extensions")
    }

    private static func list(_ message: HTTPMessage?, _ name: String) -> [String] {
        (message?.headers.all(name) ?? []).flatMap { TextSyntax.split($0, at: ASCII.comma) }
            .map { TextSyntax.trim($0) }.filter { !$0.isEmpty }
    }

    /// What `Sec-WebSocket-Accept` is for the client's key (RFC 6455 §4.2.2): the hash, in base64.
    package var expectedAccept: String? {
        key.map { key in Base64.encode(Insecure.SHA1.hash(data: Array((key + Self.suffix).utf8))) }
    }
    /// Whether the server's proof fits the key; nil when the capture lacks the key.
    package var isAcceptRight: Bool? { expectedAccept.map { $0 == accept } }

    /// The parameters of compression that both sides agreed on (RFC 7692 §7.1); nil when there is none.
    package var compression: [String]? {
        for extensionText in extensions {
            let parts = TextSyntax.split(extensionText, at: ASCII.semicolon).map { TextSyntax.trim($0) }
            if let name = parts.first, ASCII.equalIgnoringCase(name, "permessage-deflate") {
                return parts.dropFirst().map { TextSyntax.lowercased($0) }
            }
        }
        return nil
    }
}

extension WebSocketUpgrade {
    /// `websocket`.
    package var protocolName: String { "websocket" }
    /// `upgrade`.
    package var kind: String { "upgrade" }

    /// What was agreed on.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "upgraded"
        if let target { words += " at \(secrets.apply(uri: target))" }
        if let subprotocol = shown(secrets) { words += ", subprotocol \(subprotocol)" }
        if !extensions.isEmpty { words += ", \(extensions.joined(separator: ", "))" }
        return words
    }

    /// What the step does.
    package var note: Text? { Text(compression == nil ? "websocket.upgrade" : "websocket.upgrade.compressed") }

    /// The members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("target", target.map { secrets.apply(uri: $0) })
        fields.add("version", version)
        fields.add("subprotocol", shown(secrets))
        if !extensions.isEmpty { fields.add("extensions", .array(extensions.map { .string($0) })) }
        fields.add("acceptValid", isAcceptRight)
        return fields
    }

    /// The subprotocol that the server chose, which may be the token that the client has put there.
    private func shown(_ secrets: SecretPolicy) -> String? {
        guard secrets == .masked, let subprotocol else { return subprotocol }
        return SubprotocolSecrets.shown(subprotocol, among: offeredProtocols)
    }

    /// What rules ask of it.
    package func view(of event: Event) -> AnyObject? { WebSocketStep(self) }
}
