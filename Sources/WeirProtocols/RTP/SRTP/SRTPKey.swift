import Crypto
import CryptoExtras
import WeirPackets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A signaled SRTP master key, as needed to verify the authentication tags of packets (RFC 3711 §4.2, RFC 4568 §6.1).
/// Secret: never printed.
package struct SRTPKey: Sendable, Hashable {
    /// Octets of the master salt (RFC 3711 §8.2).
    private static let saltOctets = 14
    /// The label of the session authentication key (RFC 3711 §4.3.1).
    private static let label: UInt8 = 0x01
    /// Octets of the session authentication key (RFC 3711 §5.2).
    private static let authenticationOctets = 20

    /// The session authentication key.
    let authenticationKey: [UInt8]
    /// Octets of the authentication tag.
    let tagOctets: Int
    /// Octets of the MKI before the tag; 0 if there is none (RFC 3711 §3.1).
    let identifierOctets: Int

    /// Derives the session key (RFC 3711 §4.3.1, §4.3.3) once for all packets; a key derivation rate is ignored.
    ///
    /// - Parameters:
    ///   - suite: the crypto suite name (RFC 4568 §6.2), as sent.
    ///   - secret: master key and salt.
    ///   - identifierOctets: octets of the MKI in packets.
    /// - Returns: nil for suites without HMAC-SHA1 tags, and if the length of the secret does not match the suite.
    package init?(suite: String, secret: [UInt8], identifierOctets: Int) {
        guard let known = Self.suites[TextSyntax.uppercased(suite)], secret.count == known.key + Self.saltOctets,
            0...128 ~= identifierOctets
        else { return nil }
        tagOctets = known.tag
        self.identifierOctets = identifierOctets
        var input = Array(secret.dropFirst(known.key)) + [0, 0]
        input[7] ^= Self.label
        // The key stream is the encryption of zeros.
        let zeros = [UInt8](repeating: 0, count: Self.authenticationOctets)
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: input),
            let stream = try? AES._CTR.encrypt(
                zeros, using: SymmetricKey(data: secret.prefix(known.key)), nonce: nonce)
        else { return nil }
        authenticationKey = Array(stream)
    }

    /// Octets of key and tag of the suites with HMAC-SHA1 (RFC 4568 §6.2, RFC 6188).
    private static let suites: [String: (key: Int, tag: Int)] = [
        "AES_CM_128_HMAC_SHA1_80": (16, 10), "AES_CM_128_HMAC_SHA1_32": (16, 4), "F8_128_HMAC_SHA1_80": (16, 10),
        "AES_192_CM_HMAC_SHA1_80": (24, 10), "AES_192_CM_HMAC_SHA1_32": (24, 4),
        "AES_256_CM_HMAC_SHA1_80": (32, 10), "AES_256_CM_HMAC_SHA1_32": (32, 4),
    ]

    /// The format of the octets before the tag.
    enum Form {
        /// As declared by the key parameters: with the MKI, if they declare one.
        case declared
        /// Without the MKI, although one is declared.
        case unidentified
    }

    /// Returns the format of a packet whose tag is correct for a rollover count (RFC 3711 §4.2), or nil if the tag is
    /// wrong.
    func form(of packet: RawSpan, rollover: UInt32) -> Form? {
        if authenticates(packet, rollover: rollover, before: identifierOctets) { return .declared }
        guard identifierOctets > 0 else { return nil }
        return authenticates(packet, rollover: rollover, before: 0) ? .unidentified : nil
    }

    private func authenticates(_ packet: RawSpan, rollover: UInt32, before identifierOctets: Int) -> Bool {
        let end = packet.byteCount &- tagOctets &- identifierOctets
        guard end >= RTPHeader.fixedLength else { return false }
        var code = HMAC<Insecure.SHA1>(key: SymmetricKey(data: authenticationKey))
        code.update(data: packet.clamped(0, end).array())
        code.update(data: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rollover >> UInt32($0)) })
        let tag = packet.clamped(packet.byteCount &- tagOctets).array()
        return Array(code.finalize()).starts(with: tag)
    }
}
