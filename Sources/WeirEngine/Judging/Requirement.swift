/// Something that a profile wants to be so: `video frame-rate 25 ± 1`.
public struct Requirement: Sendable, Hashable {
    /// Whose facts it is about.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// Streams of video.
        case video
        /// Streams of audio.
        case audio
        /// Streams of both.
        case media
        /// Whole sessions.
        case session
    }

    /// What the fact must be.
    package enum Condition: Sendable, Hashable {
        /// One of these words, whatever their case.
        case words([String])
        /// A number within bounds.
        case range(Range)
        /// There, and so.
        case flag(Bool)
    }

    /// Bounds of a number, in the unit of its fact.
    package struct Range: Sendable, Hashable {
        /// The least allowed value.
        package var least: Double?
        /// The greatest allowed value.
        package var most: Double?

        /// Creates bounds.
        package init(least: Double? = nil, most: Double? = nil) {
            self.least = least
            self.most = most
        }

        /// Whether a value lies within, or misses by no more than the share `tolerance` of it.
        package func contains(_ value: Double, tolerance: Double = 0) -> Bool {
            let slack = max(1e-9, abs(value) * max(1e-9, tolerance))
            return (least.map { value >= $0 - slack } ?? true) && (most.map { value <= $0 + slack } ?? true)
        }
    }

    /// Whose facts it is about.
    package var subject: Subject
    /// The name in the profile, such as `frame-rate`.
    package var name: String
    /// What the fact must be.
    package var condition: Condition
    /// The condition as it was written.
    package var words: String
    /// How bad it is when it is not so.
    package var severity = Severity.error
    /// Where it is written, for people: `weir.yml:12`.
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

    /// The id under which it is reported, as if it were a rule: `REQUIRE-VIDEO-FRAME-RATE`.
    package var id: String {
        let letters = "require-\(subject.rawValue)-\(name)".uppercased().map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
        }
        return String(letters).split(separator: "-").joined(separator: "-")
    }

    /// It, described as a rule.
    package var info: RuleInfo {
        RuleInfo(
            id, severity, .profile, reference: place, check: "\(subject.rawValue) \(name): \(words)",
            example: "\(subject.rawValue):\n  \(name): \(words)")
    }

    /// Whether a fact is as it should be.
    func isMet(by fact: FieldValue, tolerance: Double) -> Bool {
        switch condition {
        case .words(let words):
            let said = Self.plain(fact.text)
            return words.contains { Self.plain($0) == said }
        case .range(let range): return fact.double.map { range.contains($0, tolerance: tolerance) } ?? false
        case .flag(let flag): return fact == .bool(flag)
        }
    }

    /// How far a fact is from the bounds; nil when it is no number.
    func excess(of fact: FieldValue) -> Double? {
        guard case .range(let range) = condition, let value = fact.double else { return nil }
        return max((range.least ?? value) - value, value - (range.most ?? value))
    }

    /// Names of codecs and profiles are spelt in many ways: `H.264`, `h264`, `Constrained Baseline`.
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
    /// The value as a number; a word that is one, such as a level, counts.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number), .number(let number): number
        case .string(let text): Double(text)
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value for people.
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

    /// A number with at most three decimals.
    private static func short(_ number: Double) -> String {
        let words = rounded(number, places: 3)
        guard words.contains(".") else { return words }
        var octets = Array(words.utf8)
        while octets.last == UInt8(ascii: "0") { octets.removeLast() }
        if octets.last == UInt8(ascii: ".") { octets.removeLast() }
        return String(decoding: octets, as: UTF8.self)
    }
}
