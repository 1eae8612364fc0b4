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
        self == .masked ? SecretScan.mask(uri, isURI: true) : uri
    }

    /// A text in which URIs may stand: each of them masked, and the values of secret names everywhere.
    public func apply(text: String) -> String {
        self == .masked ? SecretScan.mask(text, isURI: false) : text
    }

    /// Words that a peer gives for a reason, in which it may repeat an id or a token: masked as any text, and each word that
    /// looks like a key.
    package func apply(reason: String) -> String {
        guard self == .masked else { return reason }
        let octets = Array(apply(text: reason).utf8)
        let words = octets.split(omittingEmptySubsequences: false) { !SecretScan.isName($0) && !"+~".utf8.contains($0) }
        var shown: [UInt8] = []
        for word in words {
            let isKey = !word.contains(SecretScan.point) && SecretScan.isBareKey(word)
            shown += isKey ? Array(Self.mask.utf8)[...] : word
            if word.endIndex < octets.count { shown.append(octets[word.endIndex]) }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Masks what was written since `start`, as `apply(text:)` does.
    package func apply(_ octets: inout [UInt8], from start: Int) {
        guard self == .masked, let shown = SecretScan.masked(octets[start...], isURI: false) else { return }
        octets.replaceSubrange(start..., with: shown)
    }

    /// A text with percent-encoding undone (RFC 3986 §2.1), also where it was applied several times over.
    package static func decoded(_ text: String) -> String {
        String(decoding: DecodedOctets(Array(text.utf8)).octets, as: UTF8.self)
    }

    /// The same of octets, and of what stands there the place in the text; nil where nothing is encoded, but blanks.
    package static func decodedWithPlaces(_ text: [UInt8]) -> DecodedOctets? {
        guard text.contains(where: { "%+".utf8.contains($0) }) else { return nil }
        return DecodedOctets(text)
    }

    /// Whether the URI holds a password or a token.
    package static func holdsSecret(uri: String) -> Bool { SecretScan.holdsSecret(uri: uri) }
}
