/// What a check makes of one capture beyond its findings.
package struct CaptureVerdict: Sendable {
    /// What keeps verdicts undecided, and how to record better.
    package var advice: [CaptureAdvice] = []
    /// The rules that judged, requirements of the profile included, in the order of the tallies.
    package var rules: [RuleInfo] = []
    /// How often each was judged, and how.
    package var tallies: [RuleTally] = []

    /// Says nothing yet.
    package init() {}

    /// Of each specification, which clauses were exercised: found out when it is asked for.
    package var coverage: [ClauseCoverage] { ClauseCoverage.of(rules, tallies) }
}

/// What came of a whole check.
package struct RunVerdict: Sendable {
    /// The profile's name.
    package var profile = "default"
    /// The severity from which on the check fails.
    package var threshold = Severity.error
    /// The worst severity of a finding that counts.
    package var worst: Severity?
    /// Verdicts of all rules over all captures; 0 when nothing was judged.
    package var judged = 0
    /// Findings of all captures.
    package var counts = FindingCounts()
    /// Findings that a waiver covers.
    package var waived = 0
    /// Findings that the baseline has.
    package var known = 0
    /// Fingerprints of findings that the baseline does not have; nil without a baseline.
    package var fresh: [Baseline.Entry]?
    /// What the baseline has and nobody found any more.
    package var gone: [Baseline.Entry] = []
    /// Captures that could not be opened, and why.
    package var unread: [(file: String, reason: String)] = []
    /// Captures that could be read in part.
    package var damaged = 0
    /// Waivers whose day is over.
    package var expired: [Waiver] = []
    /// Waivers that cover nothing.
    package var stale: [Waiver] = []

    /// Nothing was found yet.
    package init() {}

    /// Whether all captures could be read to their end.
    package var isWhole: Bool { unread.isEmpty && damaged == 0 }

    /// Whether the check failed.
    package var isFailed: Bool { !expired.isEmpty || worst.map { $0 >= threshold } ?? false }
}
