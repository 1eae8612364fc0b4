import WeirEngine
import WeirPackets
import WeirProtocols

/// A timeline kept in memory, in a form that can be compared: nothing in it depends on how octets were packed.
package final class Story: TimelineSink {
    /// What an event says.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        /// The protocol's name.
        package var protocolName: String
        /// The kind of message.
        package var kind: String
        /// The message in one line, secrets shown.
        package var summary: String
        /// The message's members, secrets shown.
        package var fields: [Field]
        /// Tolerated oddities, by their keys.
        package var remarks: [String]
        /// Who sent it.
        package var source: Endpoint

        /// For the person who reads a failed test.
        package var description: String { "\(source) \(protocolName) \(kind): \(summary)" }
    }

    /// Where an event was: the frames of its first and its last octet, and the flow.
    package struct Place: Hashable, Sendable {
        /// First and last frame.
        package var frames: ClosedRange<Int>
        /// The flow's number.
        package var flow: Int
        /// The session's, if it is part of one.
        package var session: Int?
    }

    /// The events, in order.
    package private(set) var lines: [Line] = []
    /// Where each was.
    package private(set) var places: [Place] = []
    /// The streams that ended, in order.
    package private(set) var streams: [StreamRecord] = []
    /// The sessions that ended, in order.
    package private(set) var sessions: [SessionRecord] = []
    /// The members that only the sessions' own protocols have, secrets shown.
    package private(set) var facts: [[Field]] = []
    /// The capture in figures, when it ended.
    package private(set) var summary: SummaryRecord?

    /// Nothing happened yet.
    package init() {}

    /// Needs nothing.
    package func begin(_ capture: CaptureRecord) {}
    /// Keeps a step.
    package func event(_ event: Event, session: Session?) {
        lines.append(
            Line(
                protocolName: event.message.protocolName, kind: event.message.kind,
                summary: event.message.summary(.revealed), fields: event.message.fields(.revealed),
                remarks: event.remarks.map(\.text.key).filter { !Self.isHindrance($0) }, source: event.source))
        places.append(
            Place(
                frames: min(event.firstFrame ?? event.frame, event.frame)...event.frame, flow: event.flow,
                session: event.session))
    }
    /// What TCP sent again differs, too.
    private static func isHindrance(_ key: String) -> Bool {
        key.hasPrefix("tcp.resent") || key.hasPrefix("tcp.noRoom")
    }
    /// Flows are not compared: what was sent again differs.
    package func flow(_ flow: FlowRecord) {}
    /// Keeps a stream.
    package func stream(_ stream: StreamRecord, session: Session?) { streams.append(stream) }
    /// Keeps a session.
    package func session(_ record: SessionRecord, session: Session) {
        sessions.append(record)
        facts.append(session.facts(.revealed))
    }
    /// Keeps the figures.
    package func end(_ summary: SummaryRecord) { self.summary = summary }

    /// The story of some frames.
    package static func tell(_ frames: some Sequence<KeptFrame>, options: AnalyzerOptions = AnalyzerOptions()) -> Story
    {
        let story = Story()
        let analyzer = Analyzer(options: options, sink: story)
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return story
    }
}

extension SessionRecord {
    /// The outcome without the causes at its end.
    package var outcomeBeforeCauses: [Text] { Array(outcome.dropLast(min(4, causes.count(where: \.isHeld)))) }
    /// Verdict and identifier of each cause.
    package var causeLines: [String] { causes.map { "\($0.verdict) \($0.id)" } }
}
