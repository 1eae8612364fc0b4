import CaptureTesting
/// Conversations that keep every rule; tests replace parts of them.
enum Conversations {
    /// The second medium of `play`, and all that follows.
    static let endOfPlay = """
        U 5002 6002 700 9000

        U 5002 6002 701 9000

        C: GET_PARAMETER rtsp://h/live/ RTSP/1.0
        CSeq: 6
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 6
        Session: 63A3E5E6

        C: TEARDOWN rtsp://h/live/ RTSP/1.0
        CSeq: 7
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 7

        FIN
        """

    /// Playback over UDP, with optional features: Timestamp, Require, Scale.
    static let play = Transcript(
        """
        C: OPTIONS rtsp://h/live RTSP/1.0
        CSeq: 1
        Timestamp: 1470807662.5

        S: RTSP/1.0 200 OK
        CSeq: 1
        Timestamp: 1470807662.5 0.01
        Date: Wed, 10 Aug 2016 05:41:03 GMT
        Public: OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER

        C: DESCRIBE rtsp://h/live RTSP/1.0
        CSeq: 2
        Accept: application/sdp

        S: RTSP/1.0 200 OK
        CSeq: 2
        Content-Base: rtsp://h/live/
        Content-Type: application/sdp
        Content-Length: *
        ~
        v=0
        o=- 1 1 IN IP4 192.0.2.2
        s=live
        c=IN IP4 0.0.0.0
        t=0 0
        a=control:*
        m=video 0 RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=fmtp:96 profile-level-id=42C01F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==
        a=control:track1
        m=audio 0 RTP/AVP 0
        a=control:track2

        C: SETUP rtsp://h/live/track1 RTSP/1.0
        CSeq: 3
        Require: play.basic
        Transport: RTP/AVP;unicast;client_port=5000-5001

        S: RTSP/1.0 200 OK
        CSeq: 3
        Session: 63A3E5E6;timeout=60
        Transport: RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001

        C: SETUP rtsp://h/live/track2 RTSP/1.0
        CSeq: 4
        Session: 63A3E5E6
        Transport: RTP/AVP;unicast;client_port=5002-5003

        S: RTSP/1.0 200 OK
        CSeq: 4
        Session: 63A3E5E6;timeout=60
        Transport: RTP/AVP;unicast;client_port=5002-5003;server_port=6002-6003

        C: PLAY rtsp://h/live/ RTSP/1.0
        CSeq: 5
        Session: 63A3E5E6
        Scale: 1.0
        Range: npt=0.000-

        S: RTSP/1.0 200 OK
        CSeq: 5
        Session: 63A3E5E6
        Scale: 1.0
        Range: npt=0.000-
        RTP-Info: url=rtsp://h/live/track1;seq=100;rtptime=9000,url=rtsp://h/live/track2;seq=700;rtptime=9000

        P 5000 6000 100 20

        V 5001 6001 S

        cV 5001 6001 R

        \(endOfPlay)
        """)

    /// Playback over the control connection, with credentials.
    static let interleaved = Transcript(
        """
        C: DESCRIBE rtsp://h/live RTSP/1.0
        CSeq: 1

        S: RTSP/1.0 401 Unauthorized
        CSeq: 1
        WWW-Authenticate: Digest realm="camera", nonce="1f2e"

        C: DESCRIBE rtsp://h/live RTSP/1.0
        CSeq: 2
        Authorization: Digest username="user", realm="camera", nonce="1f2e", uri="rtsp://h/live", response="00"

        S: RTSP/1.0 200 OK
        CSeq: 2
        Content-Base: rtsp://h/live/
        Content-Type: application/sdp
        Content-Length: *
        ~
        v=0
        o=- 1 1 IN IP4 192.0.2.2
        s=live
        c=IN IP4 0.0.0.0
        t=0 0
        m=video 0 RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=fmtp:96 profile-level-id=42C01F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==
        a=control:track1

        C: SETUP rtsp://h/live/track1 RTSP/1.0
        CSeq: 3
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        S: RTSP/1.0 200 OK
        CSeq: 3
        Session: 63A3E5E6
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        C: PLAY rtsp://h/live/ RTSP/1.0
        CSeq: 4
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 4
        Session: 63A3E5E6
        RTP-Info: url=rtsp://h/live/track1;seq=100;rtptime=9000

        M 0 100 9000

        R 1 S

        M 0 101 12000

        C: TEARDOWN rtsp://h/live/ RTSP/1.0
        CSeq: 5
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 5

        FIN
        """)

    /// Publishing.
    static let record = Transcript(
        """
        C: ANNOUNCE rtsp://h/live/ RTSP/1.0
        CSeq: 1
        Content-Type: application/sdp
        Content-Length: *
        ~
        v=0
        o=- 1 1 IN IP4 192.0.2.1
        s=live
        c=IN IP4 192.0.2.2
        t=0 0
        m=video 5004 RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=fmtp:96 profile-level-id=42C01F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==
        a=control:streamid=0

        S: RTSP/1.0 200 OK
        CSeq: 1

        C: SETUP rtsp://h/live/streamid=0 RTSP/1.0
        CSeq: 2
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1;mode=record

        S: RTSP/1.0 200 OK
        CSeq: 2
        Session: 63A3E5E6
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1;mode="RECORD"

        C: RECORD rtsp://h/live/ RTSP/1.0
        CSeq: 3
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 3
        Session: 63A3E5E6

        C: TEARDOWN rtsp://h/live/ RTSP/1.0
        CSeq: 4
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 4

        FIN
        """)

    /// RTSP 2.0, with two pipelined SETUPs.
    static let version2 = Transcript(
        """
        C: SETUP rtsp://h/live/track1 RTSP/2.0
        CSeq: 1
        Pipelined-Requests: 7
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        C: SETUP rtsp://h/live/track2 RTSP/2.0
        CSeq: 2
        Pipelined-Requests: 7
        Transport: RTP/AVP/TCP;unicast;interleaved=2-3

        S: RTSP/2.0 200 OK
        CSeq: 1
        Session: 63A3E5E6
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        S: RTSP/2.0 200 OK
        CSeq: 2
        Session: 63A3E5E6
        Transport: RTP/AVP/TCP;unicast;interleaved=2-3

        C: TEARDOWN rtsp://h/live/ RTSP/2.0
        CSeq: 3
        Session: 63A3E5E6

        S: RTSP/2.0 200 OK
        CSeq: 3

        FIN
        """)

    /// A client sends forbidden requests, and the server refuses them correctly.
    static let refused = Transcript(
        """
        C: SETUP rtsp://h/live/track1 RTSP/1.0
        CSeq: 1
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        S: RTSP/1.0 200 OK
        CSeq: 1
        Session: 63A3E5E6
        Transport: RTP/AVP/TCP;unicast;interleaved=0-1

        C: JUMP rtsp://h/live/ RTSP/1.0
        CSeq: 2
        Session: 63A3E5E6

        S: RTSP/1.0 501 Not Implemented
        CSeq: 2

        C: PLAY rtsp://h/live/ RTSP/1.0
        CSeq: 3
        Session: 99999999

        S: RTSP/1.0 454 Session Not Found
        CSeq: 3

        C: TEARDOWN rtsp://h/live/ RTSP/1.0
        CSeq: 4
        Session: 63A3E5E6

        S: RTSP/1.0 200 OK
        CSeq: 4

        FIN
        """)

    /// The conversations that keep every rule.
    static let clean = [play, interleaved, record, version2]
}
