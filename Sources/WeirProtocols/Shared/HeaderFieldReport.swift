import WeirEngine

extension HeaderField {
    /// `[name, value]`, secrets masked: credentials, keys, and what URIs hold of them.
    ///
    /// - Parameters:
    ///   - offered: the subprotocols of WebSocket that the request offered, in an answer.
    ///   - resource: the address of what a server made for one client, where the message tells it.
    func shown(_ secrets: SecretPolicy, offered: [String] = [], resource: String? = nil) -> FieldValue {
        if resource != nil, ["location", "content-location"].contains(TextSyntax.lowercased(name)) {
            return .array([.string(name), .string(secrets.apply(resource: value))])
        }
        let shown = shownValue(secrets, offered: offered)
        return .array([.string(name), .string(resource.map { secrets.hide(resource: $0, in: shown) } ?? shown)])
    }

    /// The value, secrets masked.
    func shownValue(_ secrets: SecretPolicy, offered: [String] = []) -> String {
        guard secrets == .masked else { return value }
        switch TextSyntax.lowercased(name) {
        case "authorization", "proxy-authorization": return AuthenticationCredentials.masked(value)
        case "sec-websocket-protocol":
            return offered.isEmpty
                ? SubprotocolSecrets.shown(value: value) : SubprotocolSecrets.shown(value, among: offered)
        case "location", "content-location", "content-base": return secrets.apply(uri: value)
        case let name where SecretNames.isSecret(name): return SecretPolicy.mask
        default: return secrets.apply(text: value)
        }
    }
}
