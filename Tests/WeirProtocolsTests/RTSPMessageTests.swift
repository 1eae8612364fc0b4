import Testing
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct RTSPMessageTests {
    private func message(_ text: String...) throws -> RTSPMessage {
        let octets = Array((text + [""]).map { $0 + "\r\n" }.joined().utf8)
        return try #require(RTSPMessage.test(octets))
    }

    private func oddities(_ text: String...) throws -> RTSPMessage.Oddities {
        let octets = Array((text + [""]).map { $0 + "\r\n" }.joined().utf8)
        return try #require(RTSPMessage.test(octets)).oddities
    }

    @Test func startLines() throws {
        let request = try message("SETUP rtsp://a/b RTSP/2.0")
        #expect(request.method == "SETUP")
        #expect(request.uri == "rtsp://a/b")
        #expect(request.version.major == 2)
        #expect(request.oddities == [])
        let answer = try message("RTSP/1.0 461 Unsupported transport")
        #expect(answer.status == 461)
        #expect(answer.reason == "Unsupported transport")
        #expect(!answer.isRequest)
        // RFC 2326 §14.5 has "200 1 OK".
        #expect(try message("RTSP/1.0 200 1 OK").reason == "1 OK")
        #expect(try oddities("RTSP/1.0 200") == .noReason)
        #expect(try oddities("GET /info RTSP/1.0") == .relativeURI)
        #expect(try oddities("PLAY  rtsp://a/my file rtsp/1.0") == [.startLineBlanks, .blankInURI, .startLineCase])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK", "GET / HTTP/1.1", "INVITE sip:a SIP/2.0", "PLAY RTSP/1.0", "PLAY a RTSP/1", "",
    ])
    func otherProtocols(_ line: String) {
        #expect(RTSPMessage.test(Array((line + "\r\n\r\n").utf8)) == nil)
    }

    @Test func sequenceNumberIsReadLeniently() throws {
        #expect(try message("PLAY * RTSP/1.0", "Cseq: 7 ").cseq == 7)
        #expect(try oddities("PLAY * RTSP/1.0", "Cseq: 7 ") == [.headerCase, .cseqTrailingBlank])
        #expect(try message("PLAY * RTSP/1.0", "CSeq: 12x").cseq == 12)
        #expect(try oddities("PLAY * RTSP/1.0", "CSeq: 12x") == .cseqNotNumber)
        #expect(try message("PLAY * RTSP/1.0", "CSeq: 4294967296").cseq == nil)
        #expect(try message("PLAY * RTSP/1.0", "CSeq: ").cseqText == "")
        #expect(try message("PLAY * RTSP/1.0").cseqText == nil)
    }

    @Test func session() {
        let header = SessionHeader("63A3E5E6 ; Timeout= 60")
        #expect(header.identifier == "63A3E5E6")
        #expect(header.timeoutSeconds == 60)
        #expect(SessionHeader("12345678").timeoutSeconds == nil)
        #expect(SessionHeader("12345678;timeout=99999999999999999999").timeoutSeconds == nil)
    }

    static let sessions: [(String, String, Int?)] = [
        ("id;timeout=60", "id", 60), (" id ;timeout=60", "id", 60), ("id;timeout=", "id", nil),
        ("id;timeout=60;x=1", "id", 60), ("id;timeout=60s", "id", 60), ("id;TIMEOUT=60", "id", 60),
        (";timeout=5", "", 5),
        ("id;timeout=1234567890", "id", 1_234_567_890), ("\"a;b\";timeout=5", "\"a;b\"", 5), ("id;", "id", nil),
        ("id;x=1;timeout=7", "id", 7), ("id;timeout=5;timeout=6", "id", 5),
    ]

    /// The usual forms are read octet by octet, all others in parts.
    @Test(arguments: sessions) func sessionHeaders(_ text: String, _ identifier: String, _ timeout: Int?) {
        let header = SessionHeader(text)
        #expect(header.identifier == identifier)
        #expect(header.timeoutSeconds == timeout)
        #expect(header.raw == text)
    }

    @Test func rtpInfoOfVersionOne() {
        let entries = RTPInfoEntry.list(
            "url=rtsp://a/track1;seq=18553;rtptime=3987283666,url=rtsp://a/x,y/track2;rtptime=-1;seq=0;")
        #expect(entries.map(\.url) == ["rtsp://a/track1", "rtsp://a/x,y/track2"])
        #expect(entries.map(\.sequence) == [18553, 0])
        #expect(entries.map(\.rtpTime) == [3_987_283_666, nil])
        #expect(entries.map(\.hasEmptyParameter) == [false, true])
        #expect(entries.map(\.hasBadNumber) == [false, true])
    }

    @Test func rtpInfoOfVersionTwo() {
        // The example of RFC 7826 §18.45, unfolded.
        let entries = RTPInfoEntry.list(
            "url=\"rtsp://example.com/foo/audio\" ssrc=0A13C760:seq=45102; rtptime=12345678,"
                + "url=\"rtsp://example.com/foo/video\" ssrc=9A9DE123:seq=30211;rtptime=29567112")
        #expect(entries.map(\.ssrc) == [0x0A13_C760, 0x9A9D_E123])
        #expect(entries.map(\.sequence) == [45102, 30211])
        #expect(entries.map(\.rtpTime) == [12_345_678, 29_567_112])
        #expect(entries.first?.url == "rtsp://example.com/foo/audio")
    }

    @Test func ranges() throws {
        let open = try #require(RangeHeader("npt=0.000-"))
        #expect(open.unit == .npt)
        #expect(open.startSeconds == 0)
        #expect(open.end == nil)
        #expect(RangeHeader("npt=1:02:03.5-now")?.startSeconds == 3723.5)
        let clock = try #require(RangeHeader("clock=19960213T143205Z-;time=19970123T143720Z"))
        #expect(clock.unit == .clock)
        #expect(clock.start == "19960213T143205Z")
        #expect(clock.time == "19970123T143720Z")
        #expect(RangeHeader("smpte-30-drop=10:07:33-")?.unit == .smpte("smpte-30-drop"))
        #expect(RangeHeader("bytes=1-2")?.unit == .other("bytes"))
        #expect(RangeHeader("nonsense") == nil)
    }

    static let dateForms: [(String, RTSPDate.Form)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", RTSPDate.Form.rfc1123), ("Wed, Aug 10 2016 05:41:03 GMT", .monthFirst),
        ("23 Jan 1997 15:35:06 GMT", .noWeekday), ("Sun, 6 Nov 1994 08:49:37 GMT", .other), ("", .other),
        ("Sun, 06 Nov 1994 08:61:37 GMT", .other), ("Fri, 20 Dec 2013 10:20:32 +0000", .other),
    ]

    @Test(arguments: dateForms)
    func dates(_ text: String, _ form: RTSPDate.Form) {
        #expect(RTSPDate(text).form == form)
    }

    @Test func challengesRunTogether() {
        let challenges = AuthenticationChallenge.list(
            "Digest realm=\"IP Camera, \\\"front\\\"\" nonce=\"a1\",stale=FALSE Basic realm=\"IP Camera\"")
        #expect(challenges.map(\.scheme) == ["Digest", "Basic"])
        #expect(challenges.first?.realm == "IP Camera, \"front\"")
        #expect(challenges.first?["NONCE"] == "a1")
        #expect(challenges.first?["stale"] == "FALSE")
        #expect(challenges.last?.realm == "IP Camera")
    }

    @Test func secretsAreMasked() throws {
        let answer = try message(
            "PLAY rtsp://admin:s3cret@cam/1 RTSP/1.0", "CSeq: 1", "Authorization: Basic YWRtaW46czNjcmV0",
            "Content-Base: rtsp://admin:s3cret@cam/1/",
            "RTP-Info: url=rtsp://admin:s3cret@cam/1/a;seq=1,url=rtsp://admin:s3cret@cam/1/b;seq=2",
            "Transport: RTP/AVP;destination=rtsp://u:s3cret@h")
        let shown = "\(answer.fields(.masked)) \(answer.summary(.masked))"
        #expect(!shown.contains("s3cret"))
        #expect(!shown.contains("YWRtaW46"))
        #expect("\(answer.fields(.revealed))".contains("s3cret"))
        #expect(answer.authorization?.username == "admin")
        let digest = try message(
            "PLAY rtsp://cam/1 RTSP/1.0",
            "Authorization: Digest username=\"admin\", realm=\"cam\", nonce=\"n1\", uri=\"rtsp://cam/1\", response=\"deadbeef\""
        )
        #expect(digest.authorization?.uri == "rtsp://cam/1")
        let text = "\(digest.fields(.masked))"
        #expect(text.contains("n1") && !text.contains("deadbeef"))
    }

    @Test func summaries() throws {
        #expect(
            try message("SETUP rtsp://a/t RTSP/1.0", "Transport: RTP/AVP/UDP;unicast;client_port=1-2").summary(.masked)
                == "SETUP rtsp://a/t  RTP/AVP/UDP;unicast;client_port=1-2")
        #expect(
            try message(
                "RTSP/1.0 200 OK", "Session: 63A3E5E6;timeout=60",
                "Transport: RTP/AVP;unicast;client_port=1-2;server_port=3-4"
            ).summary(.masked)
                == "200 OK, session 63A3E5E6 (timeout 60 s), client ports 1–2, server ports 3–4")
        #expect(
            try message("RTSP/1.0 200 OK", "Public: OPTIONS, PLAY").summary(.masked) == "200 OK: OPTIONS, PLAY")
        #expect(
            try message("RTSP/1.0 401 Unauthorized", "WWW-Authenticate: Digest realm=\"cam\"").summary(.masked)
                == "401 Unauthorized, Digest required for \"cam\"")
        #expect(
            try message("PLAY rtsp://u:p@a RTSP/1.0", "Range: npt=0-").summary(.masked)
                == "PLAY rtsp://u:***@a  Range npt=0-")
    }

    @Test func notes() throws {
        #expect(try message("OPTIONS * RTSP/1.0").note?.key == "rtsp.request.OPTIONS")
        #expect(try message("FLUSH * RTSP/1.0").note == Text("rtsp.request.unknown", .string("FLUSH")))
        #expect(try message("RTSP/1.0 454 Session Not Found").note?.key == "rtsp.response.454")
        #expect(try message("RTSP/1.0 999 Odd").note?.key == "rtsp.response.class5")
    }

    /// A server that rejects only the nonce sends `stale`; one that sends another nonce may have done so.
    @Test(
        "a 401 states what it refused",
        arguments: [
            (#"Digest realm="c", nonce="1""#, "rtsp.remark.refused"),
            (#"Digest realm="c", nonce="2""#, "rtsp.remark.refusedNonce"),
            (#"Digest realm="c", nonce="2", stale=TRUE"#, "rtsp.remark.staleNonce"),
            (#"Basic realm="c""#, "rtsp.remark.refusedNonce"),
        ])
    func refusal(_ challenge: String, _ key: String) throws {
        let answer = try message("RTSP/1.0 401 Unauthorized", "CSeq: 3", "WWW-Authenticate: \(challenge)")
        let request = try message(
            "DESCRIBE rtsp://a/b RTSP/1.0", "CSeq: 3", #"Authorization: Digest username="u", realm="c", nonce="1""#)
        let credentials = try #require(request.authorization)
        #expect(answer.refusal(of: credentials).key == key)
    }
}
