import WeirEngine
import WeirPackets

/// What the overview of a capture is made of: sessions, streams, and findings by rule, each within a bound.
struct Overview {
    /// A session in the table: one, or several attempts that failed alike.
    struct Session {
        var id: Int
        var kind: String
        var client: Endpoint
        var server: Endpoint
        /// What it is about.
        var subject: String?
        var start: Timestamp?
        var end: Timestamp?
        /// What happened in the end; nil while it is open.
        var outcome: String?
        var counts: FindingCounts
        /// The series of attempts that it belongs to.
        var series: Int?
        /// Attempts of the series, and when the last of them began.
        var attempts = 1
        var lastStart: Timestamp?

        /// Whether something is wrong with it.
        var isFaulty: Bool { counts.errors + counts.warnings > 0 }
    }

    /// The findings of a rule.
    struct Rule {
        var first: Finding
        var count: Int
    }

    /// Sessions that are kept without an error or warning, and with one.
    private static let (mostHealthy, mostFaulty) = (100, 1_000)
    /// Streams that are kept.
    private static let mostStreams = 2_000

    /// Sessions, as they ended.
    private(set) var sessions: [Session] = []
    /// Sessions that ended, those included of which no row is kept.
    private(set) var sessionCount = 0
    private var healthy = 0
    /// The row of each series of attempts.
    private var rowsOfSeries: [Int: Int] = [:]
    /// Streams, as they ended.
    private(set) var streams: [StreamRecord] = []
    /// Streams that ended, those included of which no row is kept.
    private(set) var streamCount = 0
    private var rules: [String: Rule] = [:]
    private var habitCounts: [String: Int] = [:]
    private var undecidedCounts: [String: Int] = [:]

    /// Adds a session that ended.
    mutating func add(_ session: Session) {
        sessionCount += 1
        if let series = session.series, let row = rowsOfSeries[series] {
            sessions[row].attempts += 1
            sessions[row].lastStart = session.start
            sessions[row].end = session.end
            sessions[row].counts = sessions[row].counts + session.counts
            return
        }
        let isWanted = session.isFaulty || session.series != nil
        if !isWanted { healthy += 1 }
        guard isWanted ? sessions.count - healthy < Self.mostFaulty : healthy <= Self.mostHealthy else { return }
        if let series = session.series { rowsOfSeries[series] = sessions.count }
        sessions.append(session)
    }

    /// Adds a stream that ended.
    mutating func add(_ stream: StreamRecord) {
        streamCount += 1
        if streams.count < Self.mostStreams { streams.append(stream) }
    }

    /// Streams that the table of all lists.
    static let mostListedStreams = 24

    /// Whether the table of streams has all of them.
    var listsAllStreams: Bool { streamCount <= Self.mostListedStreams }

    /// Leaves only streams that belong to no session.
    mutating func keepLooseStreams() {
        streams.removeAll { $0.session != nil }
        streamCount = streams.count
    }

    /// Whether anything was found.
    var hasFindings: Bool { !(rules.isEmpty && habitCounts.isEmpty && undecidedCounts.isEmpty) }

    /// Counts a finding.
    mutating func add(_ finding: Finding) {
        if finding.verdict == .inconclusive {
            undecidedCounts[finding.rule, default: 0] += 1
        } else if finding.isHabit {
            habitCounts[finding.rule, default: 0] += 1
        } else if let known = rules[finding.rule] {
            rules[finding.rule]?.count += 1
            if finding.severity > known.first.severity { rules[finding.rule]?.first = finding }
        } else {
            rules[finding.rule] = Rule(first: finding, count: 1)
        }
    }

    /// Broken rules, worst first, then in the order of their frames.
    var findings: [Rule] {
        rules.values.sorted { one, other in
            let (first, second) = (one.first, other.first)
            guard first.severity == second.severity else { return first.severity > second.severity }
            return (first.frame ?? .max, first.rule) < (second.frame ?? .max, second.rule)
        }
    }

    /// Habits of known programs by rule, and how often each was seen.
    var habits: [(rule: String, count: Int)] { Self.sorted(habitCounts) }

    /// Rules that could not be judged, and how often.
    var undecided: [(rule: String, count: Int)] { Self.sorted(undecidedCounts) }

    private static func sorted(_ counts: [String: Int]) -> [(rule: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}

extension FindingCounts {
    /// Both together.
    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.errors += other.errors
        sum.warnings += other.warnings
        sum.notes += other.notes
        sum.inconclusive += other.inconclusive
        return sum
    }
}
