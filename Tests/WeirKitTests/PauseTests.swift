import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols

/// No media is expected during a pause: pauses are excluded from all figures.
@Suite("Pauses and seeks") struct PauseTests {
    private static func analyzed(_ frames: [KeptFrame]) -> AnalysisResult {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    /// Returns the capture with its first pause extended by `seconds`.
    private static func frames(_ name: String, longer seconds: Int64) throws -> [KeptFrame] {
        var plays = 0
        return try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(name).pcap")).map { frame in
            var frame = frame
            if frame.octets.firstRange(of: Array("PLAY rtsp:".utf8)) != nil { plays += 1 }
            guard plays > 1 else { return frame }
            frame.info.time = Timestamp(nanoseconds: frame.info.time.nanoseconds + seconds * 1_000_000_000)
            return frame
        }
    }

    private static func reports(_ result: AnalysisResult) -> [String] {
        result.findings.filter { $0.verdict == .fail && $0.rule.hasPrefix("RTCP-") }.map(\.rule)
    }

    @Test(
        "are excluded from all figures, however long they are",
        arguments: ["rtsp-pause-seek", "rtsp-pause-seek-tcp"], [Int64(0), 60])
    func figures(_ name: String, longer seconds: Int64) throws {
        let whole = Self.analyzed(try Self.frames(name, longer: 0))
        let result = Self.analyzed(try Self.frames(name, longer: seconds))
        #expect(result.streams.count == 2)
        for (record, same) in zip(result.streams, whole.streams) {
            let (stream, other) = (try #require(record.media), try #require(same.media))
            #expect((stream.jitter?.maximumMilliseconds ?? 99) < 5 && (stream.jitter?.neededMilliseconds ?? 99) < 50)
            #expect(abs((stream.bitrate ?? 0) - (other.bitrate ?? -1)) < 1)
            // Two pauses, the second as short as a seek.
            #expect(
                stream.stretches.count == 3 && abs(stream.pausedSeconds - other.pausedSeconds - Double(seconds)) < 0.001
            )
            if record.mediaType == "video" { #expect(abs((stream.frameRate ?? 0) - 10) < 0.05) }
        }
        #expect(result.sessions.map(\.outcome.first) == whole.sessions.map(\.outcome.first))
        #expect(Self.reports(result) == [])
    }

    @Test("explain what senders skip there, also if the setup of the session was not captured")
    func unsignaled() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-pause-seek.pcap"))
        let result = Self.analyzed(Array(frames.dropFirst(127)))
        let losses = result.findings.filter { $0.rule == "RTP-SEQ-LOSS" }
        #expect(losses.allSatisfy { $0.verdict == .inconclusive })
        #expect(result.streams.compactMap(\.media).map(\.unrecovered) == [0, 0])
        // Numbers that are missing elsewhere are lost.
        let late = result.streams.compactMap(\.media).map(\.packets)
        let media = frames.indices.dropFirst(140).filter { frames[$0].octets.count > 1_000 }
        let without = Self.analyzed(
            frames.enumerated().filter { $0.offset > 126 && $0.offset != media[1] }.map(\.element))
        #expect(late.reduce(0, +) > without.streams.compactMap(\.media).map(\.packets).reduce(0, +))
        #expect(without.streams.compactMap(\.media).map(\.unrecovered).reduce(0, +) == 1)
    }
}
