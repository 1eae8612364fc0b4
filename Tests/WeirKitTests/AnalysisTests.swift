import CaptureTesting
import Foundation
import Testing
import WeirKit

/// What a team may demand of a capture in its own tests.
@Suite("Analyses from outside") struct AnalysisTests {
    private static func capture(_ name: String) -> String {
        RecordedCaptures.root.appendingPathComponent("Captures/" + name).path
    }

    @Test("a capture of a publisher: published, no errors, a key frame every two seconds or sooner")
    func publisher() throws {
        let result = try Analysis(Self.capture("rtmp/rtmp-publish.pcap")).run()
        #expect(result.sessions.contains { $0.outcome.contains { $0.hasPrefix("published") } })
        #expect(result.errors.isEmpty)
        let video = try #require(result.streams.first { $0.mediaType == "video" })
        #expect(try #require(video["keyframeIntervalSeconds"]?.double) <= 2)
    }

    @Test("sessions, streams, events and findings are there, with their words")
    func camera() throws {
        let result = try Analysis(Self.capture("rtsp/rtsp-udp.pcap")).run()
        let session = try #require(result.sessions.first)
        #expect(session.record.kind == "rtsp" && session.title.contains("rtsp://"))
        #expect(session["sessionId"]?.string?.isEmpty == false)
        #expect(!session.outcome.isEmpty && !result.streams.isEmpty && !result.events.isEmpty)
        #expect(result.summaries.map(\.packets).allSatisfy { $0 > 0 } && result.captures.count == 1)
        #expect(result.findings.allSatisfy { !result.sentence($0.message).isEmpty })
    }

    @Test("the example of the readme")
    func readme() throws {
        let camera = Self.capture("rtsp/rtsp-udp.pcap")
        let result = try Analysis(camera).run()
        for session in result.sessions { print(session.title, session.outcome) }
        for stream in result.streams { print(stream.encoding ?? "?", stream.details.summary) }
        for finding in result.errors { print(finding.rule, finding.frame ?? 0, result.sentence(finding.message)) }
        #expect(result.streams.map { $0.encoding ?? "?" }.sorted() == ["H264", "PCMU"])
    }

    @Test("a file that breaks off is analysed as far as it goes; one that is not there is an error")
    func brokenFiles() throws {
        let result = try Analysis(Self.capture("transport/made-cut-short.pcap")).run()
        #expect(result.summaries.first?.damage != nil)
        #expect(throws: CaptureError.self) { try Analysis("no-such-file.pcap").run() }
        let both = [Self.capture("transport/made-cut-short.pcap"), "no-such-file.pcap"]
        #expect(throws: CaptureError.self) { try Analysis(both).run() }
    }

    @Test("several captures of one analysis are told apart, and together are all of it")
    func perCapture() throws {
        let names = ["rtsp/rtsp-udp.pcap", "rtmp/rtmp-publish.pcap"].map { Self.capture($0) }
        let result = try Analysis(names).run()
        #expect(result.perCapture.map(\.record.file) == names)
        for (part, name) in zip(result.perCapture, names) {
            let alone = try Analysis(name).run()
            #expect(part.events.map(\.frame) == alone.events.map(\.frame))
            #expect(part.findings.map(\.rule) == alone.findings.map(\.rule))
            #expect(part.streams.map(\.id) == alone.streams.map(\.id) && part.flows.count == alone.flows.count)
            #expect(part.sessions.map(\.title) == alone.sessions.map(\.title) && !part.sessions.isEmpty)
        }
        #expect(result.perCapture.map(\.events.count).reduce(0, +) == result.events.count)
    }

    @Test("a dialogue is judged as it is asked to be")
    func judging() {
        var dialogue = Dialogue(.tcp, port: 554)
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 9\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        var judging = RuleEngine.Options()
        judging.severities["RTSP-CSEQ-ECHO"] = .note
        let found = dialogue.analysed(judging: judging).findings.first { $0.rule == "RTSP-CSEQ-ECHO" }
        #expect(found?.severity == .note)
    }

    @Test("what a filter keeps away is missing from the capture, whatever else was set, and in which order")
    func filtered() throws {
        for setsFilterFirst in [true, false] {
            var analysis = Analysis(Self.capture("rtsp/rtsp-udp.pcap"))
            if setsFilterFirst { analysis.filter = try CaptureFilter("tcp[13]=2 or udp") }
            analysis.options = AnalyzerOptions()
            if !setsFilterFirst { analysis.filter = try CaptureFilter("tcp[13]=2 or udp") }
            // The answer to the SYN was kept away.
            let result = try analysis.run()
            #expect(result.summaries.first?.packets ?? 0 > 0)
            #expect(!result.events.contains { $0.message.summary(.masked).contains("no answer") })
        }
    }

    @Test("what two endpoints say needs no capture: an answer with another CSeq breaks the rule")
    func dialogue() {
        var dialogue = Dialogue(.tcp, port: 554)
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 1\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 1\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        let kept = dialogue.analysed()
        #expect(kept.sessions.map(\.record.kind) == ["rtsp"])
        #expect(!kept.errors.contains { $0.rule == "RTSP-CSEQ-ECHO" })
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 9\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        #expect(dialogue.analysed().errors.contains { $0.rule == "RTSP-CSEQ-ECHO" })
    }
}
