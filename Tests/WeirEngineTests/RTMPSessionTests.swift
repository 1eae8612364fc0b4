import CaptureTesting
import Testing
import WeirEngine
@testable import WeirProtocols

/// RTMP connections of real peers.
@Suite("RTMP sessions") struct RTMPSessionTests {
    private static func timeline(_ name: String, packets: Bool = false) throws -> AnalyzedTimeline {
        var options = AnalyzerOptions()
        options.packets = packets
        return AnalyzedTimeline.emit(
            try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(name).pcap")), options: options)
    }

    private static let walk: [(name: String, phases: [Phase])] = [
        ("rtmp-publish", [.connect, .handshake, .connectCommand, .createStream, .publish, .media, .close]),
        ("rtmp-play", [.connect, .handshake, .connectCommand, .createStream, .play, .media, .close]),
        ("rtmp-no-application", [.connect, .handshake, .connectCommand, .close]),
        ("rtmp-publish-taken", [.connect, .handshake, .connectCommand, .createStream, .publish, .close]),
    ]

    @Test("Phases follow each other", arguments: walk)
    func phases(_ name: String, _ phases: [Phase]) throws {
        let timeline = try Self.timeline(name)
        #expect(timeline.sessions.map { $0.phases.map(\.phase) } == [phases])
    }

    /// nginx sends no digest to a client without one, and does not identify itself.
    private static let unknown = "a server with the same replies as nginx-rtmp"

    private static let programs: [(name: String, client: String, server: String)] = [
        ("rtmp-publish", "ffmpeg", "nginx-rtmp"), ("rtmp-play", "ffmpeg", "nginx-rtmp"),
        ("rtmp-play-gst", "GStreamer rtmp2", unknown), ("rtmp-play-rtmpdump", "librtmp (rtmpdump)", unknown),
        ("rtmp-relay", "nginx-rtmp as a relay", "nginx-rtmp"),
    ]

    @Test("Programs are identified by their messages", arguments: programs)
    func peers(_ name: String, _ client: String, _ server: String) throws {
        let peers = try Self.timeline(name).sessions.first?.peers.map { $0.arguments.first }
        #expect(peers == [.text(Text(client, arguments: [])), .text(Text(server, arguments: []))])
    }

    @Test("Audio and video of each message stream are streams")
    func tracks() throws {
        let streams = try Self.timeline("rtmp-publish").streams
        #expect(streams.map(\.mediaType) == ["video", "audio"])
        let video = try #require(streams.first?.details as? RTMPStreamDetails).track
        #expect(video.messages == 42 && video.frames == 40 && video.keyframes == 4)
        #expect(abs((video.frameRate ?? 0) - 10) < 0.1)
        #expect(video.secondsBetweenKeyframes == 1 && video.framesBetweenKeyframes == 10)
        #expect(video.longestSecondsWithoutKeyframe == 1)
        #expect(video.timestampsBack == 0 && video.gaps == 0)
    }

    @Test("Each media message is an event with --packets, and only then")
    func packets() throws {
        func media(_ timeline: AnalyzedTimeline) -> Int {
            timeline.lines.count { line in
                line.fields.contains { $0.name == "typeId" && ($0.value == .integer(8) || $0.value == .integer(9)) }
            }
        }
        let timeline = try Self.timeline("rtmp-publish", packets: true)
        #expect(media(timeline) == 42 + 89)
        #expect(media(try Self.timeline("rtmp-publish")) == 2)
        #expect(timeline.streams.count == 2)
    }

    @Test("Opening, connections and end of RTMPT belong to its session", arguments: ["rtmpt-play", "rtmpt-publish"])
    func tunnel(_ name: String) throws {
        let timeline = try Self.timeline(name)
        let session = try #require(timeline.sessions.first)
        #expect(timeline.sessions.count == 1)
        // The first event is the connection, before /open; the last ones are those of /close, on whichever connection.
        #expect(session.phases.first?.phase == .connect && session.phases.first?.firstEvent == 1)
        #expect(session.flows == Array(Set(timeline.places.map(\.flow))).sorted())
        #expect(timeline.lines.prefix(3).map(\.summary.first) == ["c", "P", "2"])
    }

    @Test("Truncated messages are shown as far as captured")
    func cut() throws {
        let timeline = try Self.timeline("rtmp-snaplen")
        let place = try #require(timeline.lines.firstIndex { $0.summary.hasPrefix("onStatus") })
        #expect(timeline.places[place].frames == 35...35)
        #expect(timeline.lines[place].summary == "onStatus level status, truncated")
        #expect(timeline.lines[place].remarks == ["rtmp.remark.cut"])
    }

    @Test("Pauses, pings and stream errors do not end a session")
    func made() throws {
        let timeline = try Self.timeline("rtmp-made")
        let session = try #require(timeline.sessions.first)
        #expect(session.outcome.map(\.key) == ["outcome.rtmp.published"])
        #expect(session.phases.map(\.phase).contains(.pause) && session.phases.map(\.phase).contains(.seek))
    }
}
