import WeirPackets

/// Keeps back the findings about what is not to be shown: who asks for a part of a capture asks for the verdict on that part,
/// counts and exit code included.
///
/// Everything is analysed all the same, and steps go on to the report, which selects among them by itself.
package final class SelectedFindings: VerdictSink {
    private let selection: Selection
    private let sink: any ReportSink
    /// Time of the first step that may be counted from.
    private var start: Timestamp?
    private var counts = FindingCounts()
    /// Time of the latest step of each open session.
    private var latest: [Int: Timestamp] = [:]
    /// What each rule found that was kept back.
    private var kept: [String: (fail: Int, inconclusive: Int)] = [:]
    /// The flows that are asked for, and that no capture had so far.
    package private(set) var missingFlows: Set<Int>
    /// The sessions that are asked for, and that no capture had so far.
    package private(set) var missingSessions: Set<Int>
    /// Flows of the sessions that are asked for.
    private var flowsOfSessions: Set<Int> = []

    /// Hands on to `sink` what is found about what is selected.
    package init(_ selection: Selection, sink: any ReportSink) {
        self.selection = selection
        self.sink = sink
        missingFlows = selection.flows
        missingSessions = selection.sessions
    }

    /// What the report asks for.
    package var factPolicies: Set<SecretPolicy> { sink.factPolicies }

    /// A capture begins.
    package func begin(_ capture: CaptureRecord) {
        start = nil
        counts = FindingCounts()
        kept = [:]
        latest = [:]
        flowsOfSessions = []
        sink.begin(capture)
    }

    /// A step; if it is not to be shown, what was found about it is kept back.
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
        // The report leaves out the step, and would with it what was found about it.
        if !isShown { shown.forEach { sink.finding($0, session: session) } }
    }

    /// Whether the rule is of a protocol that is asked for, where the step is of another: a call's rules judge the steps of those
    /// that it is made of.
    private func isOfPlugin(_ finding: Finding, on event: Event) -> Bool {
        selection.protocols.contains(finding.plugin) && selection.includesPlace(of: event)
    }

    /// Something that was found about no single step: it belongs to its protocol, its flows, and the time of its frame, or
    /// else the end of its session.
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

    /// A flow ended.
    package func flow(_ flow: FlowRecord) {
        missingFlows.remove(flow.id)
        guard selection.sessions.isEmpty || flowsOfSessions.contains(flow.id) else { return }
        sink.flow(flow)
    }

    /// A stream ended.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { sink.stream(stream, session: session) }

    /// A session ended.
    package func session(_ record: SessionRecord) {
        latest[record.id] = nil
        missingSessions.remove(record.id)
        sink.session(record)
    }

    /// A check's verdict on the capture.
    package func verdict(_ verdict: CaptureVerdict) { sink.pass(verdict) }

    /// The capture ended: counted is what was handed on.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        let tallies = tallies.map { tally in
            var tally = tally
            tally.fail -= kept[tally.rule]?.fail ?? 0
            tally.inconclusive -= kept[tally.rule]?.inconclusive ?? 0
            return tally
        }
        sink.end(summary, tallies: tallies, findings: counts)
    }

    /// All captures have ended.
    package func conclude(_ run: RunVerdict) { sink.pass(run) }
}
