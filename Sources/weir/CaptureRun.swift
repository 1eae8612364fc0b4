import ArgumentParser
import WeirCapture
import WeirEngine
import WeirKit
import WeirProtocols
import WeirReports

/// Analyzes captures, checks rules, and writes the results to a report.
struct CaptureRun {
    var options: AnalyzerOptions
    var judgeOptions = RuleEngine.Options()
    private let rules: [any Rule.Type]
    private let files: [String]
    private let filter: CaptureFilter?
    private let selection: Selection
    private let quiet: Bool
    private let verbose: Bool
    private let jobs: Int

    /// Creates a run with the options of a command that reports on captures.
    init(
        _ input: InputOptions, _ reading: AnalysisOptions, _ show: OutputOptions, _ jobs: JobsOption,
        rules: [any Rule.Type]
    ) throws {
        let selection = try show.reportOptions().selection
        try self.init(
            input.files, reading, selection, quiet: show.quiet, verbose: show.verbose, jobs, rules: rules)
    }

    /// Creates a run.
    init(
        _ files: [String], _ reading: AnalysisOptions, _ selection: Selection, quiet: Bool, verbose: Bool,
        _ jobs: JobsOption, rules: [any Rule.Type]
    ) throws {
        options = try reading.analyzerOptions()
        filter = try reading.captureFilter()
        options.isFiltered = filter != nil
        self.files = files
        self.selection = selection
        self.quiet = quiet
        self.verbose = verbose
        self.jobs = jobs.count
        self.rules = rules
    }

    /// Creates a run without options.
    init(_ files: [String], rules: [any Rule.Type]) {
        options = AnalyzerOptions()
        filter = nil
        self.files = files
        selection = Selection()
        quiet = false
        verbose = false
        jobs = Processors.count
        self.rules = rules
    }

    /// Analyzes all files into `sink`, which passes results on to `report`; unreadable files do not prevent the others
    /// from being analyzed.
    ///
    /// - Parameters:
    ///   - unread: Called with the name of a file that cannot be opened, and the reason.
    ///   - finish: Called at the end, before the report is finished.
    ///   - remains: Keeps the state of the analysis of a single file, if the process ends with it.
    /// - Returns: The highest exit code if a capture could not be read completely, otherwise nil.
    func run(
        _ sink: any ReportSink, _ report: any Report, unread: (String, String) -> Void = { _, _ in },
        finish: () -> Void = {}, keeping remains: Remains? = nil
    ) -> ExitCode? {
        var failure: ExitCode?
        let selected = SelectedFindings(selection, sink: sink)
        let sink: any ReportSink = selection.isAll ? sink : selected
        let concurrent = jobs > 1 && files.count > 1 ? concurrentRuns(sink.factPolicies) : nil
        for (index, file) in files.enumerated() {
            if verbose { StandardError.write("weir: reading \(file)\n") }
            let result =
                concurrent.map { $0.deliver(index, to: sink, report) }
                ?? analyze(file, sink, report, keeping: files.count == 1 ? remains : nil)
            let error: CaptureError
            switch result {
            case .complete: continue
            case .unread(let reason):
                unread(file, reason.reason)
                error = reason
            case .damaged(let reason):
                report.flush()
                error = reason
            }
            StandardError.write("weir: \(error)\(Self.hint(file))\n")
            // A filter that does not apply to the capture's link type is a usage error.
            let code = error.kind == .filter ? ExitCode.validationFailure : ExitCode(2)
            if code.rawValue > failure?.rawValue ?? 0 { failure = code }
        }
        finish()
        report.finish()
        DecryptionOptions.report(options, quiet: quiet)
        if failure == nil { DecryptionOptions.reportUnused(options.limits[SRTPSettings.self].keys) }
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

    /// Returns a hint for a file name that is not valid UTF-8.
    private static func hint(_ file: String) -> String {
        file.unicodeScalars.contains("\u{FFFD}") ? "; file names must be UTF-8: use weir - < FILE" : ""
    }

    /// Starts the analysis of all files; the caller delivers the steps in order.
    private func concurrentRuns(_ policies: Set<SecretPolicy>) -> ConcurrentRuns {
        ConcurrentRuns(files.count, jobs: jobs, factPolicies: policies) { [self] index, collector, isOnTurn in
            analyze(files[index], collector, isShown: isOnTurn) { collector.flush() }
        }
    }

    /// Analyzes one file into the report.
    private func analyze(
        _ file: String, _ sink: any ReportSink, _ report: any Report, keeping remains: Remains?
    ) -> ConcurrentRuns.Result {
        analyze(file, sink, keeping: remains, isShown: { true }, flush: { report.flush() })
    }

    /// Analyzes one file.
    ///
    /// - Parameters:
    ///   - isShown: Whether its progress is shown.
    ///   - flush: Called after each frame of a pipe, which may be slow.
    private func analyze(
        _ file: String, _ sink: any ReportSink, keeping remains: Remains? = nil, isShown: () -> Bool,
        flush: () -> Void
    ) -> ConcurrentRuns.Result {
        let capture: CaptureFile
        do throws(CaptureError) {
            capture = try CaptureFile(file, filter: filter)
        } catch {
            return .unread(error)
        }
        var analysis = Analysis(file)
        (analysis.options, analysis.judging, analysis.rules) = (options, judgeOptions, rules)
        analysis.judging.selection = selection
        analysis.whenSecretsUnread = { StandardError.write("weir: \($0)\n") }
        var progress = Progress(file: file, size: quiet ? nil : capture.size)
        defer { progress.clear() }
        let isPipe = capture.size == nil
        var late = LateSecrets(file)
        do throws(CaptureError) {
            try analysis.run(capture, file, into: sink, keeping: remains) { capture, frames in
                late.report(capture)
                if progress.isDue, isShown() { progress.show(frames, capture.octetsRead) }
                if isPipe { flush() }
            }
        } catch {
            return .damaged(error)
        }
        return .complete
    }
}
