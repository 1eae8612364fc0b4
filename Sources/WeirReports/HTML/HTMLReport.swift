public import WeirEngine
import WeirPackets

/// A page to look at: one self-contained HTML file with verdict, overview, ladders, graphs and records.
///
/// It is a view of the records that the JSON report has; nothing is judged here. Verdict, tables, ladders and graphs are
/// markup, visible without script; the script adds time range, search, folding and details. The verdict comes first and
/// is known last, so the captures are spooled.
public final class HTMLReport: Report, VerdictSink {
    /// The default for the events on a page.
    public static let mostEvents = 20_000
    /// About how many octets of rows and records a page has; style, script and tables come on top.
    static let mostOctets = 11 * 1_024 * 1_024
    /// What each of several captures has at least.
    private static let leastShare = (events: 200, octets: 256 * 1_024)

    private let options: ReportOptions
    private let version: String
    private let maxEvents: Int
    private let output: any ReportOutput
    private let spool: any ReportSpool
    private let words: PageWords
    private let records: PageRecords
    private var left: (events: Int, octets: Int)
    private var capture: PageCapture?
    private var listed: [PageDocument.Entry] = []
    private var run: RunVerdict?

    /// Creates a report that writes to `output` at the end.
    ///
    /// - Parameters:
    ///   - maxEvents: The maximum number of events on the page; those with findings and their neighbors are kept.
    ///   - spool: Where finished captures wait for the verdict.
    public init(
        _ options: ReportOptions, maxEvents: Int = mostEvents, version: String = Version.number,
        output: any ReportOutput, spool: any ReportSpool = MemorySpool()
    ) {
        self.options = options
        self.version = version
        self.maxEvents = maxEvents
        self.output = output
        self.spool = spool
        words = PageWords(options)
        records = PageRecords(options, words)
        left = (maxEvents, Self.mostOctets)
    }

    /// Members of sessions follow the secret policy of the report.
    public var factPolicies: Set<SecretPolicy> { [options.secrets] }

    /// Starts a capture.
    public func begin(_ record: CaptureRecord) {
        let events = max(left.events, min(maxEvents, Self.leastShare.events))
        let share = (events, max(left.octets, Self.leastShare.octets))
        capture = PageCapture(record, options, words, records, most: share)
    }

    /// Adds a step and its findings.
    public func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard options.selection.includes(event) else { return }
        capture?.add(event, session, findings)
    }

    /// Adds a finding without a step.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin),
            options.selection.includes(session: finding.session)
        else { return }
        capture?.add(finding, session)
    }

    /// Adds a flow.
    public func flow(_ flow: FlowRecord) {
        guard options.selection.includes(flow: flow.id) else { return }
        capture?.add(flow)
    }

    /// Adds a stream.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard options.selection.includes(flow: stream.flow), options.selection.includes(session: stream.session)
        else { return }
        capture?.add(stream)
    }

    /// Adds a session.
    public func session(_ record: SessionRecord) {
        guard options.selection.includes(anyOf: record.flows), options.selection.includes(session: record.id)
        else { return }
        capture?.add(record)
    }

    /// Keeps what the check decides about the capture.
    package func verdict(_ verdict: CaptureVerdict) { capture?.verdict = verdict }

    /// Renders the capture.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        guard var capture else { return }
        self.capture = nil
        capture.finish(summary, tallies, findings)
        let section = CaptureSection(capture, number: listed.count + 1, words)
        let octets = section.write()
        spool.append(octets)
        left.events -= capture.kept.steps.count
        left.octets -= octets.count
        listed.append(
            PageDocument.Entry(
                file: capture.record.file, counts: findings, isDamaged: summary.damage != nil,
                sessions: (capture.overview.failedCount, capture.overview.sessionCount)))
    }

    /// Keeps the verdict over all captures.
    package func conclude(_ run: RunVerdict) { self.run = run }

    /// Does nothing: the verdict comes first, and is known last.
    public func flush() {}

    /// Writes the page.
    public func finish() {
        let document = PageDocument(words: words, version: version)
        output.write(document.head(listed, run))
        spool.drain(to: output)
        output.write(document.end())
    }
}
