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
    /// The capture ended; `tallies` are in the order of the rule list, `findings` counts by severity.
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts)
}

extension ReportSink {
    /// By default secrets are masked.
    public var factPolicies: Set<SecretPolicy> { [.masked] }
    /// By default it is not wanted.
    public func begin(_ capture: CaptureRecord) {}
    /// By default it is not wanted.
    public func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
    /// By default it is not wanted.
    public func finding(_ finding: Finding, session: SessionReference?) {}
    /// By default it is not wanted.
    public func flow(_ flow: FlowRecord) {}
    /// By default it is not wanted.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {}
    /// By default it is not wanted.
    public func session(_ record: SessionRecord) {}
    /// By default it is not wanted.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}

    /// Hands on what a check makes of the capture that is about to end, to a report that tells verdicts.
    package func pass(_ verdict: CaptureVerdict) { (self as? any VerdictSink)?.verdict(verdict) }
    /// Hands on what a check makes of all captures, to a report that tells verdicts.
    package func pass(_ run: RunVerdict) { (self as? any VerdictSink)?.conclude(run) }
}

/// A report that tells verdicts, too: what a check makes of its captures.
package protocol VerdictSink: ReportSink {
    /// What a check makes of the capture that is about to end.
    func verdict(_ verdict: CaptureVerdict)
    /// All captures of a check have ended.
    func conclude(_ run: RunVerdict)
}

extension VerdictSink {
    /// By default all captures together are no matter of the report.
    package func conclude(_ run: RunVerdict) {}
}
