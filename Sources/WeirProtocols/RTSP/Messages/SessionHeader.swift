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
        guard value.hasOctet(ASCII.semicolon) else {
            identifier = TextSyntax.trim(value)
            return
        }
        if let (end, seconds) = Self.plainTimeout(value) {
            identifier = TextSyntax.trim(value[..<end])
            timeoutSeconds = seconds
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

    /// Returns the end of the identifier and the timeout if nothing but `;timeout=` and digits follows, as in most responses.
    private static func plainTimeout(_ value: String) -> (end: String.Index, seconds: Int)? {
        let found = value.withOctets { octets -> (end: Int, seconds: Int)? in
            var end = 0
            while end < octets.count, octets[end] != ASCII.semicolon {
                if octets[end] == ASCII.quote { return nil }
                end &+= 1
            }
            var index = end &+ 1
            for octet in "timeout=".utf8 {
                guard index < octets.count, octets[index] == octet else { return nil }
                index &+= 1
            }
            guard index < octets.count else { return nil }
            var seconds = 0
            while index < octets.count {
                guard ASCII.isDigit(octets[index]), seconds < 1_000_000 else { return nil }
                seconds = seconds &* 10 &+ Int(octets[index] & 15)
                index &+= 1
            }
            return (end, seconds)
        }
        return found.map { (value.utf8.index(value.startIndex, offsetBy: $0.end), $0.seconds) }
    }
}
