import Crypto
import WeirPackets

/// The keys of one direction of a connection, in the order in which they are used.
struct TLSDecryptionSide {
    /// A decrypted record, and the name of the source of its secret.
    struct Opened {
        let octets: [UInt8]
        let source: String
    }

    /// Keys that may be those of an epoch; several if key logs contradict each other.
    private struct Candidate {
        let keys: TLSKeys
        /// The traffic secret of TLS 1.3, from which the next one follows.
        let secret: SymmetricKey?
        let known: KnownSecret
    }

    private struct Epoch {
        let label: SecretLabel
        var candidates: [Candidate]
        /// Whether a record was decrypted with them.
        var isProven = false
    }

    /// The handshake messages.
    var messages: TLSHandshakeReader
    /// The current epoch and the following ones.
    private var epochs: [Epoch] = []
    private var sequence: UInt64 = 0
    /// Octets that may still be decrypted in vain; grows with those that were decrypted.
    private var budget = 1 << 20
    private static let mostBudget = 1 << 26
    /// The part of the budget per octet that was decrypted.
    private static let share = 64
    /// The cost of an attempt in octets, in addition to those of the record.
    private static let attemptOctets = 256
    /// The number of records that may be missing before the next one.
    private var missing = 0
    /// Whether octets are missing, and no record was decrypted since.
    private(set) var isLost = false
    /// Whether records are encrypted (TLS 1.2).
    private(set) var isEncrypted = false
    /// Whether a record was decrypted.
    private(set) var hasOpened = false
    /// Whether the log has the secret of the encrypted part of the handshake.
    private(set) var hasHandshakeSecret = false

    init(mostOctets: Int) {
        messages = TLSHandshakeReader(mostOctets: mostOctets)
    }

    /// Whether the current keys have decrypted a record: what they do not decrypt is damaged.
    var isProven: Bool { epochs.first?.isProven ?? false }
    /// Whether the current keys are those of application data (TLS 1.3).
    var isApplication: Bool { epochs.count == 1 && canEnd }
    /// Whether there are keys of application data (TLS 1.3).
    var canEnd: Bool { epochs.last.map { $0.label == .clientTraffic || $0.label == .serverTraffic } ?? false }

    /// Whether a record starts with a ClientHello, or continues one.
    func isHello(_ fragment: RawSpan) -> Bool { messages.isWithinMessage || fragment.byte(at: 0) == 1 }

    // MARK: - Keys

    /// Adds the epochs of TLS 1.3 whose secrets are known.
    mutating func begin(
        _ suite: TLSCipherSuite, _ keys: DecryptionKeys, _ random: ClientRandom, _ labels: [SecretLabel]
    ) {
        epochs = labels.compactMap { Self.epoch($0, suite, keys, random) }
        hasHandshakeSecret = epochs.first.map { $0.label != labels.last } ?? false
        messages.discard()
    }

    private static func epoch(
        _ label: SecretLabel, _ suite: TLSCipherSuite, _ keys: DecryptionKeys, _ random: ClientRandom
    ) -> Epoch? {
        var candidates: [Candidate] = []
        for known in keys.secrets(label, of: random) {
            guard known.key.bitCount == suite.hash.octets * 8 else {
                known.noteMismatch()
                continue
            }
            candidates.append(Candidate(keys: .traffic(suite, known.key), secret: known.key, known: known))
        }
        return candidates.isEmpty ? nil : Epoch(label: label, candidates: candidates)
    }

    /// Adds the epoch of accepted early data, whose suite is that of the connection (RFC 8446 §4.2.10). Returns whether
    /// its secret is known.
    mutating func insertEarly(_ suite: TLSCipherSuite, _ keys: DecryptionKeys, _ random: ClientRandom) -> Bool {
        guard let epoch = Self.epoch(.clientEarlyTraffic, suite, keys, random) else { return false }
        epochs.insert(epoch, at: 0)
        return true
    }

    /// Adds keys that may be those of the connection (TLS 1.2).
    mutating func add(_ keys: TLSKeys, _ known: KnownSecret) {
        if epochs.isEmpty { epochs = [Epoch(label: .masterSecret, candidates: [])] }
        epochs[0].candidates.append(Candidate(keys: keys, secret: nil, known: known))
    }

