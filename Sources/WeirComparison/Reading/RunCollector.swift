package import WeirEngine

/// The results of analyzing a capture, bounded.
package struct RunRecord: Sendable {
    /// The events.
    package internal(set) var events: [Event] = []
    /// The findings that are violations.
    package internal(set) var findings: [Finding] = []
    /// The flows.
    package internal(set) var flows: [FlowRecord] = []
    /// The media streams.
    package internal(set) var streams: [StreamRecord] = []
    /// The sessions.
    package internal(set) var sessions: [SessionRecord] = []
    /// The statistics.
    package internal(set) var summary: SummaryRecord?
    /// Events not stored, because of the limit.
    package internal(set) var unstored = 0
}

/// Collects the results of an analysis up to limits.
final class RunCollector: ReportSink {
    private(set) var run = RunRecord()
    private let limits: ComparisonLimits

    init(_ limits: ComparisonLimits) { self.limits = limits }

    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        findings.forEach(add)
        guard run.events.count < limits.events else {
            run.unstored += 1
            return
        }
        run.events.append(event)
    }

    func finding(_ finding: Finding, session: SessionReference?) { add(finding) }

    func flow(_ flow: FlowRecord) {
        if run.flows.count < limits.lanes { run.flows.append(flow) }
    }

    func stream(_ stream: StreamRecord, session: SessionReference?) {
        if run.streams.count < limits.lanes { run.streams.append(stream) }
    }

    func session(_ record: SessionRecord) {
        if run.sessions.count < limits.lanes { run.sessions.append(record) }
    }

    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { run.summary = summary }

    private func add(_ finding: Finding) {
        guard finding.verdict == .fail, run.findings.count < limits.findings else { return }
        run.findings.append(finding)
    }
}
