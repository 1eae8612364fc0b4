import Crypto
import CryptoExtras
import WeirPackets

/// The decryption of the records of a DTLS 1.3 connection (RFC 9147 §4), with the traffic secrets that a key log has for
/// its ClientHello.
struct DTLS13Decryption: Sendable {
    /// The epochs with keys of their own (RFC 9147 §6.1); each key update starts a further one.
    enum Epoch {
        static let handshake: UInt64 = 2
        static let application: UInt64 = 3
    }

    /// The label prefix of the key derivation (RFC 9147 §5.9).
    static let prefix = "dtls13"

    /// A decrypted record.
    struct Record {
        let type: UInt8
        let content: [UInt8]
        let epoch: UInt64
        /// The name of the key log.
        let source: String
    }

    /// Keys that may be those of an epoch.
    private struct Candidate: Sendable {
        let keys: TLSKeys
        /// The key that encrypts sequence numbers.
        let numbers: SymmetricKey
        let secret: SymmetricKey
        let known: KnownSecret

        init(_ suite: TLSCipherSuite, _ secret: SymmetricKey, _ known: KnownSecret) {
            keys = .traffic(suite, secret, prefix: DTLS13Decryption.prefix)
            numbers = TLSKeyDerivation.key(
                suite.hash, secret, label: "sn", octets: suite.keyOctets, prefix: DTLS13Decryption.prefix)
            (self.secret, self.known) = (secret, known)
        }

        /// The keys after a key update.
        var updated: Candidate {
            let suite = keys.suite
            let next = TLSKeyDerivation.key(
                suite.hash, secret, label: "traffic upd", octets: suite.hash.octets, prefix: DTLS13Decryption.prefix)
            return Candidate(suite, next, known)
        }
    }

    private struct Side: Sendable {
        var candidates: [UInt64: [Candidate]] = [:]
        /// The latest epoch in use.
        var epoch = Epoch.handshake
        /// The next sequence number of each epoch.
        var next: [UInt64: UInt64] = [:]
        var vain = 0
        var hasOpened = false
    }

    /// Records of a side that no key opens, after which none is tried.
    private static let mostVain = 32
    /// Records opened in vain before any other, from which on the secrets are those of another connection.
    private static let suspicious = 2
    private var client: Side
    private var server: Side

    /// Derives the keys of a connection; nil if the key log has none of its secrets, or the cipher suite is not
    /// supported.
    init?(_ keys: DecryptionKeys, clientRandom: [UInt8], _ hello: TLSHello) {
        guard let random = ClientRandom(clientRandom), keys.covers(random),
            let suite = hello.cipherSuites.first.flatMap(TLSCipherSuite.init)
        else { return nil }
        func side(_ handshake: SecretLabel, _ traffic: SecretLabel) -> Side {
            var side = Side()
            for (epoch, label) in [(Epoch.handshake, handshake), (Epoch.application, traffic)] {
                side.candidates[epoch] = keys.secrets(label, of: random).compactMap { known in
                    known.key.bitCount == suite.hash.octets * 8 ? Candidate(suite, known.key, known) : nil
                }
            }
            return side
        }
        client = side(.clientHandshakeTraffic, .clientTraffic)
        server = side(.serverHandshakeTraffic, .serverTraffic)
        if client.candidates.values.allSatisfy(\.isEmpty), server.candidates.values.allSatisfy(\.isEmpty) { return nil }
    }

    /// Returns the length of the record with a unified header at the start of the octets, and its content if a key opens
    /// it. Nil if its length is unknown, as with a connection ID.
    mutating func open(_ octets: RawSpan, isFromClient: Bool) -> (length: Int, record: Record?)? {
        guard let flags = octets.byte(at: 0), flags >> 5 == 1, flags & 0x10 == 0 else { return nil }
        let numberOctets = flags & 0x08 != 0 ? 2 : 1
        let hasLength = flags & 0x04 != 0
        let header = 1 &+ numberOctets &+ (hasLength ? 2 : 0)
        var end = octets.byteCount
        if hasLength {
            guard let length = octets.uint16(at: 1 &+ numberOctets) else { return nil }
            end = header &+ Int(length)
        }
        guard end <= octets.byteCount, end >= header else { return nil }
        let record = isFromClient ? client.vain : server.vain
        guard record < Self.mostVain else { return (end, nil) }
        let body = octets.clamped(header, end)
        if isFromClient {
            return (end, Self.open(octets.clamped(0, header), body, numberOctets, &client))
        }
        return (end, Self.open(octets.clamped(0, header), body, numberOctets, &server))
    }

