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
            // The end of S1, which may contain a digest.
            ("rtmp/rtmp-play-nothing", Array(9...44)),
            // Seconds after the first packets, in which media may have been sent elsewhere.
            ("rtp/rtp-telephone-event", Array(3...120)),
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

    /// Frames of several messages in a row are missing.
    private static let ofPublisher = [
        11, 13, 16, 22, 24, 27, 44, 51, 57, 61, 68, 96, 97, 121, 131, 139, 142, 154, 155, 159, 165, 185, 195,
        197, 206, 243, 244, 246, 251, 254, 258, 269, 282, 311, 316, 318, 332, 354, 362, 380, 420, 427, 438, 440,
        450, 451, 460, 470, 494, 497, 514, 519, 522, 532, 535, 542, 554, 556, 562,
    ]

    @Test("contain no chunk size that the whole capture does not contain")
    func chunkSizes() throws {
        func sizes(without missing: [Int]) throws -> Set<String> {
            let lines = try Self.timeline("rtmp/rtmp-publish-rtmpsink", without: missing).lines
            return Set(lines.map(\.summary).filter { $0.hasPrefix("Set Chunk Size") })
        }
        let whole = try sizes(without: [])
        #expect(!whole.isEmpty)
        #expect(try sizes(without: Self.ofPublisher).subtracting(whole) == [])
    }

    private static func timeline(_ name: String, without missing: [Int]) throws -> AnalyzedTimeline {
        let timeline = AnalyzedTimeline()
        let analyzer = Analyzer(sink: timeline)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in try frames(name, without: missing) { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return timeline
    }

    /// The header after a gap can be read as one of another chunk stream, which begins an octet earlier.
    @Test(
        "show no jump of timestamps that continue",
        arguments: [
            ("rtmp/rtmp-publish", [200]), ("rtmp/rtmp-publish", [441]), ("rtmp/rtmp-play", [112]),
            ("rtmp/rtmp-publish-odd-port", [161, 195, 204, 216, 266, 322, 350, 440]),
        ])
    func timestamps(_ name: String, _ missing: [Int]) throws {
        let timeline = try Self.timeline(name, without: missing)
        #expect(timeline.lines.count { $0.protocolName == "rtmp" && $0.kind == "gap" } == 0)
        #expect(timeline.lines.contains { $0.protocolName == "tcp" && $0.kind == "gap" })
    }
}
