import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols
@testable import WeirReports

/// Decryption of SRT with a passphrase.
@Suite("Decryption of SRT")
struct SRTDecryptionTests {
    private static let passphrase = "correct-horse-battery"

    /// Returns the results of a capture, and the files that are extracted from it.
    private static func analyzed(
        _ name: String, passphrases: String = ""
    ) throws -> (result: AnalysisResult, files: [[UInt8]], file: SRTPassphraseFile) {
        final class Files { var all: [Int: Memory] = [:] }
        let files = Files()
        let extractor = MediaExtractor(isWanted: { _ in true }) { number, _ in
            let file = Memory()
            files.all[number] = file
            return file
        }
        var analysis = Analysis(RecordedCaptures.path("Captures/srt/\(name).pcap"))
        let file = SRTPassphraseFile.parse(Array(passphrases.utf8), source: "passphrases").file
        analysis.options.limits[SRTSettings.self].passphrases = file
        analysis.tap = extractor
        let result = try analysis.run()
        return (result, files.all.sorted { $0.key < $1.key }.map(\.value.octets), file)
    }

    /// A media file in memory.
    private final class Memory: MediaFile {
        var octets: [UInt8] = []
        func write(_ more: [UInt8]) { octets += more }
        func close() {}
        func patch(_ patch: FilePatch) {}
    }

    @Test("The decrypted transport stream is that of the same film in the clear, octet by octet")
    func twin() throws {
        let clear = try Self.analyzed("srt-live")
        let sealed = try Self.analyzed("srt-encrypted")
        let opened = try Self.analyzed("srt-encrypted", passphrases: "another-passphrase\n\(Self.passphrase)\r\n")
        #expect(sealed.files.isEmpty)
        #expect(clear.files.first?.count ?? 0 > 40_000)
        #expect(opened.files == clear.files)
        let stream = try #require(opened.result.streams.first?.details as? SRTStream)
        #expect(stream.decrypted == 45 && stream.encrypted == 0)
        #expect(stream.transportStream?.programs.count == 1)
        #expect(opened.result.sessions.first?.record.decryptedWith == ["passphrases"])
        #expect(!opened.file.fitsNothing)
    }

    @Test(
        "The file is what the sender sent, octet by octet: in the clear, decrypted, with a new key, repaired, in file mode",
        arguments: [
            "srt-live", "srt-encrypted", "srt-rendezvous", "srt-key-refresh", "srt-repair", "srt-repair-receiver",
            "srt-late-repair", "srt-file",
        ])
    func equals(_ name: String) throws {
        let found = try Self.analyzed(name, passphrases: Self.passphrase)
        let digest = try String(
            contentsOfFile: RecordedCaptures.path(
                "Captures/srt/\(name.replacing("-receiver", with: "")).sha256"), encoding: .utf8)
        let file = try #require(found.files.first)
        let octets = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digest.dropFirst($0).prefix(2), radix: 16) }
        #expect(Digest256.base64(file) == Data(octets).base64EncodedString())
    }

    @Test("Keys of each length decrypt", arguments: [("srt-ffmpeg", 16), ("srt-gstreamer", 24), ("srt-encrypted", 32)])
    func lengths(_ name: String, _ octets: Int) throws {
        let (result, files, _) = try Self.analyzed(name, passphrases: Self.passphrase)
        let stream = try #require(result.streams.first?.details as? SRTStream)
        #expect(stream.decrypted == stream.packets && stream.encrypted == 0)
        #expect(stream.transportStream?.programs.count == 1)
        #expect(
            result.sessions.first?.record.facts(.masked).first { $0.name == "keyLength" }?.value == .integer(octets))
        let file = try #require(files.first)
        #expect(file.count > 5_000 && file.count % 188 == 0)
        #expect(stride(from: 0, to: file.count, by: 188).allSatisfy { file[$0] == 0x47 })
    }

    @Test("A passphrase that does not fit changes nothing but is reported as unused")
    func wrongPassphrase() throws {
        let sealed = try Self.analyzed("srt-encrypted")
        let wrong = try Self.analyzed("srt-encrypted", passphrases: "another-passphrase")
        #expect(wrong.file.fitsNothing)
        #expect(wrong.files.isEmpty)
        #expect(
            wrong.result.streams.map { "\($0.details.fields(.masked))" }
                == sealed.result.streams.map { "\($0.details.fields(.masked))" })
        // Without encryption, no passphrase can be wrong.
        let plain = try Self.analyzed("srt-live", passphrases: "another-passphrase")
        #expect(!plain.file.fitsNothing)
    }

    @Test("Faults of a file name the line, never the passphrase")
    func faults() {
        let (file, faults) = SRTPassphraseFile.parse(Array("short\n\ncorrect-horse-battery\n".utf8), source: "keys")
        #expect(file.count == 1)
        #expect(faults.map(\.description) == ["keys:1: a passphrase has 10 to 80 octets"])
    }

    @Test("Passphrases are tried a bounded number of times")
    func bounded() throws {
        let file = SRTPassphraseFile.parse(Array(Self.passphrase.utf8), source: "keys").file
        var settings = SRTSettings()
        settings.passphrases = file
        settings.derivations = 0
        var keys = try #require(SRTKeys(settings))
        let content: [UInt8] =
            [0x12, 0x20, 0x29, 1, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 4, 4] + [UInt8](repeating: 7, count: 16 + 24)
        let parsed = SRTKeyMaterial(content.rawSpan, isResponse: false)
        let material = try #require(parsed)
        keys.take(material, of: .clientToServer, isHandshake: true)
        #expect(keys.source == nil && !file.fitsNothing)
    }
}
