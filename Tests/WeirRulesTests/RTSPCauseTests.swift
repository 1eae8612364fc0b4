import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// Causes of RTSP failures: only what packets show, and nothing if the capture has gaps.
@Suite("Causes of RTSP") struct RTSPCauseTests {
    private static let teardown =
        "C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6\n\n"
        + "S: RTSP/1.0 200 OK\nCSeq: 7\n\nFIN"
    private static let keepAliveAnswer = "S: RTSP/1.0 200 OK\nCSeq: 6\nSession: 63A3E5E6"
    private static let receiverReport = "cV 5001 6001 R\n\n"
    /// A response with missing octets.
    private static let lacking = (
        "S: RTSP/1.0 200 OK\nCSeq: 4\nSession: 63A3E5E6;timeout=60\n"
            + "Transport: RTP/AVP;unicast;client_port=5002-5003;server_port=6002-6003", "G S 100"
    )

    private func play(_ edits: [(String, String)]) throws -> Collector {
        try #require(Conversations.play.replacing(edits)).judged()
    }

    @Test("a successful session has none")
    func healthy() throws {
        #expect(Conversations.play.judged().causes == [])
        #expect(Conversations.interleaved.judged().causes == [])
        #expect(try play([Self.lacking]).causes == [])
    }

    @Test("a session timeout needs a silence longer than the timeout")
    func timeout() throws {
        let silent = [(Self.receiverReport, ""), (Self.teardown, "+70\n\nFIN S")]
        let said = try play(silent)
        #expect(said.causes == ["proved session-timeout"])
        let text = try #require(said.sessions.first?.outcome.last)
        #expect(text.key == "rtsp.cause.session-timeout" && text.arguments.dropFirst().first == .integer(60))
        // RTCP may have kept the session alive.
        #expect(try play([(Self.teardown, "+70\n\nFIN S")]).causes == ["likely session-timeout"])
        #expect(try play([(Self.teardown, "+30\n\nFIN S")]).causes == ["ruledOut session-timeout"])
        #expect(try play([(Self.teardown, "+70\n\nFIN")]).causes == [])
        #expect(try play(silent + [Self.lacking]).causes == [])
        let late = try #require(Conversations.play.replacing(silent))
        #expect(Transcript(late.text, startsLate: true).judged().causes == [])
    }

    @Test("a timeout may be as large as the server likes")
    func endlessTimeout() throws {
        let endless = ("Session: 63A3E5E6;timeout=60", "Session: 63A3E5E6;timeout=\(Int.max)")
        #expect(try play([endless, endless, (Self.teardown, "+70\n\nFIN S")]).causes == ["ruledOut session-timeout"])
    }

