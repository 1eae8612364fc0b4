public import WeirEngine
import WeirPackets

/// The conformance report for people: what is wrong, worst first, and how many rules were judged.
public final class CheckReport: Report {
    /// The column at which a finding's text begins.
    private static let textColumn = 13

    private let options: ReportOptions
    private let output: any ReportOutput
    private var text: TextPage
    private var findings: [Finding] = []
    /// Findings that were counted, but are not listed.
    private var unlisted = 0
    /// Findings that are listed; a live capture may run for days.
    private static let mostFindings = 10_000

    /// Creates a report that writes to `output`.
    public init(_ options: ReportOptions, page: TextReport.Page = TextReport.Page(), output: any ReportOutput) {
        self.options = options
        self.output = output
        text = TextPage(options, page)
    }

    /// The name of a capture.
    public func begin(_ capture: CaptureRecord) {
        findings = []
        unlisted = 0
        text.line(text.style(Printable.clean(capture.file), .heading))
    }

    /// Keeps what was found at a step.
    public func event(_ event: Event, session: Session?, findings: [Finding]) {
        guard !findings.isEmpty, options.selection.includes(event) else { return }
        for finding in findings { keep(finding) }
    }

    /// Keeps what was found.
    public func finding(_ finding: Finding, session: Session?) {
        guard options.selection.includes(protocolName: finding.plugin) else { return }
        keep(finding)
    }

    private func keep(_ finding: Finding) {
        if findings.count < Self.mostFindings { findings.append(finding) } else { unlisted += 1 }
    }

    /// Flows are not judged by themselves.
    public func flow(_ flow: FlowRecord) {}

    /// What was found about streams came as findings.
    public func stream(_ stream: StreamRecord, session: Session?) {}

    /// What was found about sessions came as findings.
    public func session(_ record: SessionRecord, session: Session) {}

    /// Everything that was found, and how many rules were judged.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings counts: FindingCounts) {
        for severity in Severity.allCases.reversed() {
            for finding in findings where finding.verdict == .fail && finding.severity == severity {
                text.finding(finding, place: place(finding, summary.startTime), column: Self.textColumn)
            }
        }
        for finding in findings where finding.verdict == .inconclusive {
            text.finding(finding, place: place(finding, summary.startTime), column: Self.textColumn)
        }
        if unlisted > 0 { text.hanging("  ", text.label("unlisted", .integer(unlisted)), column: 2) }
        text.hanging("  ", verdict(tallies, counts), column: 2)
        for limit in summary.limitsReached { text.hanging("  ", text.catalogue.sentence(limit), column: 2) }
        if let damage = summary.damage { text.hanging("  ", text.describe(damage), column: 2) }
        text.line()
        flush()
    }

    /// Writes out what was gathered.
    public func flush() {
        text.take(output)
    }

    /// All lines are out already.
    public func finish() {
        flush()
    }

    private func place(_ finding: Finding, _ start: Timestamp?) -> String {
        var parts: [String] = []
        if let frame = finding.frame { parts.append("#\(frame)") }
        if let time = finding.time, let start { parts.append("\(decimal(time.seconds(since: start), places: 3)) s") }
        if let session = finding.session { parts.append(text.label("session", .integer(session))) }
        return parts.isEmpty ? "" : parts.joined(separator: ", ") + "  "
    }

    private func verdict(_ tallies: [RuleTally], _ counts: FindingCounts) -> String {
        let failed = tallies.count { $0.fail > 0 }
        let undecided = tallies.count { $0.fail == 0 && $0.inconclusive > 0 }
        let passed = tallies.count { $0.fail == 0 && $0.inconclusive == 0 && $0.pass > 0 }
        let idle = tallies.count - failed - passed - undecided
        let rules = text.label(
            "verdict", .integer(tallies.count), .integer(passed), .integer(failed), .integer(undecided), .integer(idle))
        return [text.tally(counts), rules].compactMap { $0 }.joined(separator: "; ")
    }
}
