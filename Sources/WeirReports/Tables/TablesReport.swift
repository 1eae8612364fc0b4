package import WeirEngine

/// Writes the rows of tables, each table as newline-delimited JSON of its own.
package final class TablesReport: Report {
    /// The number of octets buffered before they are written.
    private static let blockSize = 64 * 1024

    private let outputs: [String: any ReportOutput]
    private let options: ReportOptions
    private let catalogue: Catalogue
    /// Returns the key of a capture by its file name.
    private let key: (String) -> String
    private let profile: String
    private var buffers: [String: JSONWriter] = [:]

    private let captures = Table.captures
    private let sessions = Table.sessions
    private let streams = Table.streams
    private let series = Table.series
    private let findings = Table.findings
    private let rules = Table.rules
    private let flows = Table.flows
    private let events = Table.events

    private var open: CaptureRecord?
    private var capture = ""
    private var findingCount = 0

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - profile: The name of the profile that rules are checked with.
    ///   - key: Returns the key of a capture by its file name.
    ///   - outputs: The outputs by the name of the table; a table without one is not written.
    package init(
        _ options: ReportOptions, profile: String, key: @escaping (String) -> String,
        outputs: [String: any ReportOutput]
    ) {
        self.options = options
        self.profile = profile
        self.key = key
        self.outputs = outputs
        catalogue = Catalogue(options.language, options.secrets, options.plugins)
    }

    /// Members of sessions follow the secret policy of the report.
    package var factPolicies: Set<SecretPolicy> { [options.secrets] }

    /// Starts a capture.
    package func begin(_ capture: CaptureRecord) {
        open = capture
        self.capture = key(capture.file)
        findingCount = 0
    }

    /// Writes an event, if its table is written, and its findings.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        if outputs[events.name] != nil {
            let row = EventRow(event: event, rules: findings.map(\.rule))
            put(events, row, fields: event.message.fields(options.secrets))
        }
        for finding in findings { self.finding(finding, session: session) }
    }

    /// Writes a finding.
    package func finding(_ finding: Finding, session: SessionReference?) {
        findingCount += 1
        put(findings, finding, number: findingCount)
    }

    /// Writes a flow.
    package func flow(_ flow: FlowRecord) { put(flows, flow) }

    /// Writes a stream and its series.
    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        let fields = stream.details.fields(options.secrets)
        put(streams, stream, fields: fields)
        for interval in SeriesRow.all(stream, fields) { put(series, interval.row, fields: interval.fields) }
    }

    /// Writes a session.
    package func session(_ record: SessionRecord) { put(sessions, record, fields: record.facts(options.secrets)) }

    /// Writes the rules, and the capture with its figures.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        // Most rules do not apply to most captures.
        for tally in tallies where tally.pass + tally.fail + tally.inconclusive + tally.notApplicable > 0 {
            put(rules, tally)
        }
        guard let open else { return }
        put(
            captures,
            CaptureRow(file: open.file, capture: open, summary: summary, findings: findings, profile: profile))
        self.open = nil
    }

    /// Writes a capture that cannot be read.
    package func unread(_ file: String, reason: String) {
        capture = key(file)
        put(captures, CaptureRow(file: file, failure: reason, profile: profile))
    }

    /// Writes buffered rows.
    package func flush() {
        for name in buffers.keys.sorted() { flush(name) }
    }

    /// Writes buffered rows.
    package func finish() { flush() }

    private func put<Record>(_ table: Table<Record>, _ record: Record, number: Int = 0, fields: [Field] = []) {
        guard outputs[table.name] != nil else { return }
        let row = TableRow(
            capture: capture, record: record, number: number, fields: fields, secrets: options.secrets,
            catalogue: catalogue)
        table.write(row, &buffers[table.name, default: JSONWriter(capacity: Self.blockSize)])
        if buffers[table.name]?.octets.count ?? 0 >= Self.blockSize { flush(table.name) }
    }

    private func flush(_ name: String) {
        guard let octets = buffers[name]?.octets, !octets.isEmpty else { return }
        outputs[name]?.write(octets)
        buffers[name]?.clear()
    }
}
