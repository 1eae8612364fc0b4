#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON value of a message of the Model Context Protocol.
enum MCPValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([MCPValue])
    case object([String: MCPValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let values = try? value.decode([MCPValue].self) {
            self = .array(values)
        } else {
            self = .object(try value.decode([String: MCPValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let values): try value.encode(values)
        case .object(let members): try value.encode(members)
        }
    }

    /// Returns a member of an object; nil if there is none.
    subscript(_ name: String) -> MCPValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The string, or nil.
    var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The integer, or nil.
    var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
}
