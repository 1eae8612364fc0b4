import CaptureTesting
import Testing
import WeirPackets

@testable import WeirEngine
@testable import WeirProtocols
@testable import WeirReports

@Suite("The gate: profiles, waivers, baselines") struct GateTests {
    private static let broken = "Captures/rtsp/article-dialogue.pcap"

    private func check(_ profile: Profile, _ captures: [String] = [broken], baseline: Baseline? = nil) -> RunVerdict {
        WholeAnalysis.check(captures, profile, baseline: baseline, into: ReportGroup([])).run
    }

    @Test(
        "an asterisk stands for any characters",
        arguments: [
            ("RTSP-*", "RTSP-CSEQ", true), ("RTSP-*", "RTP-SEQ", false), ("*", "", true), ("*-CSEQ", "RTSP-CSEQ", true),
            ("R*-C*Q", "RTSP-CSEQ", true), ("R*-C*Q", "RTSP-CSEQX", false), ("AB*BA", "ABA", false),
            ("RTSP", "RTSP", true), ("RTSP", "RTSPX", false), ("a**b", "ab", true),
        ])
    func pattern(pattern: String, name: String, matches: Bool) {
        #expect(Pattern(pattern).matches(name) == matches)
    }

    @Test("the nearest name is suggested, and nothing distant")
    func nearest() {
        #expect(Nearest.name(to: "faill-on", among: ["fail-on", "strict"]) == "fail-on")
        #expect(Nearest.name(to: "rtsp-cseq-ehco", among: ["RTSP-CSEQ-STEP", "RTSP-CSEQ-ECHO"]) == "RTSP-CSEQ-ECHO")
        #expect(Nearest.name(to: "zzz", among: ["fail-on"]) == nil)
    }

    @Test("what fails the check depends on severity and threshold")
    func threshold() {
        #expect(check(Profile()).isFailed)
        var profile = Profile()
        profile.stances = [(Pattern("SDP-*"), .off), (Pattern("RTSP-SESSION-ECHO"), .severity(.warning))]
        #expect(!check(profile).isFailed)
        profile.failOn = .warning
        #expect(check(profile).isFailed)
        profile.only = [Pattern("RTSP-CSEQ-*")]
        #expect(!check(profile).isFailed)
    }

    @Test("a profile's severity applies to every finding of the rule")
    func severity() {
        var profile = Profile()
        profile.stances = [(Pattern("*"), .severity(.note))]
        let run = check(profile)
        #expect(run.counts.errors == 0 && run.counts.warnings == 0 && run.counts.notes == 11)
    }

    @Test("strict counts recommendations as warnings, and ignores quirks")
    func strict() {
        var profile = Profile()
        profile.isStrict = true
        let habit = ["Captures/rtsp/rtsp-record-to-ffmpeg.pcap"]
        let run = check(profile, habit)
        #expect(run.threshold == .warning && run.isFailed)
        #expect(run.counts.errors > check(Profile(), habit).counts.errors)
        let recommendation = ["Captures/rtsp/rtsp-basic.pcap"]
        #expect(check(Profile(), recommendation).counts.warnings == 0)
        #expect(check(profile, recommendation).counts.warnings == 1)
    }

    @Test("a rule's limit can be set by the profile")
    func limits() {
        let capture = "Captures/rtsp/rtsp-any-sll2.pcap"
        #expect(check(Profile(), [capture]).worst == .warning)
        var profile = Profile()
        profile.limits = ["RTP-SEQ-LOSS.warning": 5]
        #expect(check(profile, [capture]).worst ?? .note == .note)
    }

