import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

extension ReportOptions {
    /// Creates the default options with the catalogs of the built-in protocols.
    package init() {
        self.init(plugins: BuiltIn.plugins)
    }
}

/// A complete analysis of a capture, as in the command.
package enum WholeAnalysis {
    /// Analyzes a capture and reports events and findings to `sink`.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the capture.
    ///   - name: the name in the report; by default, the path.
    /// - Throws: `CaptureError` if the capture cannot be read completely; what could be read is reported.
    package static func run(
        _ path: String,
        name: String? = nil,
        options: AnalyzerOptions = AnalyzerOptions(),
        judging: RuleEngine.Options = RuleEngine.Options(),
        rules: [any Rule.Type] = BuiltIn.rules,
        into sink: any ReportSink
    ) throws(CaptureError) {
        var capture = try CaptureFile(path)
        let judge = RuleEngine(rules: rules, of: BuiltIn.plugins, options: judging, sink: sink)
        let analyzer = Analyzer(options: options, sink: judge)
        analyzer.begin(
            CaptureRecord(
                file: name ?? path, format: capture.format.rawValue, linkTypes: capture.linkTypes,
                snapLength: capture.snapLengths.first.flatMap { $0 > 0 ? $0 : nil }))
        do throws(CaptureError) {
            var dropped = 0
            var time = Timestamp(nanoseconds: 0)
            while true {
                if capture.droppedPackets != dropped {
                    analyzer.noteDrops(capture.droppedPackets &- dropped, at: time)
                    dropped = capture.droppedPackets
                }
                guard let frame = try capture.next() else { break }
                analyzer.process(frame)
                time = frame.info.time
            }
        } catch {
            analyzer.finish(
                damage: Damage(
                    file: name ?? path, frame: error.frame ?? 1, offset: error.offset, reason: error.reason))
            throw error
        }
        if let end = capture.endTime { analyzer.advance(to: end) }
        analyzer.finish()
    }

    /// Checks captures as the command does and returns the verdict.
    package static func check(
        _ captures: [String], _ profile: Profile = Profile(), baseline: Baseline? = nil, day: String = "2026-11-22",
        into report: any Report
    ) -> Gate {
        let rules = BuiltIn.rules.filter { profile.includes($0.info.id) }
        let gate = Gate(profile, rules: rules.map { $0.info }, baseline: baseline, day: day, sink: report)
        for capture in captures {
            do throws(CaptureError) {
                try run(
                    RecordedCaptures.path(capture), name: capture, judging: profile.judging(rules), rules: rules,
                    into: gate)
            } catch {
                // Damaged captures have a report; captures that cannot be opened do not.
                if error.frame == nil { gate.noteUnread(capture, reason: error.reason) }
            }
        }
        gate.finish()
        report.finish()
        return gate
    }

    /// Returns the text and JSON reports of a capture, damaged or not, as the command prints them without a terminal.
    package static func reports(
        _ relative: String,
        options: ReportOptions = ReportOptions(),
        analysis: AnalyzerOptions = AnalyzerOptions(),
        width: Int = 120
    ) -> (text: String, json: String) {
        let text = MemoryOutput()
        let json = MemoryOutput()
        var page = TextReport.Page()
        page.width = width
        let both = BothReports(
            TextReport(options, page: page, output: text),
            JSONReport(options, version: Version.number, output: json))
        // Damage is part of the report.
        try? run(RecordedCaptures.path(relative), name: relative, options: analysis, into: both)
        both.finish()
        return (text.text, json.text)
    }
}

/// Forwards one analysis to two reports.
package final class BothReports: Report {
    private let first: any Report
    private let second: any Report

    /// Creates a report that forwards to both.
    package init(_ first: any Report, _ second: any Report) {
        self.first = first
        self.second = second
    }

    /// The union of both policies.
    package var factPolicies: Set<SecretPolicy> { first.factPolicies.union(second.factPolicies) }

    /// Forwards to both reports.
    package func begin(_ capture: CaptureRecord) { each { $0.begin(capture) } }
    /// Forwards to both reports.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        each { $0.event(event, session: session, findings: findings) }
    }
    /// Forwards to both reports.
    package func finding(_ finding: Finding, session: SessionReference?) {
        each { $0.finding(finding, session: session) }
    }
    /// Forwards to both reports.
    package func flow(_ flow: FlowRecord) { each { $0.flow(flow) } }
    /// Forwards to both reports.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        each { $0.stream(stream, session: session) }
    }
    /// Forwards to both reports.
    package func session(_ record: SessionRecord) { each { $0.session(record) } }
    /// Forwards to both reports.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        each { $0.end(summary, tallies: tallies, findings: findings) }
    }
    /// Forwards to both reports.
    package func flush() { each { $0.flush() } }
    /// Forwards to both reports.
    package func finish() { each { $0.finish() } }

    private func each(_ body: (any Report) -> Void) {
        body(first)
        body(second)
    }
}
