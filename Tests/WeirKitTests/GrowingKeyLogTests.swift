import CaptureTesting
import Foundation
import Synchronization
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Key logs that get their secrets while packets are analyzed, as in a live capture.
@Suite("Growing key logs") struct GrowingKeyLogTests {
    /// A key log to which parts are added, one at each of the first calls after `late`.
    private final class Growth: Sendable {
        private let parts: Mutex<[[UInt8]]>
        private let calls = Mutex(0)
        private let late: Int
        var count: Int { calls.withLock { $0 } }

        init(_ parts: [[UInt8]], late: Int) {
            self.parts = Mutex(parts)
            self.late = late
        }

        func next() -> [UInt8] {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call > late else { return [] }
            return parts.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        }
    }

    /// What an analysis reports: frame, octets and decryption of each event, in the order of frames.
    private static func events(_ result: AnalysisResult) -> [String] {
        result.events.filter { $0.message.protocolName != "tcp" }.sorted { $0.frame < $1.frame }.map {
            "\($0.frame) \($0.direction) \($0.message.kind) \($0.message.summary(.masked)) "
                + ($0.decryption?.source ?? "")
        }
    }

    private static func analyzed(_ frames: [KeptFrame], _ log: KeyLog?) -> AnalysisResult {
        var options = AnalyzerOptions()
        options.limits[DecryptionSettings.self].keys = log.map { DecryptionKeys(logs: [$0]) }
        return EditedCalls.analyzed(frames, options)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: RecordedCaptures.path("Captures/\(path)"))))
    }

    /// Parts of a text, which end within lines.
    private static func parts(_ text: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
    }

    @Test(
        "secrets of TLS are used although they are written after the first packets",
        arguments: ["rtsps-tls13", "rtmps-tls12-gcm", "wss-tls13", "whip-tls12-chacha20"], [0, 1, 4])
    func late(_ name: String, calls: Int) throws {
        let frames = try KeptFrame.read(DecryptionTests.path("\(name).pcap"))
        let text = try Self.read("tls/\(name).keys")
        let whole = Self.analyzed(frames, KeyLog.parse(text, source: "keys").log)
        for size in [text.count, 200] {
            let growth = Growth(Self.parts(text, size), late: calls)
            let log = KeyLog(source: "keys", growth: { growth.next() })
            let result = Self.analyzed(frames, log)
            #expect(Self.events(result) == Self.events(whole))
            #expect(result.events.contains { $0.decrypted == "tls" } && log.usedConnections == 1)
            #expect(result.sessions.map(\.record.decryptedWith) == whole.sessions.map(\.record.decryptedWith))
        }
    }

    @Test("without secrets, the connection is as without a key log, and the attempts are limited")
    func never() throws {
        for name in DecryptionTests.names {
            let frames = try KeptFrame.read(DecryptionTests.path("\(name).pcap"))
            let growth = Growth([], late: 0)
            let result = Self.analyzed(frames, KeyLog(source: "keys", growth: { growth.next() }))
            let without = Self.analyzed(frames, nil)
            #expect(Self.events(result) == Self.events(without))
            #expect(result.summaries.map(\.encryptedFlows) == without.summaries.map(\.encryptedFlows))
            #expect(1...frames.count ~= growth.count)
        }
    }

    @Test("secrets that come too late do not decrypt the connection, and change nothing")
    func tooLate() throws {
        let frames = try KeptFrame.read(DecryptionTests.path("rtmps-tls12-gcm.pcap"))
        let growth = Growth([try Self.read("tls/rtmps-tls12-gcm.keys")], late: 10_000)
        let result = Self.analyzed(frames, KeyLog(source: "keys", growth: { growth.next() }))
        #expect(Self.events(result) == Self.events(Self.analyzed(frames, nil)))
    }

    @Test(
        "secrets of DTLS are used although they are written after the hellos",
        arguments: [("webrtc-keys-gcm", 2), ("dtls13-gcm", 2), ("firefox-dtls13", 1)], [0, 2])
    func datagrams(_ call: (name: String, streams: Int), calls: Int) throws {
        let frames = try EditedCalls.frames(call.name)
        let text = try Self.read("webrtc/\(call.name).keylog")
        let growth = Growth(Self.parts(text, 200), late: calls)
        let result = Self.analyzed(frames, KeyLog(source: "keys", growth: { growth.next() }))
        let streams = result.streams.compactMap { $0.shared as? RTPStreamDetails }
        let whole = Self.analyzed(frames, KeyLog.parse(text, source: "keys").log)
        #expect(streams.count == whole.streams.count)
        #expect(streams.allSatisfy { $0.decryptedWith == .handshake("keys") && $0.authentication?.failed == 0 })
        #expect(result.events.contains { $0.message.kind == "dataChannel" && $0.decrypted == "dtls" })
        #expect(growth.count < 200)
    }

    @Test("lines that cannot be used are reported with their numbers, at most 64")
    func faults() {
        let random = ClientRandom([UInt8](repeating: 1, count: 32))
        let parts = ["not a line\nCLIENT_RAN", "DOM 00 11\n", String(repeating: "x\n", count: 100)]
        let growth = Growth(parts.map { Array($0.utf8) }, late: 0)
        let log = KeyLog(source: "keys", growth: { growth.next() })
        let keys = DecryptionKeys(logs: [log])
        for _ in 0..<4 { #expect(random.map { keys.awaits($0) } == true) }
        #expect(log.laterFaults.prefix(3).map(\.line) == [1, 2, 3] && log.laterFaults.count == 64)
    }
}
