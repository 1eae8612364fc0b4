import Testing

/// Descriptions in the form written by common peers, which no rule may report.
struct HealthyDescription: Sendable, CustomTestStringConvertible {
    var peer: String
    var description: Description
    /// Expected notes.
    var notes: [String] = []

    var testDescription: String { peer }

    static let all = [
        Self(peer: "GStreamer rtsp-server", description: gstreamer), Self(peer: "VLC", description: vlc),
        Self(peer: "ffmpeg ANNOUNCE", description: ffmpeg), Self(peer: "live555", description: live555),
        Self(peer: "MediaMTX", description: mediaMTX),
        Self(
            peer: "Chromium offer", description: chromium,
            notes: ["SDP-ICE-CAND.mdns note Q-WEBRTC", "SDP-ICE-CAND.hidden note Q-WEBRTC"]),
        Self(peer: "Janus answer", description: janus), Self(peer: "SIP phone", description: phone),
    ]

    static let article = Description.presented(
        """
        v=0
        o=- 1773926623 1 IN IP4\u{20}
        s=Session Streamed by LIBZRTSP
        i=live.264
        t=0 0
        a=tool:LIBZRTSPD v1/0.3
        a=type:broadcast
        a=control:*
        a=range:npt=0-
        a=x-qt-text-nam:Session Streamed by LIBZRTSP
        a=x-qt-text-inf:live.264
        m=video 0 RTP/AVP 96
        c=IN IP4\u{20}
        b=AS:0
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1;profile-level-id=4D001E;sprop-parameter-sets=Z00AHpWoLQ9oQAAA+gAAHUwB,aO48gA==
        a=control:track1
        m=audio 0 RTP/AVP 0
        c=IN IP4 0.0.0.0
        b=AS:64
        a=rtpmap:0 PCMU/8000
        a=control:track2
        """, rtsp: true)

    private static let gstreamer = Description.presented(
        """
        v=0
        o=- 822962053283517433 1 IN IP4 192.0.2.2
        s=Session streamed with GStreamer
        i=rtsp-server
        t=0 0
        a=tool:GStreamer
        a=type:broadcast
        a=control:*
        a=range:npt=now-10
        m=video 0 RTP/AVP 96
        c=IN IP4 239.77.0.1/4
        b=AS:47
        a=rtpmap:96 H264/90000
        a=framerate:10
        a=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z2QACqy0FCPy4CIAAAMAAgAAAwAoHiRNQA==,aO88sA==;\
        profile-level-id=64000a;level-asymmetry-allowed=1
        a=control:stream=0
        a=ts-refclk:local
        a=mediaclk:sender
        a=ssrc:547926767 cname:user3002015614@host-21ba005
        m=audio 0 RTP/AVP 97
        c=IN IP4 0.0.0.0
        b=AS:16
        a=rtpmap:97 MPEG4-GENERIC/8000/1
        a=fmtp:97 streamtype=5;profile-level-id=2;mode=AAC-hbr;config=158856e500;sizelength=13;indexlength=3;\
        indexdeltalength=3
        a=control:stream=1
        """, rtsp: true)

    private static let vlc = Description.presented(
        """
        v=0
        o=- 17198025513223542095 17198025513223542095 IN IP4 server
        s=Unnamed
        i=N/A
        c=IN IP4 0.0.0.0
        t=0 0
        a=tool:vlc 3.0.24
        a=recvonly
        a=type:broadcast
        a=charset:UTF-8
        a=control:rtsp://192.0.2.2:8554/live
        m=audio 0 RTP/AVP 96
        b=RR:0
        a=rtpmap:96 mpeg4-generic/8000
        a=fmtp:96 streamtype=5; profile-level-id=15; mode=AAC-hbr; config=158856e500; SizeLength=13; IndexLength=3; \
        IndexDeltaLength=3; Profile=1;
        a=control:rtsp://192.0.2.2:8554/live/trackID=0
        m=video 0 RTP/AVP 96
        b=AS:44
        b=RR:0
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1;profile-level-id=64000a;\
        sprop-parameter-sets=Z2QACqy0FCPy4CIAAAMAAgAAAwAoHiRNQA==,aO88sA==;
        a=control:rtsp://192.0.2.2:8554/live/trackID=1
        """, rtsp: true)

