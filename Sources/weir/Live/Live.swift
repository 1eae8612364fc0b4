import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir live`: the timeline while it happens.
struct Live: ParsableCommand {
    /// How the timeline is written; what needs to know the end first cannot be.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson
    }

    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Print the annotated timeline of what passes interfaces, as it happens.",
        discussion: """
            Runs until Ctrl-C, SIGTERM, --duration, --count, --stop-on or --until, then ends all that is open and prints the \
            rest of the report; a second Ctrl-C stops at once. Privileges are given up before the first packet is \
            looked at. The overview comes at the end, and when SIGUSR1 asks for it. Packets that were dropped are counted, and what they leave undecided is.

            Examples:
              sudo weir live -i eth0 --filter 'host 192.168.0.103'
              sudo weir live -i any --write night.pcapng --rotate 100MB --keep 10
              sudo weir live -i eth0 --format ndjson | jq 'select(.record == "finding")'
              sudo weir live -i eth0 --check --duration 5m --stop-on error
              sudo weir live -i eth0 --check --until 'published for 30s' --report junit=weir.xml

            Exit codes: 0 done; 1 --check found something; 2 the capture or the report broke off (what there was is \
            kept); 64 the command line is wrong; 77 no permission to capture.
            """
    )

    @OptionGroup(title: "Capture") var source: LiveOptions
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(name: .shortAndLong, help: "The timeline as text, or as one JSON record a line.")
    var format = Format.text

    @OptionGroup(title: "Text") var text: TimelineOptions

    @Flag(help: "Show every media packet as a step of its own.")
    var packets = false

    @Flag(help: "At the end a conformance report, and exit code 1 when rules are broken.")
    var check = false

    @Option(help: ArgumentHelp("Stop when something at least so severe is found.", valueName: "severity"))
    var stopOn: Severity?

    @Option(
        help: ArgumentHelp(
            """
            Stop when this is so: 'first error' (or warning, note), 'session closed', 'published for 30s', 'played for \
            30s', 'media for 30s'.
            """, valueName: "condition"))
    var until: StopCondition?

    @OptionGroup(title: "Rules") var judging: RuleOptions

    func validate() throws {
        // --rule alone has always chosen what the timeline shows.
        var others = judging
        others.only = []
        guard check || !others.isUsed else {
            throw ValidationError(
                plain: "--fail-on, --strict, --profile, --baseline, --report and the like take --check.")
        }
        guard judging.report.count(where: { $0.file == "-" }) == 0 || show.output != "-" else {
            throw ValidationError(
                plain: "The timeline goes to standard output: --report takes a file here, or --output one.")
        }
    }

    func run() throws {
        let run = try LiveRun(self)
        let code = run.run()
        if code != .success { throw code }
    }

    /// The timeline, and behind it, if there is a check, the conformance report.
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
