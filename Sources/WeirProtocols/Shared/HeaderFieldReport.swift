import WeirEngine

extension HeaderField {
    /// `[name, value]`, secrets masked: credentials, keys, and what URIs hold of them.
    func shown(_ secrets: SecretPolicy) -> FieldValue {
        .array([.string(name), .string(shownValue(secrets))])
    }

    /// The value, secrets masked.
    func shownValue(_ secrets: SecretPolicy) -> String {
        guard secrets == .masked else { return value }
        switch TextSyntax.lowercased(name) {
        case "authorization", "proxy-authorization": return AuthenticationCredentials.masked(value)
        case "sec-websocket-protocol": return SubprotocolSecrets.shown(value: value)
        case let name where SecretNames.isSecret(name): return SecretPolicy.mask
        default: return secrets.apply(text: value)
        }
    }
}
