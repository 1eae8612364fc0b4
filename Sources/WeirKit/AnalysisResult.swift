public import WeirEngine
import WeirReports

/// What came of an analysis, in the order in which it was told; of several files one after the other.
public struct AnalysisResult: Sendable {
    /// A session that ended, with what its own protocol says of it.
    public struct SessionResult: Sendable {
        /// Its record.
        public let record: SessionRecord
        /// The line that names it: who, with whom, about what; secrets masked.
        public let title: String
        /// What happened in the end, in English.
        public let outcome: [String]
        /// The members that only sessions of its kind have, secrets masked: those of its record in JSON.
        public let fields: [Field]
        /// Why it failed or may have failed, the most certain first.
        public var causes: [Cause] { record.causes }
        /// Which one of the captures it is of, from 0.
        public let capture: Int

        /// The member of this name.
        public subscript(_ name: String) -> FieldValue? { fields.first { $0.name == name }?.value }
    }

    /// What came of one of several captures. Numbers of frames, flows, streams and sessions begin anew in each.
    public struct CaptureResult: Sendable {
        /// The capture.
        public let record: CaptureRecord
        /// Its steps.
        public let events: [Event]
        /// What was found in it.
        public let findings: [Finding]
        /// Its flows that ended.
        public let flows: [FlowRecord]
        /// Its media streams that ended.
        public let streams: [StreamRecord]
        /// Its sessions that ended.
        public let sessions: [SessionResult]
    }

    /// Where the results of a capture begin.
    fileprivate struct Start {
        var events = 0
        var findings = 0
        var flows = 0
        var streams = 0
        var sessions = 0
    }

    /// The captures that were read.
    public fileprivate(set) var captures: [CaptureRecord] = []
    /// The steps.
    public fileprivate(set) var events: [Event] = []
    /// What was found, also in steps.
    public fileprivate(set) var findings: [Finding] = []
    /// The flows that ended.
    public fileprivate(set) var flows: [FlowRecord] = []
    /// The media streams that ended.
    public fileprivate(set) var streams: [StreamRecord] = []
    /// The sessions that ended.
    public fileprivate(set) var sessions: [SessionResult] = []
    /// What the rules judged, capture by capture.
    public fileprivate(set) var tallies: [[RuleTally]] = []
    /// The captures in figures.
    public fileprivate(set) var summaries: [SummaryRecord] = []

    fileprivate let words: Words
    /// Where the results of each capture begin.
    fileprivate var starts: [Start] = []

    fileprivate init(plugins: [any Plugin.Type]) {
        words = Words(.english, plugins: plugins)
    }

    /// The findings of broken requirements; what could not be judged is not among them.
    public var errors: [Finding] { findings.filter { $0.verdict == .fail && $0.severity == .error } }

    /// Whether all captures could be read to their end; where not, `damage` of its summary says why.
    public var isWhole: Bool { summaries.count == captures.count && summaries.allSatisfy { $0.damage == nil } }

    /// A note, a finding or an outcome as a sentence in English, secrets masked.
    public func sentence(_ text: Text) -> String { words.sentence(text) }

    /// The results of each capture apart, in the order of `captures`.
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

    /// The media streams that belong to a session.
    public func streams(of session: SessionResult) -> [StreamRecord] {
        part(session.capture).map { streams[$0.streams..<$1.streams].filter { $0.session == session.record.id } } ?? []
    }

    /// The steps of a session.
    public func events(of session: SessionResult) -> [Event] {
        part(session.capture).map { events[$0.events..<$1.events].filter { $0.session == session.record.id } } ?? []
    }

    /// What was found in a session.
    public func findings(of session: SessionResult) -> [Finding] {
        part(session.capture).map { findings[$0.findings..<$1.findings].filter { $0.session == session.record.id } }
            ?? []
    }

    /// Where the results of a capture begin and end.
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

/// Keeps what an analysis tells.
package final class ResultCollector: ReportSink {
    /// What was told so far.
    package private(set) var result: AnalysisResult

    /// Begins with nothing.
    package init(plugins: [any Plugin.Type]) {
        result = AnalysisResult(plugins: plugins)
    }

    /// Keeps the capture.
    package func begin(_ capture: CaptureRecord) {
        result.starts.append(result.place)
        result.captures.append(capture)
    }
    /// Keeps a step and what was found in it.
    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        result.events.append(event)
        result.findings += findings
    }
    /// Keeps what was found.
    package func finding(_ finding: Finding, session: SessionReference?) { result.findings.append(finding) }
    /// Keeps a flow.
    package func flow(_ flow: FlowRecord) { result.flows.append(flow) }
    /// Keeps a stream.
    package func stream(_ stream: StreamRecord, session: SessionReference?) { result.streams.append(stream) }
    /// Keeps a session.
    package func session(_ record: SessionRecord) {
        result.sessions.append(
            AnalysisResult.SessionResult(
                record: record, title: SecretPolicy.masked.apply(text: record.reference.title(.masked)),
                outcome: record.outcome.map(result.words.sentence), fields: record.facts(.masked),
                capture: result.starts.count - 1))
    }
    /// Keeps the figures.
    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        result.summaries.append(summary)
        result.tallies.append(tallies)
    }
}

extension StreamRecord {
    /// The member of this name that only streams of its kind have, such as `maxKeyframeIntervalSeconds`, or what else
    /// profiles can ask of it, such as `codec`; secrets masked.
    public subscript(_ name: String) -> FieldValue? { details.facts.first { $0.name == name }?.value }
}

extension FieldValue {
    /// The number that it is, whole or not; nil when it is none.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value), .number(let value): value
        default: nil
        }
    }

    /// The string that it is; nil when it is none.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
}
