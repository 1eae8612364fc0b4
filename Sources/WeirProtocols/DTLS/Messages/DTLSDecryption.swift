import WeirPackets

/// The decryption of the application data of a DTLS 1.2 connection (RFC 6347 §4.1.2), with the master secrets that a key
/// log has for its ClientHello.
struct DTLSDecryption: Sendable {
    /// The keys of the DTLS client and of the server.
    private var candidates: [(client: TLSKeys, server: TLSKeys, secret: KnownSecret)] = []
    /// Records that no key opens, after which none is tried.
    private static let mostVain = 32
    /// Records opened in vain before any other, from which on the secret is that of another connection.
    private static let suspicious = 2
    private var vain = 0
    private var hasOpened = false
    /// The name of the key log whose secret fits.
    private(set) var source: String?

    /// Derives the keys of a connection; nil if the key log does not have its secret, or the cipher suite is not
    /// supported.
    init?(_ keys: DecryptionKeys, clientRandom: [UInt8], serverRandom: [UInt8], _ hello: TLSHello) {
        guard !hello.hidesCertificates, let random = ClientRandom(clientRandom), keys.covers(random),
            let suite = hello.cipherSuites.first.flatMap(TLSCipherSuite.init)
        else { return nil }
        candidates = keys.secrets(.masterSecret, of: random).map { secret in
            let (client, server) = TLSKeys.keyBlock(
                suite, master: secret.key, clientRandom: clientRandom, serverRandom: serverRandom,
                encryptsThenMACs: hello.encryptsThenMACs)
            return (client, server, secret)
        }
        if candidates.isEmpty { return nil }
    }

    /// Returns the content of a record, given its header and the octets after it; nil if no key opens it.
    mutating func open(
        _ fragment: RawSpan, type: UInt8, version: UInt16, sequence: UInt64, isFromClient: Bool
    ) -> [UInt8]? {
        guard vain < Self.mostVain else { return nil }
        for candidate in candidates {
            let keys = isFromClient ? candidate.client : candidate.server
            guard let content = keys.open(fragment, sequence: sequence, type: type, version: version) else { continue }
            if !hasOpened {
                candidate.secret.noteUse()
                candidates = [candidate]
                source = candidate.secret.source
            }
            hasOpened = true
            vain = 0
            return content
        }
        vain &+= 1
        if vain == Self.suspicious, !hasOpened { for candidate in candidates { candidate.secret.noteMismatch() } }
        return nil
    }
}
