import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

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
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "The report as text or JSON.")
    var format = CheckFormat.text

    @OptionGroup(title: "Rules") var judging: RuleOptions

    func run() throws {
        let options = try show.reportOptions()
        let output = try FileOutput(show.output)
        let report: any Report =
            switch format {
            case .text: CheckReport(options, page: show.page(), output: output)
            case .json: JSONReport(options, version: Weir.version, withTallies: true, output: output)
            }
        var analysis = try Analysis(input, reading, show, rules: judging.rules)
        analysis.judgeOptions = judging.judgeOptions
        let result = analysis.run(report)
        try output.close()
        if let failure = result.failure { throw failure }
        if judging.fails(result.worst) { throw ExitCode(1) }
    }
}
