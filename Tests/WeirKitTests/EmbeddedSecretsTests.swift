import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// Secrets in the capture itself.
@Suite("Decryption Secrets Blocks") struct EmbeddedSecretsTests {
    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        let length = word(UInt32(padded.count + 12))
        return word(type) + length + padded + length
    }

    private static func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// Returns a pcapng file with the frames of a capture, and a block before them.
    private static func file(_ name: String, secrets: [UInt8]) throws -> String {
        var octets = block(0x0A0D_0D0A, [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 255, count: 8))
        octets += block(1, [1, 0, 0, 0, 0, 0, 0, 0])
        octets += block(10, secrets)
        for frame in try KeptFrame.read(DecryptionTests.path("\(name).pcap")) {
            let size = word(frame.octets.count)
            octets += block(6, [UInt8](repeating: 0, count: 12) + size + size + frame.octets)
        }
        let path = NSTemporaryDirectory() + "weir-\(UUID().uuidString).pcapng"
        try Data(octets).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("are used", arguments: ["rtsps-tls13", "rtmps-tls12-gcm"])
    func used(_ name: String) throws {
        let keys = [UInt8](try Data(contentsOf: URL(fileURLWithPath: DecryptionTests.path("\(name).keys"))))
        let path = try Self.file(name, secrets: [0x4B, 0x53, 0x4C, 0x54] + Self.word(keys.count) + keys)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try Analysis(path).run()
        let expected = try DecryptionTests.analyzed(name, try DecryptionTests.log(name))
        #expect(result.events.count { $0.decrypted == "tls" } == expected.events.count { $0.decrypted == "tls" })
        #expect(result.sessions.map(\.record.decryptedWith) == [[path]])
    }

    @Test(
        "with other contents are ignored",
        arguments: [
            [], [0x4B], [0x4B, 0x53, 0x4C, 0x54, 255, 255, 255, 255], [0x4B, 0x53, 0x4C, 0x54, 9, 0, 0, 0, 1],
            [1, 2, 3, 4, 0, 0, 0, 0], [0x4B, 0x53, 0x4C, 0x54, 4, 0, 0, 0, 1, 2, 3, 4],
        ])
    func ignored(_ secrets: [UInt8]) throws {
        let path = try Self.file("rtsps-tls13", secrets: secrets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!(try Analysis(path).run().events.contains { $0.decrypted != nil }))
    }
}
