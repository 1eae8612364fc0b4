import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols
import WeirReports

/// `weir check`: the conformance report.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge captures against the rules of their protocols; exit code 1 when rules are broken.",
        discussion: """
            A rule passes, fails, is undecided (the capture does not hold what it would take to say) or has nothing to \
            judge. Known habits of real peers lower the severity by one step. The exit code is 1 when a finding is at \
            least as severe as --fail-on, and neither a waiver of the profile nor the baseline accepts it.

            Examples:
              weir check camera.pcap
              weir check camera.pcap --report junit=weir.xml --report sarif=weir.sarif
              weir check camera.pcap --rule 'RTSP-*' --skip-rule RTSP-CSEQ-STEP --fail-on warning
              weir check *.pcap --write-baseline known.json && weir check *.pcap --baseline known.json
            """
    )

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "How to write the report; without it as text.")
    var format: CheckFormat?

    @Flag(help: "List the rules that would judge, and judge nothing.")
    var dryRun = false

    @OptionGroup(title: "Rules") var judging: RuleOptions

    func validate() throws {
        guard !dryRun || judging.report.isEmpty && judging.writeBaseline == nil else {
            throw ValidationError(plain: "--dry-run judges nothing: it writes no report and no baseline.")
        }
        let isPlain = format == nil && show.output == "-"
        let toStandardOutput = judging.report.count { $0.file == "-" }
        guard toStandardOutput + (isPlain && toStandardOutput > 0 ? 0 : show.output == "-" ? 1 : 0) <= 1 else {
            throw ValidationError(plain: "Only one report can go to standard output.")
        }
    }

    func run() throws {
        try OutputNames.check(
            written: [show.output] + judging.report.map(\.file) + [judging.writeBaseline].compactMap(\.self),
            read: input.files + [judging.profile].compactMap(\.self))
        let plan = try CheckPlan(judging, captures: input.files)
        if let file = plan.foundFile, !show.quiet { StandardError.write("weir: the profile is \(file)\n") }
        guard !dryRun else { return try list(plan) }
        var reports = try CheckReports(show, withCoverage: plan.withCoverage)
        for request in judging.report { try reports.add(request.format, to: request.file) }
        // Where something else takes standard output and nothing more was asked for, there is no text.
        if format != nil || show.output != "-" || !judging.report.contains(where: { $0.file == "-" }) {
            try reports.add(format ?? .text, to: show.output)
        }
        let group = ReportGroup(reports.reports)
        let gate = plan.gate(group)
        var analysis = try CaptureRun(input, reading, show, rules: plan.rules)
        analysis.judgeOptions = plan.judging
        let failure = analysis.run(gate, group, unread: gate.noteUnread) { gate.finish() }
        try reports.close()
        let code = try plan.conclude(gate)
        if let failure { throw failure }
        if code != .success { throw code }
    }

    /// The rules that would judge, requirements of the profile included.
    private func list(_ plan: CheckPlan) throws {
        let requirements = plan.profile.requirements.filter { plan.profile.includes($0.id) }.map(\.info)
        let output = try FileOutput(show.output)
        let page = RulePage(show.lang, plugins: BuiltIn.plugins)
        let rules = plan.described + requirements
        output.write(Array((format == .json ? page.json(rules) : page.list(rules)).utf8))
        try output.close()
    }
}
