import CaptureTesting
import Testing
import WeirPackets

@testable import WeirEngine
@testable import WeirReports

@Suite("Formats of the conformance report") struct VerdictReportTests {
    private static let broken = "Captures/rtsp/article-dialogue.pcap"
    private static let healthy = "Captures/rtsp/rtsp-basic.pcap"

    private func written(
        _ format: VerdictReport.Format, _ captures: [String], _ profile: Profile = Profile(),
        baseline: Baseline? = nil, _ details: VerdictOptions = VerdictOptions(),
        _ options: ReportOptions = ReportOptions()
    ) -> String {
        let output = MemoryOutput()
        let report = VerdictReport(format, options, details, output: output)
        _ = WholeAnalysis.check(captures, profile, baseline: baseline, into: report)
        return output.text
    }

    @Test("text groups by session, worst first, with step, clause and remedy")
    func text() throws {
        let lines = written(.text, [Self.broken]).split(separator: "\n").map(String.init)
        #expect(lines.first == Self.broken)
        #expect(lines.contains { $0.hasPrefix("  Session 1  RTSP  192.168.0.110:51834") })
        let ranks = lines.compactMap { line in
            ["      error", "    warning", "       note", "  undecided"].firstIndex { line.hasPrefix($0) }
        }
        #expect(ranks == ranks.sorted())
        #expect(Set(ranks) == [0, 1, 2, 3])
        let place = try #require(lines.firstIndex { $0.contains("error  RTSP-SESSION-ECHO  #16") })
        #expect(lines[place].contains("PLAY rtsp://192.168.0.102:554/live.264"))
        #expect(lines[(place + 1)...].prefix(2).contains { $0.contains("(RFC 2326 §12.37)") })
    }

    @Test("reasons for undecided verdicts are at the top, and only if they matter")
    func advice() throws {
        let lines = written(.text, [Self.broken]).split(separator: "\n").map(String.init)
        #expect(lines[1].contains("undecided"))
        #expect(lines[2].contains("Capture until"))
        #expect(!written(.text, [Self.healthy]).contains("To decide them"))
    }

    @Test("JUnit has a suite per capture, a case per rule, and consistent counts")
    func junit() {
        let text = written(.junit, [Self.broken, Self.healthy])
        let cases = text.matches(of: #/<testcase /#).count
        #expect(text.matches(of: #/<testsuite /#).count == 2)
        #expect(text.contains("<testsuites name=\"weir\" tests=\"\(cases)\" failures=\"3\" errors=\"0\">"))
        #expect(text.matches(of: #/<failure /#).count == 3)
        let skipped = text.matches(of: #/skipped="(\d+)"/#).compactMap { Int($0.output.1) }
        #expect(skipped.reduce(0, +) == text.matches(of: #/<skipped /#).count)
        #expect(text.contains("timestamp=\"2016-08-10T05:41:02\""))
    }

    @Test("a warning fails a case only if it fails the check")
    func junitThreshold() {
        var profile = Profile()
        profile.failOn = .warning
        #expect(written(.junit, [Self.broken], profile).matches(of: #/<failure /#).count == 7)
    }

    @Test("SARIF names the rules with results, relative paths, and fingerprints")
    func sarif() {
        let text = written(.sarif, [Self.broken])
        #expect(text.contains("\"version\":\"2.1.0\""))
        #expect(text.matches(of: #/"ruleId":/#).count == text.matches(of: #/"partialFingerprints":/#).count)
        #expect(text.contains("\"uri\":\"Captures/rtsp/article-dialogue.pcap\""))
        #expect(text.contains("\"message\":{\"text\":\"Frame 16: PLAY has no Session header"))
        #expect(!text.contains("\"id\":\"RTMP-"))
        #expect(!text.contains("baselineState"))
    }

    @Test("with a baseline, SARIF separates old from new, and Markdown names new and resolved findings")
    func baseline() throws {
        let first = WholeAnalysis.check([Self.broken], into: ReportGroup([])).found
        var known = Baseline()
        for entry in first.sorted.dropLast() { known.add(entry) }
        known.add(.init(fingerprint: "0123456789abcdef", rule: "RTSP-CRLF", message: "RTSP-CRLF.lf"))
        let last = try #require(first.sorted.last)
        let sarif = written(.sarif, [Self.broken], baseline: known)
        #expect(sarif.matches(of: #/"baselineState":"unchanged"/#).count == first.entries.count - 1)
        let markdown = written(.markdown, [Self.broken], baseline: known)
        #expect(markdown.contains("### New (not in the baseline)\n\n- `\(last.rule)` `\(last.fingerprint)`"))
        #expect(markdown.contains("RTSP-CRLF (0123456789abcdef) is in the baseline, but was not found"))
    }

    @Test("Markdown starts with the verdict, and truncates to the size of a comment")
    func markdown() {
        #expect(written(.markdown, [Self.broken]).hasPrefix("## ❌ Weir: failed, 3 errors, 4 warnings"))
        #expect(written(.markdown, [Self.healthy]).hasPrefix("## ✅ Weir: passed"))
        let many = written(.markdown, [String](repeating: Self.broken, count: 40))
        #expect(many.utf8.count < 65_536)
        #expect(many.contains("more findings are counted, but not listed"))
    }

    @Test("Markdown of a thousand captures fits, too, and starts with those that need attention")
    func markdownOfMany() {
        let unread = (0..<1_000).map { "Captures/no-such-\($0).pcap" }
        let well = [String](repeating: "Captures/rtsp/rtsp-connection-refused.pcap", count: 400)
        let page = written(.markdown, unread + well + [String](repeating: Self.broken, count: 40))
        #expect(page.utf8.count < 65_536)
        #expect(page.contains("more captures are not listed"))
        #expect(page.contains("more remarks are not listed"))
        #expect(page.matches(of: #/\| `Captures/rtsp/article-dialogue.pcap` \| 3 \|/#).count == 40)
    }

    @Test("a capture that cannot be read does not pass")
    func unread() {
        let captures = ["Captures/no-such.pcap"]
        #expect(written(.markdown, captures).hasPrefix("## ❌ Weir: failed"))
        #expect(written(.junit, captures).contains("errors=\"1\""))
        #expect(written(.sarif, captures).contains("\"executionSuccessful\":false"))
        #expect(written(.github, captures).hasPrefix("::error file=Captures/no-such.pcap,"))
        #expect(written(.text, captures).contains("Cannot read Captures/no-such.pcap"))
    }

    @Test("received text is neither markup nor a command")
    func escapes() {
        #expect(MarkdownPage.inline("http://h/a www.h rtsp://h") == "http\\://h/a www\\.h rtsp://h")
        #expect(MarkdownPage.inline("a|b <img> @all _x_") == "a\\|b &lt;img&gt; @\u{2060}all \\_x\\_")
        #expect(MarkdownPage.code("a`b|c") == "`a'b\\|c`")
        var xml = XMLWriter()
        xml.element("a", [("b", "<\"&\n\u{1}")], "x]]><y\u{1B}")
        #expect(xml.text.hasSuffix("<a b=\"&lt;&quot;&amp;&#10;\\x01\">x]]&gt;&lt;y\\x1b</a>\n"))
    }

    @Test("GitHub annotations are one line each, with level, file and title")
    func github() {
        let lines = written(.github, [Self.broken]).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("::error file=Captures/rtsp/article-dialogue.pcap,title=") } == 3)
        #expect(lines.count { $0.hasPrefix("::warning ") } == 4)
        #expect(lines.allSatisfy { $0.hasPrefix("::") })
        #expect(lines.contains { $0.contains("title=RTSP-SESSION-ECHO (RFC 2326 §12.37)::Frame 16: ") })
    }

