/// Receives the judged timeline incrementally. Report writers conform to this protocol.
public protocol ReportSink: AnyObject {
    /// The secret policies for which `SessionRecord.facts` are needed; facts are not computed for other policies.
    var factPolicies: Set<SecretPolicy> { get }
    /// Whether every flow is passed on; otherwise only those with findings are, and the others are counted in the
    /// summary (``SummaryRecord/unlistedFlows``).
    var listsFlows: Bool { get }
    /// Called when the capture starts.
    func begin(_ capture: CaptureRecord)
    /// Called for each event. `session` has the state after the event; `findings` are those for this event.
    func event(_ event: Event, session: SessionReference?, findings: [Finding])
    /// Whether the records of routine messages are copied from similar ones at the moment; otherwise `routine` returns
    /// false.
    var copiesRecords: Bool { get }
    /// Called for a routine message instead of `event`; rules do not observe it. `outline` describes its record. Returns
    /// false if nothing was written, and the event is needed.
    func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool
    /// Whether steps that are only counted go to `count` at the moment; otherwise all go to `event`.
    var countsSteps: Bool { get }
    /// Called for a step of a session that is only counted, instead of `event`. Returns false if the event is needed.
    func count(_ step: CountedStep, session: SessionReference) -> Bool
    /// Called for a finding that does not belong to an event, such as a missing response.
    func finding(_ finding: Finding, session: SessionReference?)
    /// Called when a flow ends.
    func flow(_ flow: FlowRecord)
    /// Called when a media stream ends.
    func stream(_ stream: StreamRecord, session: SessionReference?)
    /// Called when a session ends, after the records of its flows and streams.
    func session(_ record: SessionRecord)
    /// Called when the capture ends. `tallies` are in rule order; `findings` contains the counts by severity.
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts)
}

extension ReportSink {
    /// The default: masked secrets.
    public var factPolicies: Set<SecretPolicy> { [.masked] }
    /// The default: true.
    public var listsFlows: Bool { true }
    /// The default: false.
    public var copiesRecords: Bool { false }
    /// The default: false.
    public func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool { false }
    /// The default: false.
    public var countsSteps: Bool { false }
    /// The default: false.
    public func count(_ step: CountedStep, session: SessionReference) -> Bool { false }
    /// The default implementation does nothing.
    public func begin(_ capture: CaptureRecord) {}
    /// The default implementation does nothing.
    public func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
    /// The default implementation does nothing.
    public func finding(_ finding: Finding, session: SessionReference?) {}
    /// The default implementation does nothing.
    public func flow(_ flow: FlowRecord) {}
    /// The default implementation does nothing.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {}
    /// The default implementation does nothing.
    public func session(_ record: SessionRecord) {}
    /// The default implementation does nothing.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}

    /// Forwards the check verdict for the ending capture if the report is a `VerdictSink`.
    package func pass(_ verdict: CaptureVerdict) { (self as? any VerdictSink)?.verdict(verdict) }
    /// Forwards the check verdict for all captures if the report is a `VerdictSink`.
    package func pass(_ run: RunVerdict) { (self as? any VerdictSink)?.conclude(run) }
}

/// A report that includes the verdicts of a check.
package protocol VerdictSink: ReportSink {
    /// Called with the check verdict for the ending capture.
    func verdict(_ verdict: CaptureVerdict)
    /// Called after all captures of a check have ended.
    func conclude(_ run: RunVerdict)
}

extension VerdictSink {
    /// The default implementation does nothing.
    package func conclude(_ run: RunVerdict) {}
}
