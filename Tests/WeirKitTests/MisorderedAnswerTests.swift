import Testing
import WeirKit

/// Packets out of order in the file are no peer's fault.
@Suite("Answers before their requests") struct MisorderedAnswerTests {
    private func findings(answerFirst: Bool, answered: Bool) -> [String] {
        var dialogue = Dialogue(.tcp, port: 554)
        dialogue.client("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 1\n")
        dialogue.server("RTSP/1.0 200 OK\nCSeq: 1\nPublic: DESCRIBE, SETUP, PLAY, TEARDOWN\n")
        let answer = "RTSP/1.0 404 Not Found\nCSeq: 2\n"
        if answerFirst { dialogue.server(answer) }
        dialogue.client("DESCRIBE rtsp://192.0.2.2/a RTSP/1.0\nCSeq: 2\n")
        if answered { dialogue.server(answer) }
        return dialogue.analyzed(plugins: BuiltIn.plugins).findings.filter { $0.rule == "RTSP-UNANSWERED" }.map {
            "\($0.verdict) \($0.message.key)"
        }
    }

    @Test("are matched all the same, though the match is uncertain")
    func answerFirst() {
        #expect(findings(answerFirst: true, answered: false) == ["inconclusive RTSP-UNANSWERED.before"])
        #expect(findings(answerFirst: false, answered: true) == [])
        #expect(findings(answerFirst: false, answered: false) == ["fail RTSP-UNANSWERED.never"])
    }
}
