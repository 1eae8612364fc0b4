import WeirEngine
import WeirPackets
import WeirProtocols

/// A timeline kept in memory in a comparable form, independent of segmentation.
package final class AnalyzedTimeline: TimelineSink {
    /// The content of an event.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        /// The protocol's name.
        package var protocolName: String
        /// The kind of message.
        package var kind: String
        /// The summary line, with secrets shown.
        package var summary: String
        /// The message's members, with secrets shown.
        package var fields: [Field]
        /// Keys of the remarks.
        package var remarks: [String]
        /// The sender.
        package var source: Endpoint

        /// A readable form for failed tests.
        package var description: String { "\(source) \(protocolName) \(kind): \(summary)" }
    }

    /// The location of an event: the frames of its first and its last octet, and the flow.
    package struct Place: Hashable, Sendable {
        /// First and last frame.
        package var frames: ClosedRange<Int>
        /// The flow number.
        package var flow: Int
        /// The session number, or nil outside sessions.
        package var session: Int?
    }

    /// The events, in order.
    package private(set) var lines: [Line] = []
    /// The location of each event.
    package private(set) var places: [Place] = []
    /// The streams that ended, in order.
    package private(set) var streams: [StreamRecord] = []
    /// The sessions that ended, in order.
    package private(set) var sessions: [SessionRecord] = []
    /// The protocol-specific members of each session, with secrets shown.
    package private(set) var facts: [[Field]] = []
    /// The capture's summary, set at the end.
    package private(set) var summary: SummaryRecord?

    /// Creates an empty timeline.
    package init() {}

    /// Ignores the capture record.
    package func begin(_ capture: CaptureRecord) {}
    /// Records a step.
    package func event(_ event: Event, session: Session?) {
        lines.append(
            Line(
                protocolName: event.message.protocolName, kind: event.message.kind,
                summary: event.message.summary(.revealed),
                // Numbers of events depend on those before them.
                fields: event.message.fields(.revealed).filter { $0.name != "httpEvent" },
                remarks: event.remarks.map(\.text.key).filter { !Self.isHindrance($0) }, source: event.source))
        places.append(
            Place(
                frames: min(event.firstFrame ?? event.frame, event.frame)...event.frame, flow: event.flow,
                session: event.session))
    }
    /// Whether a key depends on TCP retransmissions, which differ between replays.
    private static func isHindrance(_ key: String) -> Bool {
        key.hasPrefix("tcp.resent") || key.hasPrefix("tcp.noRoom")
    }
    /// Ignores flows: their retransmissions differ between replays.
    package func flow(_ flow: FlowRecord) {}
    /// Records a stream.
    package func stream(_ stream: StreamRecord, session: Session?) { streams.append(stream) }
    /// Records a session.
    package func session(_ record: SessionRecord, session: Session) {
        sessions.append(record)
        facts.append(session.facts(.revealed))
    }
    /// Records the summary.
    package func end(_ summary: SummaryRecord) { self.summary = summary }

    /// Analyzes frames and returns their timeline.
    package static func emit(_ frames: some Sequence<KeptFrame>, options: AnalyzerOptions = AnalyzerOptions())
        -> AnalyzedTimeline
    {
        let timeline = AnalyzedTimeline()
        let analyzer = Analyzer(options: options, sink: timeline)
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return timeline
    }
}

extension SessionRecord {
    /// The outcome without the trailing causes.
    package var outcomeBeforeCauses: [Text] { Array(outcome.dropLast(min(4, causes.count(where: \.isHeld)))) }
    /// Verdict and identifier of each cause.
    package var causeLines: [String] { causes.map { "\($0.verdict) \($0.id)" } }
}
