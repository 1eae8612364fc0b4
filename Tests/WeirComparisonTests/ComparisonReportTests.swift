import CaptureTesting
import Foundation
import Testing
import WeirComparison
import WeirEngine

@Suite("Reports of comparisons")
struct ComparisonReportTests {
    private static let pairs = [
        ("diff/rtsp-udp-sender", "diff/rtsp-udp-moved"), ("diff/rtsp-tcp-sender", "diff/rtsp-tcp-receiver"),
        ("rtsp/rtsp-digest", "rtsp/rtsp-wrong-password"),
    ]

    @Test(
        "Every format and language is written without missing sentences", arguments: pairs,
        ComparisonReport.Format.allCases)
    func formats(_ pair: (String, String), _ format: ComparisonReport.Format) throws {
        let comparison = Comparison(try ComparedCaptures.read(pair.0), try ComparedCaptures.read(pair.1))
        for language in [Language.english, .chinese] {
            let octets = ComparisonReport(language).write(
                comparison, as: format, version: "1",
                thresholds: [ComparisonThreshold("lost-between>0.1%")].compactMap { $0 })
            let text = String(decoding: octets, as: UTF8.self)
            #expect(!text.contains("diff.") || text.contains("/diff/"))
            #expect(text.range(of: #"diff\.[a-z]"#, options: .regularExpression) == nil)
            #expect(text.range(of: #"\{[0-9]"#, options: .regularExpression) == nil || format == .json)
            if format == .json {
                let object = try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any]
                #expect(object?["different"] as? Bool == true)
            }
        }
    }

    @Test("All languages have the same sentences")
    func words() {
        let english = ComparisonWords.words(.english).flatMap(\.keys)
        let chinese = ComparisonWords.words(.chinese).flatMap(\.keys)
        #expect(Set(english) == Set(chinese))
    }

    @Test(
        "A limit is exceeded only above it",
        arguments: [
            ("lost-between>1%", true), ("lost-between>50%", false), ("duplicated>0", true), ("reordered>1000", false),
            ("delay-variation>10ms", true), ("lost-before>0", false),
        ])
    func limits(_ text: String, _ isExceeded: Bool) throws {
        let threshold = try #require(ComparisonThreshold(text))
        let comparison = Comparison(
            try ComparedCaptures.read("diff/rtsp-udp-sender"), try ComparedCaptures.read("diff/rtsp-udp-receiver"))
        #expect(threshold.isExceeded(in: comparison) == isExceeded)
    }
}
