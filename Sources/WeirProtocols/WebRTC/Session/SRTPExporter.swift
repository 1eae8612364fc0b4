import Crypto
import WeirPackets

/// The SRTP keys of a DTLS connection, exported from its master secret (RFC 5764 §4.2, RFC 5705 §4).
enum SRTPExporter {
    private static let label = "EXTRACTOR-dtls_srtp"

    /// Returns the keys of both directions, the client's first; empty if the key log does not have the secret, or the
    /// profile or version is not supported.
    static func keys(of connection: DTLSConnection, _ secrets: DecryptionKeys) -> [SRTPKey] {
        guard let hello = connection.serverHello?.hello, !hello.hidesCertificates,
            let profile = connection.srtpProfile.flatMap(SRTPProfile.init(number:)),
            let client = connection.randoms.client, let server = connection.randoms.server,
            let random = ClientRandom(client), let suite = hello.cipherSuites.first
        else { return [] }
        return secrets.secrets(.masterSecret, of: random).flatMap { secret in
            let keys = keys(profile, secret.key, seed: client + server, suite: suite, source: secret.source)
            if !keys.isEmpty { secret.noteUse() }
            return keys
        }
    }

    /// Returns the keys of both directions. They follow each other: the master keys of client and server, then their
    /// salts.
    static func keys(
        _ profile: SRTPProfile, _ master: SymmetricKey, seed: [UInt8], suite: UInt16, source: String
    ) -> [SRTPKey] {
        let (key, salt) = (profile.keyOctets, profile.saltOctets)
        var block = TLSKeyDerivation.prf(
            TLSCipherSuite(suite)?.hash ?? .sha256, master, label: label, seed: seed, octets: 2 * (key + salt))
        defer { SecretMemory.overwrite(&block) }
        return [0, 1].compactMap { side in
            let salts = block.dropFirst(2 * key + side * salt).prefix(salt)
            return SRTPKey(
                profile, secret: Array(block.dropFirst(side * key).prefix(key) + salts), source: .handshake(source))
        }
    }
}
