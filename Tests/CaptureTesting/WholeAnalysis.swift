import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

extension ReportOptions {
    /// The defaults, with the words of the built-in protocols.
    package init() {
        self.init(plugins: BuiltIn.plugins)
    }
}

/// A capture's way through all rooms, as the command takes it.
package enum WholeAnalysis {
    /// Analyses and judges a capture into `sink`.
    ///
    /// - Parameters:
    ///   - path: where the capture is on this machine.
    ///   - name: what the report calls it; the path by default.
    /// - Throws: `CaptureError` when the capture cannot be read, or not to its end; what could be read is reported.
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

    /// Checks captures, as the command does, and says what came of it.
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
                // Damage stands in the reports; what cannot be opened has none.
                if error.frame == nil { gate.noteUnread(capture, reason: error.reason) }
            }
        }
        gate.finish()
        report.finish()
        return gate
    }

    /// The reports of a capture, damaged or not: text and JSON, as the command prints them when no terminal is there.
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
        // Damage stands in the reports.
        try? run(RecordedCaptures.path(relative), name: relative, options: analysis, into: both)
        both.finish()
        return (text.text, json.text)
    }
}

/// Two reports from one analysis.
package final class BothReports: Report {
    private let first: any Report
    private let second: any Report

    /// Hands everything to both.
    package init(_ first: any Report, _ second: any Report) {
        self.first = first
        self.second = second
    }

    /// What either asks for.
    package var factPolicies: Set<SecretPolicy> { first.factPolicies.union(second.factPolicies) }

    /// Begins both.
    package func begin(_ capture: CaptureRecord) { each { $0.begin(capture) } }
    /// Gives both the step.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        each { $0.event(event, session: session, findings: findings) }
    }
    /// Gives both the finding.
    package func finding(_ finding: Finding, session: SessionReference?) {
        each { $0.finding(finding, session: session) }
    }
    /// Gives both the flow.
    package func flow(_ flow: FlowRecord) { each { $0.flow(flow) } }
    /// Gives both the stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        each { $0.stream(stream, session: session) }
    }
    /// Gives both the session.
    package func session(_ record: SessionRecord) { each { $0.session(record) } }
    /// Ends the capture in both.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        each { $0.end(summary, tallies: tallies, findings: findings) }
    }
    /// Writes out what both have gathered.
    package func flush() { each { $0.flush() } }
    /// Ends both.
    package func finish() { each { $0.finish() } }

    private func each(_ body: (any Report) -> Void) {
        body(first)
        body(second)
    }
}
