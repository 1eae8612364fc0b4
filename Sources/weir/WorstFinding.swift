import WeirEngine
import WeirProtocols
import WeirReports

/// Notes the worst finding on its way to the report.
final class WorstFinding: ReportSink {
    private let sink: any ReportSink
    private(set) var severity: Severity?

    init(_ sink: any ReportSink) {
        self.sink = sink
    }

    func begin(_ capture: CaptureRecord) { sink.begin(capture) }
    func event(_ event: Event, session: Session?, findings: [Finding]) {
        for finding in findings { note(finding) }
        sink.event(event, session: session, findings: findings)
    }
    func finding(_ finding: Finding, session: Session?) {
        note(finding)
        sink.finding(finding, session: session)
    }
    func flow(_ flow: FlowRecord) { sink.flow(flow) }
    func stream(_ stream: StreamRecord, session: Session?) { sink.stream(stream, session: session) }
    func session(_ record: SessionRecord, session: Session) { sink.session(record, session: session) }
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        sink.end(summary, tallies: tallies, findings: findings)
    }

    private func note(_ finding: Finding) {
        guard finding.verdict == .fail, finding.waivedBy == nil else { return }
        severity = max(severity ?? finding.severity, finding.severity)
    }
}
