import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols
import WeirReports

/// `weir check`: the conformance report.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check captures against the rules of their protocols; exit code 1 if rules are violated.",
        discussion: """
            A rule passes, fails, is inconclusive (the capture does not contain enough to decide) or does not apply. \
            Known habits of real peers lower the severity by one level. The exit code is 1 if a finding is at least as \
            severe as --fail-on and is accepted neither by a waiver in the profile nor by the baseline.

            Examples:
              weir check camera.pcap
              weir check camera.pcap --report junit=weir.xml --report sarif=weir.sarif
              weir check camera.pcap --rule 'RTSP-*' --skip-rule RTSP-CSEQ-STEP --fail-on warning
              weir check *.pcap --write-baseline known.json && weir check *.pcap --baseline known.json
            """
    )

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Input") var jobs: JobsOption
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "Output format of the report (default: text).")
    var format: CheckFormat?

    @Flag(help: "List the rules that would be checked, without checking them.")
    var dryRun = false

    @OptionGroup(title: "Rules") var judging: RuleOptions

    func validate() throws {
        guard !dryRun || judging.report.isEmpty && judging.writeBaseline == nil else {
            throw ValidationError(plain: "--dry-run checks nothing: it cannot write a report or a baseline.")
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
        if let file = plan.foundFile, !show.quiet { StandardError.write("weir: using profile \(file)\n") }
        guard !dryRun else { return try list(plan) }
        var reports = try CheckReports(show, withCoverage: plan.withCoverage)
        for request in judging.report { try reports.add(request.format, to: request.file) }
        // No text report if another report uses standard output and no format was requested.
        if format != nil || show.output != "-" || !judging.report.contains(where: { $0.file == "-" }) {
            try reports.add(format ?? .text, to: show.output)
        }
        let group = ReportGroup(reports.reports)
        let gate = plan.gate(group)
        var analysis = try CaptureRun(input, reading, show, jobs, rules: plan.rules)
        analysis.judgeOptions = plan.judging
        let failure = analysis.run(gate, group, unread: gate.noteUnread) { gate.finish() }
        try reports.close()
        let code = try plan.conclude(gate)
        if let failure { throw failure }
        if code != .success { throw code }
    }

    /// Lists the rules that would be checked, including requirements of the profile.
    private func list(_ plan: CheckPlan) throws {
        let requirements = plan.profile.requirements.filter { plan.profile.includes($0.id) }.map(\.info)
        let output = try FileOutput(show.output)
        let page = RulePage(show.lang, plugins: BuiltIn.plugins)
        let rules = plan.described + requirements
        output.write(Array((format == .json ? page.json(rules) : page.list(rules)).utf8))
        try output.close()
    }
}
