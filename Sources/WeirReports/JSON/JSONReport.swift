public import WeirEngine

/// A JSON document for all captures: the same records as NDJSON, grouped by kind.
///
/// The members before the events are known only at the end of a capture. So events and findings are spooled, each
/// capture is written when it ends, and memory grows with the number of flows, sessions and streams only.
public final class JSONReport: Report, VerdictSink {
    private enum Part: String, CaseIterable {
        case capture, flows, sessions, streams, events, findings, rules, coverage, summary

        var isList: Bool { self != .capture && self != .summary }
    }

    private let records: JSONRecords
    private let options: ReportOptions
    private let output: any ReportOutput
    private let version: String
    private let withTallies: Bool
    private let withCoverage: Bool
    private let spools: [Part: any ReportSpool]
    private var hasBegun = false
    private var parts: [Part: JSONWriter] = [:]
    private var sessions: [SessionRecord] = []
    /// The number of attempts in each series so far.
    private var attempts: [Int: Int] = [:]
    /// The parts with octets in a spool.
    private var spooled: Set<Part> = []

    /// The number of octets buffered before they are spooled.
    private static let blockSize = 64 * 1024

    /// Creates a report that writes each capture to `output` when it ends; `withTallies` adds the `rules` of `check`,
    /// `withCoverage` the exercised clauses. `spool` creates the spools of events and findings.
    public init(
        _ options: ReportOptions, version: String = Version.number, withTallies: Bool = false,
        withCoverage: Bool = false,
        output: any ReportOutput, spool: () -> any ReportSpool = { MemorySpool() }
    ) {
        spools = [.events: spool(), .findings: spool()]
        records = JSONRecords(options)
        self.options = options
        self.version = version
        self.withTallies = withTallies
        self.withCoverage = withCoverage
        self.output = output
    }

    /// Starts a capture.
    public func begin(_ capture: CaptureRecord) {
        parts = [:]
        sessions = []
        attempts = [:]
        add(.capture) { records.capture(capture, &$0) }
    }

    /// Members of sessions follow the secret policy of the report.
    public var factPolicies: Set<SecretPolicy> { [records.options.secrets] }

    /// Spools an event and its findings.
    public func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard options.selection.includes(event) else { return }
        add(.events) { records.event(event, findings, &$0) }
        for finding in findings { add(.findings) { records.finding(finding, &$0) } }
    }

    /// Spools a finding.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard options.selection.includes(protocolName: finding.plugin),
            options.selection.includes(session: finding.session)
        else { return }
        add(.findings) { records.finding(finding, &$0) }
    }

    /// Adds a flow.
    public func flow(_ flow: FlowRecord) {
        guard options.selection.includes(flow: flow.id) else { return }
        add(.flows) { records.flow(flow, &$0) }
    }

    /// Adds a stream.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard options.selection.includes(flow: stream.flow), options.selection.includes(session: stream.session)
        else { return }
        add(.streams) { records.stream(stream, &$0) }
    }

    /// Adds a session; the number of attempts in its series is known at the end.
    public func session(_ record: SessionRecord) {
        guard options.selection.includes(anyOf: record.flows), options.selection.includes(session: record.id)
        else { return }
        sessions.append(record)
        if let attempt = record.attempt { attempts[attempt.series] = attempt.number }
    }

    /// Adds the exercised clauses.
    package func verdict(_ verdict: CaptureVerdict) {
        guard withCoverage else { return }
        for specification in verdict.coverage { add(.coverage) { records.coverage(specification, &$0) } }
    }

    /// Writes the capture.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        if withTallies {
            for tally in tallies { add(.rules) { records.rule(tally, &$0) } }
        }
        for session in sessions {
            add(.sessions) { records.session(session, attempts: session.attempt.flatMap { attempts[$0.series] }, &$0) }
        }
        add(.summary) { records.summary(summary, findings, &$0) }
        writeCapture()
        parts = [:]
        spooled = []
    }

    /// Does nothing: no output is possible before the end of a capture.
    public func flush() {}

    /// Writes the end of the document.
    public func finish() {
        if !hasBegun { writeHead() }
        output.write(Array("]}\n".utf8))
    }

    private func writeHead() {
        hasBegun = true
        var json = JSONWriter()
        json.beginObject()
        json.key("schemaVersion")
        json.string(Version.schema)
        json.key("generator")
        json.beginObject()
        json.key("name")
        json.string("weir")
        json.key("version")
        json.string(version)
        json.endObject()
        json.key("captures")
        json.beginArray()
        output.write(json.octets)
    }

    private func add(_ part: Part, _ members: (inout JSONWriter) -> Void) {
        var json = parts.removeValue(forKey: part) ?? JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        if let spool = spools[part], json.octets.count >= Self.blockSize {
            spool.append(json.octets)
            spooled.insert(part)
            json.clear()
            json.goOn()
        }
        parts[part] = json
    }

    private func writeCapture() {
        if hasBegun { output.write([UInt8(ascii: ",")]) } else { writeHead() }
        var json = JSONWriter()
        json.beginObject()
        for part in Part.allCases where (part != .rules || withTallies) && (part != .coverage || withCoverage) {
            let written = parts[part]
            if written == nil, !part.isList { continue }
            json.key(part.rawValue)
            if part.isList { json.beginArray() }
            output.write(json.octets)
            json.clear()
            if spooled.contains(part) { spools[part]?.drain(to: output) }
            if let written { output.write(written.octets) }
            json.goOn()
            if part.isList { json.endArray() }
        }
        json.endObject()
        output.write(json.octets)
    }
}
