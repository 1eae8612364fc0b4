import WeirEngine

/// A failing and a passing example of each rule.
enum RTSPExamples {
    static let all: [String: RuleExample] = [
        "RTSP-VERSION": RuleExample(
            broken: "OPTIONS * RTSP/1.0\nRTSP/2.0 200 OK",
            kept: "OPTIONS * RTSP/1.0\nRTSP/1.0 200 OK"),
        "RTSP-REQLINE": RuleExample(
            broken: "DESCRIBE /live.264 RTSP/1.0",
            kept: "DESCRIBE rtsp://192.0.2.1/live.264 RTSP/1.0"),
        "RTSP-CRLF": RuleExample(
            broken: "RTSP/1.0 200 OK<LF>CSeq: 2<LF>",
            kept: "RTSP/1.0 200 OK<CR><LF>CSeq: 2<CR><LF>"),
        "RTSP-CSEQ-PRESENT": RuleExample(
            broken: "RTSP/1.0 200 OK\nServer: camera",
            kept: "RTSP/1.0 200 OK\nCSeq: 2\nServer: camera"),
        "RTSP-CSEQ-ECHO": RuleExample(
            broken: "PLAY … CSeq: 4\nRTSP/1.0 200 OK … CSeq: 3",
            kept: "PLAY … CSeq: 4\nRTSP/1.0 200 OK … CSeq: 4"),
        "RTSP-CSEQ-UNIQUE": RuleExample(
            broken: "SETUP … CSeq: 4\nPLAY … CSeq: 4",
            kept: "SETUP … CSeq: 4\nPLAY … CSeq: 5"),
        "RTSP-CSEQ-STEP": RuleExample(
            broken: "OPTIONS … CSeq: 1\nDESCRIBE … CSeq: 5",
            kept: "OPTIONS … CSeq: 1\nDESCRIBE … CSeq: 2"),
        "RTSP-TCP-NO-RETX": RuleExample(
            broken: "DESCRIBE … CSeq: 2\nDESCRIBE … CSeq: 2",
            kept: "DESCRIBE … CSeq: 2\n(waits for the response)"),
        "RTSP-UNANSWERED": RuleExample(
            broken: "DESCRIBE … CSeq: 2\n(the server closes the connection)",
            kept: "DESCRIBE … CSeq: 2\nRTSP/1.0 404 Not Found … CSeq: 2"),
        "RTSP-CLEN-PRESENT": RuleExample(
            broken: "RTSP/1.0 200 OK\nContent-Type: application/sdp\n\nv=0 …",
            kept: "RTSP/1.0 200 OK\nContent-Type: application/sdp\nContent-Length: 412\n\nv=0 …"),
        "RTSP-CLEN-MATCH": RuleExample(
            broken: "Content-Length: 400\n(412 octets follow)",
            kept: "Content-Length: 412\n(412 octets follow)"),
        "RTSP-CTYPE": RuleExample(
            broken: "RTSP/1.0 200 OK\nContent-Length: 412",
            kept: "RTSP/1.0 200 OK\nContent-Type: application/sdp\nContent-Length: 412"),
        "RTSP-DATE-FORMAT": RuleExample(
            broken: "Date: Wed, Aug 10 2016 05:41:03 GMT",
            kept: "Date: Wed, 10 Aug 2016 05:41:03 GMT"),
        "RTSP-PUBLIC": RuleExample(
            broken: "OPTIONS …\nRTSP/1.0 200 OK (no Public)",
            kept: "OPTIONS …\nRTSP/1.0 200 OK … Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"),
        "RTSP-PUBLIC-LIE": RuleExample(
            broken: "Public: …, PAUSE\nPAUSE …\nRTSP/1.0 405 Method Not Allowed",
            kept: "Public: …, PAUSE\nPAUSE …\nRTSP/1.0 200 OK"),
        "RTSP-METHOD-501": RuleExample(
            broken: "FOO rtsp://…\n(the server closes the connection)",
            kept: "FOO rtsp://…\nRTSP/1.0 501 Not Implemented"),
        "RTSP-CONTENT-BASE": RuleExample(
            broken: "Content-Base: 192.0.2.1/live/",
            kept: "Content-Base: rtsp://192.0.2.1/live/"),
        "RTSP-CONTROL-URI": RuleExample(
            broken: "a=control:track1 (base rtsp://192.0.2.1/live/)\nSETUP rtsp://192.0.2.1/track1",
            kept: "a=control:track1 (base rtsp://192.0.2.1/live/)\nSETUP rtsp://192.0.2.1/live/track1"),
        "RTSP-SETUP-TRANSPORT": RuleExample(
            broken: "SETUP rtsp://… (no Transport)",
            kept: "SETUP rtsp://… Transport: RTP/AVP;unicast;client_port=5000-5001"),
        "RTSP-TRANSPORT-ONE": RuleExample(
            broken: "Transport: RTP/AVP;unicast;…,RTP/AVP/TCP;… (in the response)",
            kept: "Transport: RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001"),
        "RTSP-TRANSPORT-ECHO": RuleExample(
            broken: "client_port=5000-5001\nRTSP/1.0 200 OK … client_port=5002-5003",
            kept: "client_port=5000-5001\nRTSP/1.0 200 OK … client_port=5000-5001"),
        "RTSP-TRANSPORT-PEER": RuleExample(
            broken: "RTSP/1.0 200 OK … Transport: RTP/AVP;unicast;client_port=5000-5001",
            kept: "RTSP/1.0 200 OK … client_port=5000-5001;server_port=6000-6001"),
        "RTSP-TRANSPORT-GRAMMAR": RuleExample(
            broken: "Transport: RTP/AVP;unicast;client_port=5000-5001;",
            kept: "Transport: RTP/AVP;unicast;client_port=5000-5001"),
        "RTSP-PORT-PAIR": RuleExample(broken: "client_port=12849-12850", kept: "client_port=12848-12849"),
        "RTSP-PORT-REUSE": RuleExample(
            broken: "SETUP …/track1 … client_port=5000-5001\nSETUP …/track2 … client_port=5000-5001",
            kept: "SETUP …/track1 … client_port=5000-5001\nSETUP …/track2 … client_port=5002-5003"),
        "RTSP-IL-CHANNEL": RuleExample(
            broken: "Transport: …;interleaved=0-1\n$ channel 4",
            kept: "Transport: …;interleaved=0-1\n$ channel 0"),
        "RTSP-IL-PARITY": RuleExample(
            broken: "interleaved=0-1\n$ channel 1 carries RTP",
            kept: "interleaved=0-1\n$ channel 0 carries RTP, channel 1 RTCP"),
        "RTSP-IL-FRAMING": RuleExample(
            broken: "$ 0 1400 (1396 octets) RTSP/1.0 200 OK",
            kept: "$ 0 1400 (1400 octets) RTSP/1.0 200 OK"),
        "RTSP-IL-EARLY": RuleExample(
            broken: "PLAY …\n$ channel 0 …\nRTSP/1.0 200 OK",
            kept: "PLAY …\nRTSP/1.0 200 OK\n$ channel 0 …"),
        "RTSP-SESSION-SET": RuleExample(
            broken: "SETUP …\nRTSP/1.0 200 OK (no Session)",
            kept: "SETUP …\nRTSP/1.0 200 OK … Session: 63A3E5E6"),
        "RTSP-SESSION-ECHO": RuleExample(
            broken: "RTSP/1.0 200 OK … Session: 63A3E5E6\nPLAY … (no Session)",
            kept: "RTSP/1.0 200 OK … Session: 63A3E5E6\nPLAY … Session: 63A3E5E6"),
        "RTSP-SESSION-STABLE": RuleExample(
            broken: "SETUP … Session: 63A3E5E6\nRTSP/1.0 200 OK … Session: 77B1C2D3",
            kept: "SETUP … Session: 63A3E5E6\nRTSP/1.0 200 OK … Session: 63A3E5E6"),
        "RTSP-SESSION-454": RuleExample(
            broken: "PLAY … Session: 00000000\nRTSP/1.0 200 OK",
            kept: "PLAY … Session: 00000000\nRTSP/1.0 454 Session Not Found"),
        "RTSP-SESSION-LENGTH": RuleExample(broken: "Session: 1", kept: "Session: 63A3E5E6F00D"),
        "RTSP-KEEPALIVE": RuleExample(
            broken: "Session: 63A3E5E6;timeout=60\n(75 s of media without a request)",
            kept: "Session: 63A3E5E6;timeout=60\n(GET_PARAMETER each 30 s)"),
        "RTSP-KEEPALIVE-METHOD": RuleExample(
            broken: "GET_PARAMETER …\nRTSP/1.0 501 Not Implemented",
            kept: "Public: …, GET_PARAMETER\nGET_PARAMETER …\nRTSP/1.0 200 OK"),
        "RTSP-PLAY-PENDING": RuleExample(
            broken: "SETUP … CSeq: 4\nPLAY … CSeq: 5\nRTSP/1.0 200 OK … CSeq: 4",
            kept: "SETUP … CSeq: 4\nRTSP/1.0 200 OK … CSeq: 4\nPLAY … CSeq: 5"),
        "RTSP-STATE": RuleExample(
            broken: "DESCRIBE …\nPLAY … (nothing was set up)",
            kept: "DESCRIBE …\nSETUP …\nPLAY …"),
        "RTSP-UNSET-MEDIA": RuleExample(
            broken: "m=video … m=audio …\nSETUP …/video\nPLAY …",
            kept: "m=video … m=audio …\nSETUP …/video\nSETUP …/audio\nPLAY …"),
        "RTSP-RTPINFO": RuleExample(
            broken: "PLAY …\nRTSP/1.0 200 OK (no RTP-Info)",
            kept: "PLAY …\nRTSP/1.0 200 OK … RTP-Info: url=…/track1;seq=18553;rtptime=3987283666"),
        "RTSP-RTPINFO-SCOPE": RuleExample(
            broken: "RTP-Info: url=…/track1;…,url=…/track2;… (track2 was never set up)",
            kept: "RTP-Info: url=…/track1;seq=18553;rtptime=3987283666"),
        "RTSP-RTPINFO-SEQ": RuleExample(
            broken: "RTP-Info: …;seq=18553\nRTP seq 20000",
            kept: "RTP-Info: …;seq=18553\nRTP seq 18553"),
        "RTSP-RTPINFO-TIME": RuleExample(
            broken: "RTP-Info: …;rtptime=0\nRTP timestamp 3987283666",
            kept: "RTP-Info: …;rtptime=3987283666\nRTP timestamp 3987283666"),
        "RTSP-RANGE-REPLY": RuleExample(
            broken: "PLAY … Range: npt=0-\nRTSP/1.0 200 OK … Range: clock=…",
            kept: "PLAY … Range: npt=0-\nRTSP/1.0 200 OK … Range: npt=0-"),
        "RTSP-SCALE-REPLY": RuleExample(
            broken: "PLAY … Scale: 2.0\nRTSP/1.0 200 OK (no Scale)",
            kept: "PLAY … Scale: 2.0\nRTSP/1.0 200 OK … Scale: 1.0"),
        "RTSP-TIMESTAMP-ECHO": RuleExample(
            broken: "OPTIONS * … Timestamp: 1470807662.5\nRTSP/1.0 200 OK … Timestamp: 1470807663",
            kept: "OPTIONS * … Timestamp: 1470807662.5\nRTSP/1.0 200 OK … Timestamp: 1470807662.5 0.01"),
        "RTSP-REQUIRE-551": RuleExample(
            broken: "SETUP … Require: x-unknown\nRTSP/1.0 551 Option not supported (no Unsupported)",
            kept: "SETUP … Require: x-unknown\nRTSP/1.0 551 Option not supported … Unsupported: x-unknown"),
        "RTSP-AUTH-CHALLENGE": RuleExample(
            broken: "RTSP/1.0 401 Unauthorized (no WWW-Authenticate)",
            kept: "RTSP/1.0 401 Unauthorized … WWW-Authenticate: Digest realm=\"camera\", nonce=\"…\""),
        "RTSP-AUTH-CLEAR": RuleExample(
            broken: "Authorization: Basic …",
            kept: "Authorization: Digest username=\"…\", response=\"…\""),
        "RTSP-RECORD-FLOW": RuleExample(
            broken: "SETUP … Transport: RTP/AVP;unicast;…\nRECORD …",
            kept: "ANNOUNCE …\nSETUP … Transport: RTP/AVP;unicast;…;mode=record\nRECORD …"),
        "RTSP-TEARDOWN": RuleExample(
            broken: "(the client closes the connection)",
            kept: "TEARDOWN … Session: 63A3E5E6\nRTSP/1.0 200 OK"),
        "RTSP2-CSEQ": RuleExample(
            broken: "SETUP … RTSP/2.0 CSeq: 3\nPLAY … RTSP/2.0 CSeq: 5",
            kept: "SETUP … RTSP/2.0 CSeq: 3\nPLAY … RTSP/2.0 CSeq: 4"),
    ]
}
