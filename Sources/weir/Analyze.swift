import ArgumentParser
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

/// The output format of the timeline.
enum TimelineFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, ndjson, html

    /// Returns a report in this format.
    func report(
        _ options: ReportOptions, page: @autoclosure () -> TextReport.Page, maxEvents: Int = HTMLReport.mostEvents,
        output: FileOutput
    ) -> sending any Report {
        switch self {
        case .text: TextReport(options, page: page(), output: output) { FileSpool() }
        case .json: JSONReport(options, version: Version.number, output: output) { FileSpool() }
        case .ndjson: NDJSONReport(options, output: output)
        case .html: HTMLReport(options, maxEvents: maxEvents, output: output, spool: FileSpool())
        }
    }
}

/// `weir analyze`: the annotated timeline.
struct Analyze: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Print the annotated timeline of captures (the default command).",
        discussion: """
            The text starts with an overview, followed by the timelines; with more than four sessions, only those with \
            errors or warnings. Everything is analyzed; --session, --protocol, --flow, --from and --to select what is \
            shown.
            """
    )

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Input") var jobs: JobsOption
    @OptionGroup(title: "Output") var show: OutputOptions

    @Option(
        name: .shortAndLong, help: "Output format: text, one JSON document, one JSON record per line, or a page (HTML)."
    )
    var format = TimelineFormat.text

    @OptionGroup(title: "Text") var text: TimelineOptions

    @Flag(help: "Show every media packet as a separate step.")
    var packets = false

    @Option(
        help: ArgumentHelp(
            "Also write the capture with the secrets that decrypted it to this new pcapng file, which only you can read.",
            valueName: "file"),
        completion: .file(extensions: ["pcapng"]))
    var writeDecrypted: String?

    func validate() throws {
        guard let writeDecrypted else { return }
        guard writeDecrypted != "-" else {
            throw ValidationError(plain: "--write-decrypted writes secrets: name a file instead of standard output.")
        }
        guard input.files.count == 1, input.files.first != "-" else {
            throw ValidationError(plain: "--write-decrypted reads the capture twice: it takes one file.")
        }
        guard reading.filter == nil else {
            throw ValidationError(plain: "--write-decrypted writes all packets: it takes no --filter.")
        }
    }

    func run() throws {
        try OutputNames.check(written: [show.output] + [writeDecrypted].compactMap { $0 }, read: input.files)
        let options = try show.reportOptions()
        let output = try FileOutput(show.output)
        let report = format.report(
            options, page: text.applied(to: show.page(), packets: packets), maxEvents: show.maxEvents, output: output)
        var analysis = try CaptureRun(input, reading, show, jobs, rules: BuiltIn.rules)
        analysis.options.packets = packets
        analysis.options.showsEncrypted = show.verbose
        // Secrets that the capture itself contains are also copied.
        if writeDecrypted != nil, analysis.options.limits[DecryptionSettings.self].keys == nil {
            analysis.options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [])
        }
        let background = BackgroundReport(report, processors: Processors.count)
        let failure: ExitCode?
        if format == .html {
            // The page begins with the verdict of the default profile.
            let gate = Gate(
                Profile(), rules: BuiltIn.rules.map { $0.info }, baseline: nil, day: Calendar.today, sink: background)
            failure = analysis.run(gate, background, unread: gate.noteUnread) { gate.finish() }
        } else {
            failure = analysis.run(background, background)
        }
        try output.close()
        if let writeDecrypted, let file = input.files.first {
            try DecryptedCopy.write(file, to: writeDecrypted, analysis.options, quiet: show.quiet)
        }
        if let failure { throw failure }
    }
}
