import WeirEngine
import WeirProtocols
import WeirReports

/// The timeline as it happens, and behind it the conformance report.
final class CheckedTimeline: Report {
    private let timeline: any Report
    private let verdict: any Report

    init(_ timeline: any Report, _ verdict: any Report) {
        self.timeline = timeline
        self.verdict = verdict
    }

    func begin(_ capture: CaptureRecord) {
        timeline.begin(capture)
        verdict.begin(capture)
    }

    func event(_ event: Event, session: Session?, findings: [Finding]) {
        timeline.event(event, session: session, findings: findings)
        verdict.event(event, session: session, findings: findings)
    }

    func finding(_ finding: Finding, session: Session?) {
        timeline.finding(finding, session: session)
        verdict.finding(finding, session: session)
    }

    func flow(_ flow: FlowRecord) {
        timeline.flow(flow)
        verdict.flow(flow)
    }

    func stream(_ stream: StreamRecord, session: Session?) {
        timeline.stream(stream, session: session)
        verdict.stream(stream, session: session)
    }

    func session(_ record: SessionRecord, session: Session) {
        timeline.session(record, session: session)
        verdict.session(record, session: session)
    }

    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        timeline.end(summary, tallies: tallies, findings: findings)
        timeline.flush()
        verdict.end(summary, tallies: tallies, findings: findings)
    }

    /// The verdict has its heading ready; it is to stand behind the timeline.
    func flush() { timeline.flush() }

    func finish() {
        timeline.finish()
        verdict.finish()
    }
}
