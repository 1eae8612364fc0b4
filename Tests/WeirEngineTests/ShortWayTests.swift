import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

extension AnalyzedTimeline {
    /// Returns the timeline of frames with every media packet, after checking that it is the same without them, where
    /// interleaved media takes the fast path past the dissector.
    static func analyzedBothWays(_ frames: some Collection<KeptFrame>, _ place: Comment? = nil) -> AnalyzedTimeline {
        var options = AnalyzerOptions()
        options.packets = true
        let long = emit(frames, options: options)
        let short = emit(frames)
        let lines = short.lines.filter { !isMedia($0) }
        // For a connection with nothing but HTTP without streaming, even the start is shown only with packets, and
        // transport streams in its bodies are read only then.
        let reported = Set(short.lines.map(\.source))
        let quiet = Set(long.lines.filter { $0.protocolName == "http" }.map(\.source)).subtracting(reported)
        let others = long.lines.filter { !isMedia($0) && !quiet.contains($0.source) }
        if let difference = zip(lines, others).first(where: { $0 != $1 }) {
            Issue.record("the short way says \(difference.0) instead of \(difference.1)")
        }
        #expect(lines.count == others.count, place)
        let streams = long.streams.filter { !quiet.contains($0.source) && !quiet.contains($0.destination) }
        #expect(
            short.streams.map { $0.details.fields(.revealed) } == streams.map { $0.details.fields(.revealed) }, place)
        #expect(short.streams.map(\.lastFrame) == streams.map(\.lastFrame), place)
        #expect(short.sessions.map { $0.outcome.map(\.key) } == long.sessions.map { $0.outcome.map(\.key) }, place)
        #expect(short.summary?.captureDuplicates == long.summary?.captureDuplicates, place)
        return long
    }

    /// Whether a line is about a single media packet or message. Some RTMP messages are always shown; HTTP messages
    /// only with packets.
    private static func isMedia(_ line: Line) -> Bool {
        switch (line.protocolName, line.kind) {
        case ("rtp", "packet"), (_, "interleaved"), ("http", _): true
        case ("srt", let kind): ["data", "ack", "ackAck", "keepAlive"].contains(kind)
        case ("rtmp", "message"):
            line.fields.contains { $0.name == "type" && ($0.value == .string("audio") || $0.value == .string("video")) }
        default: false
        }
    }
}

/// Most packets take the fast path past the dissectors; the timeline must not change.
@Suite("The fast path") struct ShortWayTests {
    @Test(
        "showing packets changes nothing else",
        arguments: RecordedCaptures.all.filter { !$0.hasPrefix("Captures/rtmp/") && $0.hasSuffix(".pcap") })
    func recorded(capture: String) throws {
        // For a damaged capture, the frames before the damage suffice.
        var frames: [KeptFrame] = []
        do { frames = try KeptFrame.read(RecordedCaptures.path(capture)) } catch { return }
        _ = AnalyzedTimeline.analyzedBothWays(frames)
    }

    @Test("is optional for every packet", arguments: RecordedCaptures.all.filter { !$0.hasPrefix("Captures/rtmp/") })
    func withoutFastPaths(capture: String) throws {
        var frames: [KeptFrame] = []
        do { frames = try KeptFrame.read(RecordedCaptures.path(capture)) } catch { return }
        AnalyzedTimeline.analyzedWithoutFastPaths(frames)
    }
}
