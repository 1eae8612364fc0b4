import ArgumentParser
import WeirCapture
import WeirComparison
import WeirEngine
import WeirReports

extension Comparison.Mode: ExpressibleByArgument {}
extension ComparisonReport.Format: ExpressibleByArgument {}
extension ComparisonThreshold: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// `weir diff`: where two captures differ.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two captures: one run at two places, or a good and a bad run.",
        discussion: """
            Captures of the same traffic are compared packet by packet: what was lost before, between and behind the \
            places, delayed, reordered, duplicated or changed, and how the clocks relate. Other captures are compared \
            session by session, step by step, without what differs in every run.

            The exit code is 0 if there is no difference, 1 if there is, 2 if a capture could not be read. With \
            --fail-on it is 1 only if a limit is exceeded, such as lost-between>0.1%, delay-variation>30ms, drift>20ppm, \
            reordered>0, duplicated>0, lost-before>1%, lost-behind>1%, retransmitted>10, changed>0 or, for runs, \
            differences>0. Percentages are of the worst direction of a flow.

            Examples:
              weir diff sender.pcap receiver.pcap
              weir diff good.pcap bad.pcap --format html -o diff.html
              weir diff a.pcap b.pcap --fail-on 'lost-between>0.1%'
            """
    )

    @Argument(
        help: ArgumentHelp("The first capture; - is standard input.", valueName: "a"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var a: String

    @Argument(
        help: ArgumentHelp("The second capture.", valueName: "b"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var b: String

    @Option(
        name: .customLong("as"),
        help: "What the captures are: places of one run, or runs. By default found by content.")
    var mode: Comparison.Mode?

    @Option(
        help: ArgumentHelp("Fail only if a figure exceeds a limit. Repeatable.", valueName: "figure>limit"))
    var failOn: [ComparisonThreshold] = []

    @Option(name: .shortAndLong, help: "Output format: text, one JSON document, Markdown, or a page (HTML).")
    var format = ComparisonReport.Format.text

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the report to a file; - is standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(help: "Language of the report.")
    var lang = Language.english

    @Flag(name: .shortAndLong, help: "Do not show progress.")
    var quiet = false

    @OptionGroup(title: "Input") var reading: AnalysisOptions

    func validate() throws {
        guard a != "-" || b != "-" else { throw ValidationError(plain: "Standard input can be read only once.") }
    }

    func run() throws {
        try OutputNames.check(written: [output], read: [a, b])
        var failure: ExitCode?
        let (filter, options) = (try reading.captureFilter(), try reading.analyzerOptions())
        let first = try read(a, filter, options, &failure)
        let second = try read(b, filter, options, &failure)
        let comparison = Comparison(first, second, mode: mode)
        let output = try FileOutput(output)
        let report = ComparisonReport(lang)
        output.write(report.write(comparison, as: format, version: Version.number, thresholds: failOn))
        try output.close()
        if let failure { throw failure }
        let fails = failOn.isEmpty ? comparison.isDifferent : failOn.contains { $0.isExceeded(in: comparison) }
        if fails { throw ExitCode(1) }
    }

    /// Reads a capture; the part before damage is compared, and the damage reported.
    private func read(
        _ file: String, _ filter: CaptureFilter?, _ options: AnalyzerOptions, _ failure: inout ExitCode?
    ) throws -> ComparedCapture {
        var progress: Progress?
        defer { progress?.clear() }
        do throws(CaptureError) {
            let capture = try ComparedCaptureReader.read(file, filter: filter, options: options) {
                frames, octets, size in
                guard !quiet else { return }
                if progress == nil { progress = Progress(file: file, size: size) }
                if progress?.isDue ?? false { progress?.show(frames, octets) }
            }
            guard let damage = capture.damage else { return capture }
            StandardError.write("weir: \(damage)\n")
            failure = ExitCode(2)
            return capture
        } catch {
            StandardError.write("weir: \(error)\n")
            throw error.kind == .filter ? ExitCode.validationFailure : ExitCode(2)
        }
    }
}
