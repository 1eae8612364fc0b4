import CaptureTesting
import Testing
import WeirEngine
@testable import WeirProtocols

/// Failures are reported as they happened; what is not captured is nobody's fault.
@Suite("RTSP failures")
struct RTSPFailureTests {
    private static let teardown =
        "C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6\n\nS: RTSP/1.0 200 OK\nCSeq: 7\n\n"
    private static let listing =
        "S: RTSP/1.0 200 OK\nCSeq: 1\nTimestamp: 1470807662.5 0.01\nDate: Wed, 10 Aug 2016 05:41:03 GMT\n"
        + "Public: OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER"

    private func play(_ edits: [(String, String)]) throws -> Collector {
        try #require(Conversations.play.replacing(edits)).judged()
    }

    private func second(_ presentation: String, session: String = "87654321", status: String = "200 OK") -> String {
        """
        C: SETUP rtsp://h/\(presentation) RTSP/1.0
        CSeq: 60
        Transport: RTP/AVP;unicast;client_port=5010-5011

        S: RTSP/1.0 \(status)
        CSeq: 60
        Session: \(session)
        Transport: RTP/AVP;unicast;client_port=5010-5011;server_port=6010-6011

        C: GET_PARAMETER
        """
    }

    @Test("SETUP without an id starts a new session, or lacks the id if the server does not start one")
    func anotherPresentation() throws {
        let other = try play([("C: GET_PARAMETER", second("other/track1"))])
        #expect(other.said("RTSP-SESSION-ECHO") == [] && other.said("RTSP-CONTROL-URI") == [])
        let again = try play([("C: GET_PARAMETER", second("live/track1"))])
        #expect(again.said("RTSP-SESSION-ECHO") == [])
        for same in [
            second("live/track1", session: "63A3E5E6"), second("live/track1", status: "454 Session Not Found"),
        ] {
            let said = try play([("C: GET_PARAMETER", same)])
            #expect(said.said("RTSP-SESSION-ECHO") == ["error RTSP-SESSION-ECHO.missing"])
        }
    }

    @Test("a session unknown to the server is neither kept alive nor torn down")
    func unknown() throws {
        let said = try play([
            ("C: GET_PARAMETER", "+80\n\nC: GET_PARAMETER"), (Self.teardown, ""),
            ("S: RTSP/1.0 200 OK\nCSeq: 6\nSession: 63A3E5E6", "S: RTSP/1.0 454 Session Not Found\nCSeq: 6"),
        ])
        #expect(said.said("RTSP-KEEPALIVE") == ["warning RTSP-KEEPALIVE.silent"])
        #expect(said.said("RTSP-KEEPALIVE-METHOD") == [] && said.said("RTSP-TEARDOWN") == [])
        #expect(said.outcomes.last?.last == "outcome.unknown")
    }

    @Test("a keep-alive without a session id answered by 454 was refused")
    func keepAliveWithoutId() throws {
        let said = try play([
            (
                "CSeq: 6\nSession: 63A3E5E6\n\nS: RTSP/1.0 200 OK\nCSeq: 6\nSession: 63A3E5E6",
                "CSeq: 6\n\nS: RTSP/1.0 454 Session Not Found\nCSeq: 6"
            )
        ])
        #expect(said.said("RTSP-KEEPALIVE-METHOD") == ["note RTSP-KEEPALIVE-METHOD.refused Q-KEEPALIVE"])
    }

    @Test("a refused TEARDOWN, a redirect and a connection without a session are reported as such")
    func endings() throws {
        let refused = try play([("S: RTSP/1.0 200 OK\nCSeq: 7", "S: RTSP/1.0 404 Not Found\nCSeq: 7")])
        #expect(refused.outcomes == [["outcome.played", "outcome.teardownRefused"]])
        let redirected = Transcript(
            """
            C: DESCRIBE rtsp://h/live RTSP/1.0
            CSeq: 1

            S: RTSP/1.0 302 Moved Temporarily
            CSeq: 1
            Location: rtsp://other/live

            FIN
            """)
        #expect(redirected.judged().outcomes == [["outcome.redirected"]])
        let brief = "C: OPTIONS * RTSP/1.0\nCSeq: 1\n\nS: RTSP/1.0 200 OK\nCSeq: 1\nPublic: PLAY\n\n"
        #expect(Transcript(brief + "FIN").judged().outcomes == [["outcome.stoppedAfter"]])
        #expect(Transcript(brief + "RST").judged().outcomes == [["outcome.stoppedAfter", "outcome.resetOnly"]])
    }

