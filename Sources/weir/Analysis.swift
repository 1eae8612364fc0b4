import ArgumentParser
import WeirCapture
import WeirPackets
import WeirReports
import WeirRules
import WeirSessions

/// Runs captures through the analyzer and the judge into a report.
struct Analysis {
    /// What came of it.
    struct Result {
        /// The exit code, when a capture could not be read, or not to its end.
        var failure: ExitCode?
        /// The worst severity of a finding.
        var worst: Severity?
    }

    var options: AnalyzerOptions
    var judgeOptions = Judge.Options()
    private let rules: [any Rule.Type]
    private let files: [String]
    private let filter: CaptureFilter?
    private let quiet: Bool
    private let verbose: Bool

    init(_ input: InputOptions, _ show: OutputOptions, rules: [any Rule.Type]) throws {
        options = try input.analyzerOptions()
        filter = try input.captureFilter()
        options.isFiltered = filter != nil
        files = input.files
        quiet = show.quiet
        verbose = show.verbose
        self.rules = rules
    }

    /// Analyses all files; one that cannot be read does not hide the others. The exit code is the highest.
    func run(_ report: any Report) -> Result {
        let worst = WorstFinding(report)
        var result = Result()
        for file in files {
            if verbose { StandardError.write("weir: reading \(file)\n") }
            do throws(CaptureError) {
                try analyse(file, worst, report)
            } catch {
                StandardError.write("weir: \(error)\n")
                // A filter that does not fit the capture's link type is a mistake on the command line.
                let code = error.kind == .filter ? ExitCode.validationFailure : ExitCode(2)
                if code.rawValue > result.failure?.rawValue ?? 0 { result.failure = code }
            }
        }
        report.finish()
        result.worst = worst.severity
        return result
    }

    private func analyse(_ file: String, _ sink: any ReportSink, _ report: any Report) throws(CaptureError) {
        var capture = try CaptureFile(file, filter: filter)
        let judge = Judge(rules: rules, options: judgeOptions, sink: sink)
        let analyzer = Analyzer(options: options, sink: judge)
        analyzer.begin(
            CaptureRecord(
                file: file, format: capture.format.rawValue, linkTypes: capture.linkTypes,
                snapLength: capture.snapLengths.first.flatMap { $0 > 0 ? $0 : nil }))
        var progress = Progress(file: file, size: quiet ? nil : capture.size)
        // What comes through a pipe may come slowly: then each step is shown as it happens.
        let isPipe = capture.size == nil
        do throws(CaptureError) {
            var frames = 0
            while true {
                if progress.isDue { progress.show(frames, capture.octetsRead) }
                guard let frame = try capture.next() else { break }
                analyzer.process(frame)
                if isPipe { report.flush() }
                frames = frame.info.number
            }
        } catch {
            progress.clear()
            analyzer.finish(
                damage: Damage(file: file, frame: error.frame ?? 1, offset: error.offset, reason: error.reason))
            report.flush()
            throw error
        }
        progress.clear()
        analyzer.finish()
    }
}

/// Notes the worst finding on its way to the report.
private final class WorstFinding: ReportSink {
    private let sink: any ReportSink
    private(set) var severity: Severity?

    init(_ sink: any ReportSink) {
        self.sink = sink
    }

    func begin(_ capture: CaptureRecord) { sink.begin(capture) }
    func event(_ event: Event, session: Session?, findings: [Finding]) {
        for finding in findings { note(finding) }
        sink.event(event, session: session, findings: findings)
    }
    func finding(_ finding: Finding, session: Session?) {
        note(finding)
        sink.finding(finding, session: session)
    }
    func flow(_ flow: FlowRecord) { sink.flow(flow) }
    func stream(_ stream: StreamRecord, session: Session?) { sink.stream(stream, session: session) }
    func session(_ record: SessionRecord, session: Session) { sink.session(record, session: session) }
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        sink.end(summary, tallies: tallies, findings: findings)
    }

    private func note(_ finding: Finding) {
        guard finding.verdict == .fail, finding.waivedBy == nil else { return }
        severity = max(severity ?? finding.severity, finding.severity)
    }
}
