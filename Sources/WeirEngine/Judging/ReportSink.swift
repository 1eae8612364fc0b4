/// Receives the judged timeline as it happens: what report writers implement.
public protocol ReportSink: AnyObject {
    /// The policies under which it asks sessions for their members, `SessionRecord.facts`: others are not made.
    var factPolicies: Set<SecretPolicy> { get }
    /// Reading a capture begins.
    func begin(_ capture: CaptureRecord)
    /// A step happened, after which `session` is as told; `findings` are those about the step.
    func event(_ event: Event, session: SessionReference?, findings: [Finding])
    /// Something was found that is about no single step, such as a missing answer.
    func finding(_ finding: Finding, session: SessionReference?)
    /// A flow ended.
    func flow(_ flow: FlowRecord)
    /// A media stream ended.
    func stream(_ stream: StreamRecord, session: SessionReference?)
    /// A session ended; its flows' and streams' records came before.
    func session(_ record: SessionRecord)
    /// What a check makes of the capture that is about to end.
    func verdict(_ verdict: CaptureVerdict)
    /// The capture ended; `tallies` are in the order of the rule list, `findings` counts by severity.
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts)
    /// All captures of a check have ended.
    func conclude(_ run: RunVerdict)
}

extension ReportSink {
    /// By default secrets are masked.
    public var factPolicies: Set<SecretPolicy> { [.masked] }
    /// By default it is no matter of the report.
    public func verdict(_ verdict: CaptureVerdict) {}
    /// By default it is no matter of the report.
    public func conclude(_ run: RunVerdict) {}
}
