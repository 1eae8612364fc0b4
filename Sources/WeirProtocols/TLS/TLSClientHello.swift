package import WeirEngine
import WeirPackets

/// A ClientHello (RFC 8446): versions, server name and protocols that the client offers.
package struct TLSClientHello: Message, Hashable {
    /// The highest version offered in `supported_versions` (RFC 8446), else `legacy_version`.
    package internal(set) var version: UInt16
    /// The server name (RFC 6066).
    package internal(set) var serverName: String?
    /// The application protocols that the client offers (ALPN, RFC 7301).
    package internal(set) var applicationProtocols: [String] = []
    /// The number of cipher suites offered, of the first 128.
    package internal(set) var cipherSuites: Int
    /// Why the connection is assumed to carry media or signaling.
    package internal(set) var because: Text?

    /// Parses a ClientHello from a record at the start of `bytes`, which may be truncated.
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
    /// The protocol name, `tls`.
    package var protocolName: String { "tls" }
    /// The kind of message: `clientHello`.
    package var kind: String { "clientHello" }
    /// The display name of the version.
    package var versionName: String { TLSNames.version(version) }

    /// Returns the server name.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "ClientHello, \(versionName)"
        if let serverName { words += ", server \(serverName)" }
        if !applicationProtocols.isEmpty { words += ", for \(applicationProtocols.joined(separator: ", "))" }
        return words
    }
    /// The assumed application protocol.
    package var note: Text? { because }
    /// Returns the members of the report's `fields`.
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
