/// Findings that somebody has accepted, for a reason, and until a day.
package struct Waiver: Sendable, Hashable {
    /// The rules it covers.
    package var rule: Pattern
    /// The captures it covers, by name; all when nil.
    package var capture: Pattern?
    /// The one finding it covers; all of the rule's when nil.
    package var fingerprint: String?
    /// Why.
    package var reason: String
    /// The last day on which it holds, as `2026-12-31`; nil holds for ever.
    package var expires: String?
    /// Where it is written, for people: `weir.yml:12`.
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

    /// Whether it covers a finding in a capture.
    package func covers(_ finding: Finding, in capture: String) -> Bool {
        rule.matches(finding.rule) && fingerprint.map { $0 == finding.fingerprint } ?? true
            && self.capture.map { $0.matches(capture) || $0.matches(capture.lastPathComponent) } ?? true
    }

    /// Whether it no longer holds on a day such as `2026-11-22`.
    package func isExpired(on day: String) -> Bool {
        expires.map { Array($0.utf8).lexicographicallyPrecedes(Array(day.utf8)) } ?? false
    }
}
