import CaptureTesting
import Testing
import WeirPackets

@testable import WeirEngine
@testable import WeirReports

/// Passes everything to a report, and notes which steps were counted without their events.
private final class Counting: ReportSink {
    private let report: any Report
    let countsSteps: Bool
    private(set) var counted = 0

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
        report.end(summary, tallies: tallies, findings: findings)
    }
}

@Suite("Steps that are only counted")
struct CountedStepTests {
    /// Returns the text report of a capture, and how many steps were counted without their events.
    private func written(
        _ capture: String, _ extent: TextReport.Page.Extent, countsSteps: Bool
    ) throws -> (octets: [UInt8], counted: Int) {
        let output = MemoryOutput()
        var page = TextReport.Page()
        page.extent = extent
        let report = TextReport(ReportOptions(), page: page, output: output)
        let counting = Counting(report, countsSteps: countsSteps)
        try WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, into: counting)
        report.finish()
        return (output.octets, counting.counted)
    }

    @Test(
        "give the same report without their events",
        arguments: [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-tcp-interleaved.pcap",
            "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/webrtc/browser-turn.pcap",
        ], [TextReport.Page.Extent.overview, .condensed])
    func sameReport(capture: String, extent: TextReport.Page.Extent) throws {
        let plain = try written(capture, extent, countsSteps: false)
        let quick = try written(capture, extent, countsSteps: true)
        #expect(quick.octets == plain.octets)
        #expect(plain.counted == 0)
        #expect(quick.counted > 1)
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
