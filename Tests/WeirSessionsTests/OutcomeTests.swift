import CaptureTesting
import Testing
import WeirDissectors
import WeirSessions

/// What the last line of a session says, on captures of real peers.
@Suite("Outcomes")
struct OutcomeTests {
    private static let outcomes: [(capture: String, keys: [[String]])] = [
        ("rtsp-udp", [["outcome.played"]]),
        ("rtsp-not-found", [["outcome.status"]]),
        ("rtsp-no-protocol", [["outcome.stoppedAfter", "outcome.closedWithoutTeardown"]]),
        ("rtsp-client-gone", [["outcome.played", "outcome.closedWithoutTeardown"]]),
        ("rtsp-midstream-udp", [["outcome.controlUnseen"]]),
        ("rtsp-port-unreachable", [["outcome.sent", "outcome.notTaken"]]),
        ("rtsp-snaplen-udp", [["outcome.cut"]]),
        ("rtmp-publish", [["outcome.rtmp.published"]]),
        ("rtmp-publish-gst", [["outcome.rtmp.published", "outcome.rtmp.closedByClient"]]),
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
}
