import WeirEngine
import WeirPackets

/// The type of a column.
package enum ColumnType: String, Sendable, CaseIterable {
    /// UTF-8 text.
    case text
    /// A 64-bit integer.
    case integer
    /// A double.
    case number
    /// A Boolean value.
    case flag
    /// An instant in UTC; RFC 3339 with nine decimals in rows.
    case time
    /// A list of texts.
    case texts
    /// A list of integers.
    case integers
    /// JSON as text, for members that few records have.
    case json
}

/// The description of a column.
package struct ColumnOutline: Sendable {
    /// The name, as in reports where the value is a member there.
    package let name: String
    /// The type of its values.
    package let type: ColumnType
    /// The unit, or nil for counts, texts and identifiers.
    package let unit: String?
    /// Whether every row has a value.
    package let isRequired: Bool
    /// The meaning, in one sentence.
    package let meaning: String
}

/// A column: its description, and the value of a row.
struct Column<Record> {
    typealias Row = TableRow<Record>

    let outline: ColumnOutline
    /// Writes the value, or returns false if the row has none.
    private let put: (Row, inout JSONWriter) -> Bool

    private init<Value>(
        _ name: String, _ type: ColumnType, _ unit: String?, _ meaning: String, isRequired: Bool,
        _ value: @escaping (Row) -> Value?, _ write: @escaping (Value, Row, inout JSONWriter) -> Void
    ) {
        outline = ColumnOutline(name: name, type: type, unit: unit, isRequired: isRequired, meaning: meaning)
        put = { row, json in
            guard let value = value(row) else { return false }
            json.key(name)
            write(value, row, &json)
            return true
        }
    }

    /// Writes the member of a row, unless it is unknown. A required column that lacks a value is a mistake of the table.
    func write(_ row: Row, _ json: inout JSONWriter) {
        let isWritten = put(row, &json)
        assert(isWritten || !outline.isRequired, "no value for \(outline.name)")
    }

    static func text(
        _ name: String, _ meaning: String, required: Bool = false, _ value: @escaping (Row) -> String?
    ) -> Self {
        Self(name, .text, nil, meaning, isRequired: required, value) { $2.string($0) }
    }

    static func integer(
        _ name: String, _ meaning: String, unit: String? = nil, required: Bool = false,
        _ value: @escaping (Row) -> Int?
    ) -> Self {
        Self(name, .integer, unit, meaning, isRequired: required, value) { $2.integer($0) }
    }

    static func number(
        _ name: String, _ meaning: String, unit: String?, _ value: @escaping (Row) -> Double?
    ) -> Self {
        Self(name, .number, unit, meaning, isRequired: false, { value($0).flatMap { $0.isFinite ? $0 : nil } }) {
            $2.double($0)
        }
    }

    static func flag(_ name: String, _ meaning: String, _ value: @escaping (Row) -> Bool?) -> Self {
        Self(name, .flag, nil, meaning, isRequired: false, value) { $2.bool($0) }
    }

    static func time(
        _ name: String, _ meaning: String, required: Bool = false, _ value: @escaping (Row) -> Timestamp?
    ) -> Self {
        Self(name, .time, nil, meaning, isRequired: required, value) { $2.time($0) }
    }

    static func texts(_ name: String, _ meaning: String, _ value: @escaping (Row) -> [String]?) -> Self {
        Self(name, .texts, nil, meaning, isRequired: true, value) { texts, row, json in
            json.value(.array(texts.map { .string($0) }), row.secrets)
        }
    }

    static func integers(_ name: String, _ meaning: String, _ value: @escaping (Row) -> [Int]?) -> Self {
        Self(name, .integers, nil, meaning, isRequired: true, value) { numbers, row, json in
            json.value(.array(numbers.map { .integer($0) }), row.secrets)
        }
    }

    static func json(_ name: String, _ meaning: String, _ value: @escaping (Row) -> [Field]?) -> Self {
        Self(name, .json, nil, meaning, isRequired: false, value) { fields, row, json in
            var inner = JSONWriter()
            inner.value(.object(fields), row.secrets)
            json.string(String(decoding: inner.octets, as: UTF8.self))
        }
    }

    /// The first column of every table.
    static var capture: Self {
        text("capture", "The SHA-256 of the capture file, or the name given for it.", required: true) { $0.capture }
    }
}
