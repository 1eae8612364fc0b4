import WeirEngine
import WeirPackets

/// The sessions and streams in the overview of a capture, bounded.
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
    private var isFromClient = NumberTable<Bool>()

    /// Adds a session that ended.
    mutating func add(_ session: consuming Session) {
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
        let isForward = session?.isForward(stream.direction, from: stream.source, to: stream.destination)
        isFromClient.insert(isForward ?? (stream.direction == .clientToServer), at: stream.id)
    }

    /// Records the direction of a stream with a row; the sides of a session may have become known after it ended.
    mutating func note(directionOf stream: StreamRecord, in session: SessionReference) {
        guard isFromClient[stream.id] != nil else { return }
        let isForward = session.isForward(stream.direction, from: stream.source, to: stream.destination)
        isFromClient.insert(isForward, at: stream.id)
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
