import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Rules release state together with its subject.
@Suite("State of the rules")
struct RuleInstancesTests {
    private static let captures = [
        "rtsp/rtsp-udp", "rtsp/rtsp-multicast", "rtsp/rtsp-http-tunnel", "rtsp/rtsp-2.0-tcp", "rtmp/rtmp-several",
        "rtmp/rtmpt-play", "rtmp/rtmp-relay",
    ]

    private final class Nobody: ReportSink {
        var sessions = 0
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
        func finding(_ finding: Finding, session: SessionReference?) {}
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) {}
        func session(_ record: SessionRecord) { sessions += 1 }
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
    }

    @Test("no state is left after an end of any kind", arguments: captures, [1, 2, 1_000])
    func forgets(_ capture: String, _ sessions: Int) throws {
        var options = AnalyzerOptions()
        options.limits.sessions = sessions
        let sink = Nobody()
        let judge = RuleEngine(rules: BuiltIn.rules, sink: sink)
        let analyzer = Analyzer(options: options, sink: judge)
        analyzer.begin(CaptureRecord(file: capture, format: "pcap", linkTypes: [], snapLength: nil))
        for frame in try KeptFrame.read(RecordedCaptures.path("Captures/\(capture).pcap")) {
            frame.use { analyzer.process($0) }
            let open = analyzer.open
            #expect(judge.openInstances <= open.sessions + open.flows)
            #expect(open.sessions <= sessions)
        }
        analyzer.finish()
        #expect(judge.openInstances == 0)
        #expect(sink.sessions > 0)
    }
}
