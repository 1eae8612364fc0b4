import CaptureTesting
import Foundation
import Testing
import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirKit

/// A capture and the secrets of its connections in one file.
@Suite("Copies with secrets") struct CaptureCopyTests {
    private static let name = "Captures/tls/rtsps-tls13"

    @Test("have all packets, and are decrypted without a key log")
    func copy() throws {
        let path = RecordedCaptures.path("\(Self.name).pcap")
        let (log, _) = KeyLog.parse(
            Array(try Data(contentsOf: URL(fileURLWithPath: RecordedCaptures.path("\(Self.name).keys")))),
            source: "keys")
        var analysis = Analysis(path)
        analysis.options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        let result = try analysis.run()
        var octets: [UInt8] = []
        try CaptureCopy.write(path, secrets: log.usedLines(), application: "test") { octets += $0 }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try Data(octets).write(to: copy)
        let again = try Analysis(copy.path).run()
        #expect(again.sessions.map(\.title) == result.sessions.map(\.title) && again.sessions.count == 1)
        #expect(again.events.map(\.frame) == result.events.map(\.frame))
        #expect(again.summaries.map(\.packets) == result.summaries.map(\.packets))
    }
}