    private static let ffmpeg = Description.presented(
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=No Name
        c=IN IP4 192.0.2.2
        t=0 0
        a=tool:libavformat 59.27.100
        m=video 0 RTP/AVP 96
        b=AS:400
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1; sprop-parameter-sets=Z2QACqy0FCPy4CIAAAMAAgAAAwAoHiRNQA==,aO88sA==; \
        profile-level-id=64000A
        a=control:streamid=0
        m=audio 0 RTP/AVP 97
        b=AS:128
        a=rtpmap:97 MPEG4-GENERIC/44100/2
        a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; config=1210
        a=control:streamid=1
        """, rtsp: true)

    private static let live555 = Description.presented(
        """
        v=0
        o=- 1470807663054128 1 IN IP4 192.0.2.2
        s=H.264 Video, streamed by the LIVE555 Media Server
        i=test.264
        t=0 0
        a=tool:LIVE555 Streaming Media v2016.07.19
        a=type:broadcast
        a=control:*
        a=range:npt=0-
        a=x-qt-text-nam:H.264 Video, streamed by the LIVE555 Media Server
        a=x-qt-text-inf:test.264
        m=video 0 RTP/AVP 96
        c=IN IP4 0.0.0.0
        b=AS:500
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1;profile-level-id=42C01F;\
        sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==
        a=control:track1
        """, rtsp: true)

    private static let mediaMTX = Description.presented(
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=No Name
        c=IN IP4 0.0.0.0
        t=0 0
        m=video 0 RTP/AVP 96
        a=control:rtsp://192.0.2.2:8554/live/trackID=0
        a=rtpmap:96 H264/90000
        a=fmtp:96 packetization-mode=1; profile-level-id=42C01F; \
        sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==
        m=audio 0 RTP/AVP 97
        a=control:rtsp://192.0.2.2:8554/live/trackID=1
        a=rtpmap:97 opus/48000/2
        a=fmtp:97 sprop-stereo=1
        """, rtsp: true)

    private static let fingerprint =
        "a=fingerprint:sha-256 49:66:12:17:0D:1C:91:AE:57:4C:C6:36:DD:D5:97:D2:7D:62:C9:9A:7F:B9:A3:F4:70:03:E7:43:91:73:"
        + "23:5E"

