/// Verdict counts of a rule.
public struct RuleTally: Sendable, Hashable {
    /// The rule id.
    public var rule: String
    /// The number of subjects that conform.
    public var pass = 0
    /// The number of subjects that violate the rule.
    public var fail = 0
    /// The number of subjects that could not be judged.
    public var inconclusive = 0
    /// The number of subjects that the rule does not apply to.
    public var notApplicable = 0

    /// Creates a tally with zero counts.
    package init(rule: String) {
        self.rule = rule
    }
}

/// Counts of failed findings by severity, and of inconclusive findings.
public struct FindingCounts: Sendable, Hashable {
    /// Findings with severity `error`.
    public var errors = 0
    /// Findings with severity `warning`.
    public var warnings = 0
    /// Findings with severity `note`.
    public var notes = 0
    /// Findings that are inconclusive.
    public var inconclusive = 0

    /// Creates zero counts.
    package init() {}

    /// Counts one finding.
    public mutating func count(_ finding: Finding) {
        count(finding.verdict, finding.severity)
    }

    /// Counts one finding with a verdict and a severity.
    package mutating func count(_ verdict: Verdict, _ severity: Severity) {
        guard verdict == .fail else {
            inconclusive += 1
            return
        }
        switch severity {
        case .error: errors += 1
        case .warning: warnings += 1
        case .note: notes += 1
        }
    }
}
