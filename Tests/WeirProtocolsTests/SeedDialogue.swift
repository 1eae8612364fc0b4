/// The dialogue of a small client with a camera's server, as recorded.
///
/// The description's `o=` line and its first `c=` line end in a blank, which makes the body 508 octets long, as in
/// `Content-Length`.
enum SeedDialogue {
    static let description: [UInt8] = Array(
        [
            "v=0", "o=- 1773926623 1 IN IP4 ", "s=Session Streamed by LIBZRTSP", "i=live.264", "t=0 0",
            "a=tool:LIBZRTSPD v1/0.3", "a=type:broadcast", "a=control:*", "a=range:npt=0-",
            "a=x-qt-text-nam:Session Streamed by LIBZRTSP", "a=x-qt-text-inf:live.264", "m=video 0 RTP/AVP 96",
            "c=IN IP4 ", "b=AS:0", "a=rtpmap:96 H264/90000",
            "a=fmtp:96 packetization-mode=1;profile-level-id=4D001E;sprop-parameter-sets=Z00AHpWoLQ9oQAAA+gAAHUwB,aO48gA==",
            "a=control:track1", "m=audio 0 RTP/AVP 0", "c=IN IP4 0.0.0.0", "b=AS:64", "a=rtpmap:0 PCMU/8000",
            "a=control:track2",
        ].map { $0 + "\r\n" }.joined().utf8)

    static let requests: [UInt8] =
        lines("OPTIONS rtsp://192.168.0.102:554/live.264 RTSP/1.0", "CSeq: 1")
        + lines(
            "DESCRIBE rtsp://192.168.0.102:554/live.264 RTSP/1.0", "Accept: application/sdp", "CSeq: 2")
        + lines(
            "SETUP rtsp://192.168.0.102:554/live.264/track1 RTSP/1.0",
            "Transport: RTP/AVP/UDP;unicast;client_port=12849-12850", "x-Dynamic-Rate: 0", "CSeq: 3")
        + lines("PLAY rtsp://192.168.0.102:554/live.264 RTSP/1.0", "Range: npt=0.000-", "CSeq: 4")

    static let answers: [UInt8] =
        lines(
            "RTSP/1.0 200 OK", "CSeq: 1", "Date: Wed, Aug 10 2016 05:41:03 GMT",
            "Public: OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER")
        + lines(
            "RTSP/1.0 200 OK", "CSeq: 2", "Content-Length: 508",
            "Content-Base: rtsp://192.168.0.102:554/live.264/", "Content-Type: application/sdp",
            "Date: Wed, Aug 10 2016 05:41:03 GMT", "x-Accept-Dynamic-Rate: 1") + description
        + lines(
            "RTSP/1.0 200 OK", "CSeq: 3", "Date: Wed, Aug 10 2016 05:41:03 GMT", "Session: 63A3E5E6;timeout=60",
            "Transport: RTP/AVP/UDP;unicast;destination=192.168.0.110;source=192.168.0.102;client_port=12849-12850;"
                + "server_port=30040-30041;mode=PLAY;", "x-Dynamic-Rate: 1")
        + lines(
            "RTSP/1.0 200 OK", "CSeq: 4", "Date: Wed, Aug 10 2016 05:41:03 GMT", "Range: npt=0.000-",
            "Session: 63A3E5E6",
            "RTP-Info: url=rtsp://192.168.0.102:554/live.264/track1;seq=18553;rtptime=3987283666,"
                + "url=rtsp://192.168.0.102:554/live.264/track2;seq=0;rtptime=0")
}
