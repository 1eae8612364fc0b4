import CaptureTesting
import Foundation
import Synchronization
import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// Secrets in the capture itself.
@Suite("Decryption Secrets Blocks") struct EmbeddedSecretsTests {
    /// Where the block with secrets is.
    enum Place: CaseIterable {
        case start, middle, end
        /// In a section of its own behind the packets.
        case section
    }

    private struct Layout {
        var isBigEndian = false
        var place = Place.start

        func word(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> ((isBigEndian ? 3 - $0 : $0) * 8)) }
        }

        private func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
            let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
            let length = word(padded.count + 12)
            return word(type) + length + padded + length
        }

        private var section: [UInt8] {
            let version: [UInt8] = isBigEndian ? [0, 1, 0, 0] : [1, 0, 0, 0]
            let link: [UInt8] = isBigEndian ? [0, 1, 0, 0] : [1, 0, 0, 0]
            return block(0x0A0D_0D0A, word(0x1A2B_3C4D) + version + [UInt8](repeating: 255, count: 8))
                + block(1, link + [0, 0, 0, 0])
        }

        func secrets(_ keys: [UInt8]) -> [UInt8] { word(0x544C_534B) + word(keys.count) + keys }

        /// Returns a pcapng file with the frames of a capture, and a block with secrets.
        func octets(_ name: String, secrets: [UInt8]) throws -> [UInt8] {
            let secrets = block(10, secrets)
            let frames = try KeptFrame.read(DecryptionTests.path("\(name).pcap"))
            var octets = section + (place == .start ? secrets : [])
            for (index, frame) in frames.enumerated() {
                let size = word(frame.octets.count)
                octets += block(6, [UInt8](repeating: 0, count: 12) + size + size + frame.octets)
                if place == .middle, index == frames.count / 2 { octets += secrets }
            }
            switch place {
            case .start, .middle: return octets
            case .end: return octets + secrets
            case .section: return octets + Layout(isBigEndian: !isBigEndian).other(secrets)
            }
        }

        /// Returns a section with a block of another byte order, and one of this.
        private func other(_ secrets: [UInt8]) -> [UInt8] {
            section + Layout(isBigEndian: !isBigEndian).section + secrets
        }
    }

    private static func write(_ octets: [UInt8], _ type: String = "pcapng") throws -> String {
        let path = NSTemporaryDirectory() + "weir-\(UUID().uuidString).\(type)"
        try Data(octets).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func keys(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: DecryptionTests.path("\(name).keys"))))
    }

    private static func check(_ path: String, _ name: String) throws {
        let result = try Analysis(path).run()
        let expected = try DecryptionTests.analyzed(name, try DecryptionTests.log(name))
        let decrypted = result.events.filter { $0.decrypted == "tls" }
        #expect(decrypted.count == expected.events.count { $0.decrypted == "tls" })
        #expect(decrypted.allSatisfy { $0.decryption?.source == path })
        #expect(result.sessions.map(\.record.decryptedWith) == [[path]])
    }

    @Test("are used wherever they are, in both byte orders", arguments: Place.allCases, [false, true])
    func everywhere(_ place: Place, isBigEndian: Bool) throws {
        for name in ["rtsps-tls13", "rtmps-tls12-gcm"] {
            let layout = Layout(isBigEndian: isBigEndian, place: place)
            let path = try Self.write(layout.octets(name, secrets: layout.secrets(Self.keys(name))))
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Self.check(path, name)
        }
    }

    @Test("are used at the end of a compressed file")
    func compressed() throws {
        let layout = Layout(place: .end)
        let plain = try Self.write(layout.octets("rtsps-tls13", secrets: layout.secrets(Self.keys("rtsps-tls13"))))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", plain]
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: plain + ".gz") }
        try Self.check(plain + ".gz", "rtsps-tls13")
    }

    @Test("before damage are used, and those behind it are not", arguments: [Place.middle, .end])
    func damaged(_ place: Place) throws {
        let layout = Layout(place: place)
        var octets = try layout.octets("rtsps-tls13", secrets: layout.secrets(Self.keys("rtsps-tls13")))
        let end = octets.count
        // An impossible block length, behind or before the secrets.
        let cut: [UInt8] = [6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        if place == .middle {
            octets += cut
        } else {
            let size = try Self.keys("rtsps-tls13").count + 20
            octets.insert(contentsOf: cut, at: end - (size + 3) / 4 * 4)
        }
        let path = try Self.write(octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try Analysis(path).run().events.contains { $0.decrypted != nil } == (place == .middle))
    }

    /// Lines in captures are reported once, although the end of a file is read twice.
    @Test("report lines that cannot be used, with their place", arguments: Place.allCases)
    func unread(_ place: Place) throws {
        let reported = Mutex<[String]>([])
        let layout = Layout(place: place)
        let text = Array("# a comment\nCLIENT_RANDOM 00 11\n".utf8) + (try Self.keys("rtsps-tls13"))
        let path = try Self.write(layout.octets("rtsps-tls13", secrets: layout.secrets(text)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var analysis = Analysis(path)
        analysis.whenSecretsUnread = { text in reported.withLock { $0.append(text) } }
        #expect(try analysis.run().events.contains { $0.decrypted == "tls" })
        let frames = try KeptFrame.read(DecryptionTests.path("rtsps-tls13.pcap")).count
        let expected =
            switch place {
            case .start: "before frame 1"
            case .middle: "after frame \(frames / 2 + 1)"
            case .end, .section: "after frame \(frames)"
            }
        #expect(
            reported.withLock { $0 } == [
                "\(path): Decryption Secrets Block \(expected), line 2: the client random is not 64 hexadecimal digits"
            ])
    }

    @Test("report at most eight lines one by one")
    func manyUnread() throws {
        let reported = Mutex<[String]>([])
        let layout = Layout()
        let text = Array(String(repeating: "x\n", count: 20).utf8)
        let path = try Self.write(layout.octets("rtsps-tls13", secrets: layout.secrets(text)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var analysis = Analysis(path)
        analysis.whenSecretsUnread = { text in reported.withLock { $0.append(text) } }
        _ = try analysis.run()
        let lines = reported.withLock { $0 }
        #expect(lines.count == 9)
        #expect(lines.last == "\(path): further lines of Decryption Secrets Blocks cannot be used")
    }

    /// Returns a file with a block at its start.
    private static func file(_ name: String, secrets: [UInt8]) throws -> String {
        try write(Layout().octets(name, secrets: secrets))
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
