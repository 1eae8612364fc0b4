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
    package init(rule: String) {
        self.rule = rule
    }
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
    package init() {}

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
