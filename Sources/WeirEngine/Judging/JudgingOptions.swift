import WeirPackets

/// The options for judging.
public struct JudgingOptions: Sendable {
    /// Whether known peer quirks do not lower a severity, and recommendations count as warnings.
    public var strict = false
    /// Overrides of rule severities, by rule id; they apply to all findings of the rule.
    public var severities: [String: Severity] = [:]
    /// Overrides of rule limits, by `RULE.limit`.
    public var limits: [String: Double] = [:]
    /// The maximum number of findings per rule and session; further ones are only counted.
    public var findingsPerRule = Limits().findingsPerRule
    /// The selected part of the capture; verdicts outside it are not counted.
    public var selection = Selection()

    /// Creates the default options.
    public init() {}
}