    private static let chromium = Description.offer(
        """
        v=0
        o=- 4611731400430051336 2 IN IP4 127.0.0.1
        s=-
        t=0 0
        a=group:BUNDLE 0 1 2
        a=extmap-allow-mixed
        a=msid-semantic: WMS stream
        m=audio 54400 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
        c=IN IP4 203.0.113.5
        a=rtcp:9 IN IP4 0.0.0.0
        a=candidate:3988521456 1 udp 2113937151 f29b1d3c-0d4e-4d6e-a1dd-1f7c5c7c8f1a.local 54400 typ host generation 0 \
        network-cost 999
        a=candidate:842163049 1 udp 1677729535 203.0.113.5 54400 typ srflx raddr 0.0.0.0 rport 0 generation 0 network-cost 999
        a=ice-ufrag:u+rF
        a=ice-pwd:aBcDeFgHiJkLmNoPqRsTuVwX
        a=ice-options:trickle
        \(fingerprint)
        a=setup:actpass
        a=mid:0
        a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
        a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
        a=sendrecv
        a=msid:stream track-a
        a=rtcp-mux
        a=rtcp-rsize
        a=rtpmap:111 opus/48000/2
        a=rtcp-fb:111 transport-cc
        a=fmtp:111 minptime=10;useinbandfec=1
        a=rtpmap:63 red/48000/2
        a=fmtp:63 111/111
        a=rtpmap:9 G722/8000
        a=rtpmap:0 PCMU/8000
        a=rtpmap:8 PCMA/8000
        a=rtpmap:13 CN/8000
        a=rtpmap:110 telephone-event/48000
        a=rtpmap:126 telephone-event/8000
        a=ssrc:1370955128 cname:XyzAbc
        m=video 9 UDP/TLS/RTP/SAVPF 96 97 35
        c=IN IP4 0.0.0.0
        a=rtcp:9 IN IP4 0.0.0.0
        a=ice-ufrag:u+rF
        a=ice-pwd:aBcDeFgHiJkLmNoPqRsTuVwX
        a=ice-options:trickle
        \(fingerprint)
        a=setup:actpass
        a=mid:1
        a=extmap:14 urn:ietf:params:rtp-hdrext:toffset
        a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
        a=sendrecv
        a=msid:stream track-v
        a=rtcp-mux
        a=rtcp-rsize
        a=rtpmap:96 VP8/90000
        a=rtcp-fb:96 goog-remb
        a=rtcp-fb:96 nack pli
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=rtpmap:35 AV1/90000
        a=fmtp:35 level-idx=5;profile=0;tier=0
        a=ssrc-group:FID 2231627014 632943048
        a=ssrc:2231627014 cname:XyzAbc
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 0.0.0.0
        a=ice-ufrag:u+rF
        a=ice-pwd:aBcDeFgHiJkLmNoPqRsTuVwX
        a=ice-options:trickle
        \(fingerprint)
        a=setup:actpass
        a=mid:2
        a=sctp-port:5000
        a=max-message-size:262144
        """)

    private static let janus = Description.answer(
        """
        v=0
        o=- 4611731400430051336 2 IN IP4 192.0.2.2
        s=VideoRoom 1234
        t=0 0
        a=group:BUNDLE 0 1
        a=ice-options:trickle
        \(fingerprint)
        a=extmap-allow-mixed
        a=msid-semantic: WMS *
        m=audio 9 UDP/TLS/RTP/SAVPF 111
        c=IN IP4 192.0.2.2
        a=recvonly
        a=mid:0
        a=rtcp-mux
        a=ice-ufrag:Ki3d
        a=ice-pwd:4aQmKzZ1g1kMzVQ2S6pVfU
        a=ice-options:trickle
        a=setup:active
        a=rtpmap:111 opus/48000/2
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
        a=candidate:1 1 udp 2015363327 192.0.2.2 40000 typ host
        a=end-of-candidates
        m=video 9 UDP/TLS/RTP/SAVPF 96 97
        c=IN IP4 192.0.2.2
        a=recvonly
        a=mid:1
        a=rtcp-mux
        a=ice-ufrag:Ki3d
        a=ice-pwd:4aQmKzZ1g1kMzVQ2S6pVfU
        a=ice-options:trickle
        a=setup:active
        a=rtpmap:96 VP8/90000
        a=rtcp-fb:96 nack pli
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
        m=video 0 UDP/TLS/RTP/SAVPF 0
        c=IN IP4 0.0.0.0
        a=inactive
        a=mid:2
        """)

    private static let phone = Description.presented(
        """
        v=0
        o=francisco 13004970 13013442 IN IP4 192.0.2.4
        s=X-Lite
        c=IN IP4 192.0.2.4
        t=0 0
        m=audio 8000 RTP/AVP 8 0 3 98 101
        a=rtpmap:0 pcmu/8000
        a=rtpmap:8 pcma/8000
        a=rtpmap:3 gsm/8000
        a=rtpmap:98 iLBC/8000
        a=rtpmap:101 telephone-event/8000
        a=fmtp:101 0-15
        """)
}
