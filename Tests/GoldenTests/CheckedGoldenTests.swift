import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirReports

/// Compares every capture's conformance report, and for some captures all formats, with the stored ones.
@Suite("Golden conformance reports") struct CheckedGoldenTests {
    /// Captures whose reports are kept in every format: faults of all kinds in RTSP and RTMP, and one capture without
    /// faults.
    static let inAllFormats = [
        "Captures/rtmp/article-publish-media.pcap",
        "Captures/rtmp/rtmp-publish.pcap",
        "Captures/rtsp/article-dialogue.pcap",
        "Captures/rtsp/rtsp-basic.pcap",
        "Captures/rtsp/rtsp-loss-udp.pcap",
        "Captures/rtsp/rtsp-midstream-tcp.pcap",
    ]

    /// The file name endings of a capture's reports.
    static func endings(_ capture: String) -> [String] {
        [".check.txt"]
            + (inAllFormats.contains(capture)
                ? [".check.json", ".check.md", ".github.txt", ".junit.xml", ".sarif", ".check.zh.txt"] : [])
    }

    private static func report(_ ending: String, _ output: MemoryOutput) -> any Report {
        var options = ReportOptions()
        var details = VerdictOptions()
        details.withCoverage = true
        details.page.width = 120
        // The version of a release would change every report.
        details.version = "0"
        switch ending {
        case ".check.json":
            return JSONReport(options, version: "0", withTallies: true, withCoverage: true, output: output)
        case ".check.md": return VerdictReport(.markdown, options, details, output: output)
        case ".github.txt": return VerdictReport(.github, options, details, output: output)
        case ".junit.xml": return VerdictReport(.junit, options, details, output: output)
        case ".sarif": return VerdictReport(.sarif, options, details, output: output)
        case ".check.zh.txt":
            options.language = .chinese
            return VerdictReport(.text, options, details, output: output)
        default: return VerdictReport(.text, options, details, output: output)
        }
    }

    @Test("conformance reports match the stored ones", arguments: RecordedCaptures.all)
    func same(capture: String) throws {
        let outputs = Self.endings(capture).map { ($0, MemoryOutput()) }
        _ = WholeAnalysis.check([capture], into: ReportGroup(outputs.map { Self.report($0.0, $0.1) }))
        for (ending, output) in outputs {
            let name = "Reports/" + capture.dropFirst("Captures/".count) + ending
            let path = RecordedCaptures.root.appendingPathComponent(name)
            if GoldenTests.rewrites { try Data(output.octets).write(to: path) }
            let kept = (try? Data(contentsOf: path)).map { [UInt8]($0) }
            #expect(kept == output.octets, "\(name): WEIR_REWRITE_REPORTS=1 swift test --filter GoldenTests")
        }
    }
}
