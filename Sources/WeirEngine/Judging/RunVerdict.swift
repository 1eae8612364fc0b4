/// What a check makes of one capture beyond its findings.
public struct CaptureVerdict: Sendable {
    /// What keeps verdicts undecided, and how to record better.
    public var advice: [CaptureAdvice] = []
    /// The rules that judged, requirements of the profile included, in the order of the tallies.
    public var rules: [RuleInfo] = []
    /// How often each was judged, and how.
    public var tallies: [RuleTally] = []

    /// Says nothing yet.
    public init() {}

    /// Of each specification, which clauses were exercised: found out when it is asked for.
    public var coverage: [ClauseCoverage] { ClauseCoverage.of(rules, tallies) }
}

/// What came of a whole check.
public struct RunVerdict: Sendable {
    /// The profile's name.
    public var profile = "default"
    /// The severity from which on the check fails.
    public var threshold = Severity.error
    /// The worst severity of a finding that counts.
    public var worst: Severity?
    /// Verdicts of all rules over all captures; 0 when nothing was judged.
    public var judged = 0
    /// Findings of all captures.
    public var counts = FindingCounts()
    /// Findings that a waiver covers.
    public var waived = 0
    /// Findings that the baseline has.
    public var known = 0
    /// Fingerprints of findings that the baseline does not have; nil without a baseline.
    public var fresh: [Baseline.Entry]?
    /// What the baseline has and nobody found any more.
    public var gone: [Baseline.Entry] = []
    /// Captures that could not be opened, and why.
    public var unread: [(file: String, reason: String)] = []
    /// Captures that could be read in part.
    public var damaged = 0
    /// Waivers whose day is over.
    public var expired: [Waiver] = []
    /// Waivers that cover nothing.
    public var stale: [Waiver] = []

    /// Nothing was found yet.
    public init() {}

    /// Whether all captures could be read to their end.
    public var isWhole: Bool { unread.isEmpty && damaged == 0 }

    /// Whether the check failed.
    public var isFailed: Bool { !expired.isEmpty || worst.map { $0 >= threshold } ?? false }
}
