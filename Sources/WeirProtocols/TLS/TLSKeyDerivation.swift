import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Key derivation: the PRF of TLS 1.2 (RFC 5246 §5) and HKDF-Expand-Label of TLS 1.3 (RFC 8446 §7.1).
enum TLSKeyDerivation {
    /// Returns the HMAC of octets.
    static func hmac(_ hash: TLSCipherSuite.Hash, _ key: SymmetricKey, _ octets: [UInt8]) -> [UInt8] {
        switch hash {
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: octets, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: octets, using: key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: octets, using: key))
        }
    }

    /// Returns octets of the PRF, which is P_hash with the hash function of the cipher suite.
    static func prf(
        _ hash: TLSCipherSuite.Hash, _ secret: SymmetricKey, label: String, seed: [UInt8], octets count: Int
    ) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        var output: [UInt8] = []
        var chain = seed
        while output.count < count {
            chain = hmac(hash, secret, chain)
            var block = hmac(hash, secret, chain + seed)
            output += block
            SecretMemory.overwrite(&block)
        }
        return Array(output.prefix(count))
    }

    /// Returns octets of HKDF-Expand-Label; `prefix` differs in DTLS 1.3 (RFC 9147 §5.9). At most 255 blocks are
    /// defined (RFC 5869 §2.3); no use needs more than two.
    static func expand(
        _ hash: TLSCipherSuite.Hash, _ secret: SymmetricKey, label: String, context: [UInt8] = [], octets count: Int,
        prefix: String = "tls13 "
    ) -> [UInt8] {
        let name = Array((prefix + label).utf8)
        let info =
            [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            + [UInt8(truncatingIfNeeded: name.count)] + name + [UInt8(truncatingIfNeeded: context.count)] + context
        var output: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 0
        while output.count < count, number < .max {
            number &+= 1
            block = hmac(hash, secret, block + info + [number])
            output += block
        }
        SecretMemory.overwrite(&block)
        return Array(output.prefix(count))
    }

    /// The same, as a key.
    static func key(
        _ hash: TLSCipherSuite.Hash, _ secret: SymmetricKey, label: String, octets: Int, prefix: String = "tls13 "
    ) -> SymmetricKey {
        var octets = expand(hash, secret, label: label, octets: octets, prefix: prefix)
        defer { SecretMemory.overwrite(&octets) }
        return SymmetricKey(data: octets)
    }
}
