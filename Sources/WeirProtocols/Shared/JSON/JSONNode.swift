package import WeirEngine

/// A JSON value as sent (RFC 8259 §3): members in order, duplicates kept, numbers as written.
package struct JSONNode: Sendable, Hashable {
    /// The content of a value.
    package indirect enum Content: Sendable, Hashable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A number, as written.
        case number(String)
        /// A string, with escapes resolved.
        case string(String)
        /// An array.
        case array([JSONNode])
        /// An object: named members, in order.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        /// The name, with escapes resolved.
        package var name: String
        /// The value.
        package var value: JSONNode
    }

    /// The content.
    package var content: Content
    /// The byte range of the value in the text.
    package var range: Range<Int>

    /// Creates a value.
    package init(_ content: Content, _ range: Range<Int> = 0..<0) {
        self.content = content
        self.range = range
    }
}

extension JSONNode {
    /// The members of an object; empty for other values.
    package var members: [Member] {
        if case .object(let members) = content { members } else { [] }
    }

    /// The elements of an array; empty for other values.
    package var elements: [JSONNode] {
        if case .array(let elements) = content { elements } else { [] }
    }

    /// Whether the value is an object.
    package var isObject: Bool {
        if case .object = content { true } else { false }
    }

    /// Whether the value is `null`.
    package var isNull: Bool { content == .null }

    /// The text of a string, or nil for other values.
    package var string: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// The integer value of a number without fraction and exponent, or of a string of digits; otherwise nil.
    package var integer: Int? {
        switch content {
        case .number(let text), .string(let text): Int(text)
        default: nil
        }
    }

    /// A string, or a number as written: IDs are either.
    package var word: String? {
        switch content {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    /// The first member named `name`.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        for member in members where member.name == name { return member.value }
        return nil
    }
}

extension JSONNode {
    /// Returns the object with members named `name` changed; other values are returned as they are.
    package func replacing(_ name: String, by change: (JSONNode) -> JSONNode) -> JSONNode {
        guard case .object(var members) = content else { return self }
        for index in members.indices where members[index].name == name {
            members[index].value = change(members[index].value)
        }
        return JSONNode(.object(members), range)
    }

    /// Returns the value as written in reports.
    ///
    /// - Parameters:   - hides: whether the value of a member with this name is a secret.   - shown: returns a string
    ///   as it may be shown.
    package func field(hides: (String) -> Bool, shown: (String) -> String) -> FieldValue {
        switch content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let text): return Self.field(number: text)
        case .string(let text): return .string(shown(text))
        case .array(let elements):
            let isServer = isServerOfRelays
            return .array(
                elements.map { isServer && !$0.isAddressOfServer ? $0.masked : $0.field(hides: hides, shown: shown) })
        case .object(let members):
            let named = hidesValue(hides)
            return .object(
                members.map { member in
                    let (name, value) = (member.name, member.value)
                    let isHidden = hides(name) || named && Self.values.contains(name)
                    return Field(name, isHidden ? value.masked : value.field(hides: hides, shown: shown))
                })
        }
    }

    /// Whether the value is a list of a TURN server's URL and credentials, such as `["turn:h", "user", "password"]`.
    private var isServerOfRelays: Bool {
        elements.first?.string.map { $0.hasPrefix("turn:") || $0.hasPrefix("turns:") } ?? false
    }

    private var isAddressOfServer: Bool {
        guard let string else { return true }
        return ["turn:", "turns:", "stun:", "stuns:"].contains { string.hasPrefix($0) }
    }

    /// Whether the value is a pair such as `{"name": "token", "value": …}`, whose value is a secret.
    package func hidesValue(_ hides: (String) -> Bool) -> Bool {
        members.contains { member in
            Self.names.contains(member.name) && member.value.string.map(hides) == true
        }
    }

    /// Member names for the name of such a pair.
    private static let names: Set<String> = ["name", "key", "header", "param", "parameter", "field"]
    package static let values: Set<String> = ["value", "val", "content", "data"]

    /// The value with everything removed that may be a secret.
    private var masked: FieldValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number, .string: .string(SecretPolicy.mask)
        case .array(let elements): .array(elements.map(\.masked))
        case .object(let members): .object(members.map { Field($0.name, $0.value.masked) })
        }
    }

    private static func field(number text: String) -> FieldValue {
        if let integer = Int(text) { return .integer(integer) }
        // Converting the number to a double would change it.
        guard let number = Double(text), number.isFinite, text.utf8.count < 18 else { return .string(text) }
        return .number(number)
    }
}
