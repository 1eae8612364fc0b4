/// Accepted findings, with a reason and an optional expiry date.
package struct Waiver: Sendable, Hashable {
    /// The rules that the waiver covers.
    package var rule: Pattern
    /// The captures that the waiver covers, by name; all when nil.
    package var capture: Pattern?
    /// The fingerprint of the finding that the waiver covers; all findings of the rule when nil.
    package var fingerprint: String?
    /// The reason.
    package var reason: String
    /// The last day of validity, as `2026-12-31`; nil never expires.
    package var expires: String?
    /// Where the waiver is defined, for display: `weir.yml:12`.
    package var place: String

    /// Creates a waiver.
    package init(
        rule: Pattern, capture: Pattern? = nil, fingerprint: String? = nil, reason: String, expires: String? = nil,
        place: String
    ) {
        self.rule = rule
        self.capture = capture
        self.fingerprint = fingerprint
        self.reason = reason
        self.expires = expires
        self.place = place
    }

    /// Whether the waiver covers a finding in a capture.
    package func covers(_ finding: Finding, in capture: String) -> Bool {
        rule.matches(finding.rule) && fingerprint.map { $0 == finding.fingerprint } ?? true
            && self.capture.map { $0.matches(capture) || $0.matches(capture.lastPathComponent) } ?? true
    }

    /// Whether the waiver has expired on a day such as `2026-11-22`.
    package func isExpired(on day: String) -> Bool {
        expires.map { Array($0.utf8).lexicographicallyPrecedes(Array(day.utf8)) } ?? false
    }
}
