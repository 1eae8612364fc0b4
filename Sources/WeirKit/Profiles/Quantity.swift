import WeirEngine

/// Parses bounds such as `<= 2 s`, `25 ± 1`, `2..6 Mbit/s`, `at least 30 s`, `stereo`.
enum Quantity {
    /// Returns an example of bounds in a unit, for errors.
    static func example(_ unit: Fact.Unit) -> String {
        switch unit {
        case .seconds: "a time such as '<= 500 ms' or '>= 30 s'"
        case .hertz: "a rate such as '48 kHz'"
        case .bitRate: "a bit rate such as '2..6 Mbit/s'"
        case .percent: "a share such as '<= 0.1 %'"
        case .frameRate: "a rate such as '25 ± 1' or '>= 24'"
        case .count: "a number such as '2' or '<= 8'"
        case .word, .flag: "a word"
        }
    }

    /// Parses bounds. Returns nil if they are invalid.
    static func range(_ text: String, _ unit: Fact.Unit) -> Requirement.Range? {
        let words = plain(text)
        if words == "mono" { return exactly(1) }
        if words == "stereo" { return exactly(2) }
        for (sign, isLeast) in [("<=", false), (">=", true)] where words.hasPrefix(sign) {
            guard let value = number(words.dropFirst(2), unit) else { return nil }
            return isLeast ? .init(least: value) : .init(most: value)
        }
        if let middle = words.firstRange(of: "+-") {
            let (whole, part) = (words[..<middle.lowerBound], words[middle.upperBound...])
            // The unit may follow either number, and applies to both.
            guard let value = number(whole, unit, or: part), let slack = number(part, unit, or: whole) else {
                return nil
            }
            return .init(least: value - slack, most: value + slack)
        }
        if let middle = words.firstRange(of: "..") {
            let (low, high) = (words[..<middle.lowerBound], words[middle.upperBound...])
            guard let least = number(low, unit, or: high), let most = number(high, unit), least <= most else {
                return nil
            }
            return .init(least: least, most: most)
        }
        return number(words[...], unit).map(exactly)
    }

    /// Returns why no value can be within the bounds, or nil if one can.
    static func impossible(_ range: Requirement.Range, _ unit: Fact.Unit) -> String? {
        let (least, most) = (range.least ?? 0, range.most ?? .infinity)
        if least > most { return "its bounds exclude each other" }
        if most < 0 { return "nothing of it is below 0" }
        if unit == .percent, least > 100 { return "a share is at most 100 %" }
        if [.hertz, .bitRate, .frameRate].contains(unit), most == 0 { return "no rate is 0" }
        return nil
    }

    private static func exactly(_ value: Double) -> Requirement.Range { .init(least: value, most: value) }

    /// Returns the text with one spelling per operator, and without blanks.
    private static func plain(_ text: String) -> String {
        var words = text.lowercased()
        for (long, short) in [
            ("at most", "<="), ("within", "<="), ("up to", "<="), ("at least", ">="), ("≤", "<="), ("≥", ">="),
            ("±", "+-"), ("–", ".."), ("—", ".."), (" to ", ".."),
        ] {
            words = words.replacing(long, with: short)
        }
        return words.filter { !$0.isWhitespace }
    }

    /// Parses a number with its unit, which defaults to that of `other`.
    private static func number(_ text: Substring, _ unit: Fact.Unit, or other: Substring = "") -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = Double(digits) else { return nil }
        var name = text.dropFirst(digits.count)
        if name.isEmpty { name = other.drop { $0.isASCII && ($0.isNumber || $0 == ".") } }
        guard let factor = factors(unit)[String(name)] else { return nil }
        return value * factor
    }

    /// Returns the factors of unit names relative to the base unit. The empty name is included where it is unambiguous.
    private static func factors(_ unit: Fact.Unit) -> [String: Double] {
        switch unit {
        case .seconds: ["s": 1, "ms": 0.001, "us": 0.000_001, "µs": 0.000_001, "min": 60, "h": 3_600]
        case .hertz: ["hz": 1, "khz": 1_000]
        case .bitRate:
            [
                "bit/s": 1, "kbit/s": 1_000, "mbit/s": 1_000_000, "gbit/s": 1_000_000_000, "bps": 1, "kbps": 1_000,
                "mbps": 1_000_000,
            ]
        case .percent: ["%": 1]
        case .frameRate: ["": 1, "fps": 1]
        case .count, .word, .flag: ["": 1]
        }
    }
}
