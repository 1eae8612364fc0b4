import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports
import WeirTesting

/// A reached limit is reported in words, never as a bare key and never silently.
@Suite("Limits")
struct LimitTests {
    private static let limits: [(sentence: String, capture: String, lower: @Sendable (inout Limits) -> Void)] = [
        ("announcements were dropped", "rtsp/rtsp-udp.pcap", { $0.expectations = 1 }),
        ("; 1 was dropped", "rtsp/rtsp-udp.pcap", { $0.outstandingRequests = 1 }),
        ("incomplete fragmented datagrams", "transport/fragments-rtp.pcap", { $0.fragmentTotalOctets = 1 }),
        ("too many open sessions; the oldest was dropped", "rtsp/rtsp-multicast.pcap", { $0.sessions = 1 }),
        ("the one idle longest was dropped", "rtsp/rtsp-udp.pcap", { $0.flows = 1 }),
        ("more are not shown", "rtsp/rtsp-connection-refused.pcap", { $0.failedConnections = 0 }),
        ("not tracked", "rtsp/rtsp-tcp-interleaved.pcap", { $0.streamsPerFlow = 1 }),
        ("out of memory", "rtsp/rtsp-udp.pcap", { $0.memoryOctets = 1 }),
        ("too many header fields", "rtsp/rtsp-udp.pcap", { $0.headerFields = 1 }),
        ("too long, not kept", "rtsp/rtsp-udp.pcap", { $0.headerOctets = 80 }),
        ("too long, skipped", "rtsp/rtsp-udp.pcap", { $0.messageOctets = 300 }),
        ("with too many encapsulations", "transport/vxlan-rtsp-udp.pcap", { $0.encapsulations = 0 }),
        ("gaps were reported early", "rtsp/rtsp-loss-tcp.pcap", { $0.gapBufferOctets = 0 }),
        ("gaps were reported early", "rtsp/rtsp-loss-tcp.pcap", { $0.gapBufferTotalOctets = 0 }),
        ("incomplete message too long, dropped", "rtsp/rtsp-tcp-interleaved.pcap", { $0.messageTotalOctets = 0 }),
        ("incomplete fragmented datagrams", "transport/fragments-rtp.pcap", { $0.fragmentedDatagrams = 0 }),
        ("too many flows announced for one endpoint", "rtsp/rtsp-udp.pcap", { $0.expectationsAlike = 0 }),
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

    /// Returns the findings of a capture with a lowered limit, without undecided verdicts.
    private func found(_ capture: String, _ lower: (inout Limits) -> Void) throws -> Set<String> {
        var options = AnalyzerOptions()
        lower(&options.limits)
        let found = TimelineFindings()
        let analyzer = Analyzer(options: options, sink: RuleEngine(rules: BuiltIn.rules, sink: found))
        analyzer.begin(CaptureRecord(file: capture, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in try KeptFrame.read(RecordedCaptures.path("Captures/\(capture)")) {
            frame.use { analyzer.process($0) }
        }
        analyzer.finish()
        return found.rules
    }

    @Test("A limit is no peer's fault", arguments: Self.limits.indices)
    func blameless(_ index: Int) throws {
        let (_, capture, lower) = Self.limits[index]
        let more = try found(capture, lower).subtracting(found(capture) { _ in })
        #expect(more.isEmpty, "\(more)")
    }

    @Test("Many similar sessions of one client are one row")
    func manySessions() {
        let output = MemoryOutput()
        let analyzer = Analyzer(sink: RuleEngine(rules: [], sink: TextReport(ReportOptions(), output: output)))
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for number in 0..<1_001 {
            let client = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: UInt16(10_000 + number))
            let text = Array("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)
            let segments = [
                PacketBuilder.tcp(from: client, to: PacketBuilder.server, sequence: 1, acknowledgment: 0, flags: .syn),
                PacketBuilder.tcp(
                    from: PacketBuilder.server, to: client, sequence: 8, acknowledgment: 2, flags: [.syn, .ack]),
                PacketBuilder.tcp(text, from: client, to: PacketBuilder.server, sequence: 2, acknowledgment: 9),
            ]
            for segment in segments {
                KeptFrame(packet: segment, number: 1, time: Timestamp(nanoseconds: Int64(number))).use {
                    analyzer.process($0)
                }
            }
        }
        analyzer.finish()
        #expect(output.text.contains("1001 attempts: "))
    }

    @Test("Of many lost interfaces a few are named, and the others counted")
    func lostInterfaces() {
        let output = MemoryOutput()
        let report = TextReport(ReportOptions(), output: output)
        let analyzer = Analyzer(sink: RuleEngine(rules: [], sink: report))
        analyzer.begin(CaptureRecord(file: "memory", format: "pcapng", linkTypes: [.ethernet], snapLength: nil))
        for number in 0..<100 { analyzer.noteLoss(of: "eth\(number)", at: Timestamp(nanoseconds: 0)) }
        analyzer.finish()
        let text = output.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text.contains("interface eth15 disappeared"))
        #expect(!text.contains("eth16"))
        #expect(text.contains("84 more are not listed"))
    }
}

/// Collects the rules with errors and warnings.
private final class TimelineFindings: ReportSink {
    var rules: Set<String> = []

    private func note(_ finding: Finding) {
        if finding.verdict == .fail, finding.severity > .note { rules.insert(finding.rule) }
    }
    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) { findings.forEach(note) }
    func finding(_ finding: Finding, session: SessionReference?) { note(finding) }
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {}
    func session(_ record: SessionRecord) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
}