    @Test("a client that leaves after a wrong Content-Base may not be able to use it")
    func contentBase() {
        func described(_ base: String, _ rest: String) -> [String] {
            let answer = "S: RTSP/1.0 200 OK\nCSeq: 1\nContent-Base: \(base)\n\n"
            let text = "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 1\n\n\(answer)\(rest)FIN"
            // A response without a description has another cause as well.
            return Transcript(text).judged().causes.filter { $0 != "proved no-usable-medium" }
        }
        #expect(described("192.0.2.1/live/", "") == ["likely response-content-base"])
        #expect(described("rtsp://rtsp://h/live/", "") == ["likely response-content-base"])
        #expect(described("rtsp://h/live/", "") == [])
        #expect(described("192.0.2.1/live/", "+30\n\n") == [])
        #expect(described("192.0.2.1/live/", "C: OPTIONS * RTSP/1.0\nCSeq: 2\n\n") == [])
    }

    @Test("requests on another connection are not part of the first one's close")
    func afterTheClose() throws {
        let said = try play([
            ("S: RTSP/1.0 200 OK\nCSeq: 7", "S: RTSP/1.0 404 Not Found\nCSeq: 7"),
            ("FIN", "C: OPTIONS * RTSP/1.0\nCSeq: 8\n\nS: RTSP/1.0 200 OK\nCSeq: 8\n\nFIN"),
        ])
        let phases = try #require(said.sessions.last).phases.map(\.phase)
        #expect(phases == [.connect, .negotiate, .media, .close, .media, .close])
    }

    @Test("after a gap a response with another number is unmatched")
    func pairing() throws {
        let said = try play([
            (Self.listing, "G S 250"),
            ("C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6", "G C 80"),
        ])
        #expect(said.said("RTSP-PUBLIC") == [] && said.said("RTSP-KEEPALIVE-METHOD") == [])
        #expect(said.said("RTSP-CSEQ-ECHO").allSatisfy { $0.hasPrefix("inconclusive") })
        #expect(said.outcomes.last?.contains("outcome.closedWithoutTeardown") == false)
    }

    @Test("octets missing before the protocol was recognized still count as missing")
    func gapBeforeTheProtocol() {
        let said = Transcript(
            """
            T C OPTI

            G C 2

            +1

            T C rubbish

            C: DESCRIBE rtsp://h/live RTSP/1.0
            CSeq: 2

            FIN
            """
        ).judged()
        #expect(said.said("RTSP-IL-FRAMING") == ["inconclusive RTSP-IL-FRAMING.inconclusive"])
    }

    @Test("a capture that lost octets may have lost datagrams, too")
    func lossAndGap() throws {
        let edits = [("V 5001 6001 S", "U 5000 6000 150 99000\n\nV 5001 6001 S")]
        #expect(try play(edits).said("RTP-SEQ-LOSS") == ["error RTP-SEQ-LOSS.lost"])
        let said = try play(edits + [(Self.listing, "G S 250")])
        #expect(said.said("RTP-SEQ-LOSS") == ["inconclusive RTP-SEQ-LOSS.inconclusive"])
        #expect(said.outcomes.last?.contains("outcome.lostOrUnseen") == true)
    }

    @Test("RTP-Info refers to the original stream, not to its retransmissions")
    func retransmission() throws {
        let said = try play([
            ("m=video 0 RTP/AVP 96", "m=video 0 RTP/AVP 96 97"),
            ("a=rtpmap:96 H264/90000", "a=rtpmap:96 H264/90000\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96"),
            ("V 5001 6001 S", "D 192.0.2.2:6000 192.0.2.1:5000 97 40000 12345679 3\n\nV 5001 6001 S"),
        ])
        #expect(said.said("RTSP-RTPINFO-SEQ") == [] && said.said("RTP-SEQ-LOSS") == [])
        #expect(said.tally("RTSP-RTPINFO-SEQ").pass == 2)
    }

    @Test("stalled media is reported, unless PAUSE stopped it or it is infrequent")
    func silence() throws {
        // Packets 100 to 119 arrive once per second.
        let after = "U 5000 6000 120 99000\n\nV 5001 6001 S"
        #expect(try play([("V 5001 6001 S", "+5\n\n" + after)]).outcomes == [["outcome.played"]])
        #expect(
            try play([("V 5001 6001 S", "+30\n\n" + after)]).outcomes == [["outcome.played", "outcome.silence"]])
        let pause = "C: PAUSE rtsp://h/live/ RTSP/1.0\nCSeq: 60\nSession: 63A3E5E6\n\n"
        let resume = "C: PLAY rtsp://h/live/ RTSP/1.0\nCSeq: 61\nSession: 63A3E5E6\n\n"
        let answers = (60...61).map { "S: RTSP/1.0 200 OK\nCSeq: \($0)\nSession: 63A3E5E6\n\n" }
        let paused = pause + answers[0] + "+30\n\n" + resume + answers[1] + after
        #expect(try play([("V 5001 6001 S", paused)]).outcomes == [["outcome.played"]])
        #expect(
            try play([("C: TEARDOWN", "+30\n\nC: TEARDOWN")]).outcomes
                == [["outcome.played", "outcome.silentEnd"]])
    }
}
