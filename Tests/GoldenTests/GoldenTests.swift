import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirReports

/// Compares the reports of every capture below `Captures/` with those below `Reports/`.
///
/// `WEIR_REWRITE_REPORTS=1 swift test --filter GoldenTests` rewrites them: review the difference before committing it.
@Suite("Golden reports") struct GoldenTests {
    static let rewrites = ProcessInfo.processInfo.environment["WEIR_REWRITE_REPORTS"] == "1"

    /// Captures whose text report is also kept in Chinese.
    static let inChinese = [
        "Captures/rtsp/article-dialogue.pcap",
        "Captures/rtsp/rtsp-digest.pcap",
        "Captures/rtsp/rtsp-loss-udp.pcap",
        "Captures/rtsp/rtsp-port-unreachable.pcap",
        "Captures/rtsp/rtsp-tcp-interleaved.pcap",
        "Captures/webrtc/webrtc-call.pcap",
        "Captures/webrtc/webrtc-turn-udp.pcap",
    ]

    /// The stored reports of a capture: path relative to the package, and content.
    private static func reports(of capture: String) -> [(path: String, content: String)] {
        let base = "Reports/" + capture.dropFirst("Captures/".count)
        let english = WholeAnalysis.reports(capture)
        var reports = [("\(base).txt", english.text), ("\(base).json", english.json)]
        if inChinese.contains(capture) {
            var options = ReportOptions()
            options.language = .chinese
            reports.append(("\(base).zh.txt", WholeAnalysis.reports(capture, options: options).text))
        }
        return reports
    }

    @Test("reports match the stored ones", arguments: RecordedCaptures.all)
    func same(capture: String) throws {
        for report in Self.reports(of: capture) {
            let path = RecordedCaptures.root.appendingPathComponent(report.path)
            if Self.rewrites {
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(report.content.utf8).write(to: path)
                continue
            }
            guard let kept = try? Data(contentsOf: path) else {
                Issue.record("\(report.path) is missing: WEIR_REWRITE_REPORTS=1 swift test --filter GoldenTests")
                continue
            }
            if kept != Data(report.content.utf8) {
                let difference = Difference(String(decoding: kept, as: UTF8.self), report.content)
                Issue.record("\(report.path) has changed\n\(difference)")
            }
        }
    }

    @Test("a second analysis gives identical reports", arguments: inChinese)
    func repeatable(capture: String) {
        let first = Self.reports(of: capture)
        let second = Self.reports(of: capture)
        #expect(first.elementsEqual(second) { $0 == $1 })
    }

    /// Captures whose page is also kept: a healthy session of each kind, and failures whose cause is on the page.
    static let asPages = [
        "Captures/rtmp/rtmp-play.pcap",
        "Captures/rtmp/rtmp-publish-403.pcap",
        "Captures/rtsp/rtsp-loss-udp.pcap",
        "Captures/rtsp/rtsp-wrong-password.pcap",
        "Captures/webrtc/browser-relay-only.pcap",
        "Captures/webrtc/webrtc-call.pcap",
    ]

    @Test("pages match the stored ones", arguments: asPages)
    func samePage(capture: String) throws {
        let output = MemoryOutput()
        _ = WholeAnalysis.check(
            [capture], into: HTMLReport(ReportOptions(), version: "0", output: output))
        let name = "Reports/" + capture.dropFirst("Captures/".count) + ".html"
        let path = RecordedCaptures.root.appendingPathComponent(name)
        if Self.rewrites { return try Data(output.octets).write(to: path) }
        let kept = (try? Data(contentsOf: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if kept != output.text {
            Issue.record(
                "\(name): WEIR_REWRITE_REPORTS=1 swift test --filter GoldenTests\n\(Difference(kept, output.text))")
        }
    }

    private static let endings = [".txt", ".json", ".md", ".xml", ".sarif", ".html"]

    @Test("every report has a capture")
    func noReportWithoutCapture() {
        var known: Set<String> = []
        for capture in RecordedCaptures.all {
            let base = "Reports/" + capture.dropFirst("Captures/".count)
            known.formUnion(["\(base).txt", "\(base).json"])
            if Self.inChinese.contains(capture) { known.insert("\(base).zh.txt") }
            if Self.asPages.contains(capture) { known.insert("\(base).html") }
            known.insert("Reports/README.md")
            known.formUnion(CheckedGoldenTests.endings(capture).map { base + $0 })
        }
        for report in RecordedCaptures.files(below: "Reports", endings: Self.endings) where !known.contains(report) {
            if Self.rewrites {
                try? FileManager.default.removeItem(atPath: RecordedCaptures.path(report))
            } else {
                Issue.record("\(report) has no capture")
            }
        }
        #expect(Set(Self.inChinese + Self.asPages).isSubset(of: RecordedCaptures.all))
    }
}

/// The first difference between two texts, in readable form.
private struct Difference: CustomStringConvertible {
    let description: String

    init(_ old: String, _ new: String) {
        let lines = (old.split(separator: "\n"), new.split(separator: "\n"))
        let index = zip(lines.0, lines.1).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        guard let index else {
            description = "from \(lines.0.count) to \(lines.1.count) lines"
            return
        }
        let (before, now) = (lines.0[index], lines.1[index])
        let same = zip(before, now).prefix { $0 == $1 }.count
        // JSON is one long line: show only the surroundings of the difference.
        func part(_ line: Substring) -> String { String(line.dropFirst(max(0, same - 60)).prefix(160)) }
        description = "line \(index + 1), column \(same + 1)\n  was: \(part(before))\n  is:  \(part(now))"
    }
}