    @Test("a waiver accepts what it covers, until its date; one that covers nothing is stale")
    func waivers() {
        func waiver(_ rule: String, file: String? = nil, _ expires: String? = nil) -> Waiver {
            Waiver(
                rule: Pattern(rule), capture: file.map { Pattern($0) }, reason: "known", expires: expires, place: "p:1")
        }
        var profile = Profile()
        profile.waivers = [waiver("SDP-*"), waiver("RTSP-SESSION-ECHO", file: "article-*.pcap", "2026-11-22")]
        var run = check(profile)
        #expect(!run.isFailed && run.waived == 4 && run.stale == [] && run.expired == [])
        profile.waivers[1].expires = "2026-11-21"
        run = check(profile)
        #expect(run.isFailed && run.expired.map(\.place) == ["p:1"])
        profile.waivers = [waiver("*"), waiver("RTMP-*")]
        run = check(profile)
        #expect(!run.isFailed && run.stale == [profile.waivers[1]])
        profile.waivers = [waiver("RTMP-*", file: nil, "2020-01-01")]
        #expect(check(profile, ["Captures/rtsp/rtsp-basic.pcap"]).isFailed, "nobody looks at it any more")
    }

    @Test("baseline findings are accepted; new ones fail; resolved ones are named")
    func baseline() throws {
        let found = WholeAnalysis.check([Self.broken], Profile(), into: ReportGroup([])).found
        var run = check(Profile(), baseline: found)
        #expect(!run.isFailed && run.fresh == [] && run.gone == [] && run.known == 11)
        var less = Baseline()
        for entry in found.entries where entry.rule != "RTSP-SESSION-ECHO" { less.add(entry) }
        run = check(Profile(), baseline: less)
        #expect(run.isFailed && run.fresh?.map(\.rule) == ["RTSP-SESSION-ECHO"])
        run = check(Profile(), ["Captures/rtsp/rtsp-basic.pcap"], baseline: found)
        #expect(run.gone.count == found.entries.count)
        var some = Profile()
        some.only = [Pattern("RTP-*")]
        #expect(check(some, baseline: found).gone == [], "rules that did not judge have found nothing")
    }

    @Test("for a capture of the control connection alone, capturing UDP is advised; for a complete one it is not")
    func noMedia() throws {
        final class Advice: VerdictSink {
            var lacks: [CaptureAdvice.Lack] = []
            func begin(_ capture: CaptureRecord) {}
            func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
            func finding(_ finding: Finding, session: SessionReference?) {}
            func flow(_ flow: FlowRecord) {}
            func stream(_ stream: StreamRecord, session: SessionReference?) {}
            func session(_ record: SessionRecord) {}
            func verdict(_ verdict: CaptureVerdict) { lacks = verdict.advice.map(\.lack) }
            func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {}
        }
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        for (isWhole, lacks) in [(true, []), (false, [CaptureAdvice.Lack.noMedia])] {
            let sink = Advice()
            let gate = Gate(Profile(), rules: [], baseline: nil, day: "2026-11-22", sink: sink)
            let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: gate))
            analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
            // IPv4 in Ethernet: protocol 6 is TCP.
            for frame in frames where isWhole || frame.octets.dropFirst(23).first == 6 {
                frame.use { analyzer.process($0) }
            }
            analyzer.finish()
            #expect(sink.lacks == lacks)
        }
    }

    @Test("fingerprints of a dialogue do not depend on addresses, ports, ids and times")
    func fingerprints() throws {
        let text = Conversations.play.text
        let edits = [("200 OK\nCSeq: 2", "200 OK\nCSeq: 0")]
        let one = try #require(Conversations.play.replacing(edits)).judged()
        #expect(!one.findings.isEmpty)
        for (old, new) in [("12345678", "ABCDEF0123"), ("1000", "2222")] where text.contains(old) {
            let other = try #require(Conversations.play.replacing(edits + [(old, new)])).judged()
            #expect(Set(one.findings.map(\.fingerprint)) == Set(other.findings.map(\.fingerprint)))
        }
    }

    @Test("if nothing was judged, each report says so")
    func nothingJudged() throws {
        var profile = Profile()
        profile.stances = [(Pattern("*"), .off)]
        for (only, sentence) in [
            (profile, "No rules left to check"), (Profile(), "Nothing was checked: the capture"),
        ] {
            let capture =
                only.stances.isEmpty ? "Captures/transport/fragments-ping.pcap" : "Captures/rtsp/article-dialogue.pcap"
            for format in [VerdictReport.Format.text, .markdown, .github, .junit, .sarif] {
                let output = MemoryOutput()
                let report = VerdictReport(format, ReportOptions(), VerdictOptions(), output: output)
                let run = WholeAnalysis.check([capture], only, into: report).run
                #expect(run.judged == 0 && !run.isFailed)
                let words = output.text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
                #expect(words.contains(sentence), "\(format): \(words)")
                #expect(!words.contains("✅"))
            }
        }
        let dialogue = ["Captures/rtsp/article-dialogue.pcap"]
        #expect(WholeAnalysis.check(dialogue, Profile(), into: ReportGroup([])).run.judged > 0)
    }
}

