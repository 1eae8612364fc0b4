import CaptureTesting
import Testing
import WeirPackets
import WeirProtocols
import WeirTesting

@testable import WeirEngine
@testable import WeirReports

/// Passes everything to a report, and notes which steps were counted without their events.
private final class Counting: ReportSink {
    private let report: any Report
    let countsSteps: Bool
    private(set) var counted = 0
    private(set) var tallies: [RuleTally] = []

    init(_ report: any Report, countsSteps: Bool) {
        (self.report, self.countsSteps) = (report, countsSteps)
    }

    var factPolicies: Set<SecretPolicy> { report.factPolicies }
    var listsFlows: Bool { report.listsFlows }

    func count(_ step: CountedStep, session: SessionReference) -> Bool {
        guard report.count(step, session: session) else { return false }
        counted += 1
        return true
    }

    func begin(_ capture: CaptureRecord) { report.begin(capture) }
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        report.event(event, session: session, findings: findings)
    }
    func finding(_ finding: Finding, session: SessionReference?) { report.finding(finding, session: session) }
    func flow(_ flow: FlowRecord) { report.flow(flow) }
    func stream(_ stream: StreamRecord, session: SessionReference?) { report.stream(stream, session: session) }
    func session(_ record: SessionRecord) { report.session(record) }
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        self.tallies = tallies
        report.end(summary, tallies: tallies, findings: findings)
    }
}

@Suite("Steps that are only counted")
struct CountedStepTests {
    /// A text report, how many steps were counted in it without their events, and what the rules counted.
    private struct Written {
        let octets: [UInt8]
        let counted: Int
        let tallies: [RuleTally]

        init(
            _ extent: TextReport.Page.Extent = .condensed, countsSteps: Bool, _ analyze: (Counting) throws -> Void
        ) rethrows {
            let output = MemoryOutput()
            var page = TextReport.Page()
            page.extent = extent
            let report = TextReport(ReportOptions(), page: page, output: output)
            let counting = Counting(report, countsSteps: countsSteps)
            try analyze(counting)
            report.finish()
            (octets, counted, tallies) = (output.octets, counting.counted, counting.tallies)
        }

        init(_ capture: String, _ extent: TextReport.Page.Extent, countsSteps: Bool) throws {
            try self.init(extent, countsSteps: countsSteps) {
                try WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, into: $0)
            }
        }

        init(_ frames: [KeptFrame], countsSteps: Bool) {
            self.init(countsSteps: countsSteps) {
                let judge = RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: $0)
                let analyzer = Analyzer(sink: judge)
                analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
                for frame in frames { frame.use { analyzer.process($0) } }
                analyzer.finish()
            }
        }
    }

    @Test(
        "give the same report without their events",
        arguments: [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-tcp-interleaved.pcap",
            "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/webrtc/browser-turn.pcap",
        ], [TextReport.Page.Extent.overview, .condensed])
    func sameReport(capture: String, extent: TextReport.Page.Extent) throws {
        let plain = try Written(capture, extent, countsSteps: false)
        let quick = try Written(capture, extent, countsSteps: true)
        #expect(quick.octets == plain.octets)
        #expect(quick.tallies == plain.tallies)
        #expect(plain.counted == 0)
        #expect(quick.counted > 1)
    }

    @Test(
        "give the same report if reports are repeated, with any octets changed",
        arguments: [
            "rtsp/rtsp-udp.pcap", "rtsp/rtsp-record-gst.pcap", "rtsp/rtsp-rtx.pcap", "rtsp/rtsp-vlc.pcap",
        ],
        [0, 0.05, 0.4])
    func repeated(capture: String, changed: Double) throws {
        let original = try PlantedCapture(RecordedCaptures.path("Captures/" + capture))
        for seed in 1...6 {
            var random = SeededGenerator(UInt64(seed))
            var made = original
            made.repeatReports(12, every: Int64(seed) * 90_000_000) { packet in
                guard Double.random(in: 0..<1, using: &random) < changed else { return }
                packet[Int.random(in: packet.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let plain = Written(made.frames, countsSteps: false)
            let quick = Written(made.frames, countsSteps: true)
            #expect(String(decoding: quick.octets, as: UTF8.self) == String(decoding: plain.octets, as: UTF8.self))
            #expect(quick.tallies == plain.tallies)
            #expect(quick.counted > 50)
        }
    }

    @Test("are not counted without their events where all steps are shown")
    func whole() {
        var page = TextReport.Page()
        page.extent = .whole
        #expect(!TextReport(ReportOptions(), page: page, output: MemoryOutput()).countsSteps)
        #expect(TextReport(ReportOptions(), output: MemoryOutput()).countsSteps)
        #expect(!NDJSONReport(ReportOptions(), output: MemoryOutput()).countsSteps)
    }
}
