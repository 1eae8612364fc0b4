// Violations of each rule of RTSP.

enum RTSPCases {
    private static let play = Conversations.play
    private static let interleaved = Conversations.interleaved
    private static let record = Conversations.record
    private static let version2 = Conversations.version2
    private static let refused = Conversations.refused

    static let rtsp: [RTSPCase] = syntax + numbers + bodies + methods + transport + channels + identity + states + media

    private static let syntax: [RTSPCase] = [
        Case("RTSP-VERSION", play, [("S: RTSP/1.0 200 OK\nCSeq: 2", "S: RTSP/2.0 200 OK\nCSeq: 2")], "error answer"),
        Case("RTSP-VERSION", play, [("RTSP/1.0\nCSeq: 3", "RTSP/1.1\nCSeq: 3")], "error unknown"),
        Case(
            "RTSP-VERSION", play,
            [("RTSP/1.0\nCSeq: 6", "RTSP/2.0\nCSeq: 6"), ("RTSP/1.0 200 OK\nCSeq: 6", "RTSP/2.0 200 OK\nCSeq: 6")],
            "error mixed", "error mixed"),
        Case("RTSP-REQLINE", play, [("DESCRIBE rtsp://h/live", "DESCRIBE /live")], "error relativeURI"),
        Case("RTSP-REQLINE", play, [("DESCRIBE rtsp", "DESCRIBE  rtsp")], "error blanks"),
        Case("RTSP-REQLINE", play, [("DESCRIBE rtsp", "describe rtsp")], "error case"),
        Case("RTSP-CRLF", play, [("C: OPTIONS", "C! OPTIONS"), ("C: DESCRIBE", "C! DESCRIBE")], "note lineFeed Q-LF"),
        Case("RTSP-CRLF", play, [("C: DESCRIBE", "L C\n\nC: DESCRIBE")], "note leading Q-CRLF-LEAD"),
        Case(
            "RTSP-DATE-FORMAT", play, [("Date: Wed, 10 Aug 2016", "Date: Wed, Aug 10 2016")], "note monthFirst"),
        Case("RTSP-DATE-FORMAT", play, [("Date: Wed, 10 Aug 2016", "Date: 10 Aug 2016")], "note noWeekday"),
    ]

