import WeirEngine
import WeirPackets

/// Finds the records of a connection, decrypts them, and passes their content on as the stream of the flow.
struct TLSDecryption {
    private static let headerOctets = 5
    /// Octets of the largest record (RFC 8446 §5.2, RFC 5246 §6.2.3).
    private static let mostOctets = (1 << 14) + 2_048

    private struct Side {
        var isLost = false
        var hasGap = false
    }

    private var decryptor: TLSDecryptor
    private var client = Side()
    private var server = Side()
    private var isEnded = false
    private var isNamed = false
    private var hasReportedLimit = false

    init(_ decryptor: TLSDecryptor) {
        self.decryptor = decryptor
    }

    /// Whether octets of a direction are missing.
    func hasGap(_ direction: Direction) -> Bool {
        direction == .clientToServer ? client.hasGap : server.hasGap
    }

    /// Reads the record at the start of the bytes. Returns the octets consumed, or 0 if more are needed.
    mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) -> Int {
        guard !isEnded else { return bytes.byteCount }
        let isLost = direction == .clientToServer ? client.isLost : server.isLost
        if isLost {
            guard let start = Self.start(bytes) else { return max(0, bytes.byteCount &- (Self.headerOctets &- 1)) }
            if start > 0 { return start }
        }
        guard let length = bytes.uint16(at: 3), bytes.byteCount >= Self.headerOctets else { return 0 }
        guard Self.isHeader(bytes, at: 0) else { return end(outlet, bytes) }
        let octets = Self.headerOctets &+ Int(length)
        guard bytes.byteCount >= octets else {
            outlet.need(octets)
            return 0
        }
        let range = 0..<octets
        switch decryptor.read(bytes.clamped(0, octets), direction) {
        case .nothing: break
        case .content(let content):
            if !isNamed, let source = decryptor.source {
                isNamed = true
                outlet.layer(source: source)
            }
            outlet.content(content, direction, from: range)
        case .alert(let isFatal, let code):
            // Most connections end with it (RFC 8446 §6.1).
            if code != TLSNames.closeNotify { outlet.message(TLSAnswer.alert(isFatal: isFatal, code: code), range) }
        case .wait: return 0
        case .unverified: return 1
        case .damaged:
            outlet.contentGap(direction, octets: octets &- Self.headerOctets)
            return octets
        case .stop(let reason):
            isEnded = true
            if reason.isReported { outlet.message(TLSUndecrypted(reason: reason), range) }
            outlet.stop()
        }
        if direction == .clientToServer { client.isLost = false } else { server.isLost = false }
        if decryptor.releases { outlet.resume() }
        if decryptor.exceedsLimit, !hasReportedLimit {
            hasReportedLimit = true
            outlet.remark(Remark(Text("limit.handshake")))
        }
        return octets
    }

    private mutating func end(_ outlet: Outlet, _ bytes: RawSpan) -> Int {
        isEnded = true
        outlet.stop()
        outlet.resume()
        return bytes.byteCount
    }

    /// Handles missing octets: the record that they are part of is lost, and the next one is searched.
    mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        if direction == .clientToServer {
            client = Side(isLost: true, hasGap: true)
        } else {
            server = Side(isLost: true, hasGap: true)
        }
        guard !isEnded else { return }
        guard decryptor.gap(direction, octets: octets) else {
            isEnded = true
            outlet.stop()
            outlet.resume()
            return
        }
        outlet.contentGap(direction, octets: octets)
    }

    /// Returns the offset of the first possible record.
    private static func start(_ bytes: RawSpan) -> Int? {
        (0...max(0, bytes.byteCount &- headerOctets)).first { offset in
            guard isHeader(bytes, at: offset), let length = bytes.uint16(at: offset &+ 3) else { return false }
            let next = offset &+ headerOctets &+ Int(length)
            return bytes.byteCount < next &+ headerOctets || isHeader(bytes, at: next)
        }
    }

    private static func isHeader(_ bytes: RawSpan, at offset: Int) -> Bool {
        guard let type = bytes.byte(at: offset), let length = bytes.uint16(at: offset &+ 3),
            bytes.byte(at: offset &+ 1) == 3, let minor = bytes.byte(at: offset &+ 2)
        else { return false }
        return 20...24 ~= type && minor <= 4 && 1...mostOctets ~= Int(length)
    }
}

/// A connection whose content can no longer be decrypted although secrets are known.
package struct TLSUndecrypted: Message, Hashable {
    /// Why.
    let reason: TLSDecryptionEnd

    /// The protocol name, `tls`.
    package var protocolName: String { "tls" }
    /// The kind of message: `undecrypted`.
    package var kind: String { "undecrypted" }

    /// Returns the reason.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        switch reason {
        case .cipherSuite(let suite): "not decrypted: cipher suite \(TLSNames.cipherSuite(suite))"
        case .version(let version): "not decrypted: \(TLSNames.version(version))"
        case .missingSecret: "not decrypted: a secret is missing in the key log"
        case .wrongSecret: "not decrypted: the secret in the key log does not match"
        case .renegotiation: "renegotiation: not decrypted from here"
        case .noHello: "not decrypted: no ServerHello"
        case .http2: "HTTP/2: decrypted, but not dissected"
        }
    }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("reason", reason.name)
        return fields
    }
}

extension TLSDecryptionEnd {
    /// Whether it is worth a line.
    var isReported: Bool { self != .noHello }
    /// The identifier in reports.
    var name: String {
        switch self {
        case .noHello: "noServerHello"
        case .cipherSuite: "cipherSuite"
        case .version: "version"
        case .missingSecret: "missingSecret"
        case .wrongSecret: "wrongSecret"
        case .renegotiation: "renegotiation"
        case .http2: "http2"
        }
    }
}
