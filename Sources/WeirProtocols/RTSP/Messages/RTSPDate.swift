import WeirPackets

/// A `Date` value and its conformance to the RFC 1123 format required by RFC 2068 §3.3.1.
public struct RTSPDate: Sendable, Hashable {
    /// The format of a date.
    public enum Form: Sendable, Hashable {
        /// `Sun, 06 Nov 1994 08:49:37 GMT`: conforming.
        case rfc1123
        /// Conforming except for a missing weekday, as in the examples of RFC 2326.
        case noWeekday
        /// `Wed, Aug 10 2016 05:41:03 GMT`: month before day, as LIVE555 sends it.
        case monthFirst
        /// Any other format.
        case other
    }

    /// The value as sent.
    public var text: String
    /// The format of the value.
    public var form: Form

    /// Classifies the header value.
    public init(_ text: String) {
        self.text = text
        var words = TextSyntax.words(text)
        if let first = words.first, first.hasSuffix(","), Self.weekdays.contains(String(first.dropLast())) {
            words.removeFirst()
            form = Self.isDate(words) ? .rfc1123 : Self.isMonthFirst(words) ? .monthFirst : .other
        } else {
            form = Self.isDate(words) ? .noWeekday : .other
        }
    }

    private static let weekdays: Set = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: Set = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Whether the words form a date such as `06 Nov 1994 08:49:37 GMT`.
    private static func isDate(_ words: [String]) -> Bool {
        words.count == 5 && isDay(words[0]) && words[0].utf8.count == 2 && months.contains(words[1])
            && isYear(words[2]) && isTime(words[3]) && words[4] == "GMT"
    }

    private static func isMonthFirst(_ words: [String]) -> Bool {
        words.count == 5 && months.contains(words[0]) && isDay(words[1]) && isYear(words[2]) && isTime(words[3])
    }

    private static func isDay(_ text: String) -> Bool {
        TextSyntax.decimal(text).map { (1...31).contains($0) } ?? false
    }

    private static func isYear(_ text: String) -> Bool { text.utf8.count == 4 && TextSyntax.isDigits(text) }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let most = [23, 59, 60]
        return parts.count == 3
            && zip(parts, most).allSatisfy { part, most in
                part.utf8.count == 2 && TextSyntax.decimal(part).map { $0 <= most } ?? false
            }
    }
}
