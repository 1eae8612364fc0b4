/// The schema of all tables, made of their definitions.
package enum TableSchema {
    /// The version, equal to that of the report's schema: it changes when a column changes its meaning or is removed.
    package static let version = Version.schema

    /// The tables, in the order of the document.
    package static var all: [TableOutline] {
        [
            Table.captures.outline, Table.sessions.outline, Table.streams.outline, Table.series.outline,
            Table.findings.outline, Table.rules.outline, Table.flows.outline, Table.events.outline,
        ]
    }

    /// The tables that are written only on request.
    package static let optional: Set<String> = ["events"]

    /// The schema as one JSON document, which Spark's and Arrow's schemas are made of.
    package static var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.key("schemaVersion")
        json.string(version)
        json.key("weirVersion")
        json.string(Version.number)
        json.key("tables")
        json.beginArray()
        for table in all { write(table, &json) }
        json.endArray()
        json.endObject()
        json.newline()
        return String(decoding: json.octets, as: UTF8.self)
    }

    /// The schema as a document for readers.
    package static var markdown: String {
        var text = "# Tables\n\nVersion \(version). Written by `weir tables --schema markdown`.\n"
        for table in all {
            text +=
                "\n## \(table.name)\n\n\(table.meaning) Key: \(table.key.map { "`\($0)`" }.joined(separator: ", ")).\n"
            text += "\n| column | type | unit | meaning |\n| --- | --- | --- | --- |\n"
            for column in table.columns {
                let type = column.type.rawValue + (column.isRequired ? "" : ", optional")
                text += "| `\(column.name)` | \(type) | \(column.unit ?? "") | \(column.meaning) |\n"
            }
        }
        return text
    }

    private static func write(_ table: TableOutline, _ json: inout JSONWriter) {
        json.beginObject()
        json.key("name")
        json.string(table.name)
        json.key("description")
        json.string(table.meaning)
        json.key("optional")
        json.bool(optional.contains(table.name))
        json.key("key")
        json.beginArray()
        for name in table.key { json.string(name) }
        json.endArray()
        json.key("columns")
        json.beginArray()
        for column in table.columns {
            json.beginObject()
            json.key("name")
            json.string(column.name)
            json.key("type")
            json.string(column.type.rawValue)
            if let unit = column.unit {
                json.key("unit")
                json.string(unit)
            }
            json.key("required")
            json.bool(column.isRequired)
            json.key("description")
            json.string(column.meaning)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
