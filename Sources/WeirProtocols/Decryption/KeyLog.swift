import Crypto
import Synchronization
import WeirPackets

/// The secrets of one source: a key log as `SSLKEYLOGFILE` writes it (RFC 9850), or a Decryption Secrets Block.
///
/// Each line has a label, the random octets of the ClientHello, and the secret, both in hexadecimal digits. Secrets are
/// stored as `SymmetricKey`, which overwrites its memory at its end. Text may be added while the file grows.
public final class KeyLog: Sendable {
    /// A secret.
    struct Secret: Sendable {
        let label: SecretLabel
        let key: SymmetricKey
        let line: Int
    }

    /// A line that cannot be used.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name of the source.
        public let source: String
        /// The line, from 1.
        public let line: Int
        /// The problem, without any octet of the line.
        public let reason: String

        /// The source, the line and the problem.
        public var description: String { "\(source):\(line): \(reason)" }
    }

    private struct State {
        var connections: [ClientRandom: [Secret]] = [:]
        var secrets = 0
        var lines = 0
        /// The start of a line whose end is not yet there.
        var rest: [UInt8] = []
        var isInLongLine = false
        /// The connections found in captures.
        var used: Set<ClientRandom> = []
        /// The connections that were found in captures, decrypted or not.
        var found: Set<ClientRandom> = []
        /// Why connections are not decrypted, by the lines of their secrets.
        var problems: [Int: String] = [:]
        /// The lines that cannot be used among those that were added while the source grew.
        var laterFaults: [Fault] = []
    }

    /// The faults that are stored.
    private static let mostFaults = 64

    /// The octets of a line beyond which it cannot be a secret.
    private static let mostLineOctets = 1_024

    /// The name of the source, as the user gave it.
    public let source: String
    /// The number of secrets beyond which further ones are ignored.
    private let mostSecrets: Int
    private let state = Mutex(State())
    /// Adds text that is only read for the first connection that is not yet known; nil once it was.
    private let deferred: Mutex<(@Sendable (KeyLog) -> Void)?>
    /// Returns the text that was added to the source since the last call; nil if the source does not grow.
    private let growth: (@Sendable () -> [UInt8])?

    /// Creates an empty key log.
    ///
    /// - Parameters:
    ///   - deferred: Adds further text, called when a connection is not known, once.
    ///   - growth: Returns the text that was added to the source since the last call. Called whenever the secrets of a
    ///     connection are not there yet.
    public init(
        source: String, mostSecrets: Int = 1_000_000, deferred: (@Sendable (KeyLog) -> Void)? = nil,
        growth: (@Sendable () -> [UInt8])? = nil
    ) {
        self.source = source
        self.mostSecrets = mostSecrets
        self.deferred = Mutex(deferred)
        self.growth = growth
    }

    /// Creates a key log from text, and returns it with the lines that cannot be used.
    public static func parse(_ octets: [UInt8], source: String) -> (log: KeyLog, faults: [Fault]) {
        let log = KeyLog(source: source)
        let faults = log.add(octets) + log.finish()
        return (log, faults)
    }

    /// Adds text, which may end within a line.
    ///
    /// - Returns: The lines that cannot be used, in order.
    public func add(_ octets: [UInt8]) -> [Fault] {
        state.withLock { state in
            var faults: [Fault] = []
            for octet in octets {
                if octet == 0x0A {
                    endLine(&state, &faults)
                } else if state.rest.count < Self.mostLineOctets {
                    state.rest.append(octet)
                } else {
                    state.isInLongLine = true
                }
            }
            return faults
        }
    }

    /// Ends the last line, which may lack a line end.
    public func finish() -> [Fault] {
        state.withLock { state in
            var faults: [Fault] = []
            if !state.rest.isEmpty { endLine(&state, &faults) }
            return faults
        }
    }

    private func endLine(_ state: inout State, _ faults: inout [Fault]) {
        state.lines &+= 1
        defer {
            SecretMemory.overwrite(&state.rest)
            state.rest.removeAll(keepingCapacity: true)
            state.isInLongLine = false
        }
        let fault: String?
        if state.isInLongLine, state.rest.first != UInt8(ascii: "#") {
            fault = "the line is too long for a secret"
        } else {
            fault = take(state.rest, &state)
        }
        if let fault { faults.append(Fault(source: source, line: state.lines, reason: fault)) }
    }

    /// Stores the secret of a line. Returns why it cannot be used, or nil.
    private func take(_ line: [UInt8], _ state: inout State) -> String? {
        var text = line[...]
        if state.lines == 1 {
            // A byte order mark, as some editors write it.
            if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
            if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
                return "the file is UTF-16: write it as ASCII or UTF-8"
            }
        }
        if text.last == 0x0D { text.removeLast() }
        guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
        let parts = text.split(separator: UInt8(ascii: " "))
        guard parts.count == 3, let name = String(validating: parts[0], as: UTF8.self) else {
            return "not a line of a key log: label, client random and secret"
        }
        guard let label = SecretLabel(rawValue: name) else {
            if SecretLabel.unused.contains(name) { return nil }
            if SecretLabel.unusedPrefixes.contains(where: { name.hasPrefix($0) }) { return nil }
            return "unknown label"
        }
        guard let random = Self.octets(parts[1]).flatMap(ClientRandom.init) else {
            return "the client random is not 64 hexadecimal digits"
        }
        guard var secret = Self.octets(parts[2]) else { return "the secret is not in hexadecimal digits" }
        defer { SecretMemory.overwrite(&secret) }
        guard label.allows(octets: secret.count) else {
            return "\(name) with \(secret.count) octets: \(label == .masterSecret ? "48" : "32 or 48") expected"
        }
        guard state.secrets < mostSecrets else { return "ignored: the limit of \(mostSecrets) secrets is reached" }
        let key = SymmetricKey(data: secret)
        // Clients that share a file may write a line twice.
        if state.connections[random]?.contains(where: { $0.label == label && $0.key == key }) ?? false { return nil }
        state.secrets &+= 1
        state.connections[random, default: []].append(Secret(label: label, key: key, line: state.lines))
        return nil
    }

    private static func octets(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(digit) else { return nil }
            if let first = high {
                octets.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return octets
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        if ASCII.isDigit(digit) { return digit & 15 }
        return TextSyntax.isHexDigit(digit) ? (digit & 15) &+ 9 : nil
    }

    // MARK: - Use

    /// The number of secrets.
    public var count: Int { state.withLock { $0.secrets } }

    /// The number of complete lines.
    package var lineCount: Int { state.withLock { $0.lines } }

    /// Whether there is a secret of a connection. Reads the deferred text if it is not known.
    func covers(_ random: ClientRandom) -> Bool {
        if knows(random) { return true }
        guard let addFurther = deferred.withLock({ $0.take() }) else { return false }
        addFurther(self)
        return knows(random)
    }

    /// Whether the source may still get secrets.
    package var grows: Bool { growth != nil }

    /// Adds the text that the source got since the last call.
    func readGrowth() {
        guard var text = growth?() else { return }
        let faults = add(text)
        SecretMemory.overwrite(&text)
        state.withLock { $0.laterFaults += faults.prefix(Self.mostFaults - $0.laterFaults.count) }
    }

    /// The lines that cannot be used among those that were added while the source grew; at most 64.
    public var laterFaults: [Fault] { state.withLock { $0.laterFaults } }

    /// Whether all secrets of a connection are there: the master secret, or those with the labels.
    func has(_ labels: [SecretLabel], of random: ClientRandom) -> Bool {
        state.withLock { state in
            let known = state.connections[random]?.map(\.label) ?? []
            return known.contains(.masterSecret) || !known.isEmpty && labels.allSatisfy(known.contains)
        }
    }

    private func knows(_ random: ClientRandom) -> Bool { state.withLock { $0.connections[random] != nil } }

    /// Returns the secrets of a kind of a connection; several if the source contradicts itself.
    func secrets(_ label: SecretLabel, of random: ClientRandom) -> [Secret] {
        state.withLock { $0.connections[random]?.filter { $0.label == label } ?? [] }
    }

    /// Records that a connection of a capture was decrypted.
    func noteUse(of random: ClientRandom) { state.withLock { _ = $0.used.insert(random) } }

    /// Records that a secret does not decrypt its connection.
    func noteMismatch(line: Int) {
        state.withLock { $0.problems[line] = "the secret does not decrypt its connection" }
    }

    /// Records that a connection is in a capture, if its secrets are known.
    func noteFound(_ random: ClientRandom) {
        state.withLock { state in
            if state.connections[random] != nil { state.found.insert(random) }
        }
    }

    /// Records at the first secret of a connection why it is not decrypted.
    func note(_ problem: String, of random: ClientRandom) {
        state.withLock { state in
            guard let line = state.connections[random]?.map(\.line).min(), state.problems.count < Self.mostFaults else {
                return
            }
            state.problems[line] = problem
        }
    }

    /// The number of connections that were decrypted.
    public var usedConnections: Int { state.withLock { $0.used.count } }

    /// Whether a connection of a capture has secrets here, decrypted or not.
    public var hasFound: Bool { state.withLock { !$0.found.isEmpty } }

    /// The lines whose connections are not decrypted, with the reasons.
    public var mismatches: [Fault] {
        state.withLock { state in
            state.problems.sorted { $0.key < $1.key }.map { Fault(source: source, line: $0.key, reason: $0.value) }
        }
    }

    /// Returns the lines of the secrets of decrypted connections, as in a key log, in the order of the source. Secret:
    /// only for a file that the user requested.
    public func usedLines() -> [UInt8] {
        let used = state.withLock { state in
            state.used.flatMap { random in (state.connections[random] ?? []).map { (random, $0) } }
        }
        var text: [UInt8] = []
        for (random, secret) in used.sorted(by: { $0.1.line < $1.1.line }) {
            text += Array(secret.label.rawValue.utf8) + [0x20] + Self.digits(random.octets) + [0x20]
            var octets = SecretMemory.octets(of: secret.key)
            text += Self.digits(octets) + [0x0A]
            SecretMemory.overwrite(&octets)
        }
        return text
    }

    private static func digits(_ octets: [UInt8]) -> [UInt8] {
        octets.flatMap { octet in [octet >> 4, octet & 15].map { $0 < 10 ? 0x30 &+ $0 : 0x57 &+ $0 } }
    }
}
