import Crypto
package import WeirEngine
import WeirPackets

/// The opening handshake (RFC 6455 §4): the fields of the HTTP request and response.
package struct WebSocketUpgrade: Message, Hashable {
    /// The GUID that the server appends to the client's key before hashing (RFC 6455 §1.3).
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The request target.
    package var target: String?
    /// The client's protocol version (RFC 6455 §4.1).
    package var version: String?
    /// `Sec-WebSocket-Key` of the client.
    package var key: String?
    /// `Sec-WebSocket-Accept` of the server.
    package var accept: String?
    /// The subprotocols that the client offers (RFC 6455 §11.3.4).
    package var offeredProtocols: [String]
    /// The subprotocol that the server selects.
    package var subprotocol: String?
    /// The extensions that the client offers, with their parameters.
    package var offeredExtensions: [String]
    /// The extensions that the server accepts.
    package var extensions: [String]
    /// Whether the request was captured.
    package var hasRequest: Bool

    /// Parses the HTTP messages of the handshake; nil if the response is missing.
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

    /// The correct `Sec-WebSocket-Accept` for the client's key (RFC 6455 §4.2.2): the hash, in base64.
    package var expectedAccept: String? {
        key.map { key in Base64.encode(Insecure.SHA1.hash(data: Array((key + Self.suffix).utf8))) }
    }
    /// Whether `Sec-WebSocket-Accept` is correct, or nil if the key was not captured.
    package var isAcceptRight: Bool? { expectedAccept.map { $0 == accept } }

    /// The negotiated compression parameters (RFC 7692 §7.1), or nil without compression.
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
    /// The protocol name, `websocket`.
    package var protocolName: String { "websocket" }
    /// The kind of message: `upgrade`.
    package var kind: String { "upgrade" }

    /// Returns the negotiated parameters.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "upgraded"
        if let target { words += " at \(secrets.apply(uri: target))" }
        if let subprotocol = shown(secrets) { words += ", subprotocol \(subprotocol)" }
        if !extensions.isEmpty { words += ", \(extensions.joined(separator: ", "))" }
        return words
    }

    /// An explanation of the step.
    package var note: Text? { Text(compression == nil ? "websocket.upgrade" : "websocket.upgrade.compressed") }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("target", target.map { secrets.apply(uri: $0) })
        fields.add("version", version)
        fields.add("subprotocol", shown(secrets))
        if !extensions.isEmpty { fields.add("extensions", .array(extensions.map { .string($0) })) }
        fields.add("acceptValid", isAcceptRight)
        return fields
    }

    /// Returns the subprotocol, masked where it contains the client's token.
    private func shown(_ secrets: SecretPolicy) -> String? {
        guard secrets == .masked, let subprotocol else { return subprotocol }
        return SubprotocolSecrets.shown(subprotocol, among: offeredProtocols)
    }

    /// Returns the view that rules use.
    package func view(of event: Event) -> AnyObject? { WebSocketStep(self) }
}
