/// What a check asks for: which rules judge, how severely, and what else the user wants to be so.
package struct Profile: Sendable {
    /// What a profile says of some rules.
    package enum Stance: Sendable, Hashable {
        /// They do not judge.
        case off
        /// They judge, with their own severity.
        case on
        /// They judge, and whatever they find is so severe.
        case severity(Severity)
    }

    /// Where the profile comes from, for people: `default`, or a file.
    package var name: String
    /// The least severity that fails the check; nil leaves it to `strict`.
    package var failOn: Severity?
    /// Warnings and SHOULDs count, known habits of peers excuse nothing.
    package var isStrict = false
    /// Rules and what is said of them; what stands later wins.
    package var stances: [(pattern: Pattern, stance: Stance)] = []
    /// The rules that judge; all of them when empty.
    package var only: [Pattern] = []
    /// Values that replace the limits of rules, by `RULE.limit`.
    package var limits: [String: Double] = [:]
    /// What the user wants of media and sessions.
    package var requirements: [Requirement] = []
    /// Findings that were accepted.
    package var waivers: [Waiver] = []

    /// A profile that changes nothing.
    package init(name: String = "default") {
        self.name = name
    }

    /// The severity from which on the check fails.
    package var threshold: Severity { failOn ?? (isStrict ? .warning : .error) }

    /// Whether a rule judges.
    package func includes(_ rule: String) -> Bool {
        guard only.isEmpty || only.contains(where: { $0.matches(rule) }) else { return false }
        return stances.last { $0.pattern.matches(rule) }?.stance != .off
    }

    /// The severity that the profile gives to a rule; nil leaves it to the rule.
    package func severity(of rule: String) -> Severity? {
        for (pattern, stance) in stances.reversed() where pattern.matches(rule) {
            if case .severity(let severity) = stance { return severity }
            return nil
        }
        return nil
    }

    /// How the rules judge under this profile.
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
    /// What stands behind the last slash.
    package var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
