import Crypto
import Synchronization
public import WeirPackets

/// The secrets given to an analysis, from all sources. Dissectors and sessions get them with the limits:
/// `flow.limits[DecryptionSettings.self].keys`.
public final class DecryptionKeys: Sendable {
    /// The key logs, in the order in which they are searched.
    public let logs: [KeyLog]

    /// Creates a collection.
    public init(logs: [KeyLog]) {
        self.logs = logs
    }

    /// The key logs of collections that were derived from this one.
    private let added = Mutex<[KeyLog]>([])

    /// Returns a collection with a further key log, such as one contained in a capture. The others are shared, so that
    /// their use is recorded in one place.
    public func adding(_ log: KeyLog) -> DecryptionKeys {
        added.withLock { $0.append(log) }
        return DecryptionKeys(logs: logs + [log])
    }

    /// Returns the lines of the secrets of decrypted connections, as in a key log, also those of added key logs. Secret:
    /// only for a file that the user requested.
    package func usedLines() -> [UInt8] { (logs + added.withLock { $0 }).flatMap { $0.usedLines() } }

    /// Whether there is a secret of a connection.
    package func covers(_ random: ClientRandom) -> Bool {
        guard logs.contains(where: { $0.covers(random) }) else { return false }
        for log in logs { log.noteFound(random) }
        return true
    }

    /// Records why a connection is not decrypted although it has secrets.
    package func note(_ problem: String, of random: ClientRandom) {
        for log in logs { log.note(problem, of: random) }
    }

    /// Whether a key log may still get secrets.
    package var grows: Bool { logs.contains { $0.grows } }

    /// Whether the secrets of a connection may still be added to a key log: one grows, and none has those with the
    /// labels. Reads what was added since.
    package func awaits(
        _ random: ClientRandom, _ labels: [SecretLabel] = [.clientTraffic, .serverTraffic]
    ) -> Bool {
        guard grows, !logs.contains(where: { $0.has(labels, of: random) }) else { return false }
        for log in logs { log.readGrowth() }
        return !logs.contains { $0.has(labels, of: random) }
    }

    /// Returns the secrets of a kind of a connection, from all sources.
    package func secrets(_ label: SecretLabel, of random: ClientRandom) -> [KnownSecret] {
        logs.flatMap { log in
            log.secrets(label, of: random).map { KnownSecret(key: $0.key, random: random, log: log, line: $0.line) }
        }
    }
}

/// A secret of a connection, and where it is from.
package struct KnownSecret: Sendable {
    /// The secret.
    let key: SymmetricKey
    private let random: ClientRandom
    private let log: KeyLog
    private let line: Int

    init(key: SymmetricKey, random: ClientRandom, log: KeyLog, line: Int) {
        self.key = key
        self.random = random
        self.log = log
        self.line = line
    }

    /// The name of its source.
    package var source: String { log.source }
    /// Records that it decrypts its connection.
    package func noteUse() { log.noteUse(of: random) }
    /// Records that it does not.
    package func noteMismatch() { log.noteMismatch(line: line) }
}

/// Settings for decryption, passed to dissectors and sessions with the limits.
public struct DecryptionSettings: LimitSet {
    /// The secrets, or nil if none were given: encrypted traffic then costs nothing.
    public var keys: DecryptionKeys?
    /// Octets of a handshake message of TLS beyond which it is not stored.
    public var handshakeOctets = 64 * 1024
    /// Records of TLS that may be missing in one place: as many sequence numbers are tried with the next record.
    public var searchedRecords = 1_024

    /// Octets of a connection in one direction that are stored while its secrets may still be added to a key log.
    public var awaitedOctets = 32 * 1024
    /// Datagrams of a DTLS connection, and messages of its call, for which secrets are searched again.
    public var awaitedDatagrams = 1_024

    /// Creates settings without secrets.
    public init() {}
}
