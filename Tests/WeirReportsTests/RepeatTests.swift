import CaptureTesting
import Testing
import WeirPackets

@testable import WeirReports
import WeirEngine
import WeirProtocols

@Suite("Text of long sessions")
struct RepeatTests {
    @Test("a citation is not split at a line's end", arguments: 20...60)
    func citations(columns: Int) {
        let lines = TextLayout.wrap("The answer to OPTIONS has no Public. (RFC 2326 §10.1) [Q-BASE]", columns)
        #expect(lines.contains { $0.contains("(RFC 2326 §10.1)") })
        #expect(lines.allSatisfy { TextLayout.width($0) <= columns })
    }

    /// An empty receiver report in UDP over IPv4.
    private static let report: [UInt8] =
        [0x45, 0, 0, 36, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]
        + [0x9C, 0x41, 0xC3, 0x51, 0, 16, 0, 0] + [0x80, 0xC9, 0, 1, 1, 2, 3, 4]

    /// Returns the text report of `times` receiver reports.
    private static func lines(_ times: Int, isLive: Bool) -> [Substring] {
        let output = MemoryOutput()
        let report = TextReport(ReportOptions(), output: output)
        let analyzer = Analyzer(sink: RuleEngine(rules: [], sink: report))
        analyzer.begin(
            CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil, isStreamed: isLive))
        for index in 0..<times {
            var packet = Self.report
            packet[5] = UInt8(index)  // a new identification, so that the packet is no capture duplicate
            let time = Timestamp(nanoseconds: Int64(index) * 1_000_000_000)
            KeptFrame(packet: packet, number: index + 1, time: time).use { analyzer.process($0) }
        }
        analyzer.finish()
        report.finish()
        return output.text.split(separator: "\n")
    }

    @Test("a recurring step is shown twelve times when all steps are requested", arguments: [11, 12, 13, 40])
    func repeats(times: Int) {
        let lines = Self.lines(times, isLive: true)
        #expect(lines.count { $0.contains("receiver report") } == min(times, 12))
        #expect(lines.count { $0.contains("--format json") } == (times < 12 ? 0 : 1))
    }

    @Test("the condensed timeline counts recurring steps", arguments: [2, 40])
    func counted(times: Int) {
        let lines = Self.lines(times, isLive: false)
        #expect(lines.count { $0.contains("receiver report") } == 1)
        #expect(lines.contains { $0.contains("#1–#\(times)") && $0.hasSuffix("receiver report ×\(times)") })
    }
}
