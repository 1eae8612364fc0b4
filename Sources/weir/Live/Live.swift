import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir live`: the timeline of a live capture.
struct Live: ParsableCommand {
    /// The output format of the timeline; formats that depend on the end of the capture are not supported.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson
    }

    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Capture on interfaces and print the annotated timeline as it happens.",
        discussion: """
            Runs until Ctrl-C, SIGTERM, --duration, --count, --stop-on or --until, then closes everything open and \
            prints the rest of the report; a second Ctrl-C exits immediately. Privileges are dropped before the first \
            packet is processed. The overview is printed at the end and on SIGUSR1. Dropped packets are counted, and \
            rules that depend on them are inconclusive.

            Examples:
              sudo weir live -i eth0 --filter 'host 192.168.0.103'
              sudo weir live -i any --write night.pcapng --rotate 100MB --keep 10
              sudo weir live -i eth0 --format ndjson | jq 'select(.record == "finding")'
              sudo weir live -i eth0 --check --duration 5m --stop-on error
              sudo weir live -i eth0 --check --until 'published for 30s' --report junit=weir.xml

            Exit codes: 0 success; 1 --check found violations; 2 the capture or the report failed (everything before \
            that is kept); 64 usage error; 77 no permission to capture.
            """
    )

    @OptionGroup(title: "Capture") var source: LiveOptions
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "Output format: text, or one JSON record per line.")
    var format = Format.text

    @OptionGroup(title: "Text") var text: TimelineOptions

    @Flag(help: "Show every media packet as a separate step.")
    var packets = false

    @Flag(help: "Print a conformance report at the end; exit code 1 if rules are violated.")
    var check = false

    @Option(help: ArgumentHelp("Stop at the first finding of at least this severity.", valueName: "severity"))
    var stopOn: Severity?

    @Option(
        help: ArgumentHelp(
            """
            Stop on a condition: 'first error' (or warning, note), 'session closed', 'published for 30s', 'played for \
            30s', 'media for 30s'.
            """, valueName: "condition"))
    var until: StopCondition?

    @OptionGroup(title: "Rules") var judging: RuleOptions

    func validate() throws {
        // --rule without --check selects what the timeline shows.
        var others = judging
        others.only = []
        guard check || !others.isUsed else {
            throw ValidationError(
                plain: "--fail-on, --strict, --profile, --baseline, --report and similar options require --check.")
        }
        guard judging.report.count(where: { $0.file == "-" }) == 0 || show.output != "-" else {
            throw ValidationError(
                plain: "The timeline is written to standard output: use a file for --report or for --output.")
        }
    }

    func run() throws {
        let run = try LiveRun(self)
        let code = run.run()
        if code != .success { throw code }
    }

    /// Returns the report for the timeline, and adds the conformance report if there is a check.
    func timeline(
        _ page: any ReportOutput, _ output: FileOutput, _ checks: inout CheckReports
    ) throws -> any Report {
        let options = try show.reportOptions()
        switch format {
        case .ndjson:
            return NDJSONReport(options, withTallies: check, output: page)
        case .text:
            if check { checks.add(.text, output) }
            return TextReport(
                options, page: text.applied(to: show.page(), packets: packets), output: page)
        }
    }
}
