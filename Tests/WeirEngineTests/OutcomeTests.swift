import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// What the last line of a session says, on captures of real peers.
@Suite("Outcomes")
struct OutcomeTests {
    private static let outcomes: [(capture: String, keys: [[String]])] = [
        ("rtsp-udp", [["outcome.played"]]),
        ("rtsp-not-found", [["outcome.status"]]),
        ("rtsp-no-protocol", [["outcome.stoppedAfter"]]),
        ("rtsp-client-gone", [["outcome.played", "outcome.closedWithoutTeardown"]]),
        ("rtsp-standstill-tcp", [["outcome.played", "outcome.silence"]]),
        ("rtsp-standstill-udp", [["outcome.played", "outcome.silence", "outcome.silentEnd"]]),
        ("rtsp-retransmission", [["outcome.played", "outcome.lost"]]),
        ("rtsp-srtp", [["outcome.played"]]),
        ("rtsp-midstream-udp", [["outcome.controlUnseen"]]),
        ("rtsp-port-unreachable", [["outcome.sent", "outcome.notTaken"]]),
        ("rtsp-snaplen-udp", [["outcome.cut"]]),
        ("rtmp-publish", [["outcome.rtmp.published"]]),
        ("rtmp-publish-gst", [["outcome.rtmp.published"]]),
        ("rtmp-play", [["outcome.rtmp.played", "outcome.rtmp.resetByClient"]]),
        ("rtmp-play-rtmpdump", [["outcome.rtmp.played"]]),
        ("rtmp-play-nothing", [["outcome.rtmp.playNoMedia", "outcome.rtmp.leftByClient"]]),
        ("rtmp-no-application", [["outcome.rtmp.connectUnanswered", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-403", [["outcome.rtmp.unanswered", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-denied", [["outcome.rtmp.publishDropped", "outcome.rtmp.closedByServer"]]),
        ("rtmp-publish-taken", [["outcome.rtmp.publishRefused", "outcome.rtmp.leftByClient"]]),
        ("rtmp-server-killed", [["outcome.rtmp.played", "outcome.rtmp.closedByServer"]]),
    ]

    @Test("The outcome says what happened", arguments: outcomes)
    func outcome(_ capture: String, _ keys: [[String]]) throws {
        let path = RecordedCaptures.path("Captures/\(capture.prefix { $0 != "-" })/\(capture).pcap")
        let story = Story.tell(try KeptFrame.read(path))
        #expect(story.sessions.map { $0.outcome.map(\.key) } == keys)
    }

    @Test("nothing is read from an encrypted payload")
    func encrypted() throws {
        let story = Story.tell(try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-srtp.pcap")))
        #expect(!story.lines.contains { $0.kind == "keyframe" })
        let streams = story.streams.compactMap { $0.details as? RTPStreamDetails }.map(\.stream)
        #expect(streams.map(\.packets) == [119, 95])
        #expect(streams.allSatisfy { $0.mainFormat?.isEncrypted == true && $0.keyframes == 0 })
    }

    @Test("a tunnel of which the capture holds one half proves nothing", arguments: [7, 14])
    func halfTunnel(_ frame: Int) throws {
        let path = RecordedCaptures.path("Captures/rtsp/rtsp-http-tunnel.pcap")
        let frames = try KeptFrame.read(path)
        #expect(Story.tell(frames).sessions.map(\.outcome.count) == [1])
        let half = Story.tell(frames.enumerated().filter { $0.offset != frame - 1 }.map { $0.element })
        let keys = half.sessions.flatMap(\.outcome).map(\.key)
        #expect(frame == 7 ? keys.first == "outcome.halfTunnel" : keys.last == "outcome.resetUnsure")
    }
}
