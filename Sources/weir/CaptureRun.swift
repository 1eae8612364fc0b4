import ArgumentParser
import WeirCapture
import WeirEngine
import WeirKit
import WeirReports

/// Runs captures through the analyzer and the judge into a report.
struct CaptureRun {
    var options: AnalyzerOptions
    var judgeOptions = RuleEngine.Options()
    private let rules: [any Rule.Type]
    private let files: [String]
    private let filter: CaptureFilter?
    private let selection: Selection
    private let quiet: Bool
    private let verbose: Bool

    init(
        _ input: InputOptions, _ reading: AnalysisOptions, _ show: OutputOptions, rules: [any Rule.Type]
    ) throws {
        options = try reading.analyzerOptions()
        filter = try reading.captureFilter()
        options.isFiltered = filter != nil
        files = input.files
        selection = try show.reportOptions().selection
        quiet = show.quiet
        verbose = show.verbose
        self.rules = rules
    }

    /// Analyses all files into `sink`, which hands on to `report`; one that cannot be read does not hide the others.
    ///
    /// - Parameters:
    ///   - unread: called with the name of a file that cannot be opened, and why.
    ///   - finish: called at the end, before the report is finished.
    /// - Returns: the exit code, the highest one, when a capture could not be read, or not to its end.
    func run(
        _ sink: any ReportSink, _ report: any Report, unread: (String, String) -> Void = { _, _ in },
        finish: () -> Void = {}
    ) -> ExitCode? {
        var failure: ExitCode?
        let selected = SelectedFindings(selection, sink: sink)
        let sink: any ReportSink = selection.isAll ? sink : selected
        for file in files {
            if verbose { StandardError.write("weir: reading \(file)\n") }
            do throws(CaptureError) {
                try analyse(try open(file, unread), file, sink, report)
            } catch {
                StandardError.write("weir: \(error)\(Self.hint(file))\n")
                // A filter that does not fit the capture's link type is a mistake on the command line.
                let code = error.kind == .filter ? ExitCode.validationFailure : ExitCode(2)
                if code.rawValue > failure?.rawValue ?? 0 { failure = code }
            }
        }
        finish()
        report.finish()
        if let flow = selected.missingFlows.min() {
            StandardError.write("weir: there is no flow \(flow)\n")
            failure = .validationFailure
        }
        if let session = selected.missingSessions.min() {
            StandardError.write("weir: there is no session \(session)\n")
            failure = .validationFailure
        }
        return failure
    }

    /// What to do about a name that the command line has no text for.
    private static func hint(_ file: String) -> String {
        file.unicodeScalars.contains("\u{FFFD}") ? "; a name that is not UTF-8 cannot be given: weir - < FILE" : ""
    }

    private func open(_ file: String, _ unread: (String, String) -> Void) throws(CaptureError) -> CaptureFile {
        do throws(CaptureError) {
            return try CaptureFile(file, filter: filter)
        } catch {
            unread(file, error.reason)
            throw error
        }
    }

    private func analyse(
        _ capture: consuming CaptureFile, _ file: String, _ sink: any ReportSink, _ report: any Report
    ) throws(CaptureError) {
        var analysis = Analysis(file)
        (analysis.options, analysis.judging, analysis.rules) = (options, judgeOptions, rules)
        analysis.judging.selection = selection
        var progress = Progress(file: file, size: quiet ? nil : capture.size)
        // What comes through a pipe may come slowly: then each step is shown as it happens.
        let isPipe = capture.size == nil
        do throws(CaptureError) {
            try analysis.run(capture, file, into: sink) { capture, frames in
                if progress.isDue { progress.show(frames, capture.octetsRead) }
                if isPipe { report.flush() }
            }
        } catch {
            progress.clear()
            report.flush()
            throw error
        }
        progress.clear()
    }
}
