/// The description of a table.
package struct TableOutline: Sendable {
    /// The name.
    package let name: String
    /// The meaning, in one sentence.
    package let meaning: String
    /// The columns that identify a row.
    package let key: [String]
    /// The columns, in order.
    package let columns: [ColumnOutline]
}

/// A table: the single definition of its rows, its schema and its documentation.
struct Table<Record> {
    let name: String
    let meaning: String
    let key: [String]
    let columns: [Column<Record>]

    var outline: TableOutline {
        TableOutline(name: name, meaning: meaning, key: key, columns: columns.map(\.outline))
    }

    /// Appends a row as a line of JSON.
    func write(_ row: TableRow<Record>, _ json: inout JSONWriter) {
        json.beginObject()
        for column in columns { column.write(row, &json) }
        json.endObject()
        json.newline()
    }
}
