import WeirEngine
import WeirProtocols
import WeirReports

/// `weir FILE…` with no option but the format, as most often, with the defaults of the options of `Analyze`.
///
/// It needs neither a parser nor the command: what ArgumentParser and the types of options look up takes half of the startup
/// time.
struct PlainAnalysis {
    private var files: [String] = []
    private var format = TimelineFormat.text

    /// Creates the analysis from arguments that are names of files, or name the format; returns nil if one may be another
    /// option, or standard input.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--format" || argument == "-f" {
                guard let format = rest.popFirst().flatMap(TimelineFormat.init), format != .html else { return nil }
                self.format = format
            } else {
                guard argument.utf8.first != UInt8(ascii: "-") else { return nil }
                files.append(argument)
            }
        }
        if files.isEmpty { return nil }
    }

    /// Analyzes the files; returns the report, which was written, and the state of the analysis. To destroy them, object by
    /// object, takes time.
    func run() throws -> (any Report, Remains) {
        let output = try FileOutput("-")
        let options = ReportOptions(plugins: BuiltIn.plugins)
        let report = format.report(options, page: TextReport.Page(output: "-", color: .auto), output: output)
        let background = BackgroundReport(report, processors: Processors.count)
        let remains = Remains()
        let failure = CaptureRun(files, rules: BuiltIn.rules).run(background, background, keeping: remains)
        try output.close()
        if let failure { throw failure }
        return (background, remains)
    }
}
