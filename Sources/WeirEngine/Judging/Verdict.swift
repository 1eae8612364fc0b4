/// What a rule says of one subject.
public enum Verdict: String, Sendable, Hashable {
    /// The specification is kept.
    case pass
    /// It is broken.
    case fail
    /// The capture does not hold what it would take to say: it starts late, has a gap there, is one-sided or was cut.
    case inconclusive
    /// The rule has nothing to say of this subject.
    case notApplicable
}

/// How bad a broken rule is.
public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Worth knowing.
    case note
    /// Likely to cause trouble with some peers.
    case warning
    /// Breaks a requirement.
    case error

    /// Whether `lhs` is the lesser one.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
