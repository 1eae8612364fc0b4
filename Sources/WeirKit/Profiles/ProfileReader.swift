import WeirEngine

/// Parses the YAML of a profile.
struct ProfileReader {
    private static let keys = [
        "name", "extends", "fail-on", "strict", "rule", "skip-rule", "rules", "thresholds", "require", "waivers",
        "baseline", "coverage",
    ]
    /// The maximum depth of `extends`.
    private static let mostDepth = 8

    let source: YAMLSource
    let rules: [RuleInfo]
    let include: (String) -> String?
    let depth: Int
    private var result: CheckProfile

    init(file: String, rules: [RuleInfo], include: @escaping (String) -> String?, depth: Int) {
        source = YAMLSource(file: file)
        self.rules = rules
        self.include = include
        self.depth = depth
        result = CheckProfile(profile: Profile(name: file))
    }

    mutating func read(_ text: String) throws(ProfileError) -> CheckProfile {
        guard let root = try source.root(text) else { return result }
        let members = try source.members(root, "a profile", known: Self.keys)
        // Extended profiles are applied first, wherever `extends` stands; requirements are parsed before references to
        // rules.
        for member in members where member.key == "extends" { try extend(member.value) }
        for member in members where member.key == "require" {
            var requirements = RequirementReader(source: source)
            for requirement in try requirements.read(member.value) {
                result.profile.requirements.removeAll { $0.id == requirement.id }
                result.profile.requirements.append(requirement)
            }
        }
        for member in members { try read(member.key, member.value) }
        return result
    }

    private mutating func read(_ key: String, _ value: YAMLNode) throws(ProfileError) {
        switch key {
        case "name": result.profile.name = try source.word(value, key)
        case "fail-on": result.profile.failOn = try severity(value, key)
        case "strict": result.profile.isStrict = try source.flag(value, key)
        case "rule": result.profile.only += try patterns(value, key)
        case "skip-rule":
            for pattern in try patterns(value, key) { result.profile.stances.append((pattern, .off)) }
        case "rules":
            for member in try source.members(value, key) {
                let pattern = try pattern(member.key, member.node)
                result.profile.stances.append((pattern, try stance(member.value)))
            }
        case "thresholds": try readThresholds(value)
        case "waivers": for node in source.list(value) { try readWaiver(node) }
        case "baseline": result.baseline = try source.word(value, key)
        case "coverage": result.withCoverage = try source.flag(value, key)
        default: break
        }
    }

    private mutating func extend(_ node: YAMLNode) throws(ProfileError) {
        let name = try source.word(node, "extends")
        guard depth < Self.mostDepth else { throw source.error(node, "profiles extend each other too deeply") }
        let text = CheckProfile.text(name) ?? include(name)
        guard let text else {
            throw source.error(
                node,
                "there is no profile '\(name)' to extend.\(Nearest.hint(name, among: CheckProfile.builtIn)) "
                    + "Built in are \(CheckProfile.builtIn.joined(separator: ", ")).")
        }
        let own = result.profile.name
        var reader = ProfileReader(file: name, rules: rules, include: include, depth: depth + 1)
        result = try reader.read(text)
        result.profile.name = own
    }

    private func severity(_ node: YAMLNode, _ what: String) throws(ProfileError) -> Severity {
        let word = try source.word(node, what)
        guard let severity = Severity(rawValue: word.lowercased()) else {
            let names = Severity.allCases.map(\.rawValue)
            throw source.error(
                node, "\(what) takes error, warning or note, not '\(word)'.\(Nearest.hint(word, among: names))")
        }
        return severity
    }

    private func stance(_ node: YAMLNode) throws(ProfileError) -> Profile.Stance {
        let word = try source.word(node, "a rule")
        switch word.lowercased() {
        case "off", "false": return .off
        case "on", "true": return .on
        default:
            guard let severity = Severity(rawValue: word.lowercased()) else {
                let names = ["off", "on"] + Severity.allCases.map(\.rawValue)
                throw source.error(
                    node,
                    "a rule takes on, off, error, warning or note, not '\(word)'.\(Nearest.hint(word, among: names))")
            }
            return .severity(severity)
        }
    }

    private func patterns(_ node: YAMLNode, _ what: String) throws(ProfileError) -> [Pattern] {
        var patterns: [Pattern] = []
        for item in source.list(node) { patterns.append(try pattern(try source.word(item, what), item)) }
        return patterns
    }

    /// Parses a rule ID, or a pattern that matches at least one.
    private func pattern(_ text: String, _ node: YAMLNode) throws(ProfileError) -> Pattern {
        let known = rules.map(\.id) + result.profile.requirements.map(\.id)
        // As on the command line, case and surrounding blanks are ignored.
        let pattern = Pattern(String(text.uppercased().trimmed))
        guard known.contains(where: pattern.matches) else {
            throw source.error(
                node, "there is no rule '\(text)'.\(Nearest.hint(text, among: known)) 'weir rules' lists them.")
        }
        return pattern
    }

    private mutating func readThresholds(_ node: YAMLNode) throws(ProfileError) {
        let known = rules.flatMap(\.limits)
        for member in try source.members(node, "thresholds", known: known.map(\.id)) {
            guard let limit = known.first(where: { $0.id == member.key }) else { continue }
            let text = try source.word(member.value, member.key)
            // The number may be followed by the unit.
            let number = text.hasSuffix(limit.unit) ? String(text.dropLast(limit.unit.count)) : text
            guard let value = Double(number.filter { $0 != " " }), value.isFinite, value >= 0 else {
                throw source.error(
                    member.value, "\(member.key) takes a number, in \(limit.unit), not '\(text)'")
            }
            guard limit.unit != "%" || value <= 100 else {
                throw source.error(member.value, "\(member.key) takes a share of at most 100 %, not '\(text)'")
            }
            result.profile.limits[member.key] = value
        }
    }

    private mutating func readWaiver(_ node: YAMLNode) throws(ProfileError) {
        let members = try source.members(
            node, "a waiver", known: ["rule", "file", "fingerprint", "reason", "expires"])
        var words: [String: (text: String, node: YAMLNode)] = [:]
        for member in members { words[member.key] = (try source.word(member.value, member.key), member.value) }
        guard let rule = words["rule"] else { throw source.error(node, "a waiver needs a rule") }
        guard let reason = words["reason"] else { throw source.error(node, "a waiver needs a reason") }
        if let expires = words["expires"], !Self.isDay(expires.text) {
            throw source.error(expires.node, "expires takes a day such as 2027-01-31, not '\(expires.text)'")
        }
        result.profile.waivers.append(
            Waiver(
                rule: try pattern(rule.text, rule.node), capture: words["file"].map { Pattern($0.text) },
                fingerprint: words["fingerprint"]?.text, reason: reason.text, expires: words["expires"]?.text,
                place: source.place(node)))
    }

    /// Whether the text is a valid calendar date.
    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }
}

extension String {
    /// The text without surrounding whitespace.
    var trimmed: Substring {
        let start = self[...].drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { start[...$0] } ?? ""
    }
}
