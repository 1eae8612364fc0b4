/// What a rule says of itself.
public struct RuleInfo: Sendable {
    /// What a rule rests on.
    public enum Basis: String, Sendable {
        /// The clause says MUST, SHALL or REQUIRED.
        case must = "MUST"
        /// The clause says SHOULD or RECOMMENDED.
        case should = "SHOULD"
        /// The clause describes, without a keyword.
        case plain = "no keyword"
        /// What implementations agree on.
        case practice
        /// A limit that a profile sets.
        case profile
    }

    /// Stable id, such as `RTSP-SESSION-ECHO`.
    public var id: String
    /// How bad breaking it is.
    public var severity: Severity
    /// What it rests on.
    public var basis: Basis
    /// Whether only a capture of the whole session without gaps can decide it.
    public var needsFullCapture: Bool
    /// Whether it judges how long something took, as those do that have a limit in seconds, or what came first: where the
    /// capture's clock went back, neither is known.
    public var restsOnTimes: Bool
    /// Specification and clause, such as `RFC 2326 §12.37`.
    public var reference: String
    /// What is checked, in one line.
    public var check: String
    /// Two short lines of a conversation: one that breaks the rule, or how it looks when kept.
    public var example: String
    /// What a profile can set.
    public var limits: [RuleLimit]

    /// Creates a description.
    public init(
        _ id: String,
        _ severity: Severity,
        _ basis: Basis,
        needsFullCapture: Bool = false,
        restsOnTimes: Bool = false,
        reference: String,
        check: String,
        example: String,
        limits: [RuleLimit] = []
    ) {
        self.id = id
        self.severity = severity
        self.basis = basis
        self.needsFullCapture = needsFullCapture
        self.restsOnTimes = restsOnTimes || limits.contains { $0.unit == "s" || $0.unit == "ms" }
        self.reference = reference
        self.check = check
        self.example = example
        self.limits = limits
    }

    /// The protocol that the rule belongs to: the first part of its id, in lower case.
    public var protocolName: String {
        id.prefix { $0 != "-" }.lowercased()
    }
}

/// A number that a rule judges by, and that a profile can set.
public struct RuleLimit: Sendable, Hashable {
    /// The name in profiles: `RULE.limit`.
    public var id: String
    /// The value without a profile.
    public var value: Double
    /// What the value counts, such as `ms`; empty for a number of things.
    public var unit: String

    /// Names a limit.
    public init(_ id: String, _ value: Double, _ unit: String) {
        self.id = id
        self.value = value
        self.unit = unit
    }
}

/// How a rule looks on the wire, in a line or a few.
public struct RuleExample: Sendable, Hashable {
    /// Broken.
    public var broken: String
    /// Kept.
    public var kept: String

    /// Holds both.
    public init(broken: String, kept: String) {
        self.broken = broken
        self.kept = kept
    }
}
