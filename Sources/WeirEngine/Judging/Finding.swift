public import WeirPackets

/// A rule violation or an inconclusive verdict, with its evidence.
public struct Finding: Sendable {
    /// The rule id, such as `RTSP-SESSION-ECHO`.
    public var rule: String
    /// `fail` or `inconclusive`.
    public var verdict: Verdict
    /// The severity, after allowances for known peer quirks.
    public var severity: Severity
    /// The protocol of the rule in lowercase: the first part of the rule id.
    public var protocolName: String
    /// The name of the plugin that defines the rule.
    public var plugin: String
    /// The problem, in one sentence.
    public var message: Text
    /// What the specification requires.
    public var expected: Text?
    /// What was observed.
    public var actual: Text?
    /// The specification and clause, such as `RFC 2326 §12.37`.
    public var reference: String
    /// The known peer quirk that excuses the violation.
    public var quirk: String?
    /// The event id.
    public var event: Int?
    /// The frame number; of the first occurrence if there are several.
    public var frame: Int?
    /// The number of occurrences, if it was known when the finding was made; later ones are ``RepeatedFinding``s.
    public var count = 1
    /// The frame of the last of several occurrences.
    public var lastFrame: Int?
    /// The byte range in that frame.
    public var byteRange: Range<Int>?
    /// The capture time of the evidence.
    public var time: Timestamp?
    /// The flow id.
    public var flow: Int?
    /// The session id.
    public var session: Int?
    /// The stream id.
    public var stream: Int?
    /// The amount by which a profile requirement is missed, in the unit of its fact; nil for rules.
    public var excess: Double?
    /// An identifier that is stable across runs: it contains no times, frame numbers or random ids.
    public var fingerprint: String
    /// The reason of the waiver that covers the finding, or `baseline`.
    public var waivedBy: String?

    /// Whether a check may fail because of the finding: a conclusive violation that is not waived.
    public var counts: Bool { verdict == .fail && waivedBy == nil }
    /// Whether the baseline contains the finding.
    public var isKnown: Bool { waivedBy == Baseline.name }
}
