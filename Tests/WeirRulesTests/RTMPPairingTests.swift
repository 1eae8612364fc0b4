import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Matching of RTMP responses to commands.
@Suite("Matching of RTMP responses") struct RTMPPairingTests {
    /// Returns the responses of a script: the command, and how it was matched.
    private static func answers(_ lines: String) throws -> [String] {
        let script = try #require(RTMPScript.publish.replacing([("# behind createStream", lines)]))
        let sink = Answers()
        script.play(into: sink)
        return sink.said
    }

    @Test("By transaction")
    func transaction() throws {
        let said = try Self.answers("C 20 0 one 7 null\nC 20 0 two 8 null\nS 20 0 _error 8 null\nS 20 0 _result 7 null")
        #expect(
            said == ["connect number", "createStream number", "two number", "one number", "publish stream", "ping"])
    }

    @Test("By chunk stream where two commands have the same transaction")
    func chunkStream() throws {
        let said = try Self.answers(
            "C 20 0 one 7 null\nC csid=8 20 0 two 7 null\nS csid=8 20 0 _result 7 null\nS 20 0 _result 7 null")
        #expect(said.dropFirst(2).prefix(2) == ["two number", "one number"])
    }

    @Test("The oldest if nothing else distinguishes")
    func oldest() throws {
        let said = try Self.answers(
            "C 20 0 one 7 null\nC 20 0 two 7 null\nS csid=9 20 0 _result 7 null\nS csid=9 20 0 _result 7 null")
        #expect(said.dropFirst(2).prefix(2) == ["one number", "two number"])
    }

    @Test("An unexpected response is unmatched")
    func none() throws {
        #expect(try Self.answers("S 20 0 _result 7 null").count == 4)
    }

    private final class Answers: TimelineSink {
        var said: [String] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) {
            guard let answers = event.answers, let request = answers.request as? RTMPMessage else { return }
            guard case .command(let command) = request.payload else {
                said.append("ping")
                return
            }
            said.append("\(command.name ?? "") \(answers.pairing)")
        }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: Session?) {}
        func session(_ record: SessionRecord, session: Session) {}
        func end(_ summary: SummaryRecord) {}
    }
}
