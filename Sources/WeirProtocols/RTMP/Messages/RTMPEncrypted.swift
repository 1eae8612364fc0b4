package import WeirEngine

/// What follows the handshake of RTMPE is encrypted, and is not read.
///
/// RTMPE is in no specification. Its C0 and S0 hold 6 (8 and 9 with other ciphers for C2 and S2); C1 and S1 carry the
/// public numbers of a Diffie-Hellman exchange, from which both sides make keys for RC4.
package struct RTMPEncrypted: Message, Hashable {
    /// The version that the server chose.
    package let version: UInt8

    /// `rtmp`.
    package var protocolName: String { "rtmp" }
    /// `encrypted`.
    package var kind: String { "encrypted" }
    /// Says that nothing more is read.
    package func wording(_ secrets: SecretPolicy) -> Wording { "encrypted from here on (RTMPE, version \(version))" }
    /// Why.
    package var note: Text? { Text("rtmp.encrypted") }
    /// The version.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("version", .integer(Int(version)))]
    }
}
