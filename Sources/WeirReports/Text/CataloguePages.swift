public import WeirEngine
public import WeirProtocols

/// The rule catalogue for people.
public struct RulePage {
    private let catalogue: Catalogue

    /// Creates a page in a language, with the words of these protocols.
    public init(_ language: Language, plugins: [any Plugin.Type] = BuiltIn.plugins) {
        catalogue = Catalogue(language, .masked, plugins)
    }

    /// A line for each rule.
    public func list(_ rules: [RuleInfo]) -> String {
        let idWidth = rules.map { $0.id.count }.max() ?? 0
        return rules.map { rule in
            TextLayout.left(rule.id, idWidth + 2) + TextLayout.left(rule.severity.rawValue, 9) + check(rule) + "\n"
        }.joined()
    }

    /// All rules as one JSON document, for programs.
    public func json(_ rules: [RuleInfo]) -> String {
        var json = JSONWriter()
        json.value(.array(rules.map { .object(fields($0)) }))
        json.newline()
        return String(decoding: json.octets, as: UTF8.self)
    }

    private func fields(_ rule: RuleInfo) -> [Field] {
        var fields: [Field] = []
        fields.add("rule", rule.id)
        fields.add("protocol", rule.protocolName)
        fields.add("severity", rule.severity.rawValue)
        fields.add("basis", rule.basis.rawValue)
        fields.add("reference", rule.reference)
        fields.add("check", check(rule))
        fields.add("why", catalogue.translation("why.\(rule.id)"))
        fields.add("mend", catalogue.translation("mend.\(rule.id)"))
        fields.add("needsFullCapture", rule.needsFullCapture)
        fields.add("example", rule.example)
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

    /// All that is known of one rule.
    public func explain(_ rule: RuleInfo) -> String {
        let rows: [(String, String)] = [
            ("check", check(rule)),
            ("severity", "\(rule.severity.rawValue) (\(rule.basis.rawValue))"),
            ("reference", rule.reference),
            ("evidence", label(rule.needsFullCapture ? "needsFull" : "needsPart")),
        ]
        var text = rule.id + "\n"
        for (key, value) in rows {
            for (index, line) in TextLayout.wrap(value, 96).enumerated() {
                text += "  " + TextLayout.left(index == 0 ? label(key) : "", 14) + line + "\n"
            }
        }
        text += "  " + label("example") + "\n"
        for line in rule.example.split(separator: "\n", omittingEmptySubsequences: false) { text += "    \(line)\n" }
        return text
    }

    private func check(_ rule: RuleInfo) -> String {
        catalogue.translation("rule.\(rule.id)") ?? rule.check
    }

    private func label(_ key: String) -> String {
        catalogue.sentence(Text("label.rule.\(key)"))
    }
}

/// The registered dissectors for people.
public enum DissectorPage {
    /// A line for each dissector, under a heading.
    public static func list(_ dissectors: [DissectorDescriptor]) -> String {
        var rows = [["NAME", "CARRIERS", "PORTS", "RECOGNISED BY"]]
        for dissector in dissectors {
            rows.append([
                dissector.name, dissector.carriers.map(\.rawValue).joined(separator: ", "),
                dissector.ports.isEmpty ? "any" : dissector.ports.map { String($0) }.joined(separator: ", "),
                dissector.recognition,
            ])
        }
        let widths = (0..<3).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { TextLayout.left($0, $1 + 2) }.joined() + row[3] + "\n"
        }.joined()
    }
}
