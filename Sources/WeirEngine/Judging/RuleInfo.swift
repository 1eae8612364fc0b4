import WeirPackets

/// The description of a rule.
public struct RuleInfo: Sendable {
    /// The basis of a rule.
    public enum Basis: String, Sendable {
        /// The clause says MUST, SHALL or REQUIRED.
        case must = "MUST"
        /// The clause says SHOULD or RECOMMENDED.
        case should = "SHOULD"
        /// The clause is descriptive, without a keyword.
        case plain = "no keyword"
        /// Common practice of implementations.
        case practice
        /// A requirement of a profile.
        case profile
    }

    /// The stable id, such as `RTSP-SESSION-ECHO`.
    public var id: String
    /// The severity of a violation.
    public var severity: Severity
    /// The basis of the rule.
    public var basis: Basis
    /// Whether a violation can only be proved in a capture of the whole session without gaps.
    public var needsFullCapture: Bool
    /// Whether the rule depends on capture times, as all rules with a limit in seconds do.
    public var restsOnTimes: Bool
    /// Whether the rule depends on the order of packets, which is unreliable in a file whose timestamps step back.
    public var restsOnOrder: Bool
    /// The specification and clause, such as `RFC 2326 §12.37`.
    public var reference: String
    /// What the rule checks, in one line.
    public var check: String
    /// A short exchange of about two lines that violates or conforms to the rule.
    public var example: String
    /// The limits that a profile can set.
    public var limits: [RuleLimit]

    /// Creates a description.
    public init(
        _ id: String,
        _ severity: Severity,
        _ basis: Basis,
        needsFullCapture: Bool = false,
        restsOnTimes: Bool = false,
        restsOnOrder: Bool = false,
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
        self.restsOnOrder = restsOnOrder
        self.reference = reference
        self.check = check
        self.example = example
        self.limits = limits
    }

    /// The protocol of the rule: the first part of its id, in lowercase.
    public var protocolName: String {
        let octets = id.utf8
        // Without an array of its octets: every rule is asked when an analysis starts.
        return id[..<(octets.firstIndex(of: UInt8(ascii: "-")) ?? octets.endIndex)].lowercased()
    }
}

/// A numeric parameter of a rule that a profile can set.
public struct RuleLimit: Sendable, Hashable {
    /// The name used in profiles: `RULE.limit`.
    public var id: String
    /// The default value.
    public var value: Double
    /// The unit, such as `ms`; empty for a plain count.
    public var unit: String

    /// Creates a limit.
    public init(_ id: String, _ value: Double, _ unit: String) {
        self.id = id
        self.value = value
        self.unit = unit
    }
}

/// An example of traffic that a rule judges, in one or a few lines.
public struct RuleExample: Sendable, Hashable {
    /// Traffic that violates the rule.
    public var broken: String
    /// Traffic that conforms to the rule.
    public var kept: String

    /// Creates an example.
    public init(broken: String, kept: String) {
        self.broken = broken
        self.kept = kept
    }
}
