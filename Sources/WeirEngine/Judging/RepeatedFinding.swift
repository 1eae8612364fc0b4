import WeirPackets

/// A finding of an event whose rule was broken again, in the same way and by the same side of the session.
///
/// The finding is reported with its first occurrence; the others are known when the session ends.
public struct RepeatedFinding: Sendable, Hashable {
    /// The rule id.
    public var rule: String
    /// The verdict of the finding.
    public var verdict: Verdict
    /// The severity of the finding.
    public var severity: Severity
    /// The fingerprint of the finding.
    public var fingerprint: String
    /// The known peer quirk that excuses the finding.
    public var quirk: String?
    /// The event of the finding: the first occurrence.
    public var event: Int
    /// The frame of the first occurrence.
    public var frame: Int?
    /// The frame of the last occurrence.
    public var lastFrame: Int?
    /// The number of occurrences, including the first.
    public var count: Int

    /// Returns the finding with the number and the last frame of its occurrences.
    package func counted(_ finding: Finding) -> Finding {
        var finding = finding
        (finding.count, finding.lastFrame) = (finding.count &+ count &- 1, lastFrame)
        return finding
    }
}

/// Counts findings of events that occur again in a session, or in a flow outside sessions.
struct FindingRepeats {
    /// What repetitions of a finding have in common.
    private struct Key: Hashable {
        var fingerprint: String
        var verdict: Verdict
        var severity: Severity
        var quirk: String?
        var direction: Direction
        /// Whether the selection includes the event: what is not shown does not stand for what is.
        var isSelected: Bool

        /// Hashes the fingerprint: few findings differ in the rest alone.
        func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
    }

    private var known: [Key: RepeatedFinding] = [:]

    /// Counts an occurrence of a known finding; returns whether it was known.
    mutating func count(_ finding: Finding, from direction: Direction, isSelected: Bool) -> Bool {
        guard let place = known.index(forKey: Self.key(finding, direction, isSelected)) else { return false }
        known.values[place].count += 1
        known.values[place].lastFrame = finding.frame ?? known.values[place].lastFrame
        return true
    }

    /// Stores the first occurrence of a finding.
    mutating func add(_ finding: Finding, from direction: Direction, isSelected: Bool) {
        guard let event = finding.event else { return }
        if known.isEmpty { known.reserveCapacity(8) }
        known[Self.key(finding, direction, isSelected)] = RepeatedFinding(
            rule: finding.rule, verdict: finding.verdict, severity: finding.severity, fingerprint: finding.fingerprint,
            quirk: finding.quirk, event: event, frame: finding.frame, lastFrame: finding.frame, count: 1)
    }

    /// The findings that occurred more than once, in the order of their first occurrences.
    var all: [RepeatedFinding] {
        known.values.filter { $0.count > 1 }.sorted {
            ($0.event, $0.rule, $0.fingerprint) < ($1.event, $1.rule, $1.fingerprint)
        }
    }

    private static func key(_ finding: Finding, _ direction: Direction, _ isSelected: Bool) -> Key {
        Key(
            fingerprint: finding.fingerprint, verdict: finding.verdict, severity: finding.severity,
            quirk: finding.quirk, direction: direction, isSelected: isSelected)
    }
}
