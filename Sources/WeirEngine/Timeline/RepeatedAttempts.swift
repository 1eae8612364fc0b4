import WeirPackets

/// Numbers the sessions in which a client repeats an attempt that fails in the same way each time.
struct RepeatedAttempts {
    /// The latest attempt, and a hash of its failure.
    private struct Latest {
        var failure: Int
        var attempt: Attempt
    }

    /// The maximum number of clients tracked.
    private static let mostKeys = 10_000

    /// The latest attempts, by a hash of the client and what it attempts.
    private var latest: [Int: Latest] = [:]
    private var seriesCount = 0

    /// Returns the attempt number of an ended session, or nil if it did not fail. A success ends the series.
    mutating func place(of record: SessionRecord) -> Attempt? {
        let reference = record.reference
        let key = Self.key(record)
        // Without parts of a session, the absence of media is no failure.
        let isFailed =
            record.streams.isEmpty && !record.worksWithoutMedia
            && (record.isUnconnected || !reference.completeness.lacksParts)
        guard isFailed || record.causes.contains(where: { $0.isHeld && $0.isFailure }) else {
            latest[key] = nil
            return nil
        }
        let failure = Self.failure(record)
        if latest.count >= Self.mostKeys, latest[key] == nil { latest = [:] }
        if var known = latest[key], known.failure == failure {
            known.attempt.number += 1
            latest[key] = known
            return known.attempt
        }
        seriesCount += 1
        let first = Attempt(series: seriesCount, number: 1)
        latest[key] = Latest(failure: failure, attempt: first)
        return first
    }

    /// Returns a hash of the client of a session and of what it attempts.
    private static func key(_ record: SessionRecord) -> Int {
        var hasher = Hasher()
        hasher.combine(record.kind)
        hasher.combine(record.reference.client.address)
        hasher.combine(record.reference.server)
        hasher.combine(record.reference.subject(.masked))
        return hasher.finalize()
    }

    /// Returns a hash that is equal for similar failures.
    private static func failure(_ record: SessionRecord) -> Int {
        var hasher = Hasher()
        record.hashEnding(into: &hasher)
        for cause in record.causes where cause.isHeld { hasher.combine(cause.id) }
        return hasher.finalize()
    }
}

extension SessionRecord {
    /// Seconds after which a session without media failed, although it was still open when the capture ended.
    private static let patience = 5.0

    /// Whether it failed, as far as the capture shows: it is an attempt with a cause, or one whose beginning was captured
    /// and that lasted long enough, or to its end.
    package var hasFailed: Bool {
        guard attempt != nil else { return false }
        if isUnconnected || causes.contains(where: { $0.isHeld && $0.isFailure }) { return true }
        let completeness = reference.completeness
        guard let start = startTime, let end = endTime else { return false }
        return !completeness.startsLate && (!completeness.endsEarly || end.seconds(since: start) >= Self.patience)
    }

    /// Hashes the outcome without frame numbers and durations, which differ between similar sessions; statuses and names
    /// are included.
    package func hashEnding(into hasher: inout Hasher) {
        for text in ending {
            hasher.combine(text.key)
            for case .string(let words) in text.arguments { hasher.combine(words) }
        }
    }
}
