import ArgumentParser
import WeirEngine
import WeirProtocols

extension Severity: ExpressibleByArgument {}

/// Which rules judge, and how strictly: common to the commands that give a verdict.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The least severity that fails the check; without it error, or warning with --strict.",
            valueName: "severity"))
    var failOn: Severity?

    @Flag(help: "Warnings count too, and known habits of peers excuse nothing.")
    var strict = false

    @Option(
        name: .customLong("rule"), parsing: .singleValue,
        help: ArgumentHelp("Judge only these rules. Repeatable.", valueName: "id"))
    var only: [String] = []

    func validate() throws {
        for id in only where !BuiltIn.rules.contains(where: { $0.info.id == id }) {
            throw ValidationError("There is no rule '\(id)'; 'weir rules' lists them.")
        }
    }

    var rules: [any Rule.Type] {
        only.isEmpty ? BuiltIn.rules : BuiltIn.rules.filter { only.contains($0.info.id) }
    }

    var judgeOptions: Judge.Options {
        var options = Judge.Options()
        options.strict = strict
        return options
    }

    /// Whether the check failed.
    func fails(_ worst: Severity?) -> Bool {
        worst.map { $0 >= failOn ?? (strict ? .warning : .error) } ?? false
    }
}
