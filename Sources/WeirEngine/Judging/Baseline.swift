/// The findings that a project had when it began to check: they are accepted, new ones are not.
package struct Baseline: Sendable {
    /// How findings that a baseline accepts are marked in `waivedBy`.
    package static let name = "baseline"

    /// One finding that was there.
    package struct Entry: Sendable, Hashable {
        /// The finding's fingerprint.
        package var fingerprint: String
        /// The rule's id.
        package var rule: String
        /// What was wrong, for the people who read the file.
        package var message: String

        /// How bad it was; nil in files that do not say so.
        package var severity: Severity?
        /// By how much a requirement was missed at worst, in the unit of its measure.
        package var excess: Double?

        /// Creates an entry.
        package init(
            fingerprint: String, rule: String, message: String, severity: Severity? = nil, excess: Double? = nil
        ) {
            self.fingerprint = fingerprint
            self.rule = rule
            self.message = message
            self.severity = severity
            self.excess = excess
        }
    }

    /// The entries, in the order of the file.
    package private(set) var entries: [Entry] = []
    /// Where each fingerprint stands among the entries.
    private var places: [String: Int] = [:]
    /// Measured anew, a requirement is missed by a little more or less.
    private static let slack = 1.1
    /// Entries that are kept: more than anybody will read.
    private static let most = 100_000

    /// A baseline without findings.
    package init() {}

    /// Adds an entry; of several with one fingerprint the worst counts.
    package mutating func add(_ entry: Entry) {
        if let place = places[entry.fingerprint] {
            entries[place].severity = [entries[place].severity, entry.severity].compactMap(\.self).max()
            entries[place].excess = [entries[place].excess, entry.excess].compactMap(\.self).max()
        } else if entries.count < Self.most {
            places[entry.fingerprint] = entries.count
            entries.append(entry)
        }
    }

    /// Whether there is an entry with a fingerprint.
    package func contains(_ fingerprint: String) -> Bool { places[fingerprint] != nil }

    /// Whether a finding is accepted: it was there before, and was no better then.
    package func accepts(_ finding: Entry) -> Bool {
        guard let known = places[finding.fingerprint].map({ entries[$0] }) else { return false }
        if let before = known.severity, let now = finding.severity, now > before { return false }
        if let before = known.excess, let now = finding.excess, now > before * Self.slack { return false }
        return true
    }

    /// The entries in an order that depends on nothing but what they are.
    package var sorted: [Entry] {
        entries.sorted { ($0.rule, $0.fingerprint) < ($1.rule, $1.fingerprint) }
    }
}
