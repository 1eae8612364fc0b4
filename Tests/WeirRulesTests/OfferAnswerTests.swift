import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Descriptions exchanged by two sides, and the expected findings of a rule.
struct OfferAnswerCase: Sendable, CustomTestStringConvertible {
    /// A description: `C offer`, `S answer`, and its lines.
    typealias Said = (side: Character, role: SessionDescription.Role, lines: String)

    var rule: String
    var name: String
    var said: [Said]
    /// `severity key` of each finding; empty when the rule passes, nil when it does not apply.
    var expected: [String]?

    var testDescription: String { "\(rule): \(name)" }

    init(_ rule: String, _ name: String, _ said: Said..., expect expected: [String]?) {
        self.rule = rule
        self.name = name
        self.said = said
        self.expected = expected
    }

    /// Returns the findings as `severity key`, and the number of passes.
    func judged() -> (words: [String], passes: Int) {
        let sink = Findings()
        let judge = RuleEngine(rules: OfferAnswer.rules.filter { $0.info.id == rule }, sink: sink)
        let address = IPAddress(ipv4: 0xC000_0201)
        let (client, server) = (Endpoint(address: address, port: 50_000), Endpoint(address: address, port: 6_868))
        for (index, step) in said.enumerated() {
            let isClient = step.side == "C"
            let text = step.lines.split(separator: "\n").map { $0 + "\r\n" }.joined()
            judge.event(
                Event(
                    id: index + 1, frame: index + 1, time: Timestamp(nanoseconds: 0), offset: 0, flow: 1,
                    direction: isClient ? .clientToServer : .serverToClient, source: isClient ? client : server,
                    destination: isClient ? server : client, message: SessionDescription(text, role: step.role)),
                session: nil)
        }
        judge.end(SummaryRecord())
        let words = sink.findings.map { finding in
            "\(finding.verdict == .fail ? finding.severity.rawValue : "inconclusive") \(finding.message.key)"
        }
        return (words, sink.tallies.reduce(0) { $0 + $1.pass })
    }

    private final class Findings: ReportSink {
        var findings: [Finding] = []
        var tallies: [RuleTally] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) { self.findings += findings }
        func finding(_ finding: Finding, session: SessionReference?) { findings.append(finding) }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) {}
        func session(_ record: SessionRecord) {}
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { self.tallies = tallies }
    }
}

extension OfferAnswerCase {
    private static func head(_ session: Int, _ version: Int = 1) -> String {
        "v=0\no=- \(session) \(version) IN IP4 127.0.0.1\ns=-\nt=0 0\nc=IN IP4 0.0.0.0\n"
    }
    private static let audio = "m=audio 9 UDP/TLS/RTP/SAVPF 111\na=rtpmap:111 opus/48000/2\na=mid:0\n"
    private static let video =
        "m=video 9 UDP/TLS/RTP/SAVPF 96 97\na=rtpmap:96 VP8/90000\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96\na=mid:1\n"
    private static func offer(_ lines: String, _ version: Int = 1) -> Said { ("C", .offer, head(7, version) + lines) }
    private static func answer(_ lines: String, _ version: Int = 1) -> Said { ("S", .answer, head(8, version) + lines) }