@Suite("Requirements of a profile") struct RequirementTests {
    private static let publish = "Captures/rtmp/rtmp-publish.pcap"
    private static let camera = "Captures/rtsp/rtsp-udp.pcap"

    private func said(_ requirement: Requirement, _ capture: String = publish) -> (RunVerdict, RuleTally?) {
        final class Tallies: Report {
            var last: [RuleTally] = []
            func begin(_ capture: CaptureRecord) {}
            func event(_ event: Event, session: SessionReference?, findings: [Finding]) {}
            func finding(_ finding: Finding, session: SessionReference?) {}
            func flow(_ flow: FlowRecord) {}
            func stream(_ stream: StreamRecord, session: SessionReference?) {}
            func session(_ record: SessionRecord) {}
            func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { last = tallies }
            func flush() {}
            func finish() {}
        }
        var profile = Profile()
        profile.requirements = [requirement]
        let tallies = Tallies()
        let gate = WholeAnalysis.check([capture], profile, into: tallies)
        return (gate.run, tallies.last.first { $0.rule == requirement.id })
    }

    private static func range(
        _ subject: Requirement.Subject, _ name: String, _ least: Double?, _ most: Double?
    ) -> Requirement {
        Requirement(subject, name, .range(.init(least: least, most: most)), words: "", place: "p:1")
    }

    private static func words(_ subject: Requirement.Subject, _ name: String, _ words: String...) -> Requirement {
        Requirement(subject, name, .words(words), words: "", place: "p:1")
    }

    /// Properties of the published stream: H.264 High 1 160×120 at 10 fps, one key frame per second, AAC 22.05 kHz
    /// mono, 4 s.
    private static let matched = [
        words(.video, "codec", "h264"), words(.video, "codec", "HEVC", "AVC"), words(.video, "size", "160×120"),
        words(.video, "profile", "High"), words(.video, "level", "1"), range(.video, "frame-rate", 9, 11),
        range(.video, "keyframe-interval", nil, 1), words(.audio, "codec", "AAC"),
        range(.video, "max-keyframe-interval", 1, 1),
        range(.audio, "sample-rate", 22_050, 22_050), range(.audio, "channels", 1, 1), range(.media, "stall", nil, 0.5),
        range(.session, "setup", nil, 0.3), range(.session, "first-picture", nil, 1),
        range(.session, "published", 3, nil),
        Requirement(.session, "server.peerBandwidthAnswered", .flag(false), words: "false", place: "p:1"),
    ]

    @Test("are met by matching streams", arguments: matched)
    func isMatched(requirement: Requirement) {
        let (run, tally) = said(requirement)
        #expect(!run.isFailed)
        #expect(tally?.pass ?? 0 > 0 && tally?.fail == 0 && tally?.inconclusive == 0)
    }

    @Test("about the latency of SRT and the continuity of transport streams are met and broken")
    func carriers() {
        let latency = Self.range(.session, "latency-per-rtt", 3.5, nil)
        #expect(said(latency, "Captures/srt/srt-repair.pcap").1?.pass == 1)
        let (run, tally) = said(latency, "Captures/srt/srt-late-repair.pcap")
        #expect(run.isFailed && tally?.fail == 1)
        let whole = Self.range(.media, "continuity-errors", nil, 0)
        #expect(said(whole, "Captures/rtp/mpegts-services.pcap").1?.pass == 1)
        // Without a transport stream, it is unknown.
        #expect(said(whole, Self.camera).1?.inconclusive ?? 0 > 0)
    }

