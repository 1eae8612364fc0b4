/// The verdict of a rule on one subject.
public enum Verdict: String, Sendable, Hashable {
    /// The subject conforms to the specification.
    case pass
    /// The subject violates it.
    case fail
    /// The capture does not contain the evidence: it starts late, has a gap, is one-sided or is truncated.
    case inconclusive
    /// The rule does not apply to the subject.
    case notApplicable
}

/// The severity of a rule violation.
public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Worth knowing.
    case note
    /// Likely to cause interoperability problems with some peers.
    case warning
    /// Violates a requirement.
    case error

    /// Whether `lhs` is less severe than `rhs`.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

extension Severity {
    /// The severity one level lower.
    var lowered: Severity { self == .error ? .warning : .note }
}
