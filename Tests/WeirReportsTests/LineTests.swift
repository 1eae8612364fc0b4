import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

@testable import WeirReports

/// Templates of message lines in languages other than English.
@Suite("Lines in other languages") struct LineTests {
    private static let lines: [String: String] =
        ([("reports", ReportWords.lines(.chinese)), ("engine", EngineWords.lines(.chinese))]
        + BuiltIn.plugins.map { ($0.name, $0.lines(.chinese)) })
        .reduce(into: [:]) { $0.merge($1.1) { first, _ in first } }

    /// Returns the argument numbers of a template.
    private func placeholders(_ template: String) -> Set<String> {
        Set(template.matches(of: /\{(\d+)(?:\|[^}|]*\|[^}|]*)?\}/).map { String($0.output.1) })
    }

    @Test("a template is translated once, with the same arguments")
    func once() {
        var owners: [String: String] = [:]
        let all =
            [("reports", ReportWords.lines(.chinese)), ("engine", EngineWords.lines(.chinese))]
            + BuiltIn.plugins.map { ($0.name, $0.lines(.chinese)) }
        for (owner, lines) in all {
            for (english, chinese) in lines {
                if let other = owners.updateValue(owner, forKey: english) {
                    Issue.record("\(english): \(other) and \(owner)")
                }
                #expect(placeholders(english) == placeholders(chinese), "\(english)")
            }
        }
        #expect(owners.count > 250)
    }

    @Test("H.264 NAL unit types have a name in Chinese", arguments: UInt8(0)..<32)
    func unitTypes(_ type: UInt8) {
        #expect(Self.lines[H264Payload.name(ofType: type).text.key] != nil)
    }

    /// Collects the templates of all lines of a capture, and the lines that differ from their fast rendering.
    private final class Templates: ReportSink {
        var untranslated: Set<String> = []
        var different: [String] = []
        private let known: Set<String>

        init(known: Set<String>) { self.known = known }

        private func note(_ wording: Wording) {
            note(wording.text)
        }

        private func note(_ text: Text) {
            let words = text.key.replacing(/\{\d+(\|[^}]*)?\}/, with: "")
            if words.contains(where: \.isLetter), !known.contains(text.key) { untranslated.insert(text.key) }
            for case .text(let piece) in text.arguments { note(piece) }
        }

        var factPolicies: Set<SecretPolicy> { [] }
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
            let wording = event.message.wording(.masked)
            note(wording)
            var octets: [UInt8] = []
            event.message.writeSummary(.masked, to: &octets)
            let written = String(decoding: octets, as: UTF8.self)
            if written != wording.english { different.append("\(written) | \(wording.english)") }
        }
        func finding(_ finding: Finding, session: SessionReference?) {}
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) { note(stream.details.wording) }
        func session(_ record: SessionRecord) {}
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
    }

    @Test(
        "every line of a capture is translated, with the same result on the fast path",
        arguments: RecordedCaptures.sample(RecordedCaptures.all, every: 2))
    func everyTemplate(_ capture: String) throws {
        let templates = Templates(known: Set(Self.lines.keys))
        var options = AnalyzerOptions()
        options.packets = true
        try? WholeAnalysis.run(RecordedCaptures.path(capture), options: options, into: templates)
        #expect(templates.untranslated.sorted() == [])
        #expect(templates.different.prefix(5) == [])
    }

    @Test("no English is left in Chinese text", arguments: RecordedCaptures.all)
    func noEnglish(_ capture: String) {
        var options = ReportOptions()
        options.language = .chinese
        let text = WholeAnalysis.reports(capture, options: options, width: 1_000).text
        // English function words, which no name contains.
        let glue = /\b(the|of|is|are|was|were|has|have|with|without|from|after|before|which|that|its|by|than|when)\b/
        for line in text.split(separator: "\n").dropFirst() {
            let bare = line.replacing(/[“"][^”"]*[”"]/, with: "")
            #expect(bare.firstMatch(of: glue) == nil, "\(line)")
        }
    }

    @Test("Chinese text has full-width punctuation", arguments: RecordedCaptures.sample(RecordedCaptures.all, every: 2))
    func fullWidth(_ capture: String) {
        var options = ReportOptions()
        options.language = .chinese
        let output = MemoryOutput()
        _ = WholeAnalysis.check([capture], into: VerdictReport(.text, options, output: output))
        let text = WholeAnalysis.reports(capture, options: options, width: 1_000).text + output.text
        let narrow = /\p{Han} ?[,;:(]|[,;:)] ?\p{Han}/
        for line in text.split(separator: "\n").dropFirst() where !line.contains(") 等，另有") {
            #expect(line.firstMatch(of: narrow) == nil, "\(line)")
        }
    }

    @Test("numbers in a nested sentence are its arguments")
    func counting() {
        let wording = Wording(counting: "more than 65536 interfaces")
        #expect(wording.english == "more than 65536 interfaces")
        #expect(wording.text == Text("more than {0} interfaces", .string("65536")))
        let chinese = Catalogue(.chinese, .masked, BuiltIn.plugins)
        #expect(chinese.line(wording) == "接口多于 65536 个")
        #expect(
            chinese.line(Wording(counting: "header length 12, but the least is 20")) == "头部长度为 12，至少应为 20")
        #expect(chinese.line("no such template: \(3)") == "no such template: 3")
        #expect(
            Catalogue(.english, .masked, BuiltIn.plugins).line("key frame \(1) at seq \(2)") == "key frame 1 at seq 2")
        #expect(chinese.line("key frame \(1) at seq \(2)") == "第 1 个关键帧，序号 2")
    }

    @Test("singular forms are used for one, and only for one")
    func counts() {
        func line(_ count: Int) -> Wording { "\(grouped: count, "packet", "packets")" }
        #expect(line(1).english == "1 packet")
        #expect(line(0).english == "0 packets")
        #expect(line(1_234).english == "1\u{A0}234 packets")
        #expect(([line(1), line(2)].joined(separator: ", ") + "!").english == "1 packet, 2 packets!")
    }
}
