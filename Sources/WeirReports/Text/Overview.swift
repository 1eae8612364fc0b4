import WeirEngine
import WeirPackets

/// The contents of the overview of a capture, bounded: sessions, streams, and findings by rule.
struct Overview {
    /// A row of the session table: one session, or several attempts that failed alike.
    struct Session {
        var id: Int
        var kind: String
        var client: Endpoint
        var server: Endpoint
        /// The subject.
        var subject: String?
        var start: Timestamp?
        var end: Timestamp?
        /// The outcome, or nil while the session is open.
        var outcome: String?
        var counts: FindingCounts
        /// The series of attempts that it belongs to.
        var series: Int?
        /// The number of attempts in the series, and the start of the last.
        var attempts = 1
        var lastStart: Timestamp?
        /// Whether all attempts have the same outcome, word by word.
        var isUniform = true
        /// Whether it failed, as far as the capture shows.
        var hasFailed = false
        /// Whether media was captured.
        var hasMedia = false

        /// Whether it failed, has errors or warnings, or ended in an unusual way.
        var isNotable = false
    }

    /// A rule at one of its severities.
    private struct RuleKey: Hashable {
        var rule: String
        var severity: Severity
    }

    /// The findings of a rule.
    struct Rule {
        var first: Finding
        var count: Int
        /// The frame of the last occurrence, if all are of one finding.
        var lastFrame: Int?
    }

    /// The maximum number of sessions without errors or warnings, and with any.
    private static let (mostHealthy, mostFaulty) = (100, 1_000)
    /// The maximum number of streams.
    private static let mostStreams = 2_000

    /// Sessions in the order in which they ended.
    private(set) var sessions: [Session] = []
    /// The number of sessions that ended, including those without a row.
    private(set) var sessionCount = 0
    /// The number of them that failed.
    private(set) var failedCount = 0
    /// The numbers of rows of sessions without errors or warnings, and with any.
    private var (healthy, faulty) = (0, 0)
    /// The row of each series of attempts.
    private var rowsOfSeries: [Int: Int] = [:]
    /// Streams in the order in which they ended.
    private(set) var streams: [StreamRecord] = []
    /// The number of streams that ended, including those without a row.
    private(set) var streamCount = 0
    /// Whether each of them is from the client of its session, or of its flow.
    private var isFromClient: [Int: Bool] = [:]
    private var rules: [RuleKey: Rule] = [:]
    private var habitCounts: [String: Int] = [:]
    private var undecidedCounts: [String: Int] = [:]

    /// Adds a session that ended.
    mutating func add(_ session: Session) {
        sessionCount += 1
        if session.hasFailed { failedCount += 1 }
        if let series = session.series, let row = rowsOfSeries[series] {
            sessions[row].attempts += 1
            sessions[row].lastStart = session.start
            if sessions[row].outcome != session.outcome { sessions[row].isUniform = false }
            sessions[row].end = session.end
            sessions[row].counts = sessions[row].counts + session.counts
            return
        }
        guard session.isNotable ? faulty < Self.mostFaulty : healthy < Self.mostHealthy else { return }
        if session.isNotable { faulty += 1 } else { healthy += 1 }
        if let series = session.series { rowsOfSeries[series] = sessions.count }
        sessions.append(session)
    }

    /// Adds a stream that ended.
    mutating func add(_ stream: StreamRecord, of session: SessionReference?) {
        streamCount += 1
        guard streams.count < Self.mostStreams else { return }
        streams.append(stream)
        isFromClient[stream.id] =
            session?.isForward(stream.direction, from: stream.source, to: stream.destination)
            ?? (stream.direction == .clientToServer)
    }

    /// Records the direction of a stream with a row; the sides of a session may have become known after it ended.
    mutating func note(directionOf stream: StreamRecord, in session: SessionReference) {
        guard isFromClient[stream.id] != nil else { return }
        isFromClient[stream.id] = session.isForward(stream.direction, from: stream.source, to: stream.destination)
    }

    /// Returns whether a stream is from the client of its session, or of its flow.
    func isForward(_ stream: StreamRecord) -> Bool {
        isFromClient[stream.id] ?? (stream.direction == .clientToServer)
    }

    /// The maximum number of streams in the table of all streams.
    static let mostListedStreams = 24

    /// Whether the stream table is complete.
    var listsAllStreams: Bool { streamCount <= Self.mostListedStreams }

    /// Removes all streams that belong to a session.
    mutating func keepLooseStreams() {
        streams.removeAll { $0.session != nil }
        streamCount = streams.count
    }

    /// Whether there are any findings.
    var hasFindings: Bool { !(rules.isEmpty && habitCounts.isEmpty && undecidedCounts.isEmpty) }

    /// Counts a finding.
    mutating func add(_ finding: Finding) {
        if finding.verdict == .inconclusive {
            undecidedCounts[finding.rule, default: 0] += finding.count
        } else if finding.isHabit {
            habitCounts[finding.rule, default: 0] += finding.count
        } else {
            let key = RuleKey(rule: finding.rule, severity: finding.severity)
            let isFirst = rules[key] == nil
            rules[key, default: Rule(first: finding, count: 0)].count += finding.count
            rules[key]?.lastFrame = isFirst ? finding.lastFrame : nil
        }
    }

    /// Adds the later occurrences of a finding.
    mutating func add(_ repeated: RepeatedFinding) {
        let more = repeated.count - 1
        let key = RuleKey(rule: repeated.rule, severity: repeated.severity)
        if repeated.verdict == .inconclusive {
            undecidedCounts[repeated.rule, default: 0] += more
        } else if let rule = rules[key], repeated.quirk == nil || !rule.first.isHabit {
            rules[key]?.lastFrame = rule.count == 1 ? repeated.lastFrame : nil
            rules[key]?.count += more
        } else {
            habitCounts[repeated.rule, default: 0] += more
        }
    }

    /// Violated rules, worst first, then by frame.
    var findings: [Rule] {
        rules.values.sorted { one, other in
            let (first, second) = (one.first, other.first)
            guard first.severity == second.severity else { return first.severity > second.severity }
            return (first.frame ?? .max, first.rule) < (second.frame ?? .max, second.rule)
        }
    }

    /// Known quirks of implementations by rule, with their counts.
    var habits: [(rule: String, count: Int)] { Self.sorted(habitCounts) }

    /// Undecided rules, with their counts.
    var undecided: [(rule: String, count: Int)] { Self.sorted(undecidedCounts) }

    private static func sorted(_ counts: [String: Int]) -> [(rule: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}

extension FindingCounts {
    /// Returns the merged counts.
    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.errors += other.errors
        sum.warnings += other.warnings
        sum.notes += other.notes
        sum.inconclusive += other.inconclusive
        return sum
    }
}
