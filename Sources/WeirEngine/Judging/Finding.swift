public import WeirPackets

/// A rule that is broken, or could not be judged, with the evidence.
public struct Finding: Sendable {
    /// The rule's id, such as `RTSP-SESSION-ECHO`.
    public var rule: String
    /// `fail` or `inconclusive`.
    public var verdict: Verdict
    /// How bad it is, after known habits of peers were taken into account.
    public var severity: Severity
    /// The protocol that the clause is of, in lower case: the first part of the rule's id.
    public var protocolName: String
    /// The name of the plugin that the rule belongs to.
    public var plugin: String
    /// What is wrong, in one sentence.
    public var message: Text
    /// What the specification asks for.
    public var expected: Text?
    /// What was found.
    public var actual: Text?
    /// Specification and clause, such as `RFC 2326 §12.37`.
    public var reference: String
    /// The known habit of real peers that excuses it.
    public var quirk: String?
    /// The event it is about.
    public var event: Int?
    /// The frame it is about.
    public var frame: Int?
    /// Offset and length in that frame.
    public var byteRange: Range<Int>?
    /// When it was found.
    public var time: Timestamp?
    /// The flow it is about.
    public var flow: Int?
    /// The session it is about.
    public var session: Int?
    /// The stream it is about.
    public var stream: Int?
    /// By how much a requirement of the profile is missed, in the unit of its measure; nil for rules.
    public var excess: Double?
    /// The same over runs: no times, no frame numbers, no random ids.
    public var fingerprint: String
    /// The reason of the waiver that covers it, or `baseline`.
    public var waivedBy: String?

    /// Whether a check may fail for it: it is broken for certain, and nobody has accepted it.
    public var counts: Bool { verdict == .fail && waivedBy == nil }
    /// Whether the baseline has it.
    public var isKnown: Bool { waivedBy == Baseline.name }
}

/// How often a rule was judged, and how.
public struct RuleTally: Sendable, Hashable {
    /// The rule's id.
    public var rule: String
    /// Subjects that keep it.
    public var pass = 0
    /// Subjects that break it.
    public var fail = 0
    /// Subjects that could not be judged.
    public var inconclusive = 0
    /// Subjects it has nothing to say of.
    public var notApplicable = 0

    /// Counts nothing yet.
    public init(rule: String) {
        self.rule = rule
    }
}

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

/// Findings of verdict `fail`, by severity, and those that could not be judged.
public struct FindingCounts: Sendable, Hashable {
    /// Broken requirements.
    public var errors = 0
    /// Warnings.
    public var warnings = 0
    /// Notes.
    public var notes = 0
    /// Not judged for want of evidence.
    public var inconclusive = 0

    /// Counts nothing yet.
    public init() {}

    /// Counts one finding.
    public mutating func count(_ finding: Finding) {
        guard finding.verdict == .fail else {
            inconclusive += 1
            return
        }
        switch finding.severity {
        case .error: errors += 1
        case .warning: warnings += 1
        case .note: notes += 1
        }
    }
}
