package import WeirEngine

/// The data after an RTMPE handshake, which is encrypted and not dissected.
///
/// RTMPE is not specified. Its C0 and S0 contain 6 (8 and 9 with other ciphers for C2 and S2); C1 and S1 carry the
/// public values of a Diffie-Hellman exchange, from which both sides derive RC4 keys.
package struct RTMPEncrypted: Message, Hashable {
    /// The version selected by the server.
    package let version: UInt8

    /// `rtmp`.
    package var protocolName: String { "rtmp" }
    /// `encrypted`.
    package var kind: String { "encrypted" }
    /// Returns a line stating that the rest is encrypted.
    package func wording(_ secrets: SecretPolicy) -> Wording { "encrypted from here on (RTMPE, version \(version))" }
    /// The explanation.
    package var note: Text? { Text("rtmp.encrypted") }
    /// Returns the version.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("version", .integer(Int(version)))]
    }
}