    @Test("every format is written in Chinese, too", arguments: VerdictReport.Format.allCases)
    func chinese(format: VerdictReport.Format) {
        var options = ReportOptions()
        options.language = .chinese
        let text = written(format, [Self.broken], Profile(), VerdictOptions(), options)
        #expect(
            text.contains("PLAY 没有 Session") || text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) })
        #expect(!text.contains("label."))
    }

    @Test("secrets stay masked in every format", arguments: VerdictReport.Format.allCases)
    func secrets(format: VerdictReport.Format) {
        let text = written(format, ["Captures/rtmp/rtmp-publish.pcap", "Captures/rtsp/rtsp-digest.pcap"])
        #expect(!text.contains("publish \"stream") && !text.contains("response=\""))
    }

    @Test(
        "paths are relative to the checkout",
        arguments: [
            ("a.pcap", "sub/a.pcap"), ("./x/../a.pcap", "sub/a.pcap"), ("../a.pcap", "a.pcap"),
            ("/work/repo/b/a.pcap", "b/a.pcap"), ("/elsewhere/a.pcap", "/elsewhere/a.pcap"), ("-", "-"),
            ("../../a.pcap", "../../a.pcap"),
        ])
    func paths(given: String, shown: String) {
        #expect(CheckoutPaths(root: "/work/repo", current: "/work/repo/sub").relative(given) == shown)
    }

    @Test("a URI contains only valid characters")
    func uri() {
        #expect(CheckoutPaths.uri("a b/ü#.pcap") == "a%20b/%C3%BC%23.pcap")
    }

    @Test("at most 5,000 results are written, and the rest is counted")
    func manyResults() {
        let output = MemoryOutput()
        let report = VerdictReport(.sarif, ReportOptions(), output: output)
        for number in 0..<2 {
            report.begin(CaptureRecord(file: "\(number).pcap", format: "pcap", linkTypes: [], snapLength: nil))
            for place in 0..<3_000 {
                report.finding(
                    Finding(
                        rule: "RTSP-CRLF", verdict: .fail, severity: .note, protocolName: "rtsp", plugin: "rtsp",
                        message: Text("x"), reference: "", fingerprint: "\(place)"), session: nil)
            }
            report.end(SummaryRecord(), tallies: [], findings: FindingCounts())
        }
        report.conclude(RunVerdict())
        #expect(output.text.matches(of: #/"ruleId":/#).count == 5_000)
        #expect(output.text.contains("1000 more findings are counted"))
    }
}
