/// The findings that a project accepted when it started checking; only new findings fail a check.
package struct Baseline: Sendable {
    /// The value of `waivedBy` for findings that a baseline accepts.
    package static let name = "baseline"

    /// An accepted finding.
    package struct Entry: Sendable, Hashable {
        /// The fingerprint of the finding.
        package var fingerprint: String
        /// The rule id.
        package var rule: String
        /// The message of the finding, for readers of the file.
        package var message: String

        /// The severity, or nil if the file does not record it.
        package var severity: Severity?
        /// The worst amount by which a requirement was missed, in the unit of its fact.
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

    /// The entries, in file order.
    package private(set) var entries: [Entry] = []
    /// The index of each fingerprint in `entries`.
    private var places: [String: Int] = [:]
    /// The factor by which a requirement may be exceeded further before it counts as worse; measurements vary between
    /// runs.
    private static let slack = 1.1
    /// The maximum number of entries kept.
    private static let most = 100_000

    /// Creates an empty baseline.
    package init() {}

    /// Adds an entry; of several entries with the same fingerprint, the worst counts.
    package mutating func add(_ entry: Entry) {
        if let place = places[entry.fingerprint] {
            entries[place].severity = [entries[place].severity, entry.severity].compactMap(\.self).max()
            entries[place].excess = [entries[place].excess, entry.excess].compactMap(\.self).max()
        } else if entries.count < Self.most {
            places[entry.fingerprint] = entries.count
            entries.append(entry)
        }
    }

    /// Whether the baseline contains an entry with the fingerprint.
    package func contains(_ fingerprint: String) -> Bool { places[fingerprint] != nil }

    /// Whether the baseline accepts the finding: it contains it, with the same or a worse result.
    package func accepts(_ finding: Entry) -> Bool {
        guard let known = places[finding.fingerprint].map({ entries[$0] }) else { return false }
        if let before = known.severity, let now = finding.severity, now > before { return false }
        if let before = known.excess, let now = finding.excess, now > before * Self.slack { return false }
        return true
    }

    /// The entries in an order that depends only on their content.
    package var sorted: [Entry] {
        entries.sorted { ($0.rule, $0.fingerprint) < ($1.rule, $1.fingerprint) }
    }
}
