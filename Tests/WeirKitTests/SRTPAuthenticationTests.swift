import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirReports

@testable import WeirKit
@testable import WeirProtocols

/// Media of ffmpeg with SRTP keys from the description (`rtsp-srtp-sdes.pcap`).
@Suite("Authentication tags of recorded media") struct SRTPAuthenticationTests {
    private static let key = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0e"

    private static func frames() throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-srtp-sdes.pcap"))
    }

    /// The counts of valid and invalid tags, by stream, in the order of their ends.
    private static func tags(_ result: AnalysisResult) -> [[Int]] {
        result.streams.compactMap { stream in
            guard case .object(let counts) = stream["authentication"] else { return nil }
            return counts.compactMap { if case .integer(let count) = $0.value { count } else { nil } }
        }
    }

    /// The rules about encryption with an error. The description lacks a packetization mode, which its media does not
    /// follow (H264-MODE).
    private static func errors(_ result: AnalysisResult) -> [Finding] {
        result.errors.filter { $0.rule == "SRTP-AUTH" }
    }

    @Test("all are valid")
    func kept() throws {
        let result = EditedCalls.analyzed(try Self.frames())
        #expect(result.streams.count == 2 && Self.tags(result).allSatisfy { $0[0] > 20 && $0[1] == 0 })
        #expect(Self.tags(result).count == 2 && Self.errors(result).isEmpty)
    }

    @Test("random firewall-opening octets are no report, although they start like one")
    func opening() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-srtp.pcap"))
        let random = Set(24...28)
        let octets = frames.filter { random.contains($0.info.number) }.compactMap { $0.datagram.map { Array($0) } }
        #expect(octets.count == 5 && octets.contains { $0[0] >> 6 == 2 && 192...223 ~= $0[1] })
        let result = EditedCalls.analyzed(frames)
        #expect(result.events.filter { random.contains($0.frame) }.map(\.message.protocolName) == [])
        #expect(result.events.count { $0.message.protocolName == "rtcp" } > 2)
    }

    @Test("one changed octet invalidates one tag")
    func changed() throws {
        var frames = try Self.frames()
        let place = try #require(
            frames.indices.filter { frames[$0].datagram.map { $0.count > 300 && $0.first == 0x80 } ?? false }.dropFirst(
                5
            )
            .first)
        frames[place].octets[100] ^= 0x10
        let result = EditedCalls.analyzed(frames)
        let errors = Self.errors(result)
        #expect(errors.count == 1 && errors.first?.frame == place + 1 && errors.first?.message.key == "SRTP-AUTH.some")
        #expect(Self.tags(result).map { $0[1] }.sorted() == [0, 1])
    }

    @Test("a key other than the signaled one verifies none")
    func otherKey() throws {
        let other = "B" + Self.key.dropFirst()
        let frames = try Self.frames().map { $0.replacing(Self.key, with: other) }
        let result = EditedCalls.analyzed(frames)
        #expect(result.errors.map(\.message.key) == ["SRTP-AUTH.none"])
        // The finding says that later packets are not verified.
        #expect(result.sentences("SRTP-AUTH").allSatisfy { $0.contains("32 packets") && $0.contains("not checked") })
        // The part of the session that is not captured may contain another key.
        let late = EditedCalls.analyzed(Array(frames.dropFirst(8)))
        let found = late.findings.filter { $0.rule == "SRTP-AUTH" }
        #expect(found.map(\.verdict) == [.inconclusive] && late.errors.isEmpty)
    }

    @Test("media with a clear payload is not reported as encrypted")
    func clear() throws {
        // The other medium's section is shortened to keep the length.
        let old = "\(Self.key)\r\na=control:track0\r\nm=audio 0 RTP/SAVP 0\r\na=rtpmap:0 PCMU/8000\r\n"
        let new = "\(Self.key) UNENCRYPTED_SRTP\r\na=control:track0\r\nm=audio 0 RTP/SAVP 0\r\na=x\r\n"
        #expect(old.utf8.count == new.utf8.count)
        let result = EditedCalls.analyzed(try Self.frames().map { $0.replacing(old, with: new) })
        let video = try #require(result.streams.first { $0.mediaType == "video" })
        let audio = try #require(result.streams.first { $0.mediaType != "video" })
        #expect(video["encrypted"] == nil && video["decryptedWith"] == nil)
        #expect(audio["decryptedWith"] == .string("a=crypto"))
        #expect(Self.tags(result).allSatisfy { $0[0] > 20 && $0[1] == 0 } && Self.errors(result).isEmpty)
        let said = result.events.flatMap(\.remarks).map(\.text.key)
        #expect(said.contains("rtp.remark.verified") && said.contains("rtp.remark.decrypted"))
    }

    @Test("a report too short to be encrypted is parsed, among encrypted ones")
    func shortReport() throws {
        var frames = try Self.frames()
        let place = try #require(
            frames.indices.last { frames[$0].datagram.map { $0.count > 40 && $0.first == 0x80 } ?? false })
        // A firewall-opening packet: a receiver report without report blocks.
        let octets = frames[place].octets
        frames[place].octets = Array(octets[..<42]) + [0x80, 201, 0, 1, 1, 2, 3, 4]
        frames[place].octets.replaceSubrange(16..<18, with: [0, 36])
        frames[place].octets.replaceSubrange(38..<40, with: [0, 16])
        let result = EditedCalls.analyzed(frames)
        let report = try #require(result.events.first { $0.frame == place + 1 && $0.message.protocolName == "rtcp" })
        #expect(report.message.kind == "receiverReport" && !(report.message is OpaqueRTCP))
    }

    @Test("signaled keys that cannot be used cause no finding")
    func manyKeys() throws {
        let other = "B" + Self.key.dropFirst()
        let frames = try Self.frames().map { $0.replacing(Self.key, with: other) }
        for member in [1, 0] {
            var options = AnalyzerOptions()
            options.limits[RTPLimits.self].keys = member
            let result = EditedCalls.analyzed(frames, options)
            // Only one key is tried and reported; or none is, although one was tried.
            #expect(result.errors.map(\.message.key) == (member == 1 ? ["SRTP-AUTH.none"] : []))
            #expect(result.summaries.flatMap(\.limitsReached).map(\.key).contains("limit.keys") == (member == 0))
        }
    }

    @Test("without the description nothing is verified, and the key is never shown")
    func secrets() throws {
        let frames = try Self.frames()
        let media = EditedCalls.analyzed(frames.filter { $0.datagram != nil })
        #expect(!media.streams.isEmpty && Self.tags(media).isEmpty)
        let reported = EditedCalls.analyzed(frames).events.map {
            "\($0.message.summary(.masked))\($0.message.fields(.masked))"
        }
        #expect(
            reported.contains { $0.contains("AES_CM_128_HMAC_SHA1_80") } && !reported.contains { $0.contains(Self.key) }
        )
    }
}
