import WeirPackets

/// The treatment of passwords, digest responses, stream keys and ICE passwords.
public enum SecretPolicy: Sendable {
    /// Secrets are replaced by `***`.
    case masked
    /// Secrets are shown (`--reveal-secrets`).
    case revealed

    /// The replacement for secrets.
    public static let mask = "***"

    /// Returns the secret or the mask.
    public func apply(_ secret: String) -> String {
        self == .revealed ? secret : Self.mask
    }

    /// Returns the URI with the password of its user information (RFC 3986 §3.2.1) and the values of secret parameters
    /// masked.
    public func apply(uri: String) -> String {
        self == .masked ? SecretScan.mask(uri, isURI: true) : uri
    }

    /// Returns the octets of a URI, masked like `apply(uri:)`.
    package func apply(uri octets: [UInt8]) -> [UInt8] {
        self == .masked ? SecretScan.masked(octets[...], isURI: true) ?? octets : octets
    }

    /// Returns a text with the values of secret names masked, and the secrets of URIs in it.
    public func apply(text: String) -> String {
        self == .masked ? SecretScan.mask(text, isURI: false) : text
    }

    /// Returns a peer's reason phrase, which may repeat an id or token, masked like other text, and with each word
    /// masked that looks like a key.
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

    /// Masks the bytes written since `start`, like `apply(text:)`.
    package func apply(_ octets: inout [UInt8], from start: Int) {
        guard self == .masked, let shown = SecretScan.masked(octets[start...], isURI: false) else { return }
        octets.replaceSubrange(start..., with: shown)
    }

    /// Returns a percent-decoded text (RFC 3986 §2.1), including repeated encoding.
    package static func decoded(_ text: String) -> String {
        String(decoding: DecodedOctets(Array(text.utf8)).octets, as: UTF8.self)
    }

    /// Returns the decoded bytes with their positions in the text, or nil if it contains neither `%`
    /// nor `+`.
    package static func decodedWithPlaces(_ text: [UInt8]) -> DecodedOctets? {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return nil }
        return DecodedOctets(text)
    }

    /// Whether the URI contains a password or token.
    package static func containsSecret(uri: String) -> Bool { SecretScan.containsSecret(uri: uri) }
}