    private static func open(_ header: RawSpan, _ body: RawSpan, _ numberOctets: Int, _ side: inout Side) -> Record? {
        guard let flags = header.byte(at: 0) else { return nil }
        for epoch in epochs(UInt64(flags & 3), after: side.epoch) {
            for candidate in keys(of: epoch, &side) {
                guard let mask = mask(candidate, body), mask.count >= numberOctets else { continue }
                var plain = header.array()
                var wire: UInt64 = 0
                for index in 0..<numberOctets where plain.indices.contains(index &+ 1) {
                    plain[index &+ 1] ^= mask[index]
                    wire = wire << 8 | UInt64(plain[index &+ 1])
                }
                let sequence = number(wire, octets: numberOctets, near: side.next[epoch] ?? 0)
                guard let inner = candidate.keys.open(body, sequence: sequence, header: plain) else { continue }
                return take(inner, epoch, sequence, candidate, &side)
            }
        }
        side.vain &+= 1
        if side.vain == suspicious, !side.hasOpened {
            for candidate in side.candidates.values.joined() { candidate.known.noteMismatch() }
        }
        return nil
    }

    private static func take(
        _ inner: [UInt8], _ epoch: UInt64, _ sequence: UInt64, _ candidate: Candidate, _ side: inout Side
    ) -> Record? {
        side.candidates[epoch] = [candidate]
        side.next[epoch] = max(side.next[epoch] ?? 0, sequence &+ 1)
        if epoch > side.epoch {
            side.epoch = epoch
            // Late records are of the previous epochs.
            side.candidates = side.candidates.filter { $0.key &+ 3 >= epoch }
            side.next = side.next.filter { $0.key &+ 3 >= epoch }
        }
        side.vain = 0
        side.hasOpened = true
        candidate.known.noteUse()
        // The type is the last octet that is not zero (RFC 8446 §5.2).
        guard let last = inner.lastIndex(where: { $0 != 0 }) else { return nil }
        return Record(
            type: inner[last], content: Array(inner[..<last]), epoch: epoch, source: candidate.known.source)
    }

    /// Returns the epochs that a record may belong to: its header has the two low bits. Those from the current one on
    /// come first, then the latest before.
    private static func epochs(_ bits: UInt64, after current: UInt64) -> [UInt64] {
        let ahead = current &+ ((bits &- current) & 3)
        return ahead &- 4 >= Epoch.handshake && ahead >= 4 ? [ahead, ahead &- 4] : [ahead]
    }

    /// Returns the keys of an epoch, derived from those before if necessary.
    private static func keys(of epoch: UInt64, _ side: inout Side) -> [Candidate] {
        if let known = side.candidates[epoch] { return known }
        guard epoch > Epoch.application, let latest = side.candidates.keys.filter({ $0 < epoch }).max(),
            latest >= Epoch.application, epoch &- latest <= 4
        else { return [] }
        var keys = side.candidates[latest] ?? []
        for _ in latest..<epoch { keys = keys.map(\.updated) }
        return keys
    }

    /// Octets of the ciphertext that the mask of the sequence number is made of.
    private static let sample = 16

    /// Returns the mask of a sequence number: a block of the cipher over the first octets of the ciphertext (RFC 9147
    /// §4.2.3).
    private static func mask(_ candidate: Candidate, _ body: RawSpan) -> [UInt8]? {
        guard body.byteCount >= sample else { return nil }
        let octets = body.clamped(0, sample).array()
        if case .chaCha20 = candidate.keys.suite.cipher {
            guard let counter = try? Insecure.ChaCha20CTR.Counter(data: octets.prefix(4)),
                let nonce = try? Insecure.ChaCha20CTR.Nonce(data: octets.suffix(12)),
                let mask = try? Insecure.ChaCha20CTR.encrypt(
                    [UInt8](repeating: 0, count: 2), using: candidate.numbers, counter: counter, nonce: nonce)
            else { return nil }
            return Array(mask)
        }
        var block = octets
        guard (try? AES.permute(&block, key: candidate.numbers)) != nil else { return nil }
        return block
    }

    /// Returns the sequence number nearest to the expected one that ends with the octets on the wire (RFC 9147 §4.2.2).
    private static func number(_ wire: UInt64, octets: Int, near next: UInt64) -> UInt64 {
        let size: UInt64 = 1 << (8 * UInt64(octets))
        let number = next & ~(size &- 1) | wire
        if number &+ size / 2 < next { return number &+ size }
        if number > next &+ size / 2, number >= size { return number &- size }
        return number
    }
}
