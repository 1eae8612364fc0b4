import ArgumentParser
import WeirReports
import WeirRules

extension Severity: ExpressibleByArgument {}

/// How the conformance report is written.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// `weir check`: the conformance report.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge captures against the rules of their protocols; exit code 1 when rules are broken.",
        discussion: """
            A rule passes, fails, is undecided (the capture does not hold what it would take to say) or has nothing to \
            judge. Known habits of real peers lower the severity by one step. The exit code is 1 when a finding is at \
            least as severe as --fail-on.
            """
    )

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "The report as text or JSON.")
    var format = CheckFormat.text

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
        for id in only where !RuleList.all.contains(where: { $0.info.id == id }) {
            throw ValidationError("There is no rule '\(id)'; 'weir rules' lists them.")
        }
    }

    func run() throws {
        let options = try show.reportOptions()
        let output = try FileOutput(show.output)
        let report: any Report =
            switch format {
            case .text: CheckReport(options, page: show.page(), output: output)
            case .json: JSONReport(options, version: Weir.version, withTallies: true, output: output)
            }
        let rules = only.isEmpty ? RuleList.all : RuleList.all.filter { only.contains($0.info.id) }
        var analysis = try Analysis(input, show, rules: rules)
        analysis.judgeOptions.strict = strict
        let result = analysis.run(report)
        try output.close()
        if let failure = result.failure { throw failure }
        if let worst = result.worst, worst >= failOn ?? (strict ? .warning : .error) { throw ExitCode(1) }
    }
}
