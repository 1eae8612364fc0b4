public import WeirEngine
import WeirPackets

/// The first message of TLS: what the client offers, and whom it wants to talk to (RFC 8446).
public struct TLSClientHello: Message, Hashable {
    /// The highest version offered, as `supported_versions` has it (RFC 8446), else `legacy_version`.
    public internal(set) var version: UInt16
    /// The server's name (RFC 6066).
    public internal(set) var serverName: String?
    /// Protocols that the client would speak inside (RFC 7301).
    public internal(set) var applicationProtocols: [String] = []
    /// How many cipher suites it offers.
    public internal(set) var cipherSuites: Int
    /// Why it is believed to carry RTMP.
    public internal(set) var because: Text?

    private static let mostProtocols = 16

    /// Reads a ClientHello from a record at the start of `bytes`, of which the end may be missing.
    init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "TLS")
        guard try reader.uint8() == 22, try reader.uint8() == 3 else { throw reader.malformed("no handshake record") }
        try reader.skip(1)
        let length = Int(try reader.uint16())
        guard try reader.uint8() == 1, try reader.uint24() <= 1 << 16, length >= 4 else {
            throw reader.malformed("no ClientHello")
        }
        version = try reader.uint16()
        guard version >> 8 == 3 else { throw reader.malformed("version") }
        try reader.skip(32)
        try reader.skip(Int(try reader.uint8()))
        let suites = Int(try reader.uint16())
        cipherSuites = suites / 2
        try reader.skip(suites)
        try reader.skip(Int(try reader.uint8()))
        guard reader.remaining >= 2 else { return }
        var left = Int(try reader.uint16())
        while left >= 4, reader.remaining >= 4 {
            let type = try reader.uint16()
            let octets = Int(try reader.uint16())
            let body = try reader.span(min(octets, reader.remaining))
            left &-= 4 &+ octets
            switch type {
            case 0: serverName = Self.name(body)
            case 16: applicationProtocols = Self.protocols(body)
            case 43: version = max(version, Self.highest(body))
            default: break
            }
        }
    }

    /// The first host name of a list.
    private static func name(_ bytes: RawSpan) -> String? {
        guard bytes.byte(at: 2) == 0, let length = bytes.uint16(at: 3), length > 0, length < 256 else { return nil }
        let name = bytes.clamped(5, 5 &+ Int(length))
        return name.byteCount == Int(length) ? name.text() : nil
    }

    private static func protocols(_ bytes: RawSpan) -> [String] {
        var names: [String] = []
        var offset = 2
        while let length = bytes.byte(at: offset), names.count < mostProtocols {
            names.append(bytes.clamped(offset &+ 1, offset &+ 1 &+ Int(length)).text())
            offset &+= 1 &+ Int(length)
        }
        return names
    }

    /// The highest of the versions listed that are versions: values like 0x0A0A are there to keep servers tolerant
    /// (RFC 8701).
    private static func highest(_ bytes: RawSpan) -> UInt16 {
        var highest: UInt16 = 0
        for offset in stride(from: 1, to: bytes.byteCount &- 1, by: 2) {
            if let version = bytes.uint16(at: offset), version >> 8 == 3 { highest = max(highest, version) }
        }
        return highest
    }
}

extension TLSClientHello {
    /// `tls`.
    public var protocolName: String { "tls" }
    /// `clientHello`.
    public var kind: String { "clientHello" }
    /// The version in words.
    public var versionName: String {
        switch version {
        case 0x0300: "SSL 3.0"
        case 0x0301...0x0304: "TLS 1.\(version & 0xFF - 1)"
        default: "TLS \(version)"
        }
    }

    /// Whom the client wants to talk to.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "ClientHello, \(versionName)"
        if let serverName { words += ", server \(serverName)" }
        if !applicationProtocols.isEmpty { words += ", for \(applicationProtocols.joined(separator: ", "))" }
        return words
    }
    /// What may be inside.
    public var note: Text? { because }
    /// The members of the report's `fields`.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("version", versionName)
        fields.add("serverName", serverName)
        if !applicationProtocols.isEmpty {
            fields.add("alpn", .array(applicationProtocols.map { .string($0) }))
        }
        return fields
    }
}
