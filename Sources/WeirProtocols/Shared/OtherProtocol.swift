import WeirPackets

/// A protocol in which a server answers a client of another one: it listens on the port, or in front of it.
package enum OtherProtocol: Sendable, Hashable {
    /// HTTP, with its status line.
    case http(statusLine: String)
    /// TLS (RFC 8446 §5.1): a record with an alert or of the handshake.
    case tls
    /// SSH, with its identification (RFC 4253 §4.2).
    case ssh(identification: String)

    /// The maximum number of octets of a first line.
    private static let longestLine = 80

    /// Recognizes the first octets of a server.
    package init?(_ bytes: RawSpan) {
        guard let first = bytes.uint32(at: 0) else { return nil }
        switch first {
        case 0x4854_5450:  // HTTP
            guard bytes.byte(at: 4) == ASCII.slash else { return nil }
            self = .http(statusLine: Self.line(bytes))
        case 0x5353_482D: self = .ssh(identification: Self.line(bytes))  // SSH-
        default:
            // Alert or handshake, major version 3.
            guard first >> 24 == 21 || first >> 24 == 22, first >> 16 & 0xFF == 3, first >> 8 & 0xFF <= 4 else {
                return nil
            }
            self = .tls
        }
    }

    private static func line(_ bytes: RawSpan) -> String {
        var end = 0
        while end < longestLine, let octet = bytes.byte(at: end), octet >= ASCII.space, octet < 0x7F { end &+= 1 }
        return bytes.clamped(0, end).text()
    }

    /// Its name.
    package var name: String {
        switch self {
        case .http: "HTTP"
        case .tls: "TLS"
        case .ssh: "SSH"
        }
    }

    /// The first line, of a protocol with lines.
    package var line: String? {
        switch self {
        case .http(let line), .ssh(let line): line
        case .tls: nil
        }
    }
}
