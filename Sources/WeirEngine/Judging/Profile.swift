/// What a check asks for: which rules judge, how severely, and what else the user wants to be so.
public struct Profile: Sendable {
    /// What a profile says of some rules.
    public enum Stance: Sendable, Hashable {
        /// They do not judge.
        case off
        /// They judge, with their own severity.
        case on
        /// They judge, and whatever they find is so severe.
        case severity(Severity)
    }

    /// Where the profile comes from, for people: `default`, or a file.
    public var name: String
    /// The least severity that fails the check; nil leaves it to `strict`.
    public var failOn: Severity?
    /// Warnings and SHOULDs count, known habits of peers excuse nothing.
    public var isStrict = false
    /// Rules and what is said of them; what stands later wins.
    public var stances: [(pattern: Pattern, stance: Stance)] = []
    /// The rules that judge; all of them when empty.
    public var only: [Pattern] = []
    /// Values that replace the limits of rules, by `RULE.limit`.
    public var limits: [String: Double] = [:]
    /// What the user wants of media and sessions.
    public var requirements: [Requirement] = []
    /// Findings that were accepted.
    public var waivers: [Waiver] = []

    /// A profile that changes nothing.
    public init(name: String = "default") {
        self.name = name
    }

    /// The severity from which on the check fails.
    public var threshold: Severity { failOn ?? (isStrict ? .warning : .error) }

    /// Whether a rule judges.
    public func includes(_ rule: String) -> Bool {
        guard only.isEmpty || only.contains(where: { $0.matches(rule) }) else { return false }
        return stances.last { $0.pattern.matches(rule) }?.stance != .off
    }

    /// The severity that the profile gives to a rule; nil leaves it to the rule.
    public func severity(of rule: String) -> Severity? {
        for (pattern, stance) in stances.reversed() where pattern.matches(rule) {
            if case .severity(let severity) = stance { return severity }
            return nil
        }
        return nil
    }

    /// How the rules judge under this profile.
    public func judging(_ rules: [any Rule.Type]) -> RuleEngine.Options {
        var options = RuleEngine.Options()
        options.strict = isStrict
        options.limits = limits
        for rule in rules {
            if let severity = severity(of: rule.info.id) { options.severities[rule.info.id] = severity }
        }
        return options
    }
}

/// Findings that somebody has accepted, for a reason, and until a day.
public struct Waiver: Sendable, Hashable {
    /// The rules it covers.
    public var rule: Pattern
    /// The captures it covers, by name; all when nil.
    public var capture: Pattern?
    /// The one finding it covers; all of the rule's when nil.
    public var fingerprint: String?
    /// Why.
    public var reason: String
    /// The last day on which it holds, as `2026-12-31`; nil holds for ever.
    public var expires: String?
    /// Where it is written, for people: `weir.yml:12`.
    public var place: String

    /// Creates a waiver.
    public init(
        rule: Pattern, capture: Pattern? = nil, fingerprint: String? = nil, reason: String, expires: String? = nil,
        place: String
    ) {
        self.rule = rule
        self.capture = capture
        self.fingerprint = fingerprint
        self.reason = reason
        self.expires = expires
        self.place = place
    }

    /// Whether it covers a finding in a capture.
    public func covers(_ finding: Finding, in capture: String) -> Bool {
        rule.matches(finding.rule) && fingerprint.map { $0 == finding.fingerprint } ?? true
            && self.capture.map { $0.matches(capture) || $0.matches(capture.lastPathComponent) } ?? true
    }

    /// Whether it no longer holds on a day such as `2026-11-22`.
    public func isExpired(on day: String) -> Bool {
        expires.map { Array($0.utf8).lexicographicallyPrecedes(Array(day.utf8)) } ?? false
    }
}

extension String {
    /// What stands behind the last slash.
    package var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
