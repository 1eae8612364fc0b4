import Testing
import WeirCapture
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Rules of AMF and FLV")
struct FLVRuleTests {
    private static let cases = FLVCase.amf + FLVCase.flv + FLVCase.enhanced

    @Test("A rule reports what is broken, and the severity", arguments: cases)
    func broken(_ example: FLVCase) {
        var bench = FLVBench()
        example.build(&bench)
        #expect(bench.judged().said(example.rule) == example.said)
    }

    @Test("A connection that keeps every rule has no findings")
    func clean() {
        var bench = FLVBench.begun()
        bench.frames()
        bench.send(18, FLVBench.string("a") + FLVBench.hex("03 000009 07 0000"))
        #expect(bench.judged().findings.map(Collector.line) == [])
    }

    /// The rules that captures of real peers break, and no others.
    private static let captures: [String: [String]] = [
        "rtmp-publish": [], "rtmp-publish-gst": [], "rtmp-publish-rtmpsink": [], "rtmp-play": [], "rtmp-play-gst": [],
        "rtmp-play-rtmpdump": [], "rtmp-loss": [], "rtmp-loss-tap": [], "rtmp-midstream": [], "rtmp-snaplen": [],
        "rtmp-extended": [], "rtmp-several": [], "rtmp-server-killed": [],
        "rtmp-relay": ["note FLV-META.bare Q-RTMP-FLV"],
        "rtmp-hevc-codec-12": ["note FLV-HEVC12.used Q-RTMP-FLV"],
        "rtmp-enhanced-hevc": ["note EFLV-FOURCC.noList"],
        "rtmp-enhanced-multitrack": ["note EFLV-FOURCC.noList", "note EFLV-FOURCC.noList"],
        "rtmp-enhanced-vp9-flac": [
            "note EFLV-FOURCC.noList", "note EFLV-FOURCC.noList", "note FLV-SEQHDR.signature",
        ],
    ]

    @Test("Captures of real peers have exactly the known violations", arguments: captures.keys.sorted())
    func realPeers(_ name: String) throws {
        let collector = Collector()
        let analyzer = Analyzer(sink: RuleEngine(rules: FLVRules.all, sink: collector))
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        var capture = try CaptureFile("\(root)/Captures/rtmp/\(name).pcap")
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [], snapLength: nil))
        while let frame = try capture.next() { analyzer.process(frame) }
        analyzer.finish()
        let failed = collector.findings.filter { $0.verdict == .fail }
        #expect(failed.map(Collector.line).sorted() == Self.captures[name])
    }

    @Test("Every rule has a connection that breaks it and one that keeps it")
    func everyRuleIsTested() {
        var passes: Set<String> = []
        func note(_ bench: FLVBench) {
            for tally in bench.judged().tallies where tally.pass > 0 { passes.insert(tally.rule) }
        }
        var clean = FLVBench.begun()
        clean.frames()
        note(clean)
        for example in Self.cases where example.said.isEmpty {
            var bench = FLVBench()
            example.build(&bench)
            note(bench)
        }
        let all = Set(FLVRules.all.map { $0.info.id })
        #expect(all.subtracting(Self.cases.filter { !$0.said.isEmpty }.map(\.rule)) == [])
        #expect(all.subtracting(passes) == [])
    }

    @Test("Ids are those of the list, each once, and each rule has documentation")
    func descriptions() {
        let ids = FLVRules.all.map { $0.info.id }
        #expect(Set(ids).count == ids.count)
        for rule in FLVRules.all {
            #expect(!rule.info.check.isEmpty && !rule.info.example.isEmpty && !rule.info.reference.isEmpty)
        }
    }
}
