import WeirEngine

/// Baseline files: JSON with one line per finding, so that differences are readable.
package enum BaselineFile {
    private static let version = "1.0"

    /// Returns the file content.
    package static func text(_ baseline: Baseline) -> String {
        let lines = baseline.sorted.map { entry in
            "    {\"rule\": \(quoted(entry.rule)), \"fingerprint\": \(quoted(entry.fingerprint)), "
                + "\"message\": \(quoted(entry.message))"
                + (entry.severity.map { ", \"severity\": \"\($0.rawValue)\"" } ?? "")
                + (entry.excess.map { ", \"excess\": \($0)" } ?? "") + "}"
        }
        return "{\n  \"schemaVersion\": \"\(version)\",\n  \"findings\": ["
            + (lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n  ") + "]\n}\n"
    }

    /// Parses a baseline, which may contain only these rules, and `REQUIRE-…` for any profile.
    package static func read(_ text: String, file: String, rules: [RuleInfo]) throws(ProfileError) -> Baseline {
        let source = YAMLSource(file: file)
        var baseline = Baseline()
        guard let root = try source.root(text) else { throw ProfileError(file: file, line: nil, reason: "it is empty") }
        let known = rules.map(\.id)
        for member in try source.members(root, "a baseline", known: ["schemaVersion", "findings"]) {
            if member.key == "schemaVersion" {
                let word = try source.word(member.value, member.key)
                guard word == version else { throw source.error(member.value, "schemaVersion \(word) is not known") }
                continue
            }
            for node in source.list(member.value) {
                var words: [String: String] = [:]
                let members = try source.members(
                    node, "a finding", known: ["rule", "fingerprint", "message", "severity", "excess"])
                for member in members { words[member.key] = try source.word(member.value, member.key) }
                guard let rule = words["rule"], let fingerprint = words["fingerprint"] else {
                    throw source.error(node, "a finding needs a rule and a fingerprint")
                }
                guard known.contains(rule) || rule.hasPrefix("REQUIRE-") else {
                    throw source.error(node, "there is no rule '\(rule)'.\(Nearest.hint(rule, among: known))")
                }
                baseline.add(
                    .init(
                        fingerprint: fingerprint, rule: rule, message: words["message"] ?? "",
                        severity: words["severity"].flatMap { Severity(rawValue: $0) },
                        excess: words["excess"].flatMap { Double($0) }))
            }
        }
        return baseline
    }

    /// Returns a quoted string. Identifiers and catalog keys need no JSON escaping, except possibly those of
    /// third-party rules.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
