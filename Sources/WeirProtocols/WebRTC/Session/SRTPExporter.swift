import Crypto
import WeirPackets

/// The SRTP keys of a DTLS connection, exported from its master secret (RFC 5764 §4.2, RFC 5705 §4).
enum SRTPExporter {
    private static let label = "EXTRACTOR-dtls_srtp"

    /// Returns the keys of both directions, the client's first; empty if the key log does not have the secret, or the
    /// profile or version is not supported.
    static func keys(of connection: DTLSConnection, _ secrets: DecryptionKeys) -> [SRTPKey] {
        guard let hello = connection.serverHello?.hello else { return [] }
        if hello.hidesCertificates { return keys13(of: connection, hello, secrets) }
        guard
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

    /// Returns the keys of a connection with DTLS 1.3 (RFC 8446 §7.5), for each profile that the client offered: the
    /// server's choice is encrypted, and the tags of the packets show it, too.
    private static func keys13(
        of connection: DTLSConnection, _ hello: TLSHello, _ secrets: DecryptionKeys
    ) -> [SRTPKey] {
        guard let client = connection.randoms.client, let random = ClientRandom(client),
            let hash = hello.cipherSuites.first.flatMap(TLSCipherSuite.init)?.hash
        else { return [] }
        let profiles = (connection.clientHello?.hello.srtpProfiles ?? []).compactMap(SRTPProfile.init(number:))
        return secrets.secrets(.exporter, of: random).flatMap { secret in
            guard secret.key.bitCount == hash.octets * 8 else { return [SRTPKey]() }
            let keys = profiles.flatMap { profile in
                var block = exported(hash, secret.key, octets: 2 * (profile.keyOctets + profile.saltOctets))
                defer { SecretMemory.overwrite(&block) }
                return split(block, profile, source: secret.source)
            }
            if !keys.isEmpty { secret.noteUse() }
            return keys
        }
    }

    /// Returns octets of the exporter of DTLS 1.3, without a context (RFC 8446 §7.5, RFC 9147 §5.9).
    static func exported(_ hash: TLSCipherSuite.Hash, _ secret: SymmetricKey, octets: Int) -> [UInt8] {
        let nothing =
            switch hash {
            case .sha384: Array(SHA384.hash(data: [UInt8]()))
            case .sha1, .sha256: Array(SHA256.hash(data: [UInt8]()))
            }
        let derived = SymmetricKey(
            data: TLSKeyDerivation.expand(
                hash, secret, label: label, context: nothing, octets: hash.octets, prefix: DTLS13Decryption.prefix))
        return TLSKeyDerivation.expand(
            hash, derived, label: "exporter", context: nothing, octets: octets, prefix: DTLS13Decryption.prefix)
    }

    /// Returns the keys of both directions. They follow each other: the master keys of client and server, then their
    /// salts.
    static func keys(
        _ profile: SRTPProfile, _ master: SymmetricKey, seed: [UInt8], suite: UInt16, source: String
    ) -> [SRTPKey] {
        var block = TLSKeyDerivation.prf(
            TLSCipherSuite(suite)?.hash ?? .sha256, master, label: label, seed: seed,
            octets: 2 * (profile.keyOctets + profile.saltOctets))
        defer { SecretMemory.overwrite(&block) }
        return split(block, profile, source: source)
    }

    private static func split(_ block: [UInt8], _ profile: SRTPProfile, source: String) -> [SRTPKey] {
        let (key, salt) = (profile.keyOctets, profile.saltOctets)
        return [0, 1].compactMap { side in
            let salts = block.dropFirst(2 * key + side * salt).prefix(salt)
            return SRTPKey(
                profile, secret: Array(block.dropFirst(side * key).prefix(key) + salts), source: .handshake(source))
        }
    }
}
