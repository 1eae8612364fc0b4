import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir rules`: the catalogue.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules, or explain one.",
        discussion: "With an id: what is checked, by which clause, and an example."
    )

    @Argument(help: ArgumentHelp("A rule's id, such as RTSP-SESSION-ECHO.", valueName: "id"))
    var id: String?

    @Option(help: "Language of the descriptions.")
    var lang = Language.english

    func validate() throws {
        guard let id, !BuiltIn.rules.contains(where: { $0.info.id == id }) else { return }
        throw ValidationError("There is no rule '\(id)'; 'weir rules' lists them.")
    }

    func run() throws {
        let page = RulePage(lang, plugins: BuiltIn.plugins)
        if let rule = BuiltIn.rules.first(where: { $0.info.id == id }) {
            print(page.explain(rule.info), terminator: "")
        } else {
            print(page.list(BuiltIn.rules.map { $0.info }), terminator: "")
        }
    }
}
