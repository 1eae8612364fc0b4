/// A requirement of a profile, such as `video frame-rate 25 ± 1`.
public struct Requirement: Sendable, Hashable {
    /// The kind of record that a requirement applies to.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// Video streams.
        case video
        /// Audio streams.
        case audio
        /// Video and audio streams.
        case media
        /// Sessions.
        case session
    }

    /// The condition on a fact.
    package enum Condition: Sendable, Hashable {
        /// One of these words, ignoring case.
        case words([String])
        /// A number within bounds.
        case range(Range)
        /// A Boolean value.
        case flag(Bool)
    }

    /// Bounds of a number, in the unit of the fact.
    package struct Range: Sendable, Hashable {
        /// The minimum.
        package var least: Double?
        /// The maximum.
        package var most: Double?

        /// Creates bounds.
        package init(least: Double? = nil, most: Double? = nil) {
            self.least = least
            self.most = most
        }

        /// Whether a value is within the bounds, with a relative tolerance.
        package func contains(_ value: Double, tolerance: Double = 0) -> Bool {
            let slack = max(1e-9, abs(value) * max(1e-9, tolerance))
            return (least.map { value >= $0 - slack } ?? true) && (most.map { value <= $0 + slack } ?? true)
        }
    }

    /// The kind of record that the requirement applies to.
    package var subject: Subject
    /// The name of the fact in the profile, such as `frame-rate`.
    package var name: String
    /// The condition on the fact.
    package var condition: Condition
    /// The source text of the condition.
    package var words: String
    /// The severity of a violation.
    package var severity = Severity.error
    /// Where the requirement is defined, for display: `weir.yml:12`.
    package var place: String

    /// Creates a requirement.
    package init(
        _ subject: Subject, _ name: String, _ condition: Condition, words: String, severity: Severity = .error,
        place: String
    ) {
        self.subject = subject
        self.name = name
        self.condition = condition
        self.words = words
        self.severity = severity
        self.place = place
    }

    /// The id used in reports, in the form of a rule id: `REQUIRE-VIDEO-FRAME-RATE`.
    package var id: String {
        let letters = "require-\(subject.rawValue)-\(name)".uppercased().map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
        }
        return String(letters).split(separator: "-").joined(separator: "-")
    }

    /// The rule description of the requirement.
    package var info: RuleInfo {
        RuleInfo(
            id, severity, .profile, reference: place, check: "\(subject.rawValue) \(name): \(words)",
            example: "\(subject.rawValue):\n  \(name): \(words)")
    }

    /// Whether a fact satisfies the condition.
    func isMatched(by fact: FieldValue, tolerance: Double) -> Bool {
        switch condition {
        case .words(let words):
            let said = Self.plain(fact.text)
            return words.contains { Self.plain($0) == said }
        case .range(let range): return fact.double.map { range.contains($0, tolerance: tolerance) } ?? false
        case .flag(let flag): return fact == .bool(flag)
        }
    }

    /// Returns the distance of a fact from the bounds, or nil if it is not a number.
    func excess(of fact: FieldValue) -> Double? {
        guard case .range(let range) = condition, let value = fact.double else { return nil }
        return max((range.least ?? value) - value, value - (range.most ?? value))
    }

    /// Normalizes the name of a codec or profile, whose spelling varies: `H.264`, `h264`, `Constrained Baseline`.
    private static func plain(_ word: String) -> String {
        let letters = String(word.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "×" })
        switch letters {
        case "avc": return "h264"
        case "hevc": return "h265"
        default: return letters.replacing("×", with: "x")
        }
    }
}

extension FieldValue {
    /// The numeric value, or nil if the value is not a number. Numeric strings, such as a level, count.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number), .number(let number): number
        case .string(let text): Double(text)
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value for display.
    var text: String {
        switch self {
        case .null: "null"
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number), .number(let number): Self.short(number)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values): values.map(\.text).joined(separator: ", ")
        case .object(let fields): fields.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
        }
    }

    /// Returns a number with at most three decimals.
    private static func short(_ number: Double) -> String {
        let words = rounded(number, places: 3)
        guard words.contains(".") else { return words }
        var octets = Array(words.utf8)
        while octets.last == UInt8(ascii: "0") { octets.removeLast() }
        if octets.last == UInt8(ascii: ".") { octets.removeLast() }
        return String(decoding: octets, as: UTF8.self)
    }
}
