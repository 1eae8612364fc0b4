import WeirPackets

/// The `Session` header (RFC 2326 §12.37, RFC 7826 §18.49).
public struct SessionHeader: Sendable, Hashable {
    /// The session identifier.
    public var identifier: String
    /// The session timeout, in seconds, if present.
    public var timeoutSeconds: Int?
    /// The value as sent.
    public var raw: String

    /// Parses the header value.
    public init(_ value: String) {
        raw = value
        // Without parameters, as in most requests.
        guard value.utf8.contains(ASCII.semicolon) else {
            identifier = TextSyntax.trim(value)
            return
        }
        let octets = Array(value.utf8)
        var parts = TextSyntax.parts(of: octets, at: ASCII.semicolon)
        identifier = TextSyntax.text(octets, parts.next() ?? 0..<0)
        while let part = parts.next() {
            let (name, text) = TextSyntax.pair(TextSyntax.text(octets, part))
            guard ASCII.equalIgnoringCase(TextSyntax.trim(name), "timeout"), timeoutSeconds == nil else { continue }
            let digits = TextSyntax.trim(text ?? "").utf8.prefix(while: ASCII.isDigit)
            timeoutSeconds = TextSyntax.decimal(String(decoding: digits, as: UTF8.self))
        }
    }
}
