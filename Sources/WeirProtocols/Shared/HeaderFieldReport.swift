import WeirEngine

extension HeaderField {
    /// `[name, value]`, secrets masked: credentials, keys, and what URIs hold of them.
    ///
    /// - Parameter offered: the subprotocols of WebSocket that the request offered, in an answer.
    func shown(_ secrets: SecretPolicy, offered: [String] = []) -> FieldValue {
        .array([.string(name), .string(shownValue(secrets, offered: offered))])
    }

    /// The value, secrets masked.
    func shownValue(_ secrets: SecretPolicy, offered: [String] = []) -> String {
        guard secrets == .masked else { return value }
        switch TextSyntax.lowercased(name) {
        case "authorization", "proxy-authorization": return AuthenticationCredentials.masked(value)
        case "sec-websocket-protocol":
            return offered.isEmpty
                ? SubprotocolSecrets.shown(value: value) : SubprotocolSecrets.shown(value, among: offered)
        case let name where SecretNames.isSecret(name): return SecretPolicy.mask
        default: return secrets.apply(text: value)
        }
    }
}
