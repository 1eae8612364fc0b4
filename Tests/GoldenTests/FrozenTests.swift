import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirProtocols
import WeirReports

/// Compares hashes of reports that are too long to store: each capture's timeline in Chinese, and every packet as
/// newline-delimited JSON.
///
/// `WEIR_REWRITE_REPORTS=1` rewrites `Reports/hashes.tsv`, as it does the golden reports.
@Suite("Frozen output") struct FrozenTests {
    private static let path = RecordedCaptures.root.appendingPathComponent("Reports/hashes.tsv")

    /// FNV-1a (64 bit).
    private static func hash(_ octets: [UInt8]) -> String {
        let value = octets.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(value, radix: 16)
    }

    private static func line(_ capture: String) -> String {
        var chinese = ReportOptions()
        chinese.language = .chinese
        var options = AnalyzerOptions()
        options.packets = true
        let (text, json) = (MemoryOutput(), MemoryOutput())
        let both = BothReports(
            TextReport(chinese, output: text), NDJSONReport(ReportOptions(), withTallies: true, output: json))
        // Damage is part of the report.
        try? WholeAnalysis.run(RecordedCaptures.path(capture), name: capture, options: options, into: both)
        both.finish()
        return [capture, hash(text.octets), hash(json.octets)].joined(separator: "\t")
    }

    @Test("every packet, and the timeline in Chinese, match the stored hashes")
    func same() throws {
        let lines = RecordedCaptures.all.map(Self.line)
        if GoldenTests.rewrites {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.path)
            return
        }
        let kept = String(decoding: try Data(contentsOf: Self.path), as: UTF8.self).split(separator: "\n").map(
            String.init)
        let changed = Set(lines).subtracting(kept).sorted()
        #expect(changed == [], "capture, hash of the text in Chinese, hash of the JSON")
        #expect(lines.count == kept.count)
    }
}
