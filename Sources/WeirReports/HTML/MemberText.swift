import WeirEngine

/// Members of records as text.
enum MemberText {
    /// Returns a value in one line, or nil if there is nothing to show.
    static func line(_ value: FieldValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .integer(let number): grouped(number)
        case .double(let number), .number(let number): short(number)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values): list(values)
        case .object(let fields): endpoint(fields) ?? members(fields)
        }
    }

    /// The maximum number of elements of a list in a line.
    private static let mostElements = 6

    private static func list(_ values: [FieldValue]) -> String? {
        let parts = values.prefix(mostElements).compactMap(line)
        guard !parts.isEmpty else { return nil }
        let isDeep = values.contains { if case .object = $0 { true } else { false } }
        return parts.joined(separator: isDeep ? "; " : ", ") + (values.count > mostElements ? " …" : "")
    }

    private static func members(_ fields: [Field]) -> String? {
        let parts = fields.compactMap { field in line(field.value).map { "\(title(field.name)) \($0)" } }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    /// Returns an address with its port, or nil if the object is something else.
    static func endpoint(_ fields: [Field]) -> String? {
        guard fields.count == 2, case .string(let address)? = fields.first?.value, fields[0].name == "address",
            case .integer(let port)? = fields.last?.value, fields[1].name == "port"
        else { return nil }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Returns the value of a member, or nil.
    static func value(_ name: String, in fields: [Field]) -> FieldValue? { fields.first { $0.name == name }?.value }

    /// Returns a number with as many decimals as its size suggests.
    static func short(_ number: Double) -> String {
        let size = abs(number)
        let text = decimal(number, places: size >= 1_000 ? 0 : size >= 100 ? 1 : size >= 0.1 ? 2 : 3)
        guard text.contains(".") else { return text }
        let digits = text.reversed().drop { $0 == "0" }
        return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
    }

    /// Returns a number for a graph: thousands and millions as `65.5 k`, `5 M`.
    static func compact(_ number: Double) -> String {
        let size = abs(number)
        if size >= 1_000_000 { return short(number / 1_000_000) + " M" }
        return size >= 10_000 ? short(number / 1_000) + " k" : short(number)
    }

    /// Returns a name in camel case as words, with its unit apart: `setupTimeMs` is `setup time, ms`.
    static func title(_ name: String) -> String {
        var words = ""
        for letter in name {
            if letter.isUppercase, words.last.map({ $0.isLowercase || $0.isNumber }) ?? false { words += " " }
            words += letter.isUppercase && words.last == " " ? letter.lowercased() : String(letter)
        }
        return words.hasSuffix(" ms") ? words.dropLast(3) + ", ms" : words
    }
}
