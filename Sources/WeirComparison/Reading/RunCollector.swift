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
    /// Events, findings, flows, streams and sessions not stored, because of the limits.
    package internal(set) var unstored = 0
}

/// Collects the results of an analysis up to limits.
final class RunCollector: ReportSink {
    private(set) var run = RunRecord()
    private let limits: ComparisonLimits

    init(_ limits: ComparisonLimits) { self.limits = limits }

    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        findings.forEach(add)
        store(event, \.events, limits.events)
    }

    func finding(_ finding: Finding, session: SessionReference?) { add(finding) }

    func flow(_ flow: FlowRecord) {
        store(flow, \.flows, limits.uniflows)
    }

    func stream(_ stream: StreamRecord, session: SessionReference?) {
        store(stream, \.streams, limits.uniflows)
    }

    func session(_ record: SessionRecord) {
        store(record, \.sessions, limits.uniflows)
    }

    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { run.summary = summary }

    private func add(_ finding: Finding) {
        if finding.verdict == .fail { store(finding, \.findings, limits.findings) }
    }

    private func store<Value>(_ value: Value, _ path: WritableKeyPath<RunRecord, [Value]>, _ limit: Int) {
        guard run[keyPath: path].count < limit else {
            run.unstored += 1
            return
        }
        run[keyPath: path].append(value)
    }
}
