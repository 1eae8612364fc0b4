import Testing

@testable import WeirProtocols

/// Key logs: which lines are secrets, and what is said of the others.
@Suite struct KeyLogTests {
    private static let random = String(repeating: "0a", count: 32)
    private static let secret = String(repeating: "5b", count: 48)

    private static func parse(_ text: String) -> (log: KeyLog, faults: [KeyLog.Fault]) {
        KeyLog.parse(Array(text.utf8), source: "keys.log")
    }

    @Test(arguments: SecretLabel.allCases)
    func readsEachLabel(_ label: SecretLabel) throws {
        let (log, faults) = Self.parse("# comment\n\n\(label.rawValue) \(Self.random) \(Self.secret)\r\n")
        #expect(faults.isEmpty && log.count == 1)
        let random = try #require(ClientRandom([UInt8](repeating: 10, count: 32)))
        #expect(log.covers(random))
        let found = log.secrets(label, of: random)
        #expect(found.map(\.line) == [3])
        #expect(found.map { SecretMemory.octets(of: $0.key) } == [[UInt8](repeating: 0x5B, count: 48)])
    }

    @Test(arguments: [
        ("CLIENT_RANDOM", "not a line of a key log: label, client random and secret"),
        ("CLIENT_RANDOM \(random)", "not a line of a key log: label, client random and secret"),
        ("CLIENT_RANDOM \(random) \(secret) x", "not a line of a key log: label, client random and secret"),
        ("\u{1}\u{2}", "not a line of a key log: label, client random and secret"),
        ("CLIENT_SECRET \(random) \(secret)", "unknown label"),
        ("CLIENT_RANDOM 0a0b \(secret)", "the client random is not 64 hexadecimal digits"),
        ("CLIENT_RANDOM \(random)0a \(secret)", "the client random is not 64 hexadecimal digits"),
        ("CLIENT_RANDOM \(random) 0", "the secret is not in hexadecimal digits"),
        ("CLIENT_RANDOM \(random) 0g", "the secret is not in hexadecimal digits"),
        ("CLIENT_RANDOM \(random) 00", "CLIENT_RANDOM with 1 octets: 48 expected"),
        ("EXPORTER_SECRET \(random) 0011", "EXPORTER_SECRET with 2 octets: 32 or 48 expected"),
        ("CLIENT_RANDOM \(random) \(String(repeating: "0", count: 2_000))", "the line is too long for a secret"),
    ])
    func reportsLinesThatCannotBeUsed(_ line: String, _ reason: String) {
        let (log, faults) = Self.parse("\n\(line)\nCLIENT_RANDOM \(Self.random) \(Self.secret)")
        #expect(faults.map(\.description) == ["keys.log:2: \(reason)"])
        #expect(log.count == 1)
    }

    @Test(arguments: [
        "ECH_SECRET 00 00", "EARLY_EXPORTER_MASTER_SECRET \(random) 00", "QUIC_CLIENT_TRAFFIC_SECRET \(random) 00",
        "CLIENT_TRAFFIC_SECRET_1 \(random) 00", "RSA 0011223344556677 \(secret)",
        "#\(String(repeating: " long", count: 1_000))", "\r",
    ])
    func ignoresLinesThatAreNotNeeded(_ line: String) {
        let (log, faults) = Self.parse("\(line)\n")
        #expect(faults.isEmpty && log.count == 0)
    }

    @Test func `a byte order mark is skipped, UTF-16 is named`() {
        let line = Array("CLIENT_RANDOM \(Self.random) \(Self.secret)\n".utf8)
        let (log, faults) = KeyLog.parse([0xEF, 0xBB, 0xBF] + line, source: "keys.log")
        #expect(faults.isEmpty && log.count == 1)
        let wide = KeyLog.parse([0xFF, 0xFE] + line.flatMap { [$0, 0] }, source: "keys.log")
        #expect(wide.faults.first?.description == "keys.log:1: the file is UTF-16: write it as ASCII or UTF-8")
    }

    @Test func `reasons are told at the first secret of a connection`() throws {
        let (log, _) = Self.parse("# keys\nCLIENT_RANDOM \(Self.random) \(Self.secret)\n")
        let random = try #require(ClientRandom([UInt8](repeating: 10, count: 32)))
        let keys = DecryptionKeys(logs: [log])
        #expect(!log.hasFound)
        #expect(keys.covers(random) && log.hasFound)
        keys.note("its connection is not decrypted: TLS 1.1", of: random)
        #expect(log.mismatches.map(\.description) == ["keys.log:2: its connection is not decrypted: TLS 1.1"])
    }

    @Test func readsAFileThatGrows() {
        let log = KeyLog(source: "keys.log")
        let text = Array("CLIENT_RANDOM \(Self.random) \(Self.secret)\nx\n".utf8)
        var faults: [KeyLog.Fault] = []
        for octet in text { faults += log.add([octet]) }
        #expect(log.count == 1 && faults.map(\.line) == [2])
    }

    @Test func keepsOneOfEqualLinesAndBothOfDifferentOnes() throws {
        let other = String(repeating: "6c", count: 48)
        let lines = [Self.secret, Self.secret.uppercased(), other].map { "CLIENT_RANDOM \(Self.random) \($0)\n" }
        let (log, faults) = Self.parse(lines.joined())
        #expect(faults.isEmpty && log.count == 2)
        let random = try #require(ClientRandom([UInt8](repeating: 10, count: 32)))
        #expect(DecryptionKeys(logs: [log]).secrets(.masterSecret, of: random).count == 2)
    }

    @Test func stopsAtTheLimit() {
        let log = KeyLog(source: "keys.log", mostSecrets: 1)
        let lines = ["EXPORTER_SECRET", "CLIENT_RANDOM"].map { "\($0) \(Self.random) \(Self.secret)\n" }
        let faults = log.add(Array(lines.joined().utf8))
        #expect(log.count == 1)
        #expect(faults.map(\.description) == ["keys.log:2: ignored: the limit of 1 secrets is reached"])
    }

    @Test func returnsTheSecretsOfDecryptedConnectionsOnly() throws {
        let other = String(repeating: "0b", count: 32)
        let (log, _) = Self.parse(
            "CLIENT_RANDOM \(other) \(Self.secret)\nEXPORTER_SECRET \(Self.random) \(Self.secret)\n"
                + "CLIENT_RANDOM \(Self.random) \(Self.secret)\n")
        let keys = DecryptionKeys(logs: [log])
        let random = try #require(ClientRandom([UInt8](repeating: 10, count: 32)))
        #expect(log.usedLines().isEmpty)
        keys.secrets(.masterSecret, of: random).first?.noteUse()
        #expect(
            String(decoding: log.usedLines(), as: UTF8.self)
                == "EXPORTER_SECRET \(Self.random) \(Self.secret)\nCLIENT_RANDOM \(Self.random) \(Self.secret)\n")
        keys.secrets(.masterSecret, of: random).first?.noteMismatch()
        #expect(log.mismatches.map(\.description) == ["keys.log:3: the secret does not decrypt its connection"])
    }
}