    static let all = [
        Self("OA-MCOUNT", "as many", offer(audio + video), answer(audio + video), expect: []),
        Self("OA-MCOUNT", "no answer", offer(audio), expect: nil),
        Self("OA-MCOUNT", "one of two", offer(audio + video), answer(audio), expect: ["error OA-MCOUNT.count"]),
        Self(
            "OA-MCOUNT", "exchanged", offer(audio + video), answer(video + audio),
            expect: ["error OA-MCOUNT.type", "error OA-MCOUNT.type"]),
        Self("OA-PT-SUBSET", "the same", offer(audio + video), answer(audio + video), expect: []),
        Self(
            "OA-PT-SUBSET", "rejected", offer(audio),
            answer("m=audio 0 UDP/TLS/RTP/SAVPF 9\n"), expect: nil),
        Self(
            "OA-PT-SUBSET", "another codec", offer(video),
            answer("m=video 9 UDP/TLS/RTP/SAVPF 102\na=rtpmap:102 H264/90000\n"), expect: ["error OA-PT-SUBSET.none"]),
        Self(
            "OA-PT-SUBSET", "another number", offer(video),
            answer("m=video 9 UDP/TLS/RTP/SAVPF 120\na=rtpmap:120 VP8/90000\n"),
            expect: ["warning OA-PT-SUBSET.number"]),
        Self(
            "OA-PT-SUBSET", "a number with another meaning", offer(audio + video),
            answer(
                audio + "m=video 9 UDP/TLS/RTP/SAVPF 96 98\na=rtpmap:96 H264/90000\na=rtpmap:98 VP8/90000\n"),
            expect: ["error OA-PT-SUBSET.meaning", "warning OA-PT-SUBSET.number"]),
        Self(
            "OA-PT-SUBSET", "one more", offer(audio), answer(audio.replacing("F 111", with: "F 111 0")),
            expect: ["note OA-PT-SUBSET.further"]),
        Self("OA-RTX", "of a codec", offer(video), expect: []), Self("OA-RTX", "none", offer(audio), expect: nil),
        Self(
            "OA-RTX", "of nothing", offer(video.replacing(" 96 97", with: " 97")), expect: ["error OA-RTX.unknown"]),
        Self(
            "OA-RTX", "without apt", offer(video.replacing("a=fmtp:97 apt=96\n", with: "")),
            expect: ["error OA-RTX.missing"]),
        Self(
            "OA-EXTMAP", "the same", offer(audio + "a=extmap:1 urn:a\n"), answer(audio + "a=extmap:1 urn:a\n"),
            expect: []),
        Self("OA-EXTMAP", "none", offer(audio + "a=extmap:1 urn:a\n"), answer(audio), expect: nil),
        Self(
            "OA-EXTMAP", "a proposal", offer(audio + "a=extmap:4096 urn:a\n"), answer(audio + "a=extmap:1 urn:a\n"),
            expect: []),
        Self(
            "OA-EXTMAP", "another number", offer(audio + "a=extmap:1 urn:a\n"), answer(audio + "a=extmap:2 urn:a\n"),
            expect: ["error OA-EXTMAP.number"]),
        Self(
            "OA-EXTMAP", "not offered", offer(audio), answer(audio + "a=extmap:2 urn:a\n"),
            expect: ["error OA-EXTMAP.notOffered"]),
        Self("OA-DIR", "fits", offer(audio + "a=sendonly\n"), answer(audio + "a=recvonly\n"), expect: []),
        Self("OA-DIR", "both", offer(audio + "a=sendonly\n"), answer(audio), expect: ["error OA-DIR.against"]),
        Self(
            "OA-DIR", "inactive", offer(audio + "a=inactive\n"), answer(audio + "a=recvonly\n"),
            expect: ["error OA-DIR.against"]),
        Self("OA-DIR", "no answer", offer(audio), expect: nil),
        Self(
            "OA-SETUP", "one begins", offer(audio + "a=setup:actpass\n"), answer(audio + "a=setup:active\n"), expect: []
        ),
        Self("OA-SETUP", "no DTLS", offer(audio), answer(audio), expect: nil),
        Self(
            "OA-SETUP", "both begin", offer(audio + "a=setup:active\n"), answer(audio + "a=setup:active\n"),
            expect: ["error OA-SETUP.active"]),
        Self(
            "OA-SETUP", "nobody begins", offer("a=setup:passive\n" + audio), answer("a=setup:passive\n" + audio),
            expect: ["error OA-SETUP.passive"]),
        Self(
            "OA-REJECT", "stays", offer(audio.replacing(" 9 ", with: " 0 ")),
            answer(audio.replacing(" 9 ", with: " 0 ")),
            expect: []),
        Self("OA-REJECT", "none", offer(audio), answer(audio), expect: nil),
        Self(
            "OA-REJECT", "revived", offer(audio.replacing(" 9 ", with: " 0 ")), answer(audio),
            expect: ["error OA-REJECT.revived"]),
        Self("OA-VERSION", "one higher", offer(audio), answer(audio), offer(audio + video, 2), expect: []),
        Self("OA-VERSION", "the first", offer(audio), expect: nil),
        Self(
            "OA-VERSION", "the same", offer(audio), answer(audio), offer(audio + video),
            expect: ["error OA-VERSION.kept"]),
        Self("OA-VERSION", "lower", offer(audio, 4), answer(audio), offer(video, 3), expect: ["error OA-VERSION.back"]),
        Self(
            "OA-VERSION", "two higher", offer(audio), answer(audio), offer(video, 3),
            expect: ["warning OA-VERSION.step"]),
        Self("OA-REOFFER-MLINES", "one more", offer(audio), answer(audio), offer(audio + video, 2), expect: []),
        Self("OA-REOFFER-MLINES", "the first", offer(audio), expect: nil),
        Self(
            "OA-REOFFER-MLINES", "one less", offer(audio + video), answer(audio + video), offer(video, 2),
            expect: ["error OA-REOFFER-MLINES.fewer"]),
        Self(
            "OA-REOFFER-MLINES", "exchanged", offer(audio + video), answer(audio + video), offer(video + audio, 2),
            expect: ["error OA-REOFFER-MLINES.moved", "error OA-REOFFER-MLINES.moved"]),
        Self("OA-GLARE", "in turn", offer(audio), answer(audio), offer(video, 2), expect: []),
        Self("OA-GLARE", "passed on", offer(audio), offer(audio), answer(audio), expect: []),
        Self("OA-GLARE", "again", offer(audio), offer(video, 2), expect: ["error OA-GLARE.own"]),
        Self("OA-GLARE", "both", offer(audio), ("S", .offer, head(8) + audio), expect: ["warning OA-GLARE.both"]),
        Self("OA-STRAY-ANSWER", "to an offer", offer(audio), answer(audio), expect: []),
        Self("OA-STRAY-ANSWER", "provisional", offer(audio), answer(audio), answer(audio + video, 2), expect: []),
        Self(
            "OA-STRAY-ANSWER", "to an answer", offer(audio), answer(audio), ("C", .answer, head(7, 2) + audio),
            expect: ["error OA-STRAY-ANSWER.answered"]),
        Self(
            "OA-STRAY-ANSWER", "to what was not seen", answer(audio), expect: ["inconclusive OA-STRAY-ANSWER.undecided"]
        ),
    ]
}

/// Each rule on offers and answers, with cases that break and keep it.
@Suite("Rules of offers and answers") struct OfferAnswerTests {
    @Test("each reports what is broken, and the severity", arguments: OfferAnswerCase.all)
    func judges(_ example: OfferAnswerCase) {
        let (words, passes) = example.judged()
        #expect(words.sorted() == (example.expected ?? []).sorted())
        if example.expected == [] { #expect(passes > 0) }
        if example.expected == nil { #expect(passes == 0) }
    }

    @Test("each has a case that keeps it and one that breaks it")
    func everyRule() {
        for rule in OfferAnswer.rules {
            let cases = OfferAnswerCase.all.filter { $0.rule == rule.info.id }
            #expect(
                cases.contains { $0.expected == [] } && cases.contains { $0.expected?.isEmpty == false },
                "\(rule.info.id)")
        }
    }

    @Test("descriptions truncated at either end do not trap")
    func anyDescriptions() {
        for example in OfferAnswerCase.all {
            for length in stride(from: 0, to: 300, by: 13) {
                var cut = example
                cut.said = example.said.map { ($0.side, $0.role, String($0.lines.prefix(length))) }
                _ = cut.judged()
            }
        }
    }
}
