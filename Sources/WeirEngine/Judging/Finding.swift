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
