import CaptureTesting
import Foundation
import Testing
import WeirPackets
import WeirProtocols

@testable import WeirEngine
@testable import WeirReports

/// A page and its parts, for tests.
private struct Page {
    let text: String
    /// The text without the contents of style and scripts.
    let markup: String
    /// The records, one in a line.
    let records: [[String: Any]]

    init(_ text: String) {
        self.text = text
        markup = text.replacing(#/<(style|script)([^>]*)>[\s\S]*?</(?:style|script)>/#) { "<\($0.1)\($0.2)></\($0.1)>" }
        records = text.matches(of: #/<script type="application\/x-ndjson" class="records">\n([\s\S]*?)<\/script>/#)
            .flatMap { $0.1.split(separator: "\n") }
            .compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }

    init(
        _ captures: [String], _ options: ReportOptions = ReportOptions(), maxEvents: Int = 20_000,
        profile: Profile = Profile()
    ) {
        let output = MemoryOutput()
        let report = HTMLReport(options, maxEvents: maxEvents, version: "0", output: output)
        _ = WholeAnalysis.check(captures, profile, into: report)
        self.init(output.text)
    }

    /// Analyzes frames.
    init(_ frames: [KeptFrame], linkTypes: [LinkType] = [.ethernet]) {
        let output = MemoryOutput()
        let report = HTMLReport(ReportOptions(), version: "0", output: output)
        let judge = RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, options: RuleEngine.Options(), sink: report)
        let analyzer = Analyzer(options: AnalyzerOptions(), sink: judge)
        analyzer.begin(CaptureRecord(file: "hostile", format: "pcap", linkTypes: linkTypes, snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        report.finish()
        self.init(output.text)
    }

    func records(_ name: String) -> [[String: Any]] { records.filter { $0["record"] as? String == name } }

    /// What is no markup of the page's own: elements, attributes, characters.
    var strangers: [String] {
        let names: Set<String> = [
            "html", "head", "meta", "title", "style", "body", "a", "span", "header", "form", "label", "input", "output",
            "button", "main", "section", "h1", "h2", "h3", "h4", "h5", "strong", "p", "ul", "ol", "li", "div", "svg",
            "path", "rect", "line", "text", "circle", "symbol", "use", "table", "thead", "tbody", "tr", "th", "td",
            "small",
            "details",
            "summary", "dl", "dt", "dd", "figure", "figcaption", "b", "i", "footer", "aside", "template", "dialog",
            "kbd",
            "script",
        ]
        let attributes: Set<String> = [
            "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "hidden", "role", "type",
            "autocomplete", "spellcheck", "aria-label", "aria-hidden", "aria-labelledby", "method", "open", "scope",
            "viewBox", "preserveAspectRatio", "d", "x", "y", "text-anchor", "tabindex", "x1", "x2", "y1", "y2", "cx",
            "cy", "r",
            "width", "height",
            "overflow",
        ]
        var found: [String] = []
        for tag in markup.dropFirst("<!DOCTYPE html>".count).matches(of: #/<\/?([^\s>]*)([^>]*)>/#) {
            if !names.contains(String(tag.1)) { found.append("element \(tag.1)") }
            let rest = tag.2.replacing(#/ ([a-zA-Z0-9-]+)(?:="[^"<>]*")?/#) { attribute in
                let name = String(attribute.1)
                return attributes.contains(name) || name.hasPrefix("data-") ? "" : "?\(name)"
            }
            if !rest.isEmpty, rest != "/" { found.append("in \(tag.1): \(rest)") }
        }
        let between = markup.replacing(#/<[^>]*>/#, with: "")
        if between.contains("<") || between.contains(">") { found.append("a bracket") }
        for scalar in text.unicodeScalars where Unprintable.contains(scalar) && scalar != "\n" {
            found.append("character \(Unprintable.shown(scalar))")
        }
        return Array(found.prefix(5))
    }
}

@Suite("Page (HTML)") struct HTMLReportTests {
    private static let some = [
        "Captures/http/rtsp-websocket.pcap", "Captures/ntp/ntp.pcap", "Captures/rtmp/article-publish-media.pcap",
        "Captures/rtmp/rtmp-publish-403.pcap", "Captures/rtp/rtp-twins.pcap", "Captures/rtsp/article-dialogue.pcap",
        "Captures/rtsp/rtsp-loss-udp.pcap", "Captures/rtsp/rtsp-digest.pcap", "Captures/transport/made-cut-short.pcap",
        "Captures/webrtc/browser-relay-only.pcap", "Captures/webrtc/janus-echo.pcap", "Captures/webrtc/whip.pcap",
    ]

    @Test("SHA-256 of known texts (FIPS 180-4)")
    func digest() {
        #expect(Digest256.base64([]) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        #expect(Digest256.base64(Array("abc".utf8)) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        #expect(Digest256.base64(long) == "Qe3s5C1j6Nm/UVqbppMuHCDLyfWl0TRkWttdsblzfqM=")
    }

    @Test("the policy allows nothing but the page's own style and script")
    func policy() throws {
        let page = Page([Self.some[6]])
        let policy = try #require(
            page.text.firstMatch(of: #/http-equiv="Content-Security-Policy" content="([^"]*)"/#)?.1)
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        for (name, pattern) in [("style", #/<style>([\s\S]*?)</style>/#), ("script", #/<script>([\s\S]*?)</script>/#)] {
            let content = try #require(page.text.firstMatch(of: pattern)?.1)
            #expect(policy.contains("\(name)-src 'sha256-\(Digest256.base64(Array(content.utf8)))'"))
        }
        // No style attribute, and no address that a browser would load.
        #expect(!page.markup.contains(" style=") && !page.markup.contains(" src="))
        #expect(page.markup.matches(of: #/href="[^#]/#).isEmpty)
    }

    @Test("the page has the events, sessions, streams and findings of the JSON report", arguments: Self.some)
    func sameRecords(capture: String) throws {
        let page = Page([capture])
        let json = Data(WholeAnalysis.reports(capture).json.utf8)
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let report = try #require((document["captures"] as? [[String: Any]])?.first)
        for (part, name) in [("events", "event"), ("sessions", "session"), ("streams", "stream"), ("flows", "flow")] {
            let expected = try #require(report[part] as? [[String: Any]]).compactMap { $0["id"] as? Int }.sorted()
            #expect(page.records(name).compactMap { $0["id"] as? Int }.sorted() == expected, "\(part)")
        }
        #expect(page.records("finding").count == (report["findings"] as? [Any])?.count)
        let rows = page.markup.matches(of: #/<li class="s[^"]*" id="c1e(\d+)"/#).compactMap { Int($0.1) }
        #expect(
            Set(rows).count == rows.count
                && rows.sorted() == page.records("event").compactMap { $0["id"] as? Int }.sorted())
        // Every link leads somewhere, and every id is there once.
        let ids = page.markup.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        let targets = page.markup.matches(of: #/href="#([^"]*)"/#).map { String($0.1) }
            .filter { !$0.hasPrefix("capture=") }
        #expect(Set(targets).subtracting(ids) == [])
    }

    @Test("equal input gives an equal page", arguments: [Self.some[6], Self.some[9]])
    func repeatable(capture: String) {
        #expect(Page([capture]).text == Page([capture]).text)
    }

    @Test("there is nothing but the page's own markup", arguments: Self.some)
    func ownMarkup(capture: String) {
        #expect(Page([capture]).strangers == [])
    }

    private static let canaries = [
        "<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "</script><!--<script>", "' onload='alert(1)",
        "\u{202E}\u{2066}<b>\u{0}\u{1B}]0;x\u{7}", "&lt;&#60;<svg/onload=alert(1)>",
    ]

    /// Returns the frames with parts of their text replaced by markup of the same length.
    private func hostile(_ frames: [KeptFrame], seed: Int) -> [KeptFrame] {
        var state = UInt64(seed &* 7_919 &+ 1)
        func random(_ most: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % most
        }
        return frames.map { frame in
            var frame = frame
            var start = 54
            while start < frame.octets.count {
                guard frame.octets[start] >= 0x20, frame.octets[start] < 0x7F else {
                    start += 1
                    continue
                }
                let end = frame.octets[start...].firstIndex { $0 < 0x20 || $0 >= 0x7F } ?? frame.octets.count
                if end - start > 14, random(3) == 0 {
                    let from = start + 8 + random(4)
                    let canary = Array(Self.canaries[random(Self.canaries.count)].utf8)
                    for (index, place) in (from..<end - 1).enumerated() {
                        frame.octets[place] = canary[index % canary.count]
                    }
                }
                start = end
            }
            return frame
        }
    }

    @Test("text of the wire never becomes markup", arguments: Self.some, 0..<3)
    func hostileText(capture: String, seed: Int) throws {
        // A capture that is damaged has no frames to edit.
        guard let frames = try? KeptFrame.read(RecordedCaptures.path(capture)) else { return }
        let page = Page(hostile(frames, seed: seed))
        #expect(page.strangers == [])
        #expect(page.text.matches(of: #/<script/#).count == 2)
        #expect(page.text.matches(of: #/<!--/#).isEmpty)
        #expect(!page.records("summary").isEmpty)
    }

    @Test("hostile text is shown, escaped")
    func shownText() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-loss-udp.pcap")).map {
            $0.replacing("GStreamer RTSP server", with: "<img src=x onerror=1>")
        }
        let page = Page(frames)
        #expect(page.markup.contains("&lt;img src=x onerror=1&gt;"))
        #expect(page.text.contains(#"\u003cimg src=x onerror=1>"#))
        #expect(page.strangers == [])
    }

    @Test("secrets are masked, unless they are to be revealed")
    func secrets() {
        let capture = "Captures/rtsp/rtsp-digest.pcap"
        var revealed = ReportOptions()
        revealed.secrets = .revealed
        let response = #/response=\\?"?([0-9a-f]{32})/#
        #expect(Page([capture]).text.firstMatch(of: response) == nil)
        #expect(Page([capture], revealed).text.firstMatch(of: response) != nil)
    }

    @Test("beyond the bound, events with findings and their neighbors are kept, and the others counted")
    func bound() throws {
        let capture = "Captures/rtsp/rtsp-loss-udp.pcap"
        let all = Page([capture])
        let page = Page([capture], maxEvents: 12)
        #expect(page.records("event").count <= 12)
        let total = all.records("event").count
        let said = "\(total - page.records("event").count) events are not on this page"
        #expect(page.text.contains(said))
        let concerned = Set(all.records("finding").compactMap { $0["event"] as? Int })
        #expect(concerned.isSubset(of: page.records("event").compactMap { $0["id"] as? Int }))
        #expect(page.records("finding").count == all.records("finding").count)
        #expect(page.strangers == [])
    }

    @Test("rows are bounded by size, too; errors stay")
    func sizeBound() {
        var kept = KeptSteps(most: 1_000, octets: 200_000)
        for index in 1...5_000 {
            var step = PageStep(offset: Int64(index))
            step.event = index
            step.record = [UInt8](repeating: 0x20, count: 1_000)
            if index % 1_000 == 0 {
                step.findings = [.init(rule: "A-B", look: "error", severity: PageText("error"), text: PageText("x"))]
            }
            kept.add(step)
        }
        kept.finish()
        #expect(kept.steps.reduce(0) { $0 + $1.octets } <= 200_000)
        #expect(kept.steps.compactMap(\.event).filter { $0 % 1_000 == 0 } == [1_000, 2_000, 3_000, 4_000, 5_000])
        #expect(kept.steps.contains { $0.event == 4_999 } && kept.steps.contains { $0.event == 5_000 })
        #expect(kept.droppedCount + kept.steps.count == 5_000)
    }

    @Test("a page is at most three times the JSON report, its style and script apart", arguments: Self.some)
    func size(capture: String) {
        let own = PageDocument.style.count + PageDocument.script.count
        #expect(Page([capture]).text.utf8.count - own < 3 * WholeAnalysis.reports(capture).json.utf8.count + 20_000)
    }

    @Test("the verdict is that of the check")
    func verdict() {
        func look(_ page: Page) -> String? {
            page.markup.firstMatch(of: #/class="verdict (\w+)"/#).map { String($0.1) }
        }
        #expect(look(Page(["Captures/rtsp/rtsp-loss-udp.pcap"])) == "failed")
        #expect(look(Page(["Captures/rtsp/rtsp-basic.pcap"])) == "passed")
        #expect(look(Page(["Captures/rtsp/rtsp-basic.pcap", "Captures/rtsp/rtsp-loss-udp.pcap"])) == "failed")
        #expect(look(Page(["Captures/transport/made-cut-short.pcap"])) == "failed")
        var idle = Profile()
        idle.stances.append((Pattern("*"), .off))
        #expect(look(Page(["Captures/rtsp/rtsp-basic.pcap"], profile: idle)) == "idle")
        var lenient = Profile()
        lenient.stances.append((Pattern("RTP-*"), .off))
        #expect(look(Page(["Captures/rtsp/rtsp-loss-udp.pcap"], profile: lenient)) == "passed")
    }

    @Test("several captures are listed at the top, and share the events of a page")
    func several() {
        let captures = ["Captures/rtsp/rtsp-basic.pcap", "Captures/rtsp/rtsp-loss-udp.pcap"]
        let page = Page(captures)
        #expect(page.markup.contains("<li><a href=\"#c2\">Captures/rtsp/rtsp-loss-udp.pcap</a>"))
        #expect(page.markup.matches(of: #/<section class="capture" id="c[12]"/#).count == 2)
        let ids = page.markup.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        #expect(page.strangers == [])
    }

    @Test("requirements of the profile are drawn as the allowed range")
    func allowedRange() {
        var profile = Profile()
        profile.requirements = [
            Requirement(.video, "frame-rate", .range(.init(least: 24, most: 26)), words: "25 ± 1", place: "weir.yml:2")
        ]
        let capture = "Captures/rtsp/rtsp-loss-udp.pcap"
        #expect(!Page([capture]).markup.contains("class=\"allowed\""))
        let page = Page([capture], profile: profile)
        #expect(page.markup.matches(of: #/class="allowed"/#).count == 1)
        #expect(page.markup.contains("<span class=\"bounds bad\" data-t=\"要求 24–26\">required 24–26</span>"))
    }

    @Test("a transport stream is a table of its PIDs, in the page and in the text")
    func transportStream() {
        let capture = "Captures/rtp/mpegts-services.pcap"
        let page = Page([capture])
        #expect(page.strangers == [])
        let row = page.markup.firstMatch(of: #/<td[^>]*>258<\/td><td[^>]*>Zürich \(Weir\)<\/td><td[^>]*>H264<\/td>/#)
        #expect(row != nil)
        #expect(page.markup.contains("MPEG transport stream, network FFmpeg, 420 kbit/s"))
        #expect(page.markup.contains("PCR accuracy"))
        let text = WholeAnalysis.reports(capture).text
        #expect(text.contains(#/258 +Zürich \(Weir\) +H264 +247/#))
        var options = ReportOptions()
        options.language = .chinese
        #expect(Page([capture], options).markup.contains("MPEG 传输流"))
    }

    @Test("texts stand in the language of the report, with those of the other beside")
    func languages() {
        var chinese = ReportOptions()
        chinese.language = .chinese
        let capture = "Captures/rtsp/rtsp-loss-udp.pcap"
        let (first, second) = (Page([capture]), Page([capture], chinese))
        #expect(first.text.contains("<html lang=\"en\">") && first.markup.contains("data-t=\"未通过\">failed<"))
        #expect(second.text.contains("<html lang=\"zh\">") && second.markup.contains("data-t=\"failed\">未通过<"))
    }

    @Test("recurring steps are folded, and none is lost")
    func folds() {
        let page = Page(["Captures/rtsp/rtsp-loss-udp.pcap"])
        let folded = page.markup.matches(of: #/class="fold" [^>]*data-n="(\d+)"/#).compactMap { Int($0.1) }
        #expect(!folded.isEmpty && folded.allSatisfy { $0 > 1 })
    }

    private func step(_ from: String, _ to: String, isForward: Bool = true) throws -> PageStep {
        var step = PageStep(offset: 0)
        step.event = 1
        step.ends = (try end(from), try end(to))
        step.isForward = isForward
        return step
    }

    private func end(_ address: String) throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(address)), port: 5_004)
    }

    @Test("a ladder has a column for each host, the client's first; further hosts share the last")
    func lanes() throws {
        let steps = try (1...9).map { try step("192.0.2.1", "192.0.2.\($0 + 9)") }
        let lanes = LadderLanes(steps, .init(client: try end("192.0.2.1"), server: try end("192.0.2.18")))
        #expect(lanes.names.prefix(3).map(\.name) == ["192.0.2.1", "192.0.2.18", "192.0.2.10"])
        #expect(lanes.names.map(\.roles).prefix(2) == [["client"], ["server"]])
        #expect(lanes.count == 6 && lanes.names.last?.roles == ["others"])
        #expect(lanes.arrow(steps[0]) == LadderSymbols.Arrow(from: 0, to: 2))
        #expect(lanes.arrow(steps[7]) == LadderSymbols.Arrow(from: 0, to: 5))
        #expect(lanes.arrow(steps[8]) == LadderSymbols.Arrow(from: 0, to: 1))
    }

    @Test("if both sides have the same address, the columns are the sides")
    func localLanes() throws {
        let steps = [
            try step("127.0.0.1", "127.0.0.1"), try step("127.0.0.1", "127.0.0.1", isForward: false),
        ]
        let lanes = LadderLanes(steps, .init(client: try end("127.0.0.1"), server: try end("127.0.0.1")))
        #expect(lanes.names.map(\.roles) == [["client"], ["server"]])
        #expect(steps.map { lanes.arrow($0) } == [.init(from: 0, to: 1), .init(from: 1, to: 0)])
    }

    @Test(
        "numbers and names of members are short",
        arguments: [
            (5_000_000.0, "5 M"), (65_536, "65.54 k"), (4_096, "4096"), (200, "200"), (12.345, "12.35"),
            (0.0123, "0.012"),
            (0, "0"),
        ])
    func compact(number: Double, text: String) {
        #expect(MemberText.compact(number) == text)
        #expect(MemberText.title("timeToFirstMediaMs") == "time to first media, ms")
        #expect(MemberText.title("uri") == "uri")
    }

    @Test("positions in a graph are relative to its start, whatever the length of the capture")
    func lateGraph() {
        var page = HTMLWriter()
        let scale = TimeScale(start: Timestamp(nanoseconds: 0), length: 700_000_000_000_000)
        let values = [Graph.Value(from: 600_000_000.5, to: 600_001_000.5, value: 10)]
        Graph(title: PageText("Rate"), unit: "", look: .columns, values: values)
            .write(scale, PageWords(ReportOptions()), &page)
        let text = String(decoding: page.octets, as: UTF8.self)
        #expect(text.contains("data-x=\"600000000\" viewBox=\"-600000000 0 700000000 100\""))
        #expect(text.contains("d=\"M0.5 100V8H1000.5V100z\""))
    }

    @Test("a graph scales to a round value, with its range beside")
    func graph() {
        var page = HTMLWriter()
        let scale = TimeScale(start: Timestamp(nanoseconds: 0), length: 4_000_000_000)
        let values = [(0.0, 1_000.0, 10.0), (1_000, 2_000, 40)].map { Graph.Value(from: $0.0, to: $0.1, value: $0.2) }
        Graph(title: PageText("Rate"), unit: "kbit/s", look: .columns, values: values, allowed: (nil, 20))
            .write(scale, PageWords(ReportOptions()), &page)
        let text = String(decoding: page.octets, as: UTF8.self)
        #expect(text.contains("viewBox=\"0 0 4000 100\""))
        #expect(text.contains("d=\"M0 100V77H1000V100zM1000 100V8H2000V100z\""))
        #expect(text.contains("class=\"allowed\" d=\"M0 54H4000V100H0z\"") && text.contains("class=\"bounds bad\""))
        #expect(text.contains("<span class=\"top\">40</span>"))
    }
}
