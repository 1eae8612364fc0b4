import WeirPackets

/// What to do with passwords, digest responses, stream keys and ICE passwords.
public enum SecretPolicy: Sendable {
    /// They are replaced by `***`.
    case masked
    /// They are shown (`--reveal-secrets`).
    case revealed

    /// What stands in place of a secret.
    public static let mask = "***"

    /// The secret, or the mask.
    public func apply(_ secret: String) -> String {
        self == .revealed ? secret : Self.mask
    }

    /// The URI with the password of its user information masked (RFC 3986 §3.2.1), and the values of secret
    /// parameters.
    public func apply(uri: String) -> String {
        self == .masked ? SecretParameters.hide(in: Self.hideUserPassword(uri)) : uri
    }

    /// A text in which URIs may stand: each of them masked, and the values of secret parameters everywhere.
    public func apply(text: String) -> String {
        guard self == .masked, text.utf8.contains(ASCII.colon) || text.utf8.contains(ASCII.equals) else { return text }
        var shown = ""
        var word = ""
        for letter in text {
            guard letter.isWhitespace || letter == "\"" || letter == "<" || letter == ">" else {
                word.append(letter)
                continue
            }
            shown += apply(uri: word) + String(letter)
            word = ""
        }
        return SecretParameters.hide(in: shown + apply(uri: word))
    }

    /// Whether the URI holds a password or a token.
    package static func holdsSecret(uri: String) -> Bool { masked.apply(uri: uri) != uri }

    /// The user name stays: it tells which account was used. The password of `rtsp://user:pass@host/` is what stands
    /// between the first `:` of the user information and the last `@` before the path.
    private static func hideUserPassword(_ uri: String) -> String {
        guard uri.utf8.contains(UInt8(ascii: "@")) else { return uri }
        let octets = Array(uri.utf8)
        guard let scheme = octets.firstRange(of: Array("://".utf8)) else { return uri }
        let authorityEnd =
            octets[scheme.upperBound...].firstIndex { $0 == ASCII.slash || $0 == UInt8(ascii: "?") } ?? octets.endIndex
        let authority = octets[scheme.upperBound..<authorityEnd]
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<at].firstIndex(of: ASCII.colon)
        else { return uri }
        return String(decoding: octets[...colon] + Array(mask.utf8) + octets[at...], as: UTF8.self)
    }
}