    private static let numbers: [RTSPCase] = [
        Case("RTSP-CSEQ-PRESENT", play, [("RTSP/1.0\nCSeq: 2", "RTSP/1.0")], "error request"),
        Case("RTSP-CSEQ-PRESENT", play, [("200 OK\nCSeq: 2", "200 OK")], "warning answer Q-CSEQ"),
        Case("RTSP-CSEQ-PRESENT", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 2x")], "error notNumber"),
        Case("RTSP-CSEQ-PRESENT", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 2 ")], "note trailingBlank Q-CSEQ"),
        Case("RTSP-CSEQ-ECHO", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 3")], "error offByOne"),
        Case("RTSP-CSEQ-ECHO", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 1")], "error stuck"),
        Case("RTSP-CSEQ-ECHO", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 0")], "warning stuck Q-CSEQ"),
        Case("RTSP-CSEQ-ECHO", play, [("200 OK\nCSeq: 2", "200 OK\nCSeq: 77")], "error other"),
        Case(
            "RTSP-CSEQ-ECHO", play, [("P 5000", "S: RTSP/1.0 200 OK\nCSeq: 9\n\nP 5000")], "error unasked"),
        Case(
            "RTSP-CSEQ-UNIQUE", play, [("RTSP/1.0\nCSeq: 5", "RTSP/1.0\nCSeq: 4"), ("OK\nCSeq: 5", "OK\nCSeq: 4")],
            "error reused"),
        Case(
            "RTSP-CSEQ-STEP", play, [("RTSP/1.0\nCSeq: 7", "RTSP/1.0\nCSeq: 9"), ("OK\nCSeq: 7", "OK\nCSeq: 9")],
            "note step"),
        Case(
            "RTSP2-CSEQ", version2, [("RTSP/2.0\nCSeq: 3", "RTSP/2.0\nCSeq: 5"), ("OK\nCSeq: 3", "OK\nCSeq: 5")],
            "error step"),
        Case("RTSP2-CSEQ", version2, [("200 OK\nCSeq: 3", "200 OK\nCSeq: 9")], "error other"),
        Case(
            "RTSP2-CSEQ", version2, [("RTSP/2.0\nCSeq: 3", "RTSP/2.0\nCSeq: 2"), ("OK\nCSeq: 3", "OK\nCSeq: 2")],
            "error reused"),
        Case(
            "RTSP-TCP-NO-RETX", play,
            [("C: DESCRIBE", "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: 2\nAccept: application/sdp\n\nC: DESCRIBE")],
            "warning again"),
        Case("RTSP-UNANSWERED", play, [("S: RTSP/1.0 200 OK\nCSeq: 6\nSession: 63A3E5E6\n\n", "")], "error never"),
        Case("RTSP-UNANSWERED", play, [("S: RTSP/1.0 200 OK\nCSeq: 7\n\n", "")], "note never"),
        Case(
            "RTSP-UNANSWERED", play, [("S: RTSP/1.0 200 OK\nCSeq: 6", "+12\n\nS: RTSP/1.0 200 OK\nCSeq: 6")],
            "warning late"),
        Case("RTSP-TIMESTAMP-ECHO", play, [("Timestamp: 1470807662.5 0.01", "Timestamp: 1470807663")], "error other"),
        Case("RTSP-TIMESTAMP-ECHO", play, [("Timestamp: 1470807662.5 0.01\n", "")], "error missing"),
        Case(
            "RTSP-REQUIRE-551", play,
            [("S: RTSP/1.0 200 OK\nCSeq: 3", "S: RTSP/1.0 551 Option not supported\nCSeq: 3")],
            "error unnamed"),
        Case("RTSP-REQUIRE-551", play, [("OK\nCSeq: 3", "OK\nCSeq: 3\nUnsupported: play.basic")], "error status"),
        Case(
            "RTSP-SCALE-REPLY", play,
            [("63A3E5E6\nScale: 1.0\nRange: npt=0.000-\nRTP", "63A3E5E6\nRange: npt=0.000-\nRTP")], "error missing"),
        Case(
            "RTSP-RANGE-REPLY", play, [("Range: npt=0.000-\nRTP", "Range: clock=20160810T054103Z-\nRTP")], "note unit"),
    ]

    private static let bodies: [RTSPCase] = [
        Case("RTSP-CLEN-PRESENT", play, [("Content-Length: *\n", "")], "error missing"),
        Case("RTSP-CLEN-PRESENT", record, [("Content-Length: *\n", "Content-Length: 165 octets\n")], "error notNumber"),
        Case("RTSP-CLEN-MATCH", play, [("Content-Length: *\n", "Content-Length: 400\n")], "error shorter"),
        Case("RTSP-CLEN-MATCH", play, [("Content-Length: *\n", "Content-Length: 100\n")], "error longer"),
        Case("RTSP-CTYPE", play, [("Content-Type: application/sdp\n", "")], "note missing Q-BASE"),
        Case("RTSP-CTYPE", play, [("Accept: application/sdp", "Accept: application/rtsl")], "warning notAccepted"),
        Case("RTSP-CONTENT-BASE", play, [("Content-Base: rtsp://", "Content-Base: ")], "note noScheme Q-BASE"),
        Case("RTSP-CONTENT-BASE", play, [("Content-Base: ", "Content-Base: rtsp://")], "note twoSchemes Q-BASE"),
        Case("RTSP-CONTENT-BASE", play, [("Content-Base: rtsp", "Content-Base: http")], "warning otherScheme"),
        Case(
            "RTSP-CONTROL-URI", play, [("SETUP rtsp://h/live/track2", "SETUP rtsp://h/live/audio")], "warning unknown"),
        Case(
            "RTSP-CONTROL-URI", interleaved, [("Content-Base: rtsp://h/live/", "Content-Base: rtsp://h/live")],
            "note concatenated Q-BASE"),
    ]

    private static let methods: [RTSPCase] = [
        Case(
            "RTSP-PUBLIC", play, [("Public: OPTIONS, DESCRIBE, SETUP, TEARDOWN,", "Public: OPTIONS, DESCRIBE,")],
            "warning incomplete"),
        Case("RTSP-PUBLIC", play, [("Public: OPTIONS, ", "Public: ")], "note withoutOptions"),
        Case("RTSP-PUBLIC", play, [("Public: ", "Server: ")], "warning missing"),
        Case(
            "RTSP-PUBLIC-LIE", play, [("200 OK\nCSeq: 6", "405 Method Not Allowed\nCSeq: 6")], "warning refused"),
        Case(
            "RTSP-PUBLIC-LIE", refused,
            [("FIN", "C: JUMP rtsp://h/live/ RTSP/1.0\nCSeq: 5\n\nS: RTSP/1.0 501 Not Implemented\nCSeq: 5\n\nFIN")],
            "warning triedAgain"),
        Case("RTSP-PUBLIC-LIE", play, [("PAUSE, GET_PARAMETER, ", "PAUSE, ")], "note unlisted"),
        Case("RTSP-METHOD-501", refused, [("501 Not Implemented", "400 Bad Request")], "warning otherStatus"),
        Case("RTSP-METHOD-501", refused, [("S: RTSP/1.0 501 Not Implemented\nCSeq: 2\n\n", "")], "warning silence"),
        Case(
            "RTSP-KEEPALIVE-METHOD", play, [("200 OK\nCSeq: 6", "451 Invalid Parameter\nCSeq: 6")],
            "note refused Q-KEEPALIVE"),
        Case("RTSP-KEEPALIVE-METHOD", play, [("PAUSE, GET_PARAMETER, ", "PAUSE, ")], "note unlisted"),
        Case(
            "RTSP-KEEPALIVE", play, [("C: GET_PARAMETER", "+70\n\nU 5002 6002 702 9000\n\nC: GET_PARAMETER")],
            "warning silent"),
        Case("RTSP-KEEPALIVE", play, [("C: GET_PARAMETER", "+36\n\nC: GET_PARAMETER")], "note close"),
        Case(
            "RTSP-KEEPALIVE", play,
            [("C: GET_PARAMETER", "+30\n\ncV 5001 6001 R\n\n+30\n\ncV 5001 6001 R\n\nC: GET_PARAMETER")],
            "note rtcp Q-KEEPALIVE"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved, [("WWW-Authenticate: Digest realm=\"camera\", nonce=\"1f2e\"\n", "")],
            "error missing"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved, [(", nonce=\"1f2e\"\n", "\n")], "error incomplete",
            "warning nonce"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved, [("nonce=\"1f2e\"\n", "nonce=\"1f2e\" Basic realm=\"x\"\n")],
            "note comma Q-AUTH"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved, [("WWW-Authenticate: Digest", "WWW-Authenticate: Basic")],
            "error scheme"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved,
            [("nonce=\"1f2e\"\n", "nonce=\"1f2e\", algorithm=SHA-256\n")], "error algorithm"),
        Case("RTSP-AUTH-CHALLENGE", interleaved, [("nonce=\"1f2e\"\n", "nonce=\"2f2e\"\n")], "warning nonce"),
        Case(
            "RTSP-AUTH-CHALLENGE", interleaved,
            [("RTSP/1.0\nCSeq: 2", "RTSP/1.0\nCSeq: 1"), ("OK\nCSeq: 2", "OK\nCSeq: 1")],
            "error number"),
        Case(
            "RTSP-AUTH-CLEAR", interleaved,
            [("Authorization: Digest username=\"user\"", "Authorization: Basic dXNlcjpwYXNz\nX: \"")], "note basic"),
        Case("RTSP-AUTH-CLEAR", play, [("OPTIONS rtsp://h", "OPTIONS rtsp://user:pass@h")], "note uri"),
    ]

    private static let transport: [RTSPCase] = [
        Case(
            "RTSP-SETUP-TRANSPORT", play, [("Transport: RTP/AVP;unicast;client_port=5000-5001\n", "X: y\n")],
            "error request"),
        Case(
            "RTSP-SETUP-TRANSPORT", interleaved,
            [("63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\n", "63A3E5E6\n")],
            "warning answer"),
        Case(
            "RTSP-SETUP-TRANSPORT", interleaved,
            [
                ("CSeq: 3\nTransport: ", "CSeq: 3\nTransport: RTP/AVP;unicast;client_port=5000-5001,"),
                ("63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\n", "63A3E5E6\n"),
            ], "error choice"),
        Case(
            "RTSP-TRANSPORT-ONE", interleaved,
            [("63A3E5E6\nTransport: ", "63A3E5E6\nTransport: RTP/AVP/TCP;interleaved=0-1,")], "error several"),
        Case(
            "RTSP-TRANSPORT-ONE", interleaved,
            [
                (
                    "63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1",
                    "63A3E5E6\nTransport: RTP/AVP;unicast;server_port=6000-6001"
                )
            ], "error notOffered"),
        Case(
            "RTSP-TRANSPORT-ECHO", play, [("client_port=5000-5001;server", "client_port=5004-5005;server")],
            "warning port"),
        Case(
            "RTSP-TRANSPORT-ECHO", interleaved,
            [
                (
                    "63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1",
                    "63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=8-9"
                )
            ], "note channel Q-SETUP"),
        Case("RTSP-TRANSPORT-PEER", play, [("5000-5001;server_port=6000-6001", "5000-5001")], "warning port"),
        Case(
            "RTSP-TRANSPORT-PEER", interleaved,
            [("63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1", "63A3E5E6\nTransport: RTP/AVP/TCP;unicast")],
            "note channels Q-SETUP"),
        Case(
            "RTSP-TRANSPORT-GRAMMAR", play, [("server_port=6000-6001", "server_port=6000-6001;mode=PLAY;")],
            "note emptyParameter"),
        Case(
            "RTSP-TRANSPORT-GRAMMAR", play, [("server_port=6000-6001", "server_port=6000-6001;ssrc=1F2E3D4")],
            "note ssrc Q-SETUP"),
        Case("RTSP-PORT-PAIR", play, [("client_port=5000-5001\n", "client_port=5001-5002\n")], "warning odd"),
        Case("RTSP-PORT-PAIR", play, [("client_port=5000-5001\n", "client_port=5000-5009\n")], "warning notNext"),
        Case("RTSP-PORT-PAIR", play, [("server_port=6000-6001", "server_port=6001-6002")], "note odd"),
        Case("RTSP-PORT-REUSE", play, [("client_port=5002-5003\n", "client_port=5000-5001\n")], "warning askedPorts"),
        Case(
            "RTSP-PORT-REUSE", version2,
            [
                (
                    "63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=2-3",
                    "63A3E5E6\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1"
                )
            ], "warning grantedChannels"),
    ]

    private static let channels: [RTSPCase] = [
        Case("RTSP-IL-CHANNEL", interleaved, [("M 0 101 12000", "M 4 101 12000")], "warning ungranted Q-PLAY"),
        Case("RTSP-IL-PARITY", interleaved, [("R 1 S", "R 0 S")], "note rtcp"),
        Case("RTSP-IL-FRAMING", interleaved, [("M 0 101 12000", "M 0 101 12000\n\nJ S 7")], "error remark"),
        Case("RTSP-IL-EARLY", interleaved, [("C: PLAY", "M 0 99 8000\n\nC: PLAY")], "note early Q-PLAY"),
    ]

    private static let identity: [RTSPCase] = [
        Case("RTSP-SESSION-SET", interleaved, [("OK\nCSeq: 3\nSession: 63A3E5E6", "OK\nCSeq: 3")], "warning missing"),
        Case("RTSP-SESSION-SET", version2, [("OK\nCSeq: 1\nSession: 63A3E5E6", "OK\nCSeq: 1")], "error missing"),
        Case("RTSP-SESSION-ECHO", play, [("CSeq: 5\nSession: 63A3E5E6\n", "CSeq: 5\n")], "error missing"),
        Case("RTSP-SESSION-ECHO", play, [("CSeq: 4\nSession: 63A3E5E6\n", "CSeq: 4\n")], "error missing"),
        Case("RTSP-SESSION-ECHO", play, [("CSeq: 6\nSession: 63A3E5E6\n", "CSeq: 6\n")], "warning missing"),
        Case(
            "RTSP-SESSION-ECHO", play, [("CSeq: 5\nSession: 63A3E5E6\n", "CSeq: 5\nSession: 11111111\n")], "error wrong"
        ),
        Case(
            "RTSP-SESSION-ECHO", play, [("CSeq: 5\nSession: 63A3E5E6\n", "CSeq: 5\nSession: 63A3E5E6;timeout=60\n")],
            "note timeout"),
        Case(
            "RTSP-SESSION-STABLE", play, [("OK\nCSeq: 4\nSession: 63A3E5E6", "OK\nCSeq: 4\nSession: 7B001122")],
            "note changed Q-SETUP"),
        Case("RTSP-SESSION-454", play, [("CSeq: 5\nSession: 63A3E5E6\n", "CSeq: 5\n")], "warning missing"),
        Case("RTSP-SESSION-454", refused, [("454 Session Not Found", "200 OK")], "warning unknown"),
        Case(
            "RTSP-SESSION-LENGTH", interleaved, [("OK\nCSeq: 3\nSession: 63A3E5E6", "OK\nCSeq: 3\nSession: 1")],
            "warning short"),
        Case(
            "RTSP-SESSION-LENGTH", interleaved, [("OK\nCSeq: 3\nSession: 63A3E5E6", "OK\nCSeq: 3\nSession: 00000042")],
            "warning counter"),
        Case(
            "RTSP-SESSION-LENGTH", interleaved, [("OK\nCSeq: 3\nSession: 63A3E5E6", "OK\nCSeq: 3\nSession: 63A3*5E6")],
            "note characters"),
    ]

    private static let states: [RTSPCase] = [
        Case(
            "RTSP-PLAY-PENDING", interleaved,
            [
                (
                    "S: RTSP/1.0 200 OK\nCSeq: 3",
                    "C: PLAY rtsp://h/live/ RTSP/1.0\nCSeq: 4\n\nS: RTSP/1.0 200 OK\nCSeq: 3"
                )
            ],
            "error pending"),
        Case("RTSP-STATE", interleaved, [("C: PLAY", "C: PAUSE")], "error unfit", "warning accepted"),
        Case(
            "RTSP-STATE", interleaved,
            [("C: PLAY", "C: PAUSE"), ("200 OK\nCSeq: 4", "455 Method Not Valid in This State\nCSeq: 4")], "error unfit"
        ),
        Case("RTSP-UNSET-MEDIA", play, [("SETUP rtsp://h/live/track2", "SETUP rtsp://h/live/track1")], "note left"),
        Case("RTSP-UNSET-MEDIA", play, [("200 OK\nCSeq: 4", "461 Unsupported Transport\nCSeq: 4")], "note refused"),
        // Without a line end before its control attribute, the first medium may be the one that was set up.
        Case("RTSP-UNSET-MEDIA", play, [("aM4PyA==\na=control:track1", "aM4PyA==a=control:track1")]),
        Case("RTSP-RECORD-FLOW", record, [(";mode=record", ""), (";mode=\"RECORD\"", "")], "warning mode"),
        Case("RTSP-RECORD-FLOW", record, [(";mode=record", "")], "warning mode"),
        Case("RTSP-RECORD-FLOW", record, [("C: ANNOUNCE", "C: DESCRIBE")], "note announce"),
        Case(
            "RTSP-TEARDOWN", play,
            [
                (
                    "C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6\n\nS: RTSP/1.0 200 OK\nCSeq: 7\n\n",
                    ""
                )
            ],
            "note closed"),
        Case(
            "RTSP-TEARDOWN", play,
            [
                (
                    "C: TEARDOWN rtsp://h/live/ RTSP/1.0\nCSeq: 7\nSession: 63A3E5E6\n\nS: RTSP/1.0 200 OK\nCSeq: 7\n\nFIN",
                    "RST"
                )
            ], "note reset"),
    ]

    private static let media: [RTSPCase] = [
        Case("RTSP-RTPINFO", interleaved, [("RTP-Info:", "X-Info:")], "note missing Q-PLAY"),
        Case("RTSP-RTPINFO", play, [(",url=rtsp://h/live/track2;seq=700;rtptime=9000", "")], "note stream Q-PLAY"),
        Case("RTSP-RTPINFO", interleaved, [("rtptime=9000", "rtptime=9000;")], "note grammar Q-PLAY"),
        Case("RTSP-RTPINFO", interleaved, [("seq=100", "seq=65636")], "warning sequence"),
        Case(
            "RTSP-RTPINFO-SCOPE", interleaved,
            [("rtptime=9000", "rtptime=9000,url=rtsp://h/live/track2;seq=0;rtptime=0")], "warning unset"),
        Case("RTSP-RTPINFO-SEQ", interleaved, [("seq=100", "seq=4000")], "warning other"),
        Case("RTSP-RTPINFO-SEQ", interleaved, [("seq=100", "seq=0")], "note other Q-PLAY"),
        Case("RTSP-RTPINFO-SEQ", play, [("seq=100", "seq=98")], "inconclusive inconclusive"),
        Case("RTSP-RTPINFO-TIME", interleaved, [("rtptime=9000", "rtptime=4000000000")], "warning far"),
        Case(
            "RTSP-RTPINFO-TIME", interleaved, [("rtptime=9000", "rtptime=0"), ("M 0 100 9000", "M 0 100 9000000")],
            "note far Q-PLAY"),
    ]
}
