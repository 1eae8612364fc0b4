/// The configuration of a check: enabled rules, their severities, requirements and waivers.
package struct Profile: Sendable {
    /// The setting for the rules that match a pattern.
    package enum Stance: Sendable, Hashable {
        /// Disabled.
        case off
        /// Enabled with the rule's severity.
        case on
        /// Enabled; all findings have this severity.
        case severity(Severity)
    }

    /// The origin of the profile, for display: `default`, or a file name.
    package var name: String
    /// The lowest severity that fails the check, or nil to derive it from `isStrict`.
    package var failOn: Severity?
    /// Whether warnings and violated SHOULD clauses fail the check, and known peer quirks are not excused.
    package var isStrict = false
    /// Rule patterns and their settings; later entries take precedence.
    package var stances: [(pattern: Pattern, stance: Stance)] = []
    /// The enabled rules; all when empty.
    package var only: [Pattern] = []
    /// Overrides of rule limits, by `RULE.limit`.
    package var limits: [String: Double] = [:]
    /// Requirements for media and sessions.
    package var requirements: [Requirement] = []
    /// Accepted findings.
    package var waivers: [Waiver] = []

    /// Creates a profile with default settings.
    package init(name: String = "default") {
        self.name = name
    }

    /// The lowest severity that fails the check.
    package var threshold: Severity { failOn ?? (isStrict ? .warning : .error) }

    /// Whether a rule is enabled.
    package func includes(_ rule: String) -> Bool {
        guard only.isEmpty || only.contains(where: { $0.matches(rule) }) else { return false }
        return stances.last { $0.pattern.matches(rule) }?.stance != .off
    }

    /// Returns the severity that the profile assigns to a rule, or nil to use the rule's severity.
    package func severity(of rule: String) -> Severity? {
        for (pattern, stance) in stances.reversed() where pattern.matches(rule) {
            if case .severity(let severity) = stance { return severity }
            return nil
        }
        return nil
    }

    /// Returns the rule engine options for this profile.
    package func judging(_ rules: [any Rule.Type]) -> RuleEngine.Options {
        var options = RuleEngine.Options()
        options.strict = isStrict
        options.limits = limits
        for rule in rules {
            if let severity = severity(of: rule.info.id) { options.severities[rule.info.id] = severity }
        }
        return options
    }
}

extension String {
    /// The part after the last slash.
    package var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
