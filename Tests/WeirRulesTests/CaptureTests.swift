import CaptureTesting
import Testing
import WeirCapture
@testable import WeirEngine
import WeirPackets
@testable import WeirProtocols

@Suite("Rules on captures of real peers")
struct CaptureTests {
    /// Sessions of ffmpeg, GStreamer and VLC that succeeded, or ended without violating a rule.
    private static let healthy = [
        "2.0", "2.0-tcp", "any-sll2", "any-tcp-sll2", "b-frames", "basic", "both-challenges", "client-gone",
        "connection-refused", "digest", "digest-gst", "h265-opus", "http-tunnel", "http-tunnel-gst", "ipv6", "ipv6-tcp",
        "jpeg-pcma", "loss-tap", "loss-tcp", "midstream-split", "midstream-tcp", "midstream-udp", "mpeg4-l16",
        "multicast", "nanoseconds", "no-protocol", "not-found", "offload", "pause-seek", "pause-seek-tcp", "record-gst",
        "record-tcp", "record-to-ffmpeg", "record-udp", "router-sll", "server-killed", "server-killed-udp",
        "snaplen-tcp", "snaplen-udp", "srtp", "standstill-tcp", "tcp-interleaved", "tcp-odd-port", "to-the-end", "udp",
        "udp-gst", "vlc",
        "vlc-client", "vlc-gst", "vlc-tcp", "vp8-g722", "wrong-password",
    ]

    @Test("No errors in healthy captures", arguments: healthy)
    func noFalseErrors(_ name: String) throws {
        let said = try Self.judged("rtsp-\(name)")
        #expect(said.findings.filter { $0.verdict == .fail && $0.severity == .error }.map(Collector.line) == [])
    }

    @Test("Every violation in the article's dialogue is reported, and nothing else")
    func article() throws {
        let said = try Self.judged("article-dialogue")
        #expect(
            said.findings.filter { $0.verdict == .fail }.map(Collector.line).sorted() == [
                "error RTSP-SESSION-ECHO.missing",
                "note RTP-NOT-ARRIVED.rtcp",
                "note RTSP-DATE-FORMAT.monthFirst",
                "note RTSP-TRANSPORT-GRAMMAR.emptyParameter",
                "note RTSP-UNSET-MEDIA.left",
                "warning RTSP-PORT-PAIR.odd",
                "warning RTSP-RTPINFO-SCOPE.unset",
                "warning RTSP-SESSION-454.missing",
            ])
    }

    @Test("Packets to a closed port are an error")
    func unreachable() throws {
        #expect(
            try Self.judged("rtsp-port-unreachable").said("RTP-NOT-ARRIVED").contains(
                "error RTP-NOT-ARRIVED.unreachable"))
    }

    @Test("No media over UDP is an error if the capture would contain it, and undecided if a filter may exclude UDP")
    func noDatagrams() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let segments = frames.filter { $0.ports?.isTCP == true }
        let keys = { (frames: [KeptFrame]) in PlantedFaultTests.judged(frames).said("RTP-NOT-ARRIVED") }
        #expect(Set(keys(segments)) == ["inconclusive RTP-NOT-ARRIVED.noDatagrams"])
        // Address resolution is neither TCP nor UDP.
        var arp = try #require(segments.first)
        arp.octets = Array(arp.octets.prefix(12)) + [8, 6] + [UInt8](repeating: 0, count: 46)
        arp.info = FrameInfo(
            number: 1, time: arp.info.time, capturedLength: arp.octets.count, originalLength: arp.octets.count,
            linkType: .ethernet)
        #expect(Set(keys([arp] + segments)) == ["error RTP-NOT-ARRIVED.never"])
    }

    @Test("A server that closes leaves a request unanswered")
    func closeTime() throws {
        #expect(try Self.judged("rtsp-record-hung-up").said("RTSP-UNANSWERED") == ["error RTSP-UNANSWERED.never"])
    }

    @Test("Lost packets are counted against the limits")
    func loss() throws {
        #expect(try Self.judged("rtsp-loss-udp").said("RTP-SEQ-LOSS").contains("error RTP-SEQ-LOSS.lost"))
    }

    @Test(
        "Every finding has a frame, also one about something missing",
        arguments: [
            "article-dialogue", "rtsp-record-hung-up", "rtsp-port-unreachable", "rtsp-client-gone", "rtsp-loss-udp",
            "rtsp-server-killed", "rtsp-midstream-tcp", "rtsp-snaplen-udp",
        ])
    func frames(_ name: String) throws {
        let said = try Self.judged(name)
        #expect(!said.findings.isEmpty)
        #expect(said.findings.filter { $0.frame == nil }.map(Collector.line) == [])
    }

    @Test("Findings beyond the limit are counted, and remarked on")
    func limit() throws {
        var options = RuleEngine.Options()
        options.findingsPerRule = 0
        let said = try Self.judged("article-dialogue", options: options)
        #expect(said.findings.isEmpty)
        #expect(said.errors == 1)
        #expect(said.limitsReached.map(\.key) == ["limit.findings"])
    }

    /// Judges a capture in `Captures/rtsp`.
    private static func judged(_ name: String, options: RuleEngine.Options = RuleEngine.Options()) throws -> Collector {
        let collector = Collector()
        let rules = RTSP.rules + RTP.rules + RTCP.rules
        let analyzer = Analyzer(sink: RuleEngine(rules: rules, options: options, sink: collector))
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        var capture = try CaptureFile("\(root)/Captures/rtsp/\(name).pcap")
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [], snapLength: nil))
        while let frame = try capture.next() { analyzer.process(frame) }
        analyzer.finish()
        return collector
    }
}
