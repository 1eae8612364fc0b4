import WeirProtocols
import WeirReports

/// `weir FILE…` without an option, as most often, with the defaults of the options of `Analyze`.
///
/// It needs neither a parser nor the command: what ArgumentParser and the types of options look up takes half of the startup
/// time.
struct PlainAnalysis {
    private let files: [String]

    /// Creates the analysis from arguments that are all names of files; returns nil if one may be an option, or standard
    /// input.
    init?(_ arguments: [String]) {
        guard !arguments.isEmpty, arguments.allSatisfy({ $0.utf8.first != UInt8(ascii: "-") }) else { return nil }
        files = arguments
    }

    func run() throws {
        let output = try FileOutput("-")
        let report = TextReport(
            ReportOptions(plugins: BuiltIn.plugins), page: TextReport.Page(output: "-", color: .auto), output: output
        ) { FileSpool() }
        let background = BackgroundReport(report, processors: Processors.count)
        let failure = CaptureRun(files, rules: BuiltIn.rules).run(background, background)
        try output.close()
        if let failure { throw failure }
    }
}