    @Test(
        "are broken by other streams",
        arguments: [
            words(.video, "codec", "H265"), words(.video, "size", "1920x1080"), range(.video, "frame-rate", 24, 26),
            range(.video, "keyframe-interval", nil, 0.5), range(.video, "max-keyframe-interval", nil, 0.5),
            range(.audio, "sample-rate", 48_000, 48_000),
            range(.audio, "channels", 2, 2), range(.media, "stall", nil, 0.001), range(.session, "setup", nil, 0.1),
            range(.session, "published", 30, nil),
            Requirement(.session, "server.peerBandwidthAnswered", .flag(true), words: "true", place: "p:1"),
        ])
    func isBroken(requirement: Requirement) {
        let (run, tally) = said(requirement)
        #expect(run.isFailed && run.worst == .error)
        #expect(tally?.fail ?? 0 > 0)
    }

    @Test("one key frame in a long stream is too few")
    func oneKeyframe() {
        // One key frame in 2.9 s.
        let single = "Captures/rtsp/rtsp-any-sll2.pcap"
        let said = said(Self.range(.video, "keyframe-interval", nil, 2), single)
        #expect(said.1?.fail == 1)
        #expect(self.said(Self.range(.video, "keyframe-interval", nil, 10), single).1?.inconclusive == 1)
    }

    @Test("for absent streams fail, and are undecided if the capture is incomplete")
    func absent() {
        let audio = Self.words(.audio, "codec", "Opus")
        #expect(said(audio, "Captures/rtsp/rtsp-basic.pcap").1?.fail == 1 || said(audio, Self.camera).1?.fail ?? 0 > 0)
        let published = Self.range(.session, "published", 1, nil)
        #expect(said(published, Self.camera).0.isFailed)
        let late = said(published, "Captures/rtsp/rtsp-midstream-udp.pcap")
        #expect(!late.0.isFailed && late.1?.inconclusive == 1)
    }

    @Test("for RTP properties: profile, size, key frames and loss")
    func rtp() {
        let dialogue = "Captures/rtsp/article-dialogue.pcap"
        for requirement in [
            Self.words(.video, "profile", "Main"), Self.words(.video, "size", "720x480"),
            Self.range(.video, "keyframe-interval", 1.9, 2.1), Self.range(.video, "loss", nil, 0.1),
        ] {
            #expect(said(requirement, dialogue).1?.pass == 1, "\(requirement.name)")
        }
        #expect(said(Self.range(.media, "loss", nil, 0.1), "Captures/rtsp/rtsp-loss-udp.pcap").0.isFailed)
    }
}

@Suite("Clauses covered by a capture") struct CoverageTests {
    private func rule(_ id: String, _ reference: String) -> RuleInfo {
        RuleInfo(id, .error, .must, reference: reference, check: "", example: "")
    }

    @Test("a clause has the status of its worst rule, and references may name several")
    func states() throws {
        var tallies = ["A-1", "A-2", "A-3", "A-4"].map { RuleTally(rule: $0) }
        tallies[0].pass = 2
        tallies[1].fail = 1
        tallies[2].inconclusive = 1
        let coverage = ClauseCoverage.of(
            [
                rule("A-1", "RFC 1 §1, §2"), rule("A-2", "RFC 1 §2"), rule("A-3", "RFC 2 §A.1, RFC 1 §3"),
                rule("A-4", "RFC 1 §4"), rule("A-5", "practice"), rule("A-6", "RFC 9 §9"),
            ], tallies)
        #expect(coverage.map(\.specification) == ["RFC 1", "RFC 2"])
        let first = try #require(coverage.first)
        #expect(first.clauses.map(\.name) == ["§1", "§2", "§3", "§4"])
        #expect(first.clauses.map(\.state) == [.kept, .broken, .undecided, .untried])
        #expect(first.exercised == 3)
        #expect(ClauseCoverage.clauses("E-RTMP v2 \"Multitrack\"").map(\.clause) == ["\"Multitrack\""])
    }
}
