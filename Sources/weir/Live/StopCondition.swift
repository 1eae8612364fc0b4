import ArgumentParser
import WeirEngine
import WeirPackets

/// The condition of `--until`.
enum StopCondition: ExpressibleByArgument {
    /// A finding of at least this severity.
    case finding(Severity)
    /// A session ended.
    case sessionClosed
    /// Media was sent for this many seconds, by the client, by the server, or by either.
    case media(Direction?, seconds: Double)

    init?(argument: String) {
        let words = argument.lowercased().split(separator: " ").map(String.init)
        guard let first = words.first, words.count > 1 else { return nil }
        let rest = words.dropFirst().joined()
        switch first {
        case "first":
            guard let severity = Severity(rawValue: rest) else { return nil }
            self = .finding(severity)
        case "session":
            guard rest == "closed" else { return nil }
            self = .sessionClosed
        case "published", "played", "media":
            guard words[1] == "for", let time = Seconds(argument: words.dropFirst(2).joined()) else { return nil }
            self = .media(
                first == "published" ? .clientToServer : first == "played" ? .serverToClient : nil,
                seconds: time.value)
        default: return nil
        }
    }
}

/// Evaluates the stop condition on the reported events, and passes them on.
final class StopConditionMonitor: VerdictSink {
    private let condition: StopCondition?
    private let sink: any ReportSink
    private var isClosed = false
    /// The start of media in open sessions, or outside of sessions.
    private var began: [Int: Timestamp] = [:]

    init(_ condition: StopCondition?, _ sink: any ReportSink) {
        self.condition = condition
        self.sink = sink
    }

    /// Whether the condition is met.
    func isMatched(at now: Timestamp, worst: Severity?) -> Bool {
        switch condition {
        case nil: false
        case .finding(let severity): worst.map { $0 >= severity } ?? false
        case .sessionClosed: isClosed
        case .media(_, let seconds): began.values.contains { now.seconds(since: $0) >= seconds }
        }
    }

    var factPolicies: Set<SecretPolicy> { sink.factPolicies }
    var listsFlows: Bool { sink.listsFlows }
    func begin(_ capture: CaptureRecord) { sink.begin(capture) }

    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        if case .media(let direction, _) = condition, event.stream != nil, event.message.kind == "start",
            direction == nil || direction == event.direction
        {
            let place = session?.id ?? 0
            began[place] = min(began[place] ?? event.time, event.time)
        }
        sink.event(event, session: session, findings: findings)
    }

    func finding(_ finding: Finding, session: SessionReference?) { sink.finding(finding, session: session) }
    func flow(_ flow: FlowRecord) { sink.flow(flow) }
    func stream(_ stream: StreamRecord, session: SessionReference?) { sink.stream(stream, session: session) }

    func session(_ record: SessionRecord) {
        began[record.id] = nil
        isClosed = true
        sink.session(record)
    }

    func verdict(_ verdict: CaptureVerdict) { sink.pass(verdict) }
    func conclude(_ run: RunVerdict) { sink.pass(run) }
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        sink.end(summary, tallies: tallies, findings: findings)
    }
}
