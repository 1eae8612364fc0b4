import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

/// A limit that is reached is said in words, never with a bare key and never in silence.
@Suite("Limits")
struct LimitTests {
    private static let limits: [(sentence: String, capture: String, lower: @Sendable (inout Limits) -> Void)] = [
        ("announcements were not kept", "rtsp/rtsp-udp.pcap", { $0.expectations = 1 }),
        ("were forgotten", "rtsp/rtsp-udp.pcap", { $0.outstandingRequests = 1 }),
        ("were given up", "transport/fragments-rtp.pcap", { $0.fragmentTotalOctets = 1 }),
        ("the oldest was ended", "rtsp/rtsp-multicast.pcap", { $0.sessions = 1 }),
        ("the one idle longest was ended", "rtsp/rtsp-udp.pcap", { $0.flows = 1 }),
        ("further ones are not", "rtsp/rtsp-connection-refused.pcap", { $0.failedConnections = 0 }),
        ("were not followed", "rtsp/rtsp-tcp-interleaved.pcap", { $0.streamsPerFlow = 1 }),
    ]

    @Test("Reaching a limit is reported", arguments: Self.limits.indices)
    func reported(_ index: Int) throws {
        let (sentence, capture, lower) = Self.limits[index]
        var options = AnalyzerOptions()
        lower(&options.limits)
        let output = MemoryOutput()
        let report = TextReport(ReportOptions(), output: output)
        let analyzer = Analyzer(options: options, sink: RuleEngine(rules: [], sink: report))
        analyzer.begin(CaptureRecord(file: capture, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in try KeptFrame.read(RecordedCaptures.path("Captures/\(capture)")) {
            frame.use { analyzer.process($0) }
        }
        analyzer.finish()
        let text = output.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains(sentence))
        #expect(!text.contains("limit."))
    }

    @Test("Of many interfaces that went away a few are named, and the others counted")
    func lostInterfaces() {
        let output = MemoryOutput()
        let report = TextReport(ReportOptions(), output: output)
        let analyzer = Analyzer(sink: RuleEngine(rules: [], sink: report))
        analyzer.begin(CaptureRecord(file: "memory", format: "pcapng", linkTypes: [.ethernet], snapLength: nil))
        for number in 0..<100 { analyzer.noteLoss(of: "eth\(number)", at: Timestamp(nanoseconds: 0)) }
        analyzer.finish()
        let text = output.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains("interface eth15 went away"))
        #expect(!text.contains("eth16"))
        #expect(text.contains("84 further ones are not"))
    }
}
