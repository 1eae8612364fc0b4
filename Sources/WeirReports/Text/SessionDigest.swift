import WeirEngine
import WeirPackets

/// Data of an open session for its overview row and for the section above its timeline. An object: changing a large value
/// in a dictionary allocates room for a copy.
final class SessionDigest {
    /// The session after its latest step.
    var reference: SessionReference
    /// Whether its heading was printed, in live output.
    var isHeaded = false
    private var storedFindings = Lent(RuleFindings())
    /// Its findings by rule.
    var findings: RuleFindings { storedFindings.current }
    /// Its findings by severity.
    private(set) var counts = FindingCounts()
    /// Its streams that have ended.
    private(set) var streams: [StreamRecord] = []
    /// Fingerprints of its errors and warnings.
    private var faults: Set<String> = []

    init(reference: SessionReference) {
        self.reference = reference
    }

    /// Counts findings.
    func add(_ found: [Finding]) {
        var taken = storedFindings.take()
        taken.add(found)
        storedFindings.put(consume taken)
        var counted = counts
        counted.count(found)
        counts = counted
        for index in found.indices where found[index].verdict == .fail && found[index].severity > .note {
            faults.insert(found[index].fingerprint)
        }
    }

    /// Adds the later occurrences of a finding.
    func add(_ repeated: RepeatedFinding) {
        var taken = storedFindings.take()
        taken.add(repeated)
        storedFindings.put(consume taken)
    }

    /// Adds a stream that ended.
    func add(_ stream: StreamRecord) {
        if streams.isEmpty { streams.reserveCapacity(2) }
        streams.append(stream)
    }

    /// Returns its row in the session table while it is open.
    func row(_ secrets: SecretPolicy) -> Overview.Session {
        Overview.Session(
            id: reference.id, kind: reference.kind, client: reference.client, server: reference.server,
            subject: reference.subject(secrets).map { secrets.apply(text: $0) }, counts: counts)
    }

    /// Returns its row in the session table after it ended.
    func row(_ record: SessionRecord, _ text: TextPage, _ secrets: SecretPolicy) -> Overview.Session {
        // A session may have become one of another kind, between other endpoints.
        var row = Overview.Session(
            id: record.id, kind: record.kind, client: record.reference.client, server: record.reference.server,
            subject: record.reference.subject(secrets).map { secrets.apply(text: $0) }, counts: counts)
        // The facts come first, the best cause last: a row that is cut loses what stands between.
        var outcome = record.ending
        if let cause = record.causes.first(where: { $0.isHeld }) { outcome.append(cause.sentence) }
        row.outcome = text.catalogue.list(outcome)
        (row.start, row.end) = (record.startTime, record.endTime)
        row.series = record.attempt?.series
        row.hasFailed = record.hasFailed
        row.hasMedia = !record.streams.isEmpty
        row.isNotable = isNotable(record)
        return row
    }

    /// Whether the session failed, has errors or warnings, or its outcome says more than what was played or published.
    func isNotable(_ record: SessionRecord) -> Bool {
        isFaulty(record) || record.hasUnusualEnd
    }

    /// Whether the session failed or has errors or warnings; in a long report only such sessions have a timeline.
    func isFaulty(_ record: SessionRecord) -> Bool {
        counts.errors + counts.warnings > 0 || record.attempt != nil
    }

    /// Returns a hash of kind, outcome, cause, errors and warnings; of sessions with the same hash, only one timeline is
    /// shown.
    func signature(_ record: SessionRecord) -> Int {
        var hasher = Hasher()
        hasher.combine(record.kind)
        record.hashEnding(into: &hasher)
        hasher.combine(record.causes.first { $0.isHeld }?.id)
        if !faults.isEmpty { hasher.combine(faults) }
        return hasher.finalize()
    }

    /// Prints outcome, causes, peers and the secrets' source.
    func describe(_ record: SessionRecord, on text: inout TextPage) {
        let catalogue = text.catalogue
        var outcome = catalogue.list(record.ending)
        if let words = text.tally(counts) { outcome += catalogue.semicolon + words }
        text.block(text.label("outcome"), outcome)
        for cause in record.causes {
            let frames = cause.frames.prefix(8).map { "#\($0)" }.joined(separator: catalogue.comma)
            text.block(
                text.label("cause.\(cause.verdict.rawValue)"),
                catalogue.sentence(cause.text) + (frames.isEmpty ? "" : catalogue.aside(frames)))
        }
        if !record.peers.isEmpty { text.block(text.label("peers"), catalogue.list(record.peers)) }
        if let decryption = record.decryption { text.block(text.label("decryption"), catalogue.sentence(decryption)) }
    }

    /// Prints its streams.
    func listStreams(_ record: SessionRecord, on text: inout TextPage, _ secrets: SecretPolicy) {
        text.streams(streams, named: text.label("streams"), secrets) { stream in
            record.reference.isForward(stream.direction, from: stream.source, to: stream.destination)
        }
    }
}
