import WeirPackets

/// Filters findings by the selection, so that verdict, counts and exit code refer to the selected part of the capture.
///
/// The whole capture is analyzed regardless. Events are forwarded unfiltered; the report applies the selection itself.
package final class SelectedFindings: VerdictSink {
    private let selection: Selection
    private let sink: any ReportSink
    /// The start of the capture, to which event offsets refer.
    private var start: Timestamp?
    private var counts = FindingCounts()
    /// The time of the latest event of each open session.
    private var latest: [Int: Timestamp] = [:]
    /// The number of findings withheld, per rule.
    private var kept: [String: (fail: Int, inconclusive: Int)] = [:]
    /// Selected flows that no capture has contained so far.
    package private(set) var missingFlows: Set<Int>
    /// Selected sessions that no capture has contained so far.
    package private(set) var missingSessions: Set<Int>
    /// Flows of the selected sessions.
    private var flowsOfSessions: Set<Int> = []

    /// Creates a filter that forwards the selected findings to `sink`.
    package init(_ selection: Selection, sink: any ReportSink) {
        self.selection = selection
        self.sink = sink
        missingFlows = selection.flows
        missingSessions = selection.sessions
    }

    /// The policies of the report.
    package var factPolicies: Set<SecretPolicy> { sink.factPolicies }

    /// Resets the state for a new capture.
    package func begin(_ capture: CaptureRecord) {
        start = nil
        counts = FindingCounts()
        kept = [:]
        latest = [:]
        flowsOfSessions = []
        sink.begin(capture)
    }

    /// Forwards an event; findings outside the selection are withheld.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        if let session {
            latest[session.id] = event.time
            if selection.sessions.contains(session.id) { flowsOfSessions.insert(event.flow) }
        }
        if start == nil { start = Timestamp(nanoseconds: event.time.nanoseconds &- event.offset) }
        let isShown = selection.includes(event)
        var shown: [Finding] = []
        for finding in findings {
            if isShown || isOfPlugin(finding, on: event) { shown.append(finding) } else { keep(finding) }
        }
        shown.forEach { counts.count($0) }
        sink.event(event, session: session, findings: isShown ? shown : [])
        // The report omits the event and its findings with it, so pass them separately.
        if !isShown { shown.forEach { sink.finding($0, session: session) } }
    }

    /// Whether the rule belongs to a selected protocol although the event does not: the rules of a call also judge the
    /// messages of the protocols it uses.
    private func isOfPlugin(_ finding: Finding, on event: Event) -> Bool {
        selection.protocols.contains(finding.plugin) && selection.includesPlace(of: event)
    }

    /// Forwards a finding without an event if its protocol, flows and time (of its frame, or else of the latest event
    /// of its session) are selected.
    package func finding(_ finding: Finding, session: SessionReference?) {
        guard includes(finding, session) else { return keep(finding) }
        counts.count(finding)
        sink.finding(finding, session: session)
    }

    private func includes(_ finding: Finding, _ session: SessionReference?) -> Bool {
        guard selection.includes(protocolName: finding.plugin), selection.includes(session: session?.id) else {
            return false
        }
        let isAbout =
            finding.flow.map { selection.includes(flow: $0) } ?? selection.includes(anyOf: session?.flows ?? [])
        guard isAbout else { return false }
        guard let time = finding.time ?? session.flatMap({ latest[$0.id] }) else { return true }
        return selection.includes(time, since: start ?? time)
    }

    private func keep(_ finding: Finding) {
        if finding.verdict == .fail {
            kept[finding.rule, default: (0, 0)].fail += 1
        } else {
            kept[finding.rule, default: (0, 0)].inconclusive += 1
        }
    }

    /// Forwards the end of a flow.
    package func flow(_ flow: FlowRecord) {
        missingFlows.remove(flow.id)
        guard selection.sessions.isEmpty || flowsOfSessions.contains(flow.id) else { return }
        sink.flow(flow)
    }

    /// Forwards the end of a stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { sink.stream(stream, session: session) }

    /// Forwards the end of a session.
    package func session(_ record: SessionRecord) {
        latest[record.id] = nil
        missingSessions.remove(record.id)
        sink.session(record)
    }

    /// Forwards the verdict on the capture.
    package func verdict(_ verdict: CaptureVerdict) { sink.pass(verdict) }

    /// Ends the capture; the counts contain only forwarded findings.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        let tallies = tallies.map { tally in
            var tally = tally
            tally.fail -= kept[tally.rule]?.fail ?? 0
            tally.inconclusive -= kept[tally.rule]?.inconclusive ?? 0
            return tally
        }
        sink.end(summary, tallies: tallies, findings: counts)
    }

    /// Forwards the verdict on the run.
    package func conclude(_ run: RunVerdict) { sink.pass(run) }
}
