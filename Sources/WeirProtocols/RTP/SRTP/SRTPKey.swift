import Crypto
import CryptoExtras
import Foundation
import WeirPackets

/// A master key of SRTP that signaling tells, as far as it takes to verify the authentication tags of packets
/// (RFC 3711 §4.2, RFC 4568 §6.1). It is a secret, and printed nowhere.
package struct SRTPKey: Sendable, Hashable {
    /// Octets of the master salt (RFC 3711 §8.2).
    private static let saltOctets = 14
    /// What tells the session key for authentication from others (RFC 3711 §4.3.1).
    private static let label: UInt8 = 0x01
    /// Octets of that key (RFC 3711 §5.2).
    private static let authenticationOctets = 20

    /// The session key for authentication.
    let authenticationKey: [UInt8]
    /// Octets of the tag that ends each packet.
    let tagOctets: Int
    /// Octets of the master key's identifier before the tag; 0 when there is none (RFC 3711 §3.1).
    let identifierOctets: Int

    /// Derives the session key (RFC 3711 §4.3.1, §4.3.3), once for all packets: what a rate of derivation asks for is not
    /// followed.
    ///
    /// - Parameters:
    ///   - suite: the name of the crypto suite (RFC 4568 §6.2), as sent.
    ///   - secret: master key and salt.
    ///   - identifierOctets: octets of the master key's identifier in packets.
    /// - Returns: nil for suites that have no tags of HMAC-SHA1, and when the secret is not as long as the suite says.
    package init?(suite: String, secret: [UInt8], identifierOctets: Int) {
        guard let known = Self.suites[TextSyntax.uppercased(suite)], secret.count == known.key + Self.saltOctets,
            0...128 ~= identifierOctets
        else { return nil }
        tagOctets = known.tag
        self.identifierOctets = identifierOctets
        var input = Array(secret.dropFirst(known.key)) + [0, 0]
        input[7] ^= Self.label
        // The key stream is what zeros are encrypted to.
        let zeros = [UInt8](repeating: 0, count: Self.authenticationOctets)
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: input),
            let stream = try? AES._CTR.encrypt(
                zeros, using: SymmetricKey(data: secret.prefix(known.key)), nonce: nonce)
        else { return nil }
        authenticationKey = Array(stream)
    }

    /// Octets of the key, and of the tag, of the suites with HMAC-SHA1 (RFC 4568 §6.2, RFC 6188).
    private static let suites: [String: (key: Int, tag: Int)] = [
        "AES_CM_128_HMAC_SHA1_80": (16, 10), "AES_CM_128_HMAC_SHA1_32": (16, 4), "F8_128_HMAC_SHA1_80": (16, 10),
        "AES_192_CM_HMAC_SHA1_80": (24, 10), "AES_192_CM_HMAC_SHA1_32": (24, 4),
        "AES_256_CM_HMAC_SHA1_80": (32, 10), "AES_256_CM_HMAC_SHA1_32": (32, 4),
    ]

    /// What stands before the tag of a packet.
    enum Form {
        /// What the key's parameters say: the identifier of the master key, where they declare one.
        case declared
        /// No identifier, though they declare one.
        case unidentified
    }

    /// How a whole packet is made whose tag is right when its sequence number has turned over so often (RFC 3711 §4.2); nil
    /// when it is wrong.
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
