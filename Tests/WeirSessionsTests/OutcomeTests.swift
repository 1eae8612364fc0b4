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
        ("rtsp-no-protocol", [["outcome.stoppedAfter", "outcome.closedEarly"]]),
        ("rtsp-client-gone", [["outcome.played", "outcome.closedWithoutTeardown"]]),
        ("rtsp-midstream-udp", [["outcome.controlUnseen"]]),
        ("rtsp-port-unreachable", [["outcome.sentUnreachable"]]),
        ("rtsp-snaplen-udp", [["outcome.cut"]]),
        (
            "rtsp-record-hung-up",
            [["outcome.noAnswer", "outcome.closedEarly"], ["outcome.refused"], ["outcome.refused"]]
        ),
    ]

    @Test("The outcome says what happened", arguments: outcomes)
    func outcome(_ capture: String, _ keys: [[String]]) throws {
        let story = Story.tell(try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(capture).pcap")))
        #expect(story.sessions.map { $0.outcome.map(\.key) } == keys)
    }
}
