import WeirEngine
import WeirPackets

/// A parameter of a challenge or of credentials.
public struct AuthenticationParameter: Sendable, Hashable {
    /// The name as sent.
    public var name: String
    /// The value without quotation marks.
    public var value: String
    /// Whether the value was quoted.
    public var isQuoted: Bool
}

/// A challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 2068 §11).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme, such as `Digest`.
    public var scheme: String
    /// The parameters, in order.
    public var parameters: [AuthenticationParameter]
    /// The realm (protection space) of the challenge.
    public var realm: String? { self["realm"] }

    /// The value of the parameter named `name`, ignoring case.
    public subscript(name: String) -> String? {
        parameters.first { ASCII.equalIgnoringCase($0.name, name) }?.value
    }

    /// Parses the challenges of one header value.
    ///
    /// Commas separate both parameters and challenges, and some servers omit them between two challenges; so every word
    /// not followed by `=` starts a new challenge.
    public static func list(_ value: String) -> [AuthenticationChallenge] {
        AuthenticationReader.read(value).map { AuthenticationChallenge(scheme: $0.scheme, parameters: $0.parameters) }
    }
}

/// The credentials of `Authorization` or `Proxy-Authorization` (RFC 2068 §11).
public struct AuthenticationCredentials: Sendable, Hashable {
    /// The scheme, such as `Basic`.
    public var scheme: String
    /// The parameters, in order; none for `Basic`.
    public var parameters: [AuthenticationParameter]
    /// The text after the scheme if it is not a parameter list: for `Basic`, user name and password in base64.
    public var token: String?

    /// The user name, of `Digest` or from the base64 of `Basic`.
    public var username: String? {
        if let name = self["username"] { return name }
        guard ASCII.equalIgnoringCase(scheme, "Basic"), let token else { return nil }
        let decoded = String(decoding: Base64.decode(token.utf8), as: UTF8.self)
        return TextSyntax.pair(decoded, at: ASCII.colon).0
    }
    /// The URI used in the digest.
    public var uri: String? { self["uri"] }
    /// The realm (protection space).
    public var realm: String? { self["realm"] }
    /// The server's nonce.
    public var nonce: String? { self["nonce"] }
    /// The digest: a secret.
    public var response: String? { self["response"] }

    /// The value of the parameter named `name`, ignoring case.
    public subscript(name: String) -> String? {
        parameters.first { ASCII.equalIgnoringCase($0.name, name) }?.value
    }

    /// Parses the header value; returns nil if it is empty.
    public init?(_ value: String) {
        let text = TextSyntax.trim(value)
        guard !text.isEmpty else { return nil }
        let blank = text.utf8.firstIndex(where: TextSyntax.isBlank) ?? text.endIndex
        scheme = String(text[..<blank])
        let rest = TextSyntax.trim(text[blank...])
        if ASCII.equalIgnoringCase(scheme, "Digest") || rest.utf8.contains(ASCII.quote) {
            parameters = AuthenticationReader.read(text).first?.parameters ?? []
        } else {
            parameters = []
            token = rest.isEmpty ? nil : rest
        }
    }

    /// Returns the scheme, masked if unknown, since some clients send only the secret.
    func shownScheme(_ secrets: SecretPolicy) -> String {
        Self.schemes.contains(TextSyntax.lowercased(scheme)) ? scheme : secrets.apply(scheme)
    }

    /// Returns the header value with the proof of the password masked: all but the scheme and the `Digest` parameters
    /// that the server needs to look up the password.
    static func masked(_ value: String) -> String {
        guard let credentials = AuthenticationCredentials(value) else { return value }
        let mask = SecretPolicy.mask
        let scheme = credentials.shownScheme(.masked)
        let isClosed = value.utf8.count { $0 == ASCII.quote }.isMultiple(of: 2)
        guard credentials.token == nil, isClosed, ASCII.equalIgnoringCase(scheme, "Digest") else {
            return scheme == mask ? mask : "\(scheme) \(mask)"
        }
        let parameters = credentials.parameters.map { parameter in
            let isPlain = Self.plainParameters.contains(TextSyntax.lowercased(parameter.name))
            let shown = isPlain ? SecretPolicy.masked.apply(uri: parameter.value) : mask
            return parameter.isQuoted ? "\(parameter.name)=\"\(shown)\"" : "\(parameter.name)=\(shown)"
        }
        return "\(scheme) " + parameters.joined(separator: ", ")
    }

    /// `Digest` parameters that prove nothing (RFC 2617 §3.2.2, RFC 7616 §3.4).
    private static let plainParameters: Set = [
        "username", "username*", "userhash", "realm", "nonce", "uri", "algorithm", "cnonce", "opaque", "qop", "nc",
    ]

    /// Known schemes, in lower case.
    private static let schemes: Set = [
        "basic", "digest", "bearer", "negotiate", "ntlm", "oauth", "hoba", "mutual", "hawk", "token", "apikey", "dpop",
        "aws4-hmac-sha256", "scram-sha-1", "scram-sha-256",
    ]
}

/// Parses `scheme name=value, name="value" scheme …`.
private struct AuthenticationReader {
    typealias Group = (scheme: String, parameters: [AuthenticationParameter])
    private var octets: ArraySlice<UInt8>

    static func read(_ value: String) -> [Group] {
        var reader = AuthenticationReader(octets: Array(value.utf8)[...])
        var groups: [Group] = []
        while let word = reader.word() {
            reader.skip(TextSyntax.isBlank)
            guard reader.octets.first == ASCII.equals else {
                groups.append((word, []))
                continue
            }
            reader.octets = reader.octets.dropFirst()
            let (value, isQuoted) = reader.value()
            if groups.isEmpty { groups.append(("", [])) }
            groups[groups.count - 1].parameters.append(
                AuthenticationParameter(name: word, value: value, isQuoted: isQuoted))
        }
        return groups
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        octets = octets.drop(while: isSkipped)
    }

    private mutating func take(_ isTaken: (UInt8) -> Bool) -> String {
        let taken = octets.prefix(while: isTaken)
        octets = octets[taken.endIndex...]
        return String(decoding: taken, as: UTF8.self)
    }

    /// Returns the next word, skipping characters that cannot start one.
    private mutating func word() -> String? {
        skip { !TextSyntax.isToken($0) }
        return octets.isEmpty ? nil : take(TextSyntax.isToken)
    }

    private mutating func value() -> (String, Bool) {
        skip(TextSyntax.isBlank)
        guard octets.first == ASCII.quote else {
            return (take { $0 != ASCII.comma && !TextSyntax.isBlank($0) }, false)
        }
        octets = octets.dropFirst()
        var value: [UInt8] = []
        while let octet = octets.popFirst(), octet != ASCII.quote {
            value.append(octet == 0x5C ? octets.popFirst() ?? octet : octet)
        }
        return (String(decoding: value, as: UTF8.self), true)
    }
}
