import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// The last line of an RTMP session: the step that failed.
@Suite("Outcomes of RTMP") struct RTMPOutcomeTests {
    /// Where a publisher's script is cut off, what follows instead, and the expected outcome.
    private static let endings: [(cut: String, rest: String, keys: [String])] = [
        ("S S0 3", "+3\nFIN S", ["noS0", "closedByServer"]),
        ("S S1", "+3\nFIN C", ["noS1", "leftByClient"]),
        ("S S2", "RST", ["noC2", "resetByClient"]),
        ("C 20 0 connect", "FIN C", ["noConnect", "leftByClient"]),
        ("# behind connect", "FIN S", ["connectUnanswered", "closedByServer"]),
        (
            "S 20 0 _result 1",
            "S 20 0 _error 1 null {level=error|code=NetConnection.Connect.Rejected|description=No}\nFIN S",
            ["connectRefused", "closedByServer"]
        ),
        ("C 20 0 createStream", "FIN C", ["stoppedAfter", "leftByClient"]),
        ("S 20 0 _result 2", "RST", ["createUnanswered", "resetByClient"]),
        (
            "S 20 0 _result 2", "S 20 0 _error 2 null {level=error|code=No|description=No}\nFIN C",
            [
                "createRefused", "leftByClient",
            ]
        ),
        ("# behind createStream", "FIN C", ["nothingAsked", "leftByClient"]),
        ("S 20 1 onStatus", "FIN S", ["unanswered", "closedByServer"]),
        (
            "S 20 1 onStatus",
            "S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=Taken}\nFIN C",
            ["publishRefused", "leftByClient"]
        ),
        ("C csid=6 ts=16777300", "FIN S", ["publishDropped", "closedByServer"]),
        ("C csid=6 ts=16777300", "FIN C", ["publishNoMedia", "leftByClient"]),
        ("# behind media", "FIN C", ["published", "closedByClient"]),
        ("# behind media", "FIN S", ["published", "closedByServer"]),
        ("# behind media", "C 20 0 deleteStream 0 null 1\nRST", ["published"]),
        ("# behind media", "", ["published", "open"]),
    ]

    @Test("The failed step is named", arguments: endings.indices)
    func step(_ index: Int) throws {
        let (cut, rest, keys) = Self.endings[index]
        let text = RTMPScript.publish.text
        let place = try #require(text.firstRange(of: cut))
        let sink = Outcomes()
        RTMPScript(String(text[..<place.lowerBound]) + rest).play(into: sink)
        #expect(sink.said == [keys.map { $0 == "open" ? "outcome.open" : "outcome.rtmp.\($0)" }])
    }

    @Test("A silent client has no session")
    func silence() {
        let sink = Outcomes()
        RTMPScript("FIN C").play(into: sink)
        #expect(sink.said == [])
    }

    @Test("One direction alone does not show what the other side did", arguments: [true, false])
    func oneSided(_ isClient: Bool) throws {
        let text = RTMPScript.publish.text
        let place = try #require(text.firstRange(of: "C csid=6 ts=16777300"))
        let sink = Outcomes()
        RTMPScript(String(text[..<place.lowerBound]), onlyClient: isClient).play(into: sink)
        #expect(sink.said.map(\.first) == [isClient ? "outcome.rtmp.oneSided" : "outcome.rtmp.oneSidedServer"])
    }

    private final class Outcomes: TimelineSink {
        var said: [[String]] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) {}
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: Session?) {}
        func session(_ record: SessionRecord, session: Session) { said.append(record.outcomeBeforeCauses.map(\.key)) }
        func end(_ summary: SummaryRecord) {}
    }
}
