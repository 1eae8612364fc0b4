import WeirEngine

/// WS-HANDSHAKE: the response matches the request, and selects from what it offers.
///
/// 1. `Sec-WebSocket-Accept` is the base64 hash of the client's key and a constant (RFC 6455 §4.2.2); otherwise a
///    client MUST fail the connection (§4.1).
/// 2. The request MUST have version 13 (§4.1).
/// 3. On a subprotocol or an extension that the client did not offer, it MUST fail the connection (§4.1).
struct WebSocketHandshakeRule: WebSocketRule {
    static let info = RuleInfo(
        "WS-HANDSHAKE", .error, .must, reference: "RFC 6455 §4.1",
        check: "101 proves the client's key; the version is 13; subprotocol and extensions were offered.",
        example: "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")

    func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let upgrade = step.webSocketUpgrade else { return }
        guard upgrade.hasRequest else {
            return judgement.inconclusive(Text("WS-HANDSHAKE.inconclusive"))
        }
        var isKept = true
        if upgrade.key == nil {
            isKept = false
            judgement.fail(Text("WS-HANDSHAKE.noKey"), subject: "key")
        } else if upgrade.isAcceptRight != true {
            isKept = false
            judgement.fail(
                Text(upgrade.accept == nil ? "WS-HANDSHAKE.noAccept" : "WS-HANDSHAKE.accept"),
                expected: upgrade.expectedAccept.map { .wire($0) }, actual: upgrade.accept.map { .wire($0) },
                reference: "RFC 6455 §4.2.2", subject: "accept")
        }
        if upgrade.version != "13" {
            isKept = false
            judgement.fail(
                Text("WS-HANDSHAKE.version"), expected: .wire("13"), actual: upgrade.version.map { .wire($0) },
                subject: "version")
        }
        if let chosen = upgrade.subprotocol, !upgrade.offeredProtocols.contains(chosen) {
            isKept = false
            let offered = SubprotocolSecrets.shown(upgrade.offeredProtocols)
            judgement.fail(
                Text("WS-HANDSHAKE.subprotocol"), expected: .wire(offered.joined(separator: ", ")),
                actual: .wire(SubprotocolSecrets.shown(chosen)), subject: "subprotocol")
        }
        let offered = upgrade.offeredExtensions.map { Self.name($0) }
        if let foreign = upgrade.extensions.first(where: { !offered.contains(Self.name($0)) }) {
            isKept = false
            judgement.fail(
                Text("WS-HANDSHAKE.extension"), expected: .wire(offered.joined(separator: ", ")),
                actual: .wire(foreign), subject: "extension")
        }
        if isKept { judgement.pass() }
    }

    private static func name(_ text: String) -> String {
        TextSyntax.lowercased(TextSyntax.trim(TextSyntax.pair(text, at: UInt8(ascii: ";")).0))
    }
}
