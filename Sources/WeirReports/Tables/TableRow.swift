import WeirEngine

/// A record and what its columns need besides.
struct TableRow<Record> {
    /// The key of the capture.
    let capture: String
    let record: Record
    /// The number of the row in its table and capture, from 1.
    var number = 0
    /// The members that depend on the protocol.
    var fields: [Field] = []
    let secrets: SecretPolicy
    /// The texts of sentences.
    let catalogue: Catalogue

    /// Returns the member at a path, or nil.
    func field(_ path: [String]) -> FieldValue? {
        var value = FieldValue.object(fields)
        for name in path {
            guard case .object(let members) = value, let next = MemberText.value(name, in: members) else { return nil }
            value = next
        }
        return value
    }

    /// Returns the member at a path inside any member, or nil.
    private func field(inside path: [String]) -> FieldValue? {
        fields.lazy.compactMap { field([$0.name] + path) }.first
    }

    func integer(inside path: String...) -> Int? {
        guard case .integer(let number)? = field(inside: path) else { return nil }
        return number
    }

    func number(inside path: String...) -> Double? { field(inside: path).flatMap(Self.number) }

    func text(_ path: String...) -> String? {
        guard case .string(let text)? = field(path) else { return nil }
        return secrets.apply(text: text)
    }

    func integer(_ path: String...) -> Int? {
        guard case .integer(let number)? = field(path) else { return nil }
        return number
    }

    func number(_ path: String...) -> Double? { field(path).flatMap(Self.number) }

    private static func number(_ value: FieldValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .double(let value), .number(let value): value
        default: nil
        }
    }

    func flag(_ path: String...) -> Bool? {
        guard case .bool(let flag)? = field(path) else { return nil }
        return flag
    }
}
