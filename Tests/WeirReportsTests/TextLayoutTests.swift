import CaptureTesting
import Testing
import WeirEngine
import WeirTesting

@testable import WeirReports

@Suite("Text layout") struct TextLayoutTests {
    @Test(
        "columns of text",
        arguments: [
            ("", 0), ("abc", 3), ("中文", 4), ("请求 PLAY", 9), ("é", 1), ("e\u{301}", 1), ("→", 1), ("，", 2), ("😀", 2),
            ("ｱ", 1), ("한국", 4), ("\u{1B}", 0),
        ])
    func width(text: String, columns: Int) {
        #expect(TextLayout.width(text) == columns)
    }

    @Test("padding counts columns, not characters")
    func padding() {
        #expect(TextLayout.left("中", 4) == "中  ")
        #expect(TextLayout.right("中", 4) == "  中")
        #expect(TextLayout.left("longer", 3) == "longer")
        #expect(TextLayout.grouped(1_234_567) == "1 234 567")
        #expect(TextLayout.grouped(-1_000) == "-1 000")
        #expect(TextLayout.grouped(Int.min).hasPrefix("-9 223 372"))
        #expect(TextLayout.grouped(0) == "0")
    }

    @Test("wrapped lines keep the width and lose nothing but spaces")
    func wrap() {
        var random = SeededGenerator(80)
        let words = ["a", "media", "中文说明", "，", "rtsp://10.0.0.1/a;b;c,d", "—", "😀", "x;", "y,", "(RFC 2326 §12.39)"]
        for _ in 0..<3_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...25, using: &random) {
                text += (words.randomElement(using: &random) ?? "") + (random.chance(3) ? "" : " ")
            }
            if random.chance(10) { text += String(repeating: "w", count: Int.random(in: 1...300, using: &random)) }
            let columns = Int.random(in: 20...100, using: &random)
            let lines = TextLayout.wrap(text, columns)
            for line in lines {
                // A line may have lost a space at the right edge.
                #expect(
                    TextLayout.width(line.reversed().drop { $0 == " " }.reversed().map(String.init).joined()) <= columns
                )
            }
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }

    @Test("received text cannot control the terminal")
    func printable() {
        #expect(Printable.clean("plain — 中文") == "plain — 中文")
        #expect(Printable.clean("\u{1B}[2J\u{7}\r\n\t") == "\\x1b[2J\\x07\\x0d\\x0a\\x09")
        #expect(Printable.clean("\u{9B}31m\u{7F}\u{0}") == "\\x9b31m\\x7f\\x00")
        #expect(Printable.clean("a\u{202E}b\u{2066}c") == "a\\x202eb\\x2066c")
        #expect(Printable.clean("\u{200E}\u{61C}\u{2028}\u{200B}") == "\\x200e\\x61c\\x2028\\x200b")
        #expect(Printable.clean("\u{FEFF}\u{E0041}\u{2060}") == "\\xfeff\\xe0041\\x2060")
        #expect(Printable.clean("\u{AD}\u{34F}\u{115F}\u{180E}\u{3164}") == "\\xad\\x34f\\x115f\\x180e\\x3164")
        #expect(Printable.clean("\u{FFA0}\u{FFF9}\u{1D173}") == "\\xffa0\\xfff9\\x1d173")
        #expect(Printable.clean("a\nb", keepingLines: true) == "a\nb")
    }

    @Test("reports fit their width", arguments: [60, 80, 120, 200])
    func reportWidth(width: Int) {
        for capture in [
            "Captures/rtsp/rtsp-udp.pcap", "Captures/rtsp/rtsp-vlc.pcap", "Captures/rtsp/rtsp-2.0-tcp.pcap",
        ] {
            for language in Language.allCases {
                var options = ReportOptions()
                options.language = language
                let lines = WholeAnalysis.reports(capture, options: options, width: width).text.split(separator: "\n")
                #expect(lines.count > 20)
                for line in lines where !line.hasPrefix("Captures/") && !isHeading(line) {
                    #expect(TextLayout.width(line) <= width, "\(line)")
                }
            }
        }
    }

    /// Whether the line is a heading: these contain addresses and URIs, and are not wrapped.
    private func isHeading(_ line: Substring) -> Bool {
        ["Session ", "Flow ", "会话", "流"].contains { line.hasPrefix($0) }
    }

    @Test("no continuation line starts as a GitHub runner command", arguments: ["a", "中"])
    func commands(letter: String) {
        let words = String(repeating: letter, count: 12) + " ::stop-commands::x " + letter
        let page = RunnerCommands.defused(TextLayout.wrap(words, 20).joined(separator: "\n"))
        let lines = page.split(separator: "\n")
        #expect(lines.count > 1 && !lines.contains { $0.hasPrefix("::") })
        #expect(lines.contains { $0.hasPrefix("\\x3a:stop-commands::x") })
    }

    @Test(
        "GitHub runner commands are escaped",
        arguments: [
            ("a\n   ::error::x", "a\n   \\x3a:error::x"), ("::x", "\\x3a:x"), ("a ::x", "a ::x"),
            ("\u{3000}::x", "\u{3000}\\x3a:x"),
            ("a\r\u{A0} ::x", "a\r\u{A0} \\x3a:x"), ("a ##[add-mask]b", "a #\\x23[add-mask]b"), ("# [x] :", "# [x] :"),
            ("###[a]##[b]", "##\\x23[a]#\\x23[b]"), ("", ""),
        ])
    func runner(text: String, shown: String) { #expect(RunnerCommands.defused(text) == shown) }
}