    /// Starts encryption (TLS 1.2).
    mutating func encrypt() {
        isEncrypted = true
        sequence = 0
        messages.discard()
    }

    /// Ends the handshake: the next record is protected with the first application keys.
    mutating func finishHandshake() {
        guard epochs.count > 1 else { return }
        epochs.removeFirst(epochs.count - 1)
        sequence = 0
    }

    /// Changes to the next application keys.
    mutating func updateKeys() {
        guard isApplication, let epoch = epochs.last else { return }
        epochs = [Self.updated(epoch)]
        sequence = 0
    }

    private static func updated(_ epoch: Epoch) -> Epoch {
        Epoch(
            label: epoch.label,
            candidates: epoch.candidates.compactMap { candidate in
                guard let secret = candidate.secret else { return nil }
                let next = TLSKeys.updated(candidate.keys.suite, secret)
                return Candidate(keys: .traffic(candidate.keys.suite, next), secret: next, known: candidate.known)
            })
    }

    /// Records that the secrets of the current epoch do not decrypt its records.
    func noteMismatch() {
        for candidate in epochs.first?.candidates ?? [] { candidate.known.noteMismatch() }
    }

    /// Records missing octets, which may be those of this many records; at most `limit` are searched.
    mutating func noteGap(_ records: Int, limit: Int) {
        isLost = true
        missing = min(missing &+ records, limit)
        messages.discard()
    }

    // MARK: - Records

    /// Decrypts a record of TLS 1.2.
    mutating func open12(_ fragment: RawSpan, _ type: UInt8, _ version: UInt16) -> Opened? {
        guard let epoch = epochs.first else { return nil }
        return search(epoch, from: sequence, fragment.byteCount) { keys, number in
            keys.open(fragment, sequence: number, type: type, version: version)
        }.map { take($0, in: epoch) }
    }

    /// Decrypts a record of TLS 1.3: with the current keys, else with the next ones, since the message that changes
    /// them may be missing or not be readable.
    mutating func open13(_ record: RawSpan) -> Opened? {
        let header = record.clamped(0, 5).array()
        let fragment = record.clamped(5)
        for index in epochs.indices {
            let start = index == 0 ? sequence : 0
            let epoch = epochs[index]
            if let found = search(
                epoch, from: start, fragment.byteCount, { $0.open(fragment, sequence: $1, header: header) })
            {
                epochs.removeFirst(index)
                return take(found, in: epoch)
            }
        }
        guard isLost, isApplication, let last = epochs.last else { return nil }
        let next = Self.updated(last)
        return search(next, from: 0, fragment.byteCount) { $0.open(fragment, sequence: $1, header: header) }
            .map { take($0, in: next) }
    }

    private struct Found {
        let candidate: Candidate
        let sequence: UInt64
        let octets: [UInt8]
    }

    /// Tries each candidate with the expected sequence number, and after missing octets with the following ones, as
    /// long as that is in proportion to the octets of the connection.
    private mutating func search(
        _ epoch: Epoch, from start: UInt64, _ octets: Int, _ open: (TLSKeys, UInt64) -> [UInt8]?
    ) -> Found? {
        for offset in 0...UInt64(isLost ? missing : 0) {
            for candidate in epoch.candidates {
                if offset > 0 {
                    budget &-= octets &+ Self.attemptOctets
                    guard budget > 0 else { return nil }
                }
                if let octets = open(candidate.keys, start &+ offset) {
                    return Found(candidate: candidate, sequence: start &+ offset, octets: octets)
                }
            }
        }
        return nil
    }

    private mutating func take(_ found: Found, in epoch: Epoch) -> Opened {
        let epoch = Epoch(label: epoch.label, candidates: [found.candidate], isProven: true)
        if epochs.isEmpty { epochs = [epoch] } else { epochs[0] = epoch }
        sequence = found.sequence &+ 1
        budget = min(budget &+ found.octets.count &* Self.share, Self.mostBudget)
        isLost = false
        hasOpened = true
        missing = 0
        found.candidate.known.noteUse()
        return Opened(octets: found.octets, source: found.candidate.known.source)
    }
}
