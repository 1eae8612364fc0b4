import Testing
import WeirCapture
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Rules of RTMP")
struct RTMPRuleTests {
    @Test("Valid connections have no findings except that keys are readable")
    func clean() {
        #expect(RTMPScript.play.judged(by: RTMP.messageRules).findings.map(Collector.line) == [])
        #expect(
            RTMPScript.publish.judged(by: RTMP.messageRules).findings.map(Collector.line) == [
                "note RTMP-KEY-CLEAR.name"
            ])
    }

    @Test("A rule reports what is broken, and the severity", arguments: RTMPCases.all)
    func broken(_ example: RTMPCase) throws {
        let script = try #require(example.script.replacing(example.edits))
        #expect(script.judged(by: RTMP.messageRules).said(example.rule) == example.said)
    }

    @Test("Every rule has a connection that breaks it and one that keeps it")
    func everyRuleIsTested() {
        var passes: Set<String> = []
        for script in [RTMPScript.publish, RTMPScript.play] {
            for tally in script.judged(by: RTMP.messageRules).tallies where tally.pass > 0 { passes.insert(tally.rule) }
        }
        let breaks = Set(RTMPCases.all.filter { !$0.said.isEmpty }.map(\.rule))
        let all = Set(RTMP.messageRules.map { $0.info.id })
        #expect(all.subtracting(breaks) == [])
        #expect(all.subtracting(passes) == [])
    }

    @Test("A capture that starts late has no errors about missing packets")
    func startsLate() throws {
        let text = RTMPScript.publish.text
        let place = try #require(text.firstRange(of: "C 20 1 publish"))
        let late = RTMPScript(String(text[place.lowerBound...]), startsLate: true)
        let said = late.judged(by: RTMP.messageRules).findings.filter { $0.verdict == .fail && $0.severity == .error }
        #expect(said.map(Collector.line) == [])
    }

    @Test("A capture of one direction has no errors about the other", arguments: [true, false])
    func oneSided(_ isClient: Bool) {
        for script in [RTMPScript.publish, .play] {
            let half = RTMPScript(script.text, onlyClient: isClient)
            let said = half.judged(by: RTMP.messageRules).findings.filter {
                $0.verdict == .fail && $0.severity != .note
            }
            #expect(said.map(Collector.line) == [])
        }
    }

    @Test("onStatus in a data message is a command out of place only with a transaction")
    func dataStatus() throws {
        let plain = "S 18 1 onStatus {code=NetStream.Data.Start}\nC csid=6 ts=16777300"
        let script = try #require(RTMPScript.publish.replacing([("C csid=6 ts=16777300", plain)]))
        let collector = script.judged(by: RTMP.messageRules)
        #expect(collector.said("RTMP-CMD-TYPE") == [] && collector.said("RTMP-ONSTATUS") == [])
        let command = plain.replacing("onStatus {", with: "onStatus 0 {")
        let other = try #require(RTMPScript.publish.replacing([("C csid=6 ts=16777300", command)]))
        #expect(other.judged(by: RTMP.messageRules).said("RTMP-CMD-TYPE") == ["warning RTMP-CMD-TYPE.data"])
    }

    @Test("Every rule has documentation, each once")
    func descriptions() {
        let ids = RTMP.messageRules.map { $0.info.id }
        #expect(Set(ids).count == ids.count)
        for rule in RTMP.messageRules {
            #expect(!rule.info.check.isEmpty && !rule.info.example.isEmpty && !rule.info.reference.isEmpty)
            #expect(rule.info.id.hasPrefix("RTMP-"))
        }
    }
}

@Suite("Rules of RTMP on captures of real peers")
struct RTMPCaptureTests {
    /// Sessions of ffmpeg, GStreamer, librtmp and nginx-rtmp that succeeded, or ended without violating a rule.
    private static let healthy = [
        "chunks-128", "chunks-60000", "chunks-changing", "enhanced-av1-opus", "enhanced-hevc", "enhanced-multitrack",
        "enhanced-play", "enhanced-vp9-flac", "extended", "extended-start", "hevc-codec-12", "loss", "loss-tap",
        "midstream", "play", "play-chunks-60000", "play-digest", "play-extended", "play-extended-start", "play-gst",
        "play-nothing", "play-odd-port", "play-rtmpdump", "publish", "publish-denied", "publish-gst",
        "publish-odd-port", "publish-rtmpsink", "publish-taken", "relay", "server-killed", "several", "snaplen",
    ]

    @Test("No errors in healthy captures", arguments: healthy)
    func noFalseErrors(_ name: String) throws {
        let said = try Self.judged("rtmp-\(name)")
        #expect(said.findings.filter { $0.verdict == .fail && $0.severity == .error }.map(Collector.line) == [])
    }

    @Test("A server that closes leaves commands unanswered")
    func closeTime() throws {
        #expect(try Self.judged("rtmp-no-application").said("RTMP-RESULT") == ["error RTMP-RESULT.never"])
        #expect(try Self.judged("rtmp-publish-403").said("RTMP-ONSTATUS") == ["error RTMP-ONSTATUS.never"])
    }

    @Test("The clients of the articles have exactly the known violations")
    func articles() throws {
        let handshake = Set(try Self.judged("article-handshake").findings.map(\.rule))
        #expect(handshake.isSuperset(of: ["RTMP-HS-TIME2"]))
        let publish = Set(try Self.judged("article-publish").findings.map(\.rule))
        #expect(
            publish.isSuperset(of: [
                "RTMP-HS-C2", "RTMP-PEERBW", "RTMP-CMD-TYPE", "RTMP-EXT-CMD", "RTMP-TXID-ZERO", "RTMP-CODEC-FLAGS",
            ]))
        #expect(try Self.judged("article-publish-stalled").said("RTMP-HS-STALL").count == 1)
        #expect(
            try Self.judged("article-publish-media").said("RTMP-MEDIA-EARLY").contains("note RTMP-MEDIA-EARLY.early"))
    }

    /// Judges a capture in `Captures/rtmp`.
    private static func judged(_ name: String) throws -> Collector {
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: RTMP.messageRules, sink: collector))
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        var capture = try CaptureFile("\(root)/Captures/rtmp/\(name).pcap")
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [], snapLength: nil))
        while let frame = try capture.next() { analyzer.process(frame) }
        analyzer.finish()
        return collector
    }
}
