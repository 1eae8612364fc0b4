import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Captures without some frames say less than the whole ones, and nothing else.
@Suite("Captures without some frames")
struct MissingFramesTests {
    private static func frames(_ name: String, without missing: [Int]) throws -> [KeptFrame] {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        #expect(missing.allSatisfy { frames.indices.contains($0 - 1) })
        return frames.filter { !missing.contains($0.info.number) }
    }

    private static func broken(_ collector: Collector) -> Set<String> {
        Set(collector.findings.filter { $0.verdict == .fail }.map { "\($0.rule) \($0.message.key)" })
    }

    @Test(
        "break no rule that the whole capture keeps",
        arguments: [
            // The response to OPTIONS, in a connection whose last response has no CSeq.
            ("diff/rtsp-tcp-sender", [6]), ("rtsp/rtsp-record-to-ffmpeg", [6]),
            // A SETUP in the connection of a tunnel that carries requests, and what acknowledges it.
            ("rtsp/rtsp-http-tunnel", [24, 25]), ("rtsp/rtsp-http-tunnel", [20, 21]),
            ("rtsp/rtsp-http-tunnel", [28, 29]), ("rtsp/rtsp-http-tunnel", [26, 28]), ("rtsp/rtsp-http-tunnel", [16]),
            ("http/rtsp-websocket", [8]),
            // A frame of interleaved media after PLAY was repeated.
            ("reported/rtsp-tcp-after-udp", [45]),
            // The description of encrypted media.
            ("rtsp/rtsp-srtp", [15]),
        ])
    func rules(_ name: String, _ missing: [Int]) throws {
        let whole = Collector.of(try Self.frames(name, without: []))
        let part = Collector.of(try Self.frames(name, without: missing))
        #expect(Self.broken(part).subtracting(Self.broken(whole)) == [])
    }

    @Test(
        "state what is certain",
        arguments: [
            ("diff/rtsp-tcp-sender", [6], ["outcome.recorded", "outcome.teardownRefused"]),
            ("rtsp/rtsp-record-to-ffmpeg", [6], ["outcome.recorded", "outcome.teardownRefused"]),
            ("rtmp/rtmp-chunks-changing", [203], ["outcome.rtmp.publishedAtLeast"]),
            ("rtmp/rtmp-publish", [200], ["outcome.rtmp.published"]),
        ])
    func outcomes(_ name: String, _ missing: [Int], _ expected: [String]) throws {
        let outcome = Collector.of(try Self.frames(name, without: missing)).outcomes
        #expect(outcome.first.map { Array($0.prefix(expected.count)) } == expected)
    }

    /// The header after a gap can be read as one of another chunk stream, which begins an octet earlier.
    @Test(
        "show no jump of timestamps that continue",
        arguments: [
            ("rtmp/rtmp-publish", [200]), ("rtmp/rtmp-publish", [441]), ("rtmp/rtmp-play", [112]),
            ("rtmp/rtmp-publish-odd-port", [161, 195, 204, 216, 266, 322, 350, 440]),
        ])
    func timestamps(_ name: String, _ missing: [Int]) throws {
        let timeline = AnalyzedTimeline()
        let analyzer = Analyzer(sink: timeline)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in try Self.frames(name, without: missing) { frame.use { analyzer.process($0) } }
        analyzer.finish()
        #expect(timeline.lines.count { $0.protocolName == "rtmp" && $0.kind == "gap" } == 0)
        #expect(timeline.lines.contains { $0.protocolName == "tcp" && $0.kind == "gap" })
    }
}
