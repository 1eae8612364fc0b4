import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols
import WeirReports

@testable import WeirKit

@Suite("Profile files") struct ProfileTests {
    private static let rules = BuiltIn.rules.map { $0.info }

    private func read(_ text: String) throws(ProfileError) -> CheckProfile {
        try CheckProfile(yaml: text, file: "weir.yml", rules: Self.rules)
    }

    @Test("a file sets what it contains")
    func whole() throws {
        let read = try read(
            """
            name: camera
            extends: strict
            fail-on: error
            skip-rule: [RTSP-DATE-FORMAT, "RTP-*"]
            rules:
              RTMP-PEERBW: error
              SDP-*: warning
              SDP-BW: off
            thresholds:
              RTP-JITTER.audio: 12 ms
              RTP-SEQ-LOSS.error: 3%
            require:
              video: {codec: [H264, H265], size: 1920x1080, frame-rate: 25 ± 1, keyframe-interval: <= 2 s}
              audio: {sample-rate: 48 kHz, channels: stereo, bit-rate: 64–128 kbit/s}
              session:
                published: at least 30 s
                facts: {server.peerBandwidthAnswered: true}
            waivers:
              - {rule: SDP-C-ADDR, reason: old firmware, expires: 2026-12-31}
            baseline: known.json
            coverage: true
            """)
        let profile = read.profile
        #expect(profile.name == "camera" && profile.isStrict && profile.threshold == .error)
        #expect(!profile.includes("RTP-SEQ-LOSS") && profile.includes("RTCP-SR-ABSENT"))
        #expect(!profile.includes("SDP-BW") && profile.severity(of: "SDP-T") == .warning)
        #expect(profile.severity(of: "RTMP-PEERBW") == .error && profile.severity(of: "RTMP-ACK") == nil)
        #expect(profile.limits == ["RTP-JITTER.audio": 12, "RTP-SEQ-LOSS.error": 3])
        #expect(
            profile.requirements.map(\.id) == [
                "REQUIRE-VIDEO-CODEC", "REQUIRE-VIDEO-SIZE", "REQUIRE-VIDEO-FRAME-RATE",
                "REQUIRE-VIDEO-KEYFRAME-INTERVAL", "REQUIRE-AUDIO-SAMPLE-RATE", "REQUIRE-AUDIO-CHANNELS",
                "REQUIRE-AUDIO-BIT-RATE", "REQUIRE-SESSION-PUBLISHED",
                "REQUIRE-SESSION-SERVER-PEERBANDWIDTHANSWERED",
            ])
        #expect(profile.waivers.map(\.expires) == ["2026-12-31"])
        #expect(profile.waivers.map(\.place) == ["weir.yml:19"])
        #expect(read.baseline == "known.json" && read.withCoverage)
    }

    @Test(
        "errors have the line and the nearest valid name",
        arguments: [
            ("faill-on: error", 1, "there is no key 'faill-on' in a profile. Did you mean 'fail-on'?"),
            ("fail-on: eror", 1, "Did you mean 'error'?"),
            ("\nrules:\n  RTSP-CSEQ-EHCO: off", 3, "there is no rule 'RTSP-CSEQ-EHCO'. Did you mean 'RTSP-CSEQ-ECHO'?"),
            ("rules:\n  RTSP-CSEQ-ECHO: of", 2, "not 'of'. Did you mean 'off'?"),
            ("rule: RTXP-*", 1, "there is no rule 'RTXP-*'"),
            ("thresholds:\n  RTP-JITTER.adio: 3", 2, "Did you mean 'RTP-JITTER.audio'?"),
            ("thresholds:\n  RTP-JITTER.audio: fast", 2, "takes a number, in ms"),
            ("require:\n  vide: {}", 2, "Did you mean 'video'?"),
            ("require:\n  video:\n    framerate: 25", 3, "Did you mean 'frame-rate'?"),
            ("require:\n  video:\n    keyframe-interval: 2", 3, "takes a time such as '<= 500 ms'"),
            ("waivers:\n  - rule: SDP-BW", 2, "a waiver needs a reason"),
            ("waivers:\n  - rule: SDP-BW\n    reason: x\n    expires: 2026-02-30", 4, "takes a day"),
            ("waivers:\n  - rule: SDP-BW\n    reson: x", 3, "Did you mean 'reason'?"),
            ("require:\n  video:\n    loss: '>= 200 %'", 3, "a share is at most 100 %"),
            ("require:\n  video:\n    frame-rate: 0", 3, "no rate is 0"),
            ("rule: *", 1, "stands in quotation marks: '*'"), ("rules:\n  *-CSEQ: off", 2, "stands in quotation marks"),
            ("strict: perhaps", 1, "takes true or false"),
            ("extends: defualt", 1, "Did you mean 'default'?"),
            ("rules: [a", 2, ""), ("strict: true\nstrict: false", 2, "stands twice"),
            ("- a", 1, "takes keys and values"),
        ])
    func wrong(text: String, line: Int, reason: String) {
        let error = #expect(throws: ProfileError.self) { try read(text) }
        #expect(error?.file == "weir.yml")
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true || reason.isEmpty, "\(error?.reason ?? "")")
    }

    @Test("an empty file sets nothing")
    func empty() throws {
        for text in ["", "# nothing\n"] {
            let profile = try read(text).profile
            #expect(profile.threshold == .error && profile.requirements.isEmpty && profile.includes("SDP-BW"))
        }
    }

    @Test("a profile extends others, without cycles")
    func extends() throws {
        let files = ["base.yml": "fail-on: note\nrules: {SDP-BW: off}", "loop.yml": "extends: loop.yml"]
        let read = try CheckProfile(
            yaml: "extends: base.yml\nrules: {SDP-BW: on}", file: "weir.yml", rules: Self.rules
        ) { files[$0] }
        #expect(read.profile.threshold == .note && read.profile.includes("SDP-BW"))
        #expect(throws: ProfileError.self) {
            try CheckProfile(yaml: "extends: loop.yml", file: "weir.yml", rules: Self.rules) { files[$0] }
        }
    }

    @Test(
        "each built-in profile is readable, and passes every healthy capture of its kind",
        arguments: CheckProfile.builtIn)
    func builtIn(name: String) throws {
        let read = try #require(try CheckProfile.named(name, rules: Self.rules))
        #expect(read.profile.name == name)
        let healthy = [
            "default": "rtsp/rtsp-basic", "onvif-streaming": "rtsp/rtsp-basic", "rtmp-ingest": "rtmp/rtmp-publish",
            "webrtc": "rtsp/rtsp-basic", "low-latency": "rtsp/rtsp-basic", "strict": "rtsp/rtsp-b-frames",
        ]
        let capture = "Captures/" + (try #require(healthy[name])) + ".pcap"
        let run = WholeAnalysis.check([capture], read.profile, into: ReportGroup([])).run
        #expect(!run.isFailed, "\(run.worst.map(\.rawValue) ?? "")")
    }

    @Test(
        "bounds are read in common notations",
        arguments: [
            ("<= 2 s", Fact.Unit.seconds, nil, 2.0), ("≤500 ms", .seconds, nil, 0.5), ("within 1 s", .seconds, nil, 1),
            (">= 30 s", .seconds, 30, nil), ("at least 2 min", .seconds, 120, nil), ("25 ± 1", .frameRate, 24, 26),
            ("25 fps ± 1", .frameRate, 24, 26), ("25 ± 1 fps", .frameRate, 24, 26),
            ("2..6 Mbit/s", .bitRate, 2_000_000, 6_000_000), ("2–6 Mbit/s", .bitRate, 2_000_000, 6_000_000),
            ("800 kbit/s to 2 Mbit/s", .bitRate, 800_000, 2_000_000), ("48 kHz", .hertz, 48_000, 48_000),
            ("stereo", .count, 2, 2), ("<= 0.1 %", .percent, nil, 0.1), ("3", .count, 3, 3),
        ] as [(String, Fact.Unit, Double?, Double?)])
    func quantities(text: String, unit: Fact.Unit, least: Double?, most: Double?) throws {
        let range = try #require(Quantity.range(text, unit))
        #expect(range.least.map { ($0 * 1e6).rounded() } == least.map { ($0 * 1e6).rounded() })
        #expect(range.most.map { ($0 * 1e6).rounded() } == most.map { ($0 * 1e6).rounded() })
    }

    @Test(
        "meaningless bounds are rejected",
        arguments: [
            ("2", Fact.Unit.seconds), ("fast", .seconds), ("<= 2 kHz", .seconds), ("6..2 Mbit/s", .bitRate),
            ("", .count),
            ("1e999 s", .seconds),
        ])
    func noQuantities(text: String, unit: Fact.Unit) {
        #expect(Quantity.range(text, unit) == nil)
    }

    @Test("a baseline is read back as written, one line per finding")
    func baseline() throws {
        let found = WholeAnalysis.check(["Captures/rtsp/article-dialogue.pcap"], into: ReportGroup([])).found
        let text = BaselineFile.text(found)
        #expect(text.split(separator: "\n").count == found.entries.count + 5)
        let read = try BaselineFile.read(text, file: "known.json", rules: Self.rules)
        #expect(read.sorted == found.sorted)
        #expect(BaselineFile.text(read) == text)
        #expect(try BaselineFile.read(BaselineFile.text(Baseline()), file: "x", rules: Self.rules).entries.isEmpty)
    }

    @Test(
        "errors in a baseline have the line",
        arguments: [
            ("{\"findings\": [\n{\"rule\": \"RTSP-CRFL\", \"fingerprint\": \"0\"}]}", 2, "Did you mean 'RTSP-CRLF'?"),
            ("{\n\"finding\": []}", 2, "Did you mean 'findings'?"), ("{\"schemaVersion\": \"9\"}", 1, "not known"),
            ("{\"findings\": [\n\n{\"rule\": \"RTSP-CRLF\"}]}", 3, "needs a rule and a fingerprint"),
        ])
    func wrongBaseline(text: String, line: Int, reason: String) {
        let error = #expect(throws: ProfileError.self) {
            try BaselineFile.read(text, file: "known.json", rules: Self.rules)
        }
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("case and surrounding blanks are ignored, as on the command line")
    func spelling() throws {
        let profile = try read("fail-on: Warning\nrules:\n  ' rtsp-cseq-echo ': OFF\nskip-rule: sdp-bw").profile
        #expect(profile.threshold == .warning)
        #expect(!profile.includes("RTSP-CSEQ-ECHO") && !profile.includes("SDP-BW"))
    }

    @Test("a baseline accepts findings that are no worse")
    func worse() throws {
        var known = Baseline()
        known.add(.init(fingerprint: "a", rule: "SDP-BW", message: "x", severity: .warning))
        known.add(.init(fingerprint: "b", rule: "REQUIRE-VIDEO-STALL", message: "x", severity: .error, excess: 0.5))
        known.add(.init(fingerprint: "b", rule: "REQUIRE-VIDEO-STALL", message: "x", severity: .error, excess: 0.2))
        let text = BaselineFile.text(known)
        let read = try BaselineFile.read(text, file: "known.json", rules: Self.rules)
        #expect(read.sorted == known.sorted)
        func accepts(_ fingerprint: String, _ severity: Severity, _ excess: Double? = nil) -> Bool {
            read.accepts(
                .init(fingerprint: fingerprint, rule: "", message: "", severity: severity, excess: excess))
        }
        #expect(accepts("a", .note) && accepts("a", .warning) && !accepts("a", .error))
        #expect(accepts("b", .error, 0.54) && !accepts("b", .error, 5) && !accepts("c", .note))
        let old = "{\"findings\": [{\"rule\": \"SDP-BW\", \"fingerprint\": \"a\"}]}"
        let entry = Baseline.Entry(fingerprint: "a", rule: "", message: "", severity: .error)
        #expect(try BaselineFile.read(old, file: "known.json", rules: Self.rules).accepts(entry))
    }
}
