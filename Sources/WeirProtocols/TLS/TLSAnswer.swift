package import WeirEngine
import WeirPackets

/// The first record of a server: a ServerHello, or an alert (RFC 8446 §4.1.3, §6).
package enum TLSAnswer: Message, Hashable {
    /// The negotiated parameters.
    case hello(TLSHello)
    /// Why the server rejects the connection.
    case alert(isFatal: Bool, code: UInt8)

    /// Parses a record at the start of `bytes`, which may be truncated; nil for any other record.
    init?(_ bytes: RawSpan) {
        guard bytes.byte(at: 1) == 3 else { return nil }
        switch (bytes.byte(at: 0), bytes.byte(at: 5)) {
        case (22, 2):
            guard let hello = try? TLSHello(server: bytes.clamped(9), isDatagram: false) else { return nil }
            self = .hello(hello)
        case (21, let level?):
            guard bytes.uint16(at: 3) == 2, level == 1 || level == 2, let code = bytes.byte(at: 6) else { return nil }
            self = .alert(isFatal: level == 2, code: code)
        default: return nil
        }
    }
}

extension TLSAnswer {
    /// The protocol name, `tls`.
    package var protocolName: String { "tls" }
    /// The kind of message: `serverHello` or `alert`.
    package var kind: String {
        switch self {
        case .hello: "serverHello"
        case .alert: "alert"
        }
    }

    /// Returns the version and the cipher suite, or the name of the alert.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        switch self {
        case .hello(let hello):
            if hello.asksAgain { return "HelloRetryRequest, \(TLSNames.version(hello.version))" }
            var words: Wording = "ServerHello, \(TLSNames.version(hello.version))"
            if let suite = hello.cipherSuites.first { words += ", cipher suite \(TLSNames.cipherSuite(suite))" }
            if let name = hello.applicationProtocols.first { words += ", for \(name)" }
            return words
        case .alert(let isFatal, let code):
            return isFatal ? "fatal alert \(TLSNames.alert(code))" : "warning alert \(TLSNames.alert(code))"
        }
    }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        switch self {
        case .hello(let hello):
            fields.add("version", TLSNames.version(hello.version))
            fields.add("cipherSuite", hello.cipherSuites.first.map { TLSNames.cipherSuite($0) })
            if !hello.applicationProtocols.isEmpty {
                fields.add("alpn", .array(hello.applicationProtocols.map { .string($0) }))
            }
            if hello.asksAgain { fields.add("retryRequest", true) }
        case .alert(let isFatal, let code):
            fields.add("level", isFatal ? "fatal" : "warning")
            fields.add("description", TLSNames.alert(code))
        }
        return fields
    }
}
