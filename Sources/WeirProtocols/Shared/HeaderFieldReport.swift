import WeirEngine

extension HeaderField {
    /// Returns `[name, value]` with secrets masked: credentials, keys, and those in URIs.
    ///
    /// - Parameters:   - offered: the WebSocket subprotocols of the request, for a response.   - resource: the URL of a
    ///   resource that the server created for one client, if the message contains it.
    func shown(_ secrets: SecretPolicy, offered: [String] = [], resource: String? = nil) -> FieldValue {
        if resource != nil, ["location", "content-location"].contains(TextSyntax.lowercased(name)) {
            return .array([.string(name), .string(secrets.apply(resource: value))])
        }
        let shown = shownValue(secrets, offered: offered)
        return .array([.string(name), .string(resource.map { secrets.hide(resource: $0, in: shown) } ?? shown)])
    }

    /// Returns the value with secrets masked.
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
