public import WeirEngine

/// Newline-delimited JSON: one record per line, written during the analysis.
public final class NDJSONReport: Report, CopyingReport {
    /// The number of octets buffered before they are written.
    private static let blockSize = 64 * 1024

    private let records: JSONRecords
    private let selection: Selection
    private let withTallies: Bool
    private let output: any ReportOutput
    private var templates: Lent<RecordTemplates>
    let provenKinds: ProvenKinds
    private var outline = Lent(RecordOutline(isLabeled: false))
    private var buffer = Lent(JSONWriter(capacity: blockSize + 16 * 1024))

    /// Creates a report that writes to `output`; `withTallies` adds the `rule` records of `check`.
    public init(_ options: ReportOptions, withTallies: Bool = false, output: any ReportOutput) {
        records = JSONRecords(options)
        let templates = RecordTemplates(records.ways)
        provenKinds = templates.proven
        self.templates = Lent(templates)
        selection = options.selection
        self.withTallies = withTallies
        self.output = output
    }

    /// Writes out buffered records.
    public func flush() {
        var json = buffer.take()
        if !json.octets.isEmpty {
            output.write(json.octets)
            json.clear()
        }
        buffer.put(consume json)
    }

    /// Writes the `capture` record.
    public func begin(_ capture: CaptureRecord) {
        record("capture") { records.capture(capture, &$0) }
    }

    /// Members of sessions follow the secret policy of the report.
    public var factPolicies: Set<SecretPolicy> { [records.options.secrets] }

    /// Writes an `event` record, followed by those of its findings.
    public func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        guard selection.includes(event) else { return }
        if findings.isEmpty, isCopied(event) { return }
        record("event") { records.event(event, findings, &$0) }
        for finding in findings { record("finding") { records.finding(finding, &$0) } }
    }

    /// Whether the records of routine messages are copied without their events: only if nothing is selected.
    public var copiesRecords: Bool { selection.isAll }

    /// Writes the `event` record of a routine message as a copy of a similar one; returns false if there is none.
    public func routine(_ event: RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
        var (json, known) = (buffer.take(), templates.take())
        let isWritten = known.copy(event, outline, &json)
        let isFull = json.octets.count >= Self.blockSize
        buffer.put(consume json)
        templates.put(consume known)
        if isFull { flush() }
        return isWritten
    }

    func copy(_ messages: borrowing RoutineRecords, _ range: Range<Int>) {
        var (json, known) = (buffer.take(), templates.take())
        let (events, copies, numbers) = (messages.events.span, messages.copies.span, messages.numbers.span)
        for index in range {
            known.copy(events[index], numbers, from: copies[index].firstNumber, at: copies[index].template, &json)
            if json.octets.count >= Self.blockSize {
                output.write(json.octets)
                json.clear()
            }
        }
        buffer.put(consume json)
        templates.put(consume known)
    }

    /// Writes an `event` record as a copy of a similar one; returns false if it has to be written member by member.
    private func isCopied(_ event: Event) -> Bool {
        var (json, known, outline) = (buffer.take(), templates.take(), self.outline.take())
        let isWritten = known.record(event, &outline, &json) { json in
            Self.write("event", &json) { records.event(event, [], &$0) }
        }
        let isFull = json.octets.count >= Self.blockSize
        buffer.put(consume json)
        templates.put(consume known)
        self.outline.put(consume outline)
        if isFull { flush() }
        return isWritten
    }

    /// Writes a `finding` record.
    public func finding(_ finding: Finding, session: SessionReference?) {
        guard selection.includes(protocolName: finding.plugin), selection.includes(session: finding.session)
        else { return }
        record("finding") { records.finding(finding, &$0) }
    }

    /// Writes a `flow` record.
    public func flow(_ flow: FlowRecord) {
        guard selection.includes(flow: flow.id) else { return }
        record("flow") { records.flow(flow, &$0) }
    }

    /// Writes a `stream` record.
    public func stream(_ stream: StreamRecord, session: SessionReference?) {
        guard selection.includes(flow: stream.flow), selection.includes(session: stream.session)
        else { return }
        record("stream") { records.stream(stream, &$0) }
    }

    /// Writes a `session` record.
    public func session(_ record: SessionRecord) {
        guard selection.includes(anyOf: record.flows), selection.includes(session: record.id)
        else { return }
        self.record("session") { records.session(record, attempts: nil, &$0) }
    }

    /// Writes the `summary` record.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        if withTallies {
            for tally in tallies { record("rule") { records.rule(tally, &$0) } }
        }
        record("summary") { records.summary(summary, findings, &$0) }
        flush()
    }

    /// Does nothing: all records are written.
    public func finish() {
        flush()
    }

    private func record(_ name: String, _ members: (inout JSONWriter) -> Void) {
        var json = buffer.take()
        Self.write(name, &json, members)
        let isFull = json.octets.count >= Self.blockSize
        buffer.put(consume json)
        if isFull { flush() }
    }

    private static func write(_ name: String, _ json: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
        json.beginObject()
        json.key("record")
        json.string(name)
        members(&json)
        json.endObject()
        json.newline()
    }
}
