import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports
import WeirTesting

/// A limit that is reached is said in words, never with a bare key and never in silence.
@Suite("Limits")
struct LimitTests {
    private static let limits: [(sentence: String, capture: String, lower: @Sendable (inout Limits) -> Void)] = [
        ("announcements were not kept", "rtsp/rtsp-udp.pcap", { $0.expectations = 1 }),
        ("; 1 was forgotten", "rtsp/rtsp-udp.pcap", { $0.outstandingRequests = 1 }),
        ("were given up", "transport/fragments-rtp.pcap", { $0.fragmentTotalOctets = 1 }),
        ("the oldest was ended", "rtsp/rtsp-multicast.pcap", { $0.sessions = 1 }),
        ("the one idle longest was ended", "rtsp/rtsp-udp.pcap", { $0.flows = 1 }),
        ("further ones are not", "rtsp/rtsp-connection-refused.pcap", { $0.failedConnections = 0 }),
        ("were not followed", "rtsp/rtsp-tcp-interleaved.pcap", { $0.streamsPerFlow = 1 }),
        ("memory was short", "rtsp/rtsp-udp.pcap", { $0.memoryOctets = 1 }),
        ("more header fields than are kept", "rtsp/rtsp-udp.pcap", { $0.headerFields = 1 }),
        ("headers were longer than is kept", "rtsp/rtsp-udp.pcap", { $0.headerOctets = 80 }),
        ("bodies longer than is kept", "rtsp/rtsp-udp.pcap", { $0.messageOctets = 300 }),
        ("more encapsulations than are taken off", "transport/vxlan-rtsp-udp.pcap", { $0.encapsulations = 0 }),
        ("gaps were told before", "rtsp/rtsp-loss-tcp.pcap", { $0.gapBufferOctets = 0 }),
        ("gaps were told before", "rtsp/rtsp-loss-tcp.pcap", { $0.gapBufferTotalOctets = 0 }),
        ("grew too long and was given up", "rtsp/rtsp-tcp-interleaved.pcap", { $0.messageTotalOctets = 0 }),
        ("were given up", "transport/fragments-rtp.pcap", { $0.fragmentedDatagrams = 0 }),
        ("were announced at one endpoint", "rtsp/rtsp-udp.pcap", { $0.expectationsAlike = 0 }),
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

    /// What is found of a capture, undecided verdicts left out, when a limit is reached.
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

    @Test("Very many sessions of one client that end alike are one row")
    func manySessions() {
        let output = MemoryOutput()
        let analyzer = Analyzer(sink: RuleEngine(rules: [], sink: TextReport(ReportOptions(), output: output)))
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for number in 0..<1_001 {
            let client = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: UInt16(10_000 + number))
            let text = Array("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)
            let segments = [
                PacketBuilder.tcp(from: client, to: PacketBuilder.server, sequence: 1, acknowledgment: 0, flags: .syn),
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

/// The rules with errors and warnings.
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
