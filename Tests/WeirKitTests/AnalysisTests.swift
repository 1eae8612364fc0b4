import CaptureTesting
import Foundation
import Testing
import WeirKit

/// What tests of a team may assert about a capture.
@Suite("Library use") struct AnalysisTests {
    private static func capture(_ name: String) -> String {
        RecordedCaptures.root.appendingPathComponent("Captures/" + name).path
    }

    @Test("a publisher's capture: published, no errors, a key frame at least every two seconds")
    func publisher() throws {
        let result = try Analysis(Self.capture("rtmp/rtmp-publish.pcap")).run()
        #expect(result.isWhole && result.errors.isEmpty)
        let session = try #require(result.sessions.first { $0["role"]?.string == "publish" })
        // Media started after the server accepted; a session that only asked to publish has none.
        #expect(session["timeToFirstMediaMs"] != nil)
        let video = try #require(result.streams(of: session).first { $0.mediaType == "video" })
        #expect(try #require(video["maxKeyframeIntervalSeconds"]?.double) <= 2.02)
    }

    @Test("concurrent analyses, and a sink that receives only streams")
    func tasks() async throws {
        final class Losses: ReportSink {
            var packets = 0.0
            func stream(_ stream: StreamRecord, session: SessionReference?) {
                packets += stream["packets"]?.double ?? 0
            }
        }
        let path = Self.capture("rtsp/rtsp-udp.pcap")
        let counts = try await withThrowingTaskGroup(of: AnalysisResult.self) { group in
            for _ in 0..<2 { group.addTask { try Analysis(path).run() } }
            return try await group.reduce(into: [Int]()) { $0.append($1.events.count) }
        }
        #expect(counts.count == 2 && Set(counts).count == 1)
        let losses = Losses()
        try Analysis(path).run(path, into: losses)
        #expect(losses.packets > 100)
        #expect(Words(.chinese, plugins: BuiltIn.plugins).sentence(Text("phase.media")) != "phase.media")
    }

    @Test("a camera's video has the same property names")
    func keyframes() throws {
        let result = try Analysis(Self.capture("rtsp/article-dialogue.pcap")).run()
        let video = try #require(result.streams.first { $0.mediaType == "video" })
        #expect(try #require(video["keyframeIntervalSeconds"]?.double).rounded() == 2)
        #expect(try #require(video["maxKeyframeIntervalSeconds"]?.double).rounded() == 2)
        #expect(video["codec"]?.string == "H264")
    }

    @Test("streams, steps and findings refer to their session, also in the second capture")
    func ofSessions() throws {
        let names = ["rtsp/article-dialogue.pcap", "rtsp/rtsp-multicast.pcap"].map { Self.capture($0) }
        let result = try Analysis(names).run()
        #expect(result.sessions.map(\.capture) == [0, 1, 1])
        for session in result.sessions {
            let part = result.perCapture[session.capture]
            #expect(result.streams(of: session).map(\.id) == session.record.streams)
            let events = result.events(of: session)
            #expect(
                !events.isEmpty && events.map(\.id) == part.events.filter { $0.session == session.record.id }.map(\.id))
            let findings = result.findings(of: session)
            #expect(findings.map(\.rule) == part.findings.filter { $0.session == session.record.id }.map(\.rule))
        }
        #expect(!result.findings(of: result.sessions[0]).isEmpty)
    }

    @Test("missing packets break no rule: the response was sent, only not captured")
    func missing() {
        for isCaptured in [true, false] {
            var dialogue = Dialogue(.tcp, port: 554)
            dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 1\n")
            dialogue.server(
                "RTSP/1.0 200 OK\nCSeq: 9\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n", isCaptured: isCaptured)
            dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
            dialogue.server("RTSP/1.0 200 OK\nCSeq: 2\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
            let result = dialogue.analyzed()
            #expect(result.errors.contains { $0.rule == "RTSP-CSEQ-ECHO" } == isCaptured)
            #expect(result.events.contains { $0.message.kind == "gap" } == !isCaptured)
        }
    }

    @Test("sessions, streams, events and findings are available, with their text")
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

    @Test("the examples of Documentation/library.md")
    func library() throws {
        let camera = Self.capture("rtsp/article-dialogue.pcap")
        let result = try Analysis(camera).run()
        for session in result.sessions {
            for stream in result.streams(of: session) { print(stream.mediaType ?? "?", stream.details.summary) }
            for event in result.events(of: session) { print(event.frame, event.message.summary(.masked)) }
            for finding in result.findings(of: session) { print(finding.rule, result.sentence(finding.message)) }
        }
        var analysis = Analysis(camera, Self.capture("rtsp/rtsp-udp.pcap"))
        analysis.filter = try CaptureFilter("host 192.168.0.110")
        analysis.options.limits.memoryOctets = 128 << 20
        analysis.judging.severities["RTSP-SESSION-ECHO"] = .note
        let output = MemoryOutput()
        let report = TextReport(ReportOptions(plugins: analysis.plugins), output: output)
        try analysis.run(camera, into: report)
        report.finish()
        #expect(output.text.contains("played for 6.3 s") && output.text.contains("note  RTSP-SESSION-ECHO"))
    }

    @Test("a truncated file is analyzed as far as possible; a missing one is an error")
    func brokenFiles() throws {
        let result = try Analysis(Self.capture("transport/made-cut-short.pcap")).run()
        #expect(result.summaries.first?.damage != nil && !result.isWhole)
        #expect(throws: CaptureError.self) { try Analysis("no-such-file.pcap").run() }
        let both = [Self.capture("transport/made-cut-short.pcap"), "no-such-file.pcap"]
        #expect(throws: CaptureError.self) { try Analysis(both).run() }
    }

    @Test("several captures of one analysis are kept apart, and combine to the total")
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

    @Test("a dialogue is judged by the given options")
    func judging() {
        var dialogue = Dialogue(.tcp, port: 554)
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 9\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        var judging = RuleEngine.Options()
        judging.severities["RTSP-CSEQ-ECHO"] = .note
        let found = dialogue.analyzed(judging: judging).findings.first { $0.rule == "RTSP-CSEQ-ECHO" }
        #expect(found?.severity == .note)
    }

    @Test("filtered packets are missing from the capture, regardless of the other options and their order")
    func filtered() throws {
        for setsFilterFirst in [true, false] {
            var analysis = Analysis(Self.capture("rtsp/rtsp-udp.pcap"))
            if setsFilterFirst { analysis.filter = try CaptureFilter("tcp[13]=2 or udp") }
            analysis.options = AnalyzerOptions()
            if !setsFilterFirst { analysis.filter = try CaptureFilter("tcp[13]=2 or udp") }
            // The SYN-ACK is filtered out.
            let result = try analysis.run()
            #expect(result.summaries.first?.packets ?? 0 > 0)
            #expect(!result.events.contains { $0.message.summary(.masked).contains("no answer") })
        }
    }

    @Test("a dialogue of two endpoints needs no capture: a response with another CSeq breaks the rule")
    func dialogue() {
        var dialogue = Dialogue(.tcp, port: 554)
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 1\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 1\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        let kept = dialogue.analyzed()
        #expect(kept.sessions.map(\.record.kind) == ["rtsp"])
        #expect(!kept.errors.contains { $0.rule == "RTSP-CSEQ-ECHO" })
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 9\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        #expect(dialogue.analyzed().errors.contains { $0.rule == "RTSP-CSEQ-ECHO" })
    }
}
