import Testing
import WeirEngine
import WeirPackets

@testable import WeirProtocols

/// Decryption of whole connections: the traces of RFC 8448.
@Suite struct TLSDecryptorTests {
    private struct Result: Equatable {
        var content: [String] = []
        var ends: [TLSDecryptionEnd] = []
    }

    static func octets(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func log(_ trace: TLSTraces.Trace, without missing: Set<String> = []) throws -> KeyLog {
        let random = try #require(trace.records.first).octets.dropFirst(22).prefix(64)
        let lines = trace.secrets.filter { !missing.contains($0.label) }.map { "\($0.label) \(random) \($0.secret)\n" }
        let (log, faults) = KeyLog.parse(Array(lines.joined().utf8), source: "trace")
        #expect(faults.isEmpty)
        return log
    }

    /// Feeds the records in order; those that wait are read again after records of the other direction.
    private static func read(
        _ trace: TLSTraces.Trace, _ log: KeyLog, losing lost: Set<Int> = []
    ) throws -> Result {
        let first = octets(try #require(trace.records.first).octets)
        let random = try #require(ClientRandom(Array(first[11..<43])))
        var decryptor = TLSDecryptor(DecryptionKeys(logs: [log]), random, Limits())
        var waiting: [Direction: [[UInt8]]] = [:]
        var result = Result()
        func read(_ direction: Direction) {
            while let record = waiting[direction]?.first {
                switch decryptor.read(record.rawSpan, direction) {
                case .wait: return
                case .content(let octets):
                    result.content.append(
                        octets.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined())
                case .stop(let reason): result.ends.append(reason)
                case .nothing, .alert, .unverified, .damaged: break
                }
                waiting[direction]?.removeFirst()
                if decryptor.releases { read(direction.opposite) }
            }
        }
        for (index, record) in trace.records.enumerated() {
            let direction = record.isClients ? Direction.clientToServer : .serverToClient
            if lost.contains(index) {
                _ = decryptor.gap(direction, octets: record.octets.utf8.count / 2)
                continue
            }
            waiting[direction, default: []].append(octets(record.octets))
            read(direction)
        }
        return result
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    func decryptsTheTraces(_ number: Int) throws {
        let trace = Self.traces[number]
        let log = try Self.log(trace)
        let result = try Self.read(trace, log)
        #expect(result == Result(content: trace.content.map(\.octets)))
        #expect(log.usedConnections == 1 && log.mismatches.isEmpty)
    }

    private static let traces = [
        TLSTraces.simple, TLSTraces.resumed, TLSTraces.retried, TLSTraces.authenticated, TLSTraces.compatible,
    ]

    /// With fewer secrets, less is read, and never anything else.
    @Test(arguments: [
        ("CLIENT_EARLY_TRAFFIC_SECRET", 3, [TLSDecryptionEnd.missingSecret]),
        ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 0, []),
        // Whether the server accepts early data is then unknown, until its own data comes.
        ("SERVER_HANDSHAKE_TRAFFIC_SECRET", 2, [.missingSecret]),
        ("CLIENT_TRAFFIC_SECRET_0", 3, [.missingSecret]),
        ("SERVER_TRAFFIC_SECRET_0", 3, [.missingSecret]),
    ])
    func readsLessWithFewerSecrets(_ label: String, _ fewer: Int, _ ends: [TLSDecryptionEnd]) throws {
        let trace = TLSTraces.resumed
        let result = try Self.read(trace, try Self.log(trace, without: [label]))
        #expect(result.content.count <= 3 - fewer && (fewer > 0 || result.content.count == 3))
        #expect(Set(result.content).isSubset(of: trace.content.map(\.octets)))
        #expect(result.ends == ends)
    }

    @Test func reportsSecretsOfAnotherConnection() throws {
        let wrong = TLSTraces.Trace(
            records: TLSTraces.simple.records, secrets: TLSTraces.retried.secrets, content: [])
        let log = try Self.log(wrong)
        let result = try Self.read(wrong, log)
        #expect(result == Result(ends: [.wrongSecret]))
        #expect(log.usedConnections == 0)
        #expect(log.mismatches.map(\.line) == [2])
    }

    /// Records of one direction are missing; the others are decrypted.
    @Test(arguments: [
        (2, [0, 1]),  // the server's handshake
        (3, [0, 1]),  // the client's Finished
        (4, [0, 1]),  // the ticket
        (5, [1]), (6, [0]),  // the data
        (1, []),  // the ServerHello, without which the suite is unknown
    ])
    func findsTheNextRecord(_ missing: Int, _ expected: [Int]) throws {
        let trace = TLSTraces.simple
        let result = try Self.read(trace, try Self.log(trace), losing: [missing])
        #expect(result.content == expected.map { trace.content[$0].octets })
    }
}
