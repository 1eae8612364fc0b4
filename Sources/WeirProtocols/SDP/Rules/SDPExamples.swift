import WeirEngine

/// A failing and a passing example of each rule.
enum SDPExamples {
    static let all: [String: RuleExample] = [
        "SDP-V": RuleExample(broken: "o=- 1 1 IN IP4 192.0.2.1", kept: "v=0\no=- 1 1 IN IP4 192.0.2.1"),
        "SDP-O-FIELDS": RuleExample(broken: "o=- 1773926623 1 IN IP4", kept: "o=- 1773926623 1 IN IP4 192.0.2.1"),
        "SDP-S": RuleExample(broken: "v=0\no=…\nt=0 0", kept: "v=0\no=…\ns=-\nt=0 0"),
        "SDP-T": RuleExample(broken: "s=-\nm=video …", kept: "s=-\nt=0 0\nm=video …"),
        "SDP-C-REQUIRED": RuleExample(
            broken: "s=-\nt=0 0\nm=video 0 RTP/AVP 96",
            kept: "s=-\nc=IN IP4 0.0.0.0\nt=0 0\nm=video 0 RTP/AVP 96"),
        "SDP-C-ADDR": RuleExample(broken: "c=IN IP4", kept: "c=IN IP4 0.0.0.0"),
        "SDP-ORDER": RuleExample(broken: "s=-\nt=0 0\nc=IN IP4 0.0.0.0", kept: "s=-\nc=IN IP4 0.0.0.0\nt=0 0"),
        "SDP-LINE": RuleExample(broken: "a =control:track1", kept: "a=control:track1"),
        "SDP-EOL": RuleExample(broken: "a=control:track1<LF>", kept: "a=control:track1<CR><LF>"),
        "SDP-M": RuleExample(broken: "m=video RTP/AVP 96", kept: "m=video 0 RTP/AVP 96"),
        "SDP-M-PROTO": RuleExample(
            broken: "m=video 9 RTP/AVP 96\na=fingerprint:sha-256 …",
            kept: "m=video 9 UDP/TLS/RTP/SAVPF 96\na=fingerprint:sha-256 …"),
        "SDP-RTPMAP-DYN": RuleExample(
            broken: "m=video 0 RTP/AVP 96\na=fmtp:96 …",
            kept: "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000"),
        "SDP-RTPMAP-STATIC": RuleExample(
            broken: "m=audio 0 RTP/AVP 0\na=rtpmap:0 opus/48000",
            kept: "m=audio 0 RTP/AVP 0\na=rtpmap:0 PCMU/8000"),
        "SDP-RTPMAP-CLOCK": RuleExample(broken: "a=rtpmap:96 H264/9000", kept: "a=rtpmap:96 H264/90000"),
        "SDP-RTPMAP-ONCE": RuleExample(
            broken: "a=rtpmap:96 H264/90000\na=rtpmap:96 H265/90000",
            kept: "a=rtpmap:96 H264/90000\na=rtpmap:97 H265/90000"),
        "SDP-FMTP": RuleExample(broken: "a=fmtp:96", kept: "a=fmtp:96 packetization-mode=1;profile-level-id=4D401F"),
        "SDP-BW": RuleExample(broken: "b=AS:0", kept: "b=AS:2000"),
        "SDP-CONTROL": RuleExample(
            broken: "m=video …\nm=audio … (no a=control)",
            kept: "m=video …\na=control:track1\nm=audio …\na=control:track2"),
        "SDP-DIR": RuleExample(broken: "a=sendonly\na=recvonly", kept: "a=sendonly"),
        "SDP-CASE": RuleExample(broken: "a=RTPMAP:96 H264/90000", kept: "a=rtpmap:96 H264/90000"),
        "SDP-MID": RuleExample(broken: "a=group:BUNDLE 0 1\na=mid:0", kept: "a=group:BUNDLE 0 1\na=mid:0 … a=mid:1"),
        "SDP-BUNDLE": RuleExample(
            broken: "a=group:BUNDLE 0 1\na=rtpmap:96 H264/90000 … a=rtpmap:96 opus/48000/2",
            kept: "a=group:BUNDLE 0 1\na=rtpmap:96 H264/90000 … a=rtpmap:111 opus/48000/2"),
        "SDP-RTCPMUX": RuleExample(
            broken: "(offer without) a=rtcp-mux\n(answer with) a=rtcp-mux",
            kept: "(offer and answer) a=rtcp-mux"),
        "SDP-ICE-CRED": RuleExample(
            broken: "a=ice-ufrag:ab\na=ice-pwd:short",
            kept: "a=ice-ufrag:8hhY\na=ice-pwd:asd88fgpdd777uzjYhagZg"),
        "SDP-ICE-CAND": RuleExample(
            broken: "a=candidate:1 1 UDP 2130706431 192.0.2.1 host",
            kept: "a=candidate:1 1 UDP 2130706431 192.0.2.1 8998 typ host"),
        "SDP-FINGERPRINT": RuleExample(
            broken: "a=fingerprint:md5 AB:CD:…",
            kept: "a=fingerprint:sha-256 AB:CD:… (32 pairs)"),
        "SDP-SETUP": RuleExample(
            broken: "(offer) a=setup:actpass\n(answer) a=setup:actpass",
            kept: "(offer) a=setup:actpass\n(answer) a=setup:active"),
        "SDP-CRYPTO": RuleExample(
            broken: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:tooShort",
            kept: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:(40 characters)"),
        "SDP-EXTMAP": RuleExample(
            broken: "a=extmap:1 urn:…:ssrc-audio-level\na=extmap:1 urn:…:sdes:mid",
            kept: "a=extmap:1 urn:…:ssrc-audio-level\na=extmap:2 urn:…:sdes:mid"),
        "SDP-SPROP": RuleExample(
            broken: "sprop-parameter-sets=Z00,%%%",
            kept: "sprop-parameter-sets=Z01AKJWoHgCJ+VA=,aO48gA=="),
        "H264-PLID": RuleExample(
            broken: "profile-level-id=42E01E\nSPS 67 4D 40 1F …",
            kept: "profile-level-id=4D401F\nSPS 67 4D 40 1F …"),
        "H264-SPROP": RuleExample(
            broken: "sprop-parameter-sets=Z01AKJWoHgCJ+VA= (SPS alone)",
            kept: "sprop-parameter-sets=Z01AKJWoHgCJ+VA=,aO48gA== (SPS and PPS)"),
    ]
}
