import WeirEngine

/// The rule catalogue as text.
package struct RulePage {
    /// The column of the text, and the maximum width.
    private static let (margin, width) = (14, 96)

    private let catalogue: Catalogue
    private let examples: [String: RuleExample]

    /// Creates a page in a language, with the texts of these plugins.
    package init(_ language: Language, plugins: [any Plugin.Type]) {
        catalogue = Catalogue(language, .masked, plugins)
        examples = plugins.reduce(into: [:]) { $0.merge($1.examples) { first, _ in first } }
    }

    /// Returns a line for each rule.
    package func list(_ rules: [RuleInfo]) -> String {
        let idWidth = rules.map { $0.id.count }.max() ?? 0
        return rules.map { rule in
            TextLayout.left(rule.id, idWidth + 2) + TextLayout.left(severity(rule), 9) + check(rule) + "\n"
        }.joined()
    }

    /// Returns everything about one rule.
    package func explain(_ rule: RuleInfo) -> String {
        var text = rule.id + "\n"
        for (key, value) in rows(rule) {
            for (index, line) in TextLayout.wrap(value, Self.width).enumerated() {
                text += "  " + TextLayout.left(index == 0 ? label(key) : "", Self.margin) + line + "\n"
            }
        }
        for (key, value) in shown(rule) {
            text += "  " + label(key) + "\n"
            for line in value.split(separator: "\n", omittingEmptySubsequences: false) { text += "    \(line)\n" }
        }
        return text
    }

    /// Returns everything about all rules, as Markdown.
    package func markdown(_ rules: [RuleInfo], title: String) -> String {
        var text = "# \(title)\n"
        for rule in rules {
            text += "\n## \(rule.id)\n\n\(check(rule))\n\n"
            for (key, value) in rows(rule) where key != "check" { text += "- **\(label(key))**: \(value)\n" }
            for (key, value) in shown(rule) { text += "\n\(label(key)):\n\n```text\n\(value)\n```\n" }
        }
        return text
    }

    /// Returns all rules as one JSON document.
    package func json(_ rules: [RuleInfo]) -> String {
        var json = JSONWriter()
        json.value(.array(rules.map { .object(fields($0)) }), .revealed)
        json.newline()
        return String(decoding: json.octets, as: UTF8.self)
    }

    /// Returns the searchable text of a rule: ID, check, clause, rationale.
    package func words(_ rule: RuleInfo) -> String {
        ([rule.id] + rows(rule).map(\.1)).joined(separator: "\n")
    }

    private func rows(_ rule: RuleInfo) -> [(String, String)] {
        var rows = [
            ("check", check(rule)),
            ("severity", severity(rule) + catalogue.aside(label("basis.\(rule.basis.rawValue)"))),
            ("reference", rule.reference),
            ("evidence", label(rule.needsFullCapture ? "needsFull" : "needsPart")),
        ]
        for key in ["why", "mend", "peers"] {
            if let sentence = catalogue.translation("\(key).\(rule.id)") { rows.append((key, sentence)) }
        }
        for limit in rule.limits { rows.append(("limit", "\(limit.id): \(Self.number(limit.value)) \(limit.unit)")) }
        return rows
    }

    private func shown(_ rule: RuleInfo) -> [(String, String)] {
        guard let example = examples[rule.id] else { return [("example", rule.example)] }
        return [("broken", example.broken), ("kept", example.kept)]
    }

    private func fields(_ rule: RuleInfo) -> [Field] {
        var fields: [Field] = []
        fields.add("rule", rule.id)
        fields.add("protocol", rule.protocolName)
        fields.add("severity", rule.severity.rawValue)
        fields.add("basis", rule.basis.rawValue)
        fields.add("reference", rule.reference)
        fields.add("check", check(rule))
        for key in ["why", "mend", "peers"] { fields.add(key, catalogue.translation("\(key).\(rule.id)")) }
        fields.add("needsFullCapture", rule.needsFullCapture)
        for (key, value) in shown(rule) { fields.add(key, value) }
        if !rule.limits.isEmpty {
            fields.add(
                "limits",
                .array(
                    rule.limits.map { limit in
                        .object([
                            Field("name", .string(limit.id)), Field("value", .double(limit.value)),
                            Field("unit", .string(limit.unit)),
                        ])
                    }))
        }
        return fields
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? decimal(value, places: 0) : decimal(value, places: 1)
    }

    private func severity(_ rule: RuleInfo) -> String {
        catalogue.sentence(Text("label.\(rule.severity.rawValue)"))
    }

    private func check(_ rule: RuleInfo) -> String {
        catalogue.translation("rule.\(rule.id)") ?? rule.check
    }

    private func label(_ key: String) -> String {
        catalogue.sentence(Text("label.rule.\(key)"))
    }
}
