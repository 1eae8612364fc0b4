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

    /// In the order of their first occurrences.
    private var known: [(key: Key, finding: RepeatedFinding)] = []
    /// The index of each key, once there are more than a few, which are compared one by one.
    private var places: [Key: Int] = [:]
    private static let few = 8

    /// Counts an occurrence of a known finding; returns whether it was known.
    mutating func count(_ finding: Finding, from direction: Direction, isSelected: Bool) -> Bool {
        guard let place = place(of: Self.key(finding, direction, isSelected)) else { return false }
        known[place].finding.count += 1
        known[place].finding.lastFrame = finding.frame ?? known[place].finding.lastFrame
        return true
    }

    private func place(of key: Key) -> Int? {
        guard places.isEmpty else { return places[key] }
        return known.indices.first { known[$0].key == key }
    }

    /// Stores the first occurrence of a finding.
    mutating func add(_ finding: Finding, from direction: Direction, isSelected: Bool) {
        guard let event = finding.event else { return }
        if known.isEmpty { known.reserveCapacity(Self.few) }
        let key = Self.key(finding, direction, isSelected)
        let repeated = RepeatedFinding(
            rule: finding.rule, verdict: finding.verdict, severity: finding.severity, fingerprint: finding.fingerprint,
            quirk: finding.quirk, event: event, frame: finding.frame, lastFrame: finding.frame, count: 1)
        known.append((key, repeated))
        guard known.count > Self.few else { return }
        for place in places.count..<known.count { places[known[place].key] = place }
    }

    /// The findings that occurred more than once, in the order of their first occurrences.
    var all: [RepeatedFinding] {
        var repeated: [RepeatedFinding] = []
        for place in known.indices where known[place].finding.count > 1 { repeated.append(known[place].finding) }
        return repeated.sorted {
            ($0.event, $0.rule, $0.fingerprint) < ($1.event, $1.rule, $1.fingerprint)
        }
    }

    private static func key(_ finding: Finding, _ direction: Direction, _ isSelected: Bool) -> Key {
        Key(
            fingerprint: finding.fingerprint, verdict: finding.verdict, severity: finding.severity,
            quirk: finding.quirk, direction: direction, isSelected: isSelected)
    }
}
