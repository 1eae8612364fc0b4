/// The result of a check for one capture, in addition to its findings.
package struct CaptureVerdict: Sendable {
    /// Why verdicts are inconclusive, and how to capture better.
    package var advice: [CaptureAdvice] = []
    /// The enabled rules, including the profile's requirements, in the order of `tallies`.
    package var rules: [RuleInfo] = []
    /// The verdict counts of each rule.
    package var tallies: [RuleTally] = []
    /// The profile's requirements.
    package var requirements: [Requirement] = []

    /// Creates an empty verdict.
    package init() {}

    /// The clauses exercised, by specification; computed on access.
    package var coverage: [ClauseCoverage] { ClauseCoverage.of(rules, tallies) }
}

/// The result of a check over all captures.
package struct RunVerdict: Sendable {
    /// The profile name.
    package var profile = "default"
    /// The lowest severity that fails the check.
    package var threshold = Severity.error
    /// The worst severity of a finding that counts.
    package var worst: Severity?
    /// The number of verdicts over all captures and rules; 0 if nothing was judged.
    package var judged = 0
    /// Findings of all captures.
    package var counts = FindingCounts()
    /// The number of waived findings.
    package var waived = 0
    /// The number of findings that the baseline accepts.
    package var known = 0
    /// Findings that the baseline does not accept, or nil without a baseline.
    package var fresh: [Baseline.Entry]?
    /// Baseline findings that no longer occur.
    package var gone: [Baseline.Entry] = []
    /// Captures that could not be opened, with the reason.
    package var unread: [(file: String, reason: String)] = []
    /// The number of captures that could only be read in part.
    package var damaged = 0
    /// Waivers that have expired.
    package var expired: [Waiver] = []
    /// Waivers that cover no finding.
    package var stale: [Waiver] = []

    /// Creates an empty result.
    package init() {}

    /// Whether all captures were read to the end.
    package var isWhole: Bool { unread.isEmpty && damaged == 0 }

    /// Whether the check failed.
    package var isFailed: Bool { !expired.isEmpty || worst.map { $0 >= threshold } ?? false }
}
