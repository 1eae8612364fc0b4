import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirProtocols

@testable import WeirReports

/// Tables over all recorded captures, against their schema and the records of the NDJSON report.
struct TablesTests {
    private typealias Row = [String: Any]

    @Test func `every row fits the schema, in its order and types`() throws {
        for table in TableSchema.all {
            let rows = try Self.written.rows(table.name)
            #expect(!rows.isEmpty, "\(table.name)")
            var keys: Set<String> = []
            for row in rows {
                let names = Set(table.columns.map(\.name))
                #expect(Set(row.keys).isSubset(of: names))
                for column in table.columns {
                    guard let value = row[column.name] else {
                        #expect(!column.isRequired, "\(table.name).\(column.name)")
                        continue
                    }
                    #expect(Self.fits(value, column.type), "\(table.name).\(column.name): \(value)")
                }
                keys.insert(table.key.map { "\(row[$0] ?? "")" }.joined(separator: "|"))
            }
            #expect(keys.count == rows.count, "the key of \(table.name) is not unique")
        }
    }

    @Test func `every column has a value somewhere`() throws {
        // Facts that no recorded capture has.
        let absent: Set<String> = ["droppedPackets", "limitsReached", "waivedBy"]
        for table in TableSchema.all {
            let rows = try Self.written.rows(table.name)
            for column in table.columns where !absent.contains(column.name) {
                #expect(rows.contains { $0[column.name] != nil }, "\(table.name).\(column.name)")
            }
        }
    }

    @Test(arguments: [
        ("sessions", "session"), ("streams", "stream"), ("flows", "flow"), ("findings", "finding"),
        ("events", "event"), ("rules", "rule"),
    ])
    func `rows are the records of the report`(table: String, record: String) throws {
        let rows = try Self.written.rows(table)
        let records = try Self.written.records(record).filter { record in
            // Rules that judged nothing have no row.
            ["pass", "fail", "inconclusive", "notApplicable"].compactMap { record[$0] as? Int }.reduce(0, +) > 0
                || record["rule"] == nil || record["verdict"] != nil
        }
        try #require(rows.count == records.count)
        var compared = 0
        for (row, record) in zip(rows, records) {
            for (name, value) in row {
                guard let other = record[name], !(other is [String: Any]), !(other is [Any]) else { continue }
                compared += 1
                let numbers = (value as? NSNumber, other as? NSNumber)
                let isEqual =
                    if case (let one?, let two?) = numbers {
                        // Seconds with nine decimals are written as a double.
                        abs(one.doubleValue - two.doubleValue) < 1e-6
                    } else {
                        "\(value)" == "\(other)"
                    }
                #expect(isEqual, "\(table).\(name): \(value), not \(other)")
            }
        }
        #expect(compared > rows.count)
    }

    @Test func `a capture that cannot be read is a row with the reason`() throws {
        let output = MemoryOutput()
        let report = TablesReport(
            ReportOptions(), profile: "default", key: { "file:\($0)" }, outputs: ["captures": output])
        report.unread("missing.pcap", reason: "no such file")
        report.finish()
        let row = try #require(try Self.lines(output.octets).first)
        #expect(row["status"] as? String == "unreadable")
        #expect(row["error"] as? String == "no such file")
        #expect(row["packets"] == nil)
    }

    @Test func `the schema document describes each column`() throws {
        let json = try JSONSerialization.jsonObject(with: Data(TableSchema.json.utf8)) as? Row
        let tables = try #require(json?["tables"] as? [Row])
        #expect(tables.compactMap { $0["name"] as? String } == TableSchema.all.map(\.name))
        for (table, outline) in zip(tables, TableSchema.all) {
            let columns = try #require(table["columns"] as? [Row])
            #expect(columns.compactMap { $0["name"] as? String } == outline.columns.map(\.name))
            for column in columns { #expect((column["description"] as? String)?.hasSuffix(".") == true) }
            #expect(Set(outline.columns.map(\.name)).count == outline.columns.count)
            #expect(Set(outline.key).isSubset(of: Set(outline.columns.map(\.name))))
        }
        #expect(TableSchema.markdown.contains("| `bitrate` | number, optional | bit/s |"))
    }

    // MARK: - All captures

    private struct Written: Sendable {
        let tables: [String: [UInt8]]
        let report: [UInt8]

        func rows(_ table: String) throws -> [Row] { try TablesTests.lines(tables[table] ?? []) }

        func records(_ name: String) throws -> [Row] {
            try TablesTests.lines(report).filter { $0["record"] as? String == name }
        }
    }

    private static let written: Written = {
        let names = TableSchema.all.map(\.name)
        let outputs = Dictionary(uniqueKeysWithValues: names.map { ($0, MemoryOutput()) })
        let tables = TablesReport(ReportOptions(), profile: "default", key: { $0 }, outputs: outputs)
        _ = WholeAnalysis.check(RecordedCaptures.all, into: tables)
        let report = MemoryOutput()
        _ = WholeAnalysis.check(
            RecordedCaptures.all, into: NDJSONReport(ReportOptions(), withTallies: true, output: report))
        return Written(tables: outputs.mapValues(\.octets), report: report.octets)
    }()

    private static func lines(_ octets: [UInt8]) throws -> [Row] {
        try octets.split(separator: UInt8(ascii: "\n")).map {
            try JSONSerialization.jsonObject(with: Data($0)) as? Row ?? [:]
        }
    }

    private static func fits(_ value: Any, _ type: ColumnType) -> Bool {
        switch type {
        case .text: value is String
        case .integer: (value as? NSNumber).map { $0.doubleValue == Double($0.int64Value) } ?? false
        case .number: value is NSNumber
        case .flag: value is Bool
        case .time: (value as? String).map { $0.utf8.count == 30 && $0.hasSuffix("Z") } ?? false
        case .texts: value is [String]
        case .integers: value is [Int]
        case .json:
            (value as? String).map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) is Row } ?? false
        }
    }
}
