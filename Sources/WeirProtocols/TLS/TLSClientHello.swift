package import WeirEngine
import WeirPackets

/// The first message of TLS: what the client offers, and whom it wants to talk to (RFC 8446).
package struct TLSClientHello: Message, Hashable {
    /// The highest version offered, as `supported_versions` has it (RFC 8446), else `legacy_version`.
    package internal(set) var version: UInt16
    /// The server's name (RFC 6066).
    package internal(set) var serverName: String?
    /// Protocols that the client would speak inside (RFC 7301).
    package internal(set) var applicationProtocols: [String] = []
    /// How many cipher suites it offers, of the first 128.
    package internal(set) var cipherSuites: Int
    /// Why it is believed to carry media or signaling.
    package internal(set) var because: Text?

    /// Reads a ClientHello from a record at the start of `bytes`, of which the end may be missing.
    init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "TLS")
        guard try reader.uint8() == 22, try reader.uint8() == 3 else { throw reader.malformed("no handshake record") }
        try reader.skip(1)
        let length = Int(try reader.uint16())
        guard try reader.uint8() == 1, try reader.uint24() <= 1 << 16, length >= 4 else {
            throw reader.malformed("no ClientHello")
        }
        let hello = try TLSHello(client: reader.rest(), isDatagram: false)
        version = hello.version
        serverName = hello.serverName
        applicationProtocols = hello.applicationProtocols
        cipherSuites = hello.cipherSuites.count
    }
}

extension TLSClientHello {
    /// `tls`.
    package var protocolName: String { "tls" }
    /// `clientHello`.
    package var kind: String { "clientHello" }
    /// The version in words.
    package var versionName: String { TLSNames.version(version) }

    /// Whom the client wants to talk to.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "ClientHello, \(versionName)"
        if let serverName { words += ", server \(serverName)" }
        if !applicationProtocols.isEmpty { words += ", for \(applicationProtocols.joined(separator: ", "))" }
        return words
    }
    /// What may be inside.
    package var note: Text? { because }
    /// The members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("version", versionName)
        fields.add("serverName", serverName)
        if !applicationProtocols.isEmpty {
            fields.add("alpn", .array(applicationProtocols.map { .string($0) }))
        }
        return fields
    }
}
