import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirReports

@testable import WeirKit
@testable import WeirProtocols

/// Media of ffmpeg, whose keys a description tells (`rtsp-srtp-sdes.pcap`).
@Suite("Authentication tags of recorded media") struct SRTPAuthenticationTests {
    private static let key = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e"

    private static func frames() throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-srtp-sdes.pcap"))
    }

    /// The counts of right and wrong tags, by stream, in the order in which they ended.
    private static func tags(_ result: AnalysisResult) -> [[Int]] {
        result.streams.compactMap { stream in
            guard case .object(let counts) = stream["authentication"] else { return nil }
            return counts.compactMap { if case .integer(let count) = $0.value { count } else { nil } }
        }
    }

    @Test("all are right")
    func kept() throws {
        let result = EditedCalls.analysed(try Self.frames())
        #expect(result.streams.count == 2 && Self.tags(result).allSatisfy { $0[0] > 20 && $0[1] == 0 })
        #expect(Self.tags(result).count == 2 && result.errors.isEmpty)
    }

    @Test("one octet that was changed breaks one")
    func changed() throws {
        var frames = try Self.frames()
        let place = try #require(
            frames.indices.filter { frames[$0].datagram.map { $0.count > 300 && $0.first == 0x80 } ?? false }.dropFirst(
                5
            )
            .first)
        frames[place].octets[100] ^= 0x10
        let result = EditedCalls.analysed(frames)
        #expect(result.errors.map(\.rule) == ["SRTP-AUTH"])
        #expect(result.errors.first?.frame == place + 1 && result.errors.first?.message.key == "SRTP-AUTH.some")
        #expect(Self.tags(result).map { $0[1] }.sorted() == [0, 1])
    }

    @Test("another key than the told one fits none")
    func otherKey() throws {
        let other = "B" + Self.key.dropFirst()
        let frames = try Self.frames().map { $0.replacing(Self.key, with: other) }
        let result = EditedCalls.analysed(frames)
        #expect(result.errors.map(\.message.key) == ["SRTP-AUTH.none"])
        // Where the capture lacks a part of the session, the sender may have told another key in it.
        let late = EditedCalls.analysed(Array(frames.dropFirst(8)))
        let found = late.findings.filter { $0.rule == "SRTP-AUTH" }
        #expect(found.map(\.verdict) == [.inconclusive] && late.errors.isEmpty)
    }

    @Test("without the description there is nothing to verify, and the key shows nowhere")
    func secrets() throws {
        let frames = try Self.frames()
        let media = EditedCalls.analysed(frames.filter { $0.datagram != nil })
        #expect(!media.streams.isEmpty && Self.tags(media).isEmpty)
        let told = EditedCalls.analysed(frames).events.map {
            "\($0.message.summary(.masked))\($0.message.fields(.masked))"
        }
        #expect(told.contains { $0.contains("AES_CM_128_HMAC_SHA1_80") } && !told.contains { $0.contains(Self.key) })
    }
}
