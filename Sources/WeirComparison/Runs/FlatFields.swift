internal import WeirEngine

/// The members of a message as paths and values, in order.
struct FlatFields: Sendable, Equatable {
    /// A member.
    struct Member: Sendable, Equatable {
        var path: String
        var value: String
    }

    /// How deep objects are followed, and how many members are compared.
    private static let depth = 12
    private static let most = 2_000

    private(set) var members: [Member] = []
    private let mask: FieldMask?

    /// Flattens fields.
    ///
    /// - Parameter mask: Removes values that differ in every run; nil to keep all.
    init(_ fields: [Field], mask: FieldMask?) {
        self.mask = mask
        for field in fields { add(field.value, path: field.name, name: field.name, depth: 0) }
    }

    private mutating func add(_ value: FieldValue, path: String, name: String, depth: Int) {
        guard depth < Self.depth, members.count < Self.most else { return }
        if let mask, mask.omits(name) { return }
        switch value {
        case .null: append(path, name, "null")
        case .string(let text): append(path, name, text)
        case .integer(let number): append(path, name, "\(number)")
        case .double(let number), .number(let number): append(path, name, rounded(number, places: 3))
        case .bool(let flag): append(path, name, "\(flag)")
        case .object(let fields):
            for field in fields { add(field.value, path: "\(path).\(field.name)", name: field.name, depth: depth + 1) }
        case .array(let items): add(items, path: path, name: name, depth: depth)
        }
    }

    private mutating func add(_ items: [FieldValue], path: String, name: String, depth: Int) {
        var seen: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            // A pair of a name and a value, such as a header field or an attribute.
            if case .array(let pair) = item, pair.count == 2, case .string(let key)? = pair.first, let value = pair.last
            {
                let number = seen[key, default: 0]
                seen[key] = number + 1
                add(
                    value, path: number == 0 ? "\(path).\(key)" : "\(path).\(key)[\(number)]", name: key,
                    depth: depth + 1)
            } else {
                add(item, path: "\(path)[\(index)]", name: name, depth: depth + 1)
            }
        }
    }

    private mutating func append(_ path: String, _ name: String, _ value: String) {
        members.append(Member(path: path, value: mask?.masked(value, name: name) ?? value))
    }

    /// Returns the members that differ; nil for those that one side lacks.
    func changes(to other: Self) -> [FieldChange] {
        guard self != other else { return [] }
        let second = Dictionary(other.members.map { ($0.path, $0.value) }) { first, _ in first }
        let first = Dictionary(members.map { ($0.path, $0.value) }) { first, _ in first }
        var changes: [FieldChange] = []
        for member in members where second[member.path] != member.value {
            changes.append(FieldChange(path: member.path, a: member.value, b: second[member.path]))
        }
        for member in other.members where first[member.path] == nil {
            changes.append(FieldChange(path: member.path, a: nil, b: member.value))
        }
        return changes
    }
}

/// A member that differs between two messages.
package struct FieldChange: Sendable, Equatable {
    /// Its path, such as `headers.Transport`.
    package var path: String
    /// The value in each capture; nil if it is missing there.
    package var a: String?
    package var b: String?
}
