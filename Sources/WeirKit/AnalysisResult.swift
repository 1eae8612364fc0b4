public import WeirEngine
import WeirReports

/// The results of an analysis, in the order reported; several files in sequence.
public struct AnalysisResult: Sendable {
    /// A finished session with its protocol-specific results.
    public struct SessionResult: Sendable {
        /// The session record.
        public let record: SessionRecord
        /// The title line of the session: endpoints and resource, secrets masked.
        public let title: String
        /// The outcome, in English.
        public let outcome: [String]
        /// The protocol-specific fields of its JSON record, secrets masked.
        public let fields: [Field]
        /// The causes of the failure, most certain first.
        public var causes: [Cause] { record.causes }
        /// The index of its capture.
        public let capture: Int

        /// Returns the value of a field, or nil if there is none of this name.
        public subscript(_ name: String) -> FieldValue? { fields.first { $0.name == name }?.value }
    }

    /// The results of one of several captures. Numbers of frames, flows, streams and sessions restart with each
    /// capture.
    public struct CaptureResult: Sendable {
        /// The capture.
        public let record: CaptureRecord
        /// The events.
        public let events: [Event]
        /// The findings.
        public let findings: [Finding]
        /// The flows that ended.
        public let flows: [FlowRecord]
        /// The media streams that ended.
        public let streams: [StreamRecord]
        /// The sessions that ended.
        public let sessions: [SessionResult]
    }

    /// The indices at which the results of a capture start.
    fileprivate struct Start {
        var events = 0
        var findings = 0
        var flows = 0
        var streams = 0
        var sessions = 0
    }

    /// The captures.
    public fileprivate(set) var captures: [CaptureRecord] = []
    /// The events.
    public fileprivate(set) var events: [Event] = []
    /// The findings, including those of events.
    public fileprivate(set) var findings: [Finding] = []
    /// The flows that ended.
    public fileprivate(set) var flows: [FlowRecord] = []
    /// The media streams that ended.
    public fileprivate(set) var streams: [StreamRecord] = []
    /// The sessions that ended.
    public fileprivate(set) var sessions: [SessionResult] = []
    /// The rule tallies, per capture.
    public fileprivate(set) var tallies: [[RuleTally]] = []
    /// The statistics, per capture.
    public fileprivate(set) var summaries: [SummaryRecord] = []

    fileprivate let words: Words
    /// The indices at which the results of each capture start.
    fileprivate var starts: [Start] = []

    fileprivate init(plugins: [any Plugin.Type]) {
        words = Words(.english, plugins: plugins)
    }

    /// The findings of severity error; undecided ones are not included.
    public var errors: [Finding] { findings.filter { $0.verdict == .fail && $0.severity == .error } }

    /// Whether all captures were read to their end; if not, see `damage` in their summaries.
    public var isWhole: Bool { summaries.count == captures.count && summaries.allSatisfy { $0.damage == nil } }

    /// Returns a note, a finding or an outcome as an English sentence, secrets masked.
    public func sentence(_ text: Text) -> String { words.sentence(text) }

    /// The results per capture, in the order of `captures`.
    public var perCapture: [CaptureResult] {
        captures.indices.compactMap { capture in
            guard let (start, end) = part(capture) else { return nil }
            return CaptureResult(
                record: captures[capture], events: Array(events[start.events..<end.events]),
                findings: Array(findings[start.findings..<end.findings]),
                flows: Array(flows[start.flows..<end.flows]), streams: Array(streams[start.streams..<end.streams]),
                sessions: Array(sessions[start.sessions..<end.sessions]))
        }
    }

    /// Returns the media streams of a session.
    public func streams(of session: SessionResult) -> [StreamRecord] {
        part(session.capture).map { streams[$0.streams..<$1.streams].filter { $0.session == session.record.id } } ?? []
    }

    /// Returns the events of a session.
    public func events(of session: SessionResult) -> [Event] {
        part(session.capture).map { events[$0.events..<$1.events].filter { $0.session == session.record.id } } ?? []
    }

    /// Returns the findings of a session.
    public func findings(of session: SessionResult) -> [Finding] {
        part(session.capture).map { findings[$0.findings..<$1.findings].filter { $0.session == session.record.id } }
            ?? []
    }

    /// Returns the index ranges of a capture's results.
    private func part(_ capture: Int) -> (Start, Start)? {
        guard starts.indices.contains(capture) else { return nil }
        return (starts[capture], capture + 1 < starts.count ? starts[capture + 1] : place)
    }

    fileprivate var place: Start {
        Start(
            events: events.count, findings: findings.count, flows: flows.count, streams: streams.count,
            sessions: sessions.count)
    }
}

/// Collects the results of an analysis.
package final class ResultCollector: ReportSink {
    /// The results so far.
    package private(set) var result: AnalysisResult

    /// Creates an empty collector.
    package init(plugins: [any Plugin.Type]) {
        result = AnalysisResult(plugins: plugins)
    }

    /// Adds a capture.
    package func begin(_ capture: CaptureRecord) {
        result.starts.append(result.place)
        result.captures.append(capture)
    }
    /// Adds an event and its findings.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        result.events.append(event)
        result.findings += findings
    }
    /// Adds a finding.
    package func finding(_ finding: Finding, session: SessionReference?) { result.findings.append(finding) }
    /// Adds a flow.
    package func flow(_ flow: FlowRecord) { result.flows.append(flow) }
    /// Adds a stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { result.streams.append(stream) }
    /// Adds a session.
    package func session(_ record: SessionRecord) {
        result.sessions.append(
            AnalysisResult.SessionResult(
                record: record, title: SecretPolicy.masked.apply(text: record.reference.title(.masked)),
                outcome: record.outcome.map(result.words.sentence), fields: record.facts(.masked),
                capture: result.starts.count - 1))
    }
    /// Adds the statistics of a capture.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        result.summaries.append(summary)
        result.tallies.append(tallies)
    }
}

extension StreamRecord {
    /// Returns the value of a field specific to streams of this kind, such as `maxKeyframeIntervalSeconds`, or of
    /// another fact that profiles can use, such as `codec`; secrets masked.
    public subscript(_ name: String) -> FieldValue? { details.facts.first { $0.name == name }?.value }
}

extension FieldValue {
    /// The numeric value, or nil if the value is not a number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value), .number(let value): value
        default: nil
        }
    }

    /// The string, or nil if the value is not a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
}
