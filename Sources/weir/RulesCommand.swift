import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir rules`: the rule catalog.
struct RulesCommand: ParsableCommand {
    /// The output format of the catalog.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules, or explain one.",
        discussion: """
            With an ID: what is checked, by which clause, why it matters, how to fix it, and examples of violation and \
            conformance.

            Examples:
              weir rules --protocol rtsp --severity error
              weir rules --search session
              weir rules RTSP-SESSION-ECHO
            """
    )

    @Argument(
        help: ArgumentHelp("A rule ID such as RTSP-SESSION-ECHO, or a pattern such as 'SDP-*'.", valueName: "id"))
    var id: String?

    @Option(
        name: .customLong("protocol"),
        help: ArgumentHelp("List only rules of this protocol, such as rtsp or flv.", valueName: "name"))
    var protocolName: String?

    @Option(help: "List only rules of this severity.")
    var severity: Severity?

    @Option(help: ArgumentHelp("List only rules that contain this text.", valueName: "text"))
    var search: String?

    @Option(name: .shortAndLong, help: "Output format: text, one JSON document, or a Markdown page.")
    var format = Format.text

    @Option(help: "Language of the descriptions.")
    var lang = Language.english

    func validate() throws {
        let ids = BuiltIn.rules.map { $0.info.id }
        if let id, !ids.contains(where: Pattern(id.uppercased()).matches) {
            throw ValidationError(
                plain: "There is no rule '\(id)'.\(Nearest.hint(id, among: ids)) 'weir rules' lists them.")
        }
        if let name = protocolName?.lowercased(), !Self.protocols.contains(name) {
            throw ValidationError(
                plain:
                    "There are no rules for '\(name)'.\(Nearest.hint(name, among: Self.protocols)) "
                    + "Available: \(Self.protocols.joined(separator: ", ")).")
        }
    }

    func run() throws {
        let page = RulePage(lang, plugins: BuiltIn.plugins)
        let rules = BuiltIn.plugins.flatMap { plugin in
            plugin.rules.map { $0.info }.filter { isWanted($0, plugin.name, page) }
        }
        if rules.isEmpty {
            StandardError.write("weir: no matching rule\(search.map { ": none contains '\($0)'" } ?? "")\n")
        }
        switch format {
        case .json: try FileOutput.print(page.json(rules))
        case .markdown: try FileOutput.print(page.markdown(rules, title: title))
        case .text where id.map({ !Pattern($0).isWild }) ?? false:
            try FileOutput.print(rules.map(page.explain).joined(separator: "\n"))
        case .text: try FileOutput.print(page.list(rules))
        }
    }

    private var title: String { protocolName.map { "Rules of \($0.uppercased())" } ?? "Rules" }

    private func isWanted(_ rule: RuleInfo, _ plugin: String, _ page: RulePage) -> Bool {
        if let id, !Pattern(id.uppercased()).matches(rule.id) { return false }
        if let name = protocolName?.lowercased(), name != rule.protocolName, name != plugin { return false }
        if let severity, severity != rule.severity { return false }
        return search.map { page.words(rule).lowercased().contains($0.lowercased()) } ?? true
    }

    /// The protocols of rules: prefixes of their IDs, and names of their plugins.
    private static var protocols: [String] {
        var names: [String] = []
        for plugin in BuiltIn.plugins {
            for name in plugin.rules.isEmpty ? [] : [plugin.name] + plugin.rules.map({ $0.info.protocolName })
            where !names.contains(name) { names.append(name) }
        }
        return names
    }
}