    @Test("a refused keep-alive is likely if the end follows at once")
    func refusedKeepAlive() throws {
        let refusal = (Self.keepAliveAnswer, "S: RTSP/1.0 400 Bad Request\nCSeq: 6")
        #expect(
            try play([refusal, (Self.teardown, "FIN S")]).causes
                == ["likely keep-alive-refused", "ruledOut session-timeout"])
        #expect(try play([refusal, (Self.teardown, "+20\n\nFIN S")]).causes == ["ruledOut session-timeout"])
        #expect(try play([refusal]).causes == [])
        #expect(try play([refusal, (Self.teardown, "FIN S"), Self.lacking]).causes == [])
    }

    @Test("an unanswered keep-alive is likely if the end follows seconds later")
    func unansweredKeepAlive() throws {
        let silence = (Self.keepAliveAnswer + "\n\n", "")
        #expect(
            try play([silence, (Self.teardown, "+5\n\nFIN S")]).causes
                == ["likely keep-alive-unanswered", "ruledOut session-timeout"])
        #expect(try play([silence, (Self.teardown, "+5\n\nRST")]).causes == ["likely keep-alive-unanswered"])
        #expect(try play([silence, (Self.teardown, "+5")]).causes == [])
    }

    @Test("credentials for another URI, or of a scheme that was not offered, are a cause")
    func credentials() {
        func exchange(_ number: Int, _ authorization: String?) -> String {
            "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: \(number)\n"
                + (authorization.map { "Authorization: \($0)\n" } ?? "")
                + "\nS: RTSP/1.0 401 Unauthorized\nCSeq: \(number)\n"
                + "WWW-Authenticate: Digest realm=\"r\", nonce=\"n1\"\n\n"
        }
        func digest(_ uri: String) -> String {
            "Digest username=\"u\", realm=\"r\", nonce=\"n1\", uri=\"\(uri)\", response=\"00112233445566778899aabbccddeeff\""
        }
        let first = exchange(1, nil)
        #expect(Transcript(first + "FIN").judged().causes == ["proved credentials-missing"])
        let other = first + exchange(2, digest("rtsp://h/other"))
        #expect(Transcript(other + "FIN").judged().causes == ["likely credentials-uri"])
        for uri in ["rtsp://h/live", "rtsp://h/live/", "/live"] {
            let causes = Transcript(first + exchange(2, digest(uri)) + "FIN").judged().causes
            #expect(causes.first == "proved credentials-rejected", "\(uri)")
        }
        let basic = exchange(1, "Basic dTpw")
        #expect(Transcript(basic + "FIN").judged().causes == ["proved credentials-scheme"])
        // The client did send credentials.
        #expect(Transcript(basic + exchange(2, nil) + "FIN").judged().causes == [])
        let accepted =
            "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 1\nAuthorization: \(digest("rtsp://h/live"))\n\n"
            + "S: RTSP/1.0 200 OK\nCSeq: 1\n\n"
        #expect(!Transcript(accepted + exchange(2, nil) + "FIN").judged().causes.contains("proved credentials-missing"))
        // What failed later failed for another reason.
        let moved = "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 3\n\nS: RTSP/1.0 404 Not Found\nCSeq: 3\n\n"
        #expect(Transcript(other + moved + "FIN").judged().causes == [])
    }

    @Test("audio or video without packets is mentioned, unless parts of the capture are missing")
    func absentMedium() throws {
        let silent = [("U 5002 6002 700 9000\n\n", ""), ("U 5002 6002 701 9000\n\n", "")]
        func mentions(_ edits: [(String, String)]) throws -> Bool {
            try play(edits).sessions.first?.outcome.contains { $0.key == "outcome.mediumAbsent" } == true
        }
        #expect(try !mentions([]))
        #expect(try mentions(silent))
        #expect(try !mentions(silent + [Self.lacking]))
    }

    @Test("a request with a syntax error is likely if the server closes at once")
    func malformed() throws {
        let request = "C: OPTIONS * RTSP/1.0\n\n"
        #expect(Transcript(request + "RST S").judged().causes == ["likely malformed-request"])
        #expect(Transcript("C: OPTIONS * RTSP/1.0\nCSeq: 1\n\nRST S").judged().causes == [])
        #expect(Transcript(request + "+5\n\nRST S").judged().causes == [])
        #expect(Transcript(request + "S: RTSP/1.0 200 OK\nCSeq: 1\n\nRST S").judged().causes == [])
    }

    @Test("refused transports are a cause if none was granted")
    func transport() {
        func setup(_ number: Int, _ transport: String) -> String {
            "C: SETUP rtsp://h/live/track1 RTSP/1.0\nCSeq: \(number)\nTransport: \(transport)\n\n"
        }
        let refused = "S: RTSP/1.0 461 Unsupported Transport\nCSeq: 1\n\n"
        let tcp = setup(1, "RTP/AVP/TCP;unicast;interleaved=0-1") + refused
        #expect(Transcript(tcp + "FIN").judged().causes == ["proved transport-refused"])
        #expect(Transcript(tcp).judged().causes == [])
        let udp = setup(2, "RTP/AVP;unicast;client_port=5000-5001")
        let granted =
            "S: RTSP/1.0 200 OK\nCSeq: 2\nSession: 1\nTransport: RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001\n\n"
        #expect(Transcript(tcp + udp + granted + "FIN").judged().causes == [])
        #expect(Transcript(tcp + udp + "FIN").judged().causes == [])
    }

    @Test("a description without usable media")
    func description() throws {
        func described(_ media: String, _ type: String = "application/sdp") -> String {
            let body = "~\nv=0\no=- 1 1 IN IP4 192.0.2.2\ns=live\nt=0 0" + media
            return "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 1\n\n"
                + "S: RTSP/1.0 200 OK\nCSeq: 1\nContent-Type: \(type)\nContent-Length: *\n\(body)\n\n"
        }
        #expect(Transcript(described("") + "FIN").judged().causes == ["proved no-usable-medium"])
        #expect(Transcript(described("\nm=video 0 RTP/AVP 96") + "FIN").judged().causes == ["proved no-usable-medium"])
        #expect(Transcript(described("\nm=audio 0 RTP/AVP 0") + "FIN").judged().causes == [])
        #expect(Transcript(described("")).judged().causes == [])
        let none = "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 1\n\nS: RTSP/1.0 200 OK\nCSeq: 1\n\n"
        #expect(Transcript(none + "FIN").judged().causes == ["proved no-usable-medium"])
    }
}
