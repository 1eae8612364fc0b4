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
    ]

    @Test("The outcome says what happened", arguments: outcomes)
    func outcome(_ capture: String, _ keys: [[String]]) throws {
        let story = Story.tell(try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(capture).pcap")))
        #expect(story.sessions.map { $0.outcome.map(\.key) } == keys)
    }
}
