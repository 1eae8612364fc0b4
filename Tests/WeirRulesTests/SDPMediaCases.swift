extension SDPCase {
    private static let sizes = ";sizelength=13;indexlength=3;indexdeltalength=3"

    private static func aac(_ map: String, _ config: String, _ sizes: String) -> Description {
        .presented(
            head + "m=audio 0 RTP/AVP 97\na=rtpmap:97 mpeg4-generic/\(map)\n"
                + "a=fmtp:97 profile-level-id=1;mode=AAC-hbr;config=\(config)\(sizes)")
    }

    private static func hashed(_ proto: String) -> String {
        dtls.replacing("UDP/TLS/RTP/SAVPF", with: proto) + "a=fingerprint:sha-256 \(sha256)"
    }

    static let media = [
        SDPCase("SDP-BW", "no limit", .presented(video), expect: nil),
        SDPCase("SDP-BW", "500", .presented(head + "m=video 0 RTP/AVP 96\nb=AS:500"), expect: []),
        SDPCase("SDP-BW", "RR:0, as VLC", .presented(head + "m=video 0 RTP/AVP 96\nb=RR:0"), expect: []),
        SDPCase("SDP-BW", "AS:0", .presented(head + "m=video 0 RTP/AVP 96\nb=AS:0"), expect: ["SDP-BW.zero warning"]),
        SDPCase("SDP-BW", "inactive", .offer(head + "m=video 9 RTP/AVP 96\nb=AS:0\na=inactive"), expect: []),
        SDPCase("SDP-BW", "session", .presented("v=0\nb=CT:0"), expect: ["SDP-BW.zeroSession warning"]),
        SDPCase("SDP-BW", "no number", .presented("v=0\nb=AS:fast"), expect: ["SDP-BW.malformed warning"]),
        SDPCase("OPUS-CLOCK", "no Opus", .presented(video), expect: nil),
        SDPCase(
            "OPUS-CLOCK", "as it is", .presented(head + "m=audio 0 RTP/AVP 111\na=rtpmap:111 opus/48000/2"), expect: []),
        SDPCase(
            "OPUS-CLOCK", "another clock", .presented(head + "m=audio 0 RTP/AVP 111\na=rtpmap:111 opus/16000/2"),
            expect: ["OPUS-CLOCK.other error"]),
        SDPCase(
            "OPUS-CLOCK", "one channel", .presented(head + "m=audio 0 RTP/AVP 111\na=rtpmap:111 opus/48000"),
            expect: ["OPUS-CLOCK.other error"]),
        SDPCase("AAC-CONFIG", "no AAC", .presented(video), expect: nil),
        SDPCase("AAC-CONFIG", "48 kHz, two channels", aac("48000/2", "1190", sizes), expect: []),
        SDPCase("AAC-CONFIG", "another clock", aac("44100/2", "1190", sizes), expect: ["AAC-CONFIG.clock warning"]),
        SDPCase(
            "AAC-CONFIG", "one channel more", aac("48000/1", "1190", sizes), expect: ["AAC-CONFIG.channels warning"]),
        SDPCase("AAC-CONFIG", "no lengths", aac("48000/2", "1190", ""), expect: ["AAC-CONFIG.sizes warning"]),
        SDPCase("SDP-M", "whole", .presented(video), expect: []),
        SDPCase("SDP-M", "no media", .presented("v=0"), expect: nil),
        SDPCase("SDP-M", "no format", .presented(head + "m=video 0 RTP/AVP"), expect: ["SDP-M.count error"]),
        SDPCase("SDP-M", "no port", .presented(head + "m=video $ RTP/AVP 96"), expect: ["SDP-M.port error"]),
        SDPCase(
            "SDP-M", "a name for a type", .presented(head + "m=video 0 RTP/AVP H264"), expect: ["SDP-M.format error"]),
        SDPCase("SDP-M-PROTO", "without feedback", .presented(video), expect: []),
        SDPCase("SDP-M-PROTO", "with it", .offer(dtls + "a=rtcp-fb:0 nack"), expect: []),
        SDPCase(
            "SDP-M-PROTO", "a fingerprint under AVP",
            .offer(hashed("RTP/AVP")), expect: ["SDP-M-PROTO.keys warning"]),
        SDPCase(
            "SDP-M-PROTO", "a fingerprint under SAVPF",
            .offer(hashed("RTP/SAVPF")), expect: ["SDP-M-PROTO.keys note"]),
        SDPCase("SDP-M-PROTO", "no RTP", .presented(head + "m=application 9 udp wb"), expect: nil),
        SDPCase(
            "SDP-M-PROTO", "under AVP", .presented(video + "\na=rtcp-fb:96 nack"),
            expect: ["SDP-M-PROTO.feedback warning"]),
        SDPCase(
            "SDP-M-PROTO", "for the session", .presented("v=0\na=rtcp-fb:* nack\nm=audio 9 RTP/AVPF 0"),
            expect: ["SDP-M-PROTO.session warning"]),
        SDPCase(
            "SDP-M-PROTO", "as in Transport", .presented(head + "m=video 0 RTP/AVP/TCP 96"),
            expect: ["SDP-M-PROTO.carrier warning"]),
        SDPCase(
            "SDP-CONTROL", "each its own",
            .presented(video + "\na=control:track1\nm=audio 0 RTP/AVP 0\na=control:track2", rtsp: true), expect: []),
        SDPCase("SDP-CONTROL", "one medium", .presented(video, rtsp: true), expect: nil),
        SDPCase("SDP-CONTROL", "not RTSP", .presented(video + "\nm=audio 0 RTP/AVP 0"), expect: nil),
        SDPCase(
            "SDP-CONTROL", "one without", .presented(video + "\na=control:track1\nm=audio 0 RTP/AVP 0", rtsp: true),
            expect: ["SDP-CONTROL.missing warning"]),
        SDPCase(
            "SDP-CONTROL", "the same",
            .presented(video + "\na=control:track1\nm=audio 0 RTP/AVP 0\na=control:track1", rtsp: true),
            expect: ["SDP-CONTROL.same warning"]),
        SDPCase("SDP-DIR", "one each", .presented("v=0\na=recvonly\nm=audio 0 RTP/AVP 0\na=sendonly"), expect: []),
        SDPCase("SDP-DIR", "none", .presented(video), expect: nil),
        SDPCase(
            "SDP-DIR", "two", .presented(video + "\na=sendrecv\na=recvonly"), expect: ["SDP-DIR.medium warning"]),
        SDPCase(
            "SDP-DIR", "two for the session", .presented("v=0\na=sendrecv\na=recvonly"),
            expect: ["SDP-DIR.session warning"]),
    ]

    static let formats = [
        SDPCase("SDP-RTPMAP-DYN", "mapped", .presented(video), expect: []),
        SDPCase("SDP-RTPMAP-DYN", "static", .presented(head + "m=audio 0 RTP/AVP 0"), expect: nil),
        SDPCase(
            "SDP-RTPMAP-DYN", "not mapped", .presented(head + "m=video 0 RTP/AVP 96"),
            expect: ["SDP-RTPMAP-DYN.missing error"]),
        SDPCase(
            "SDP-RTPMAP-DYN", "2 without a map", .presented(head + "m=audio 0 RTP/AVP 2"),
            expect: ["SDP-RTPMAP-DYN.missing warning"]),
        SDPCase("SDP-RTPMAP-DYN", "rejected", .answer(head + "m=video 0 RTP/AVP 96"), expect: nil),
        SDPCase(
            "SDP-RTPMAP-STATIC", "as assigned",
            .presented(head + "m=audio 0 RTP/AVP 0 10\na=rtpmap:0 pcmu/8000\na=rtpmap:10 L16/44100/2"),
            expect: []),
        SDPCase("SDP-RTPMAP-STATIC", "dynamic", .presented(video), expect: nil),
        SDPCase(
            "SDP-RTPMAP-STATIC", "rebound", .presented(head + "m=audio 0 RTP/AVP 0\na=rtpmap:0 PCMA/8000"),
            expect: ["SDP-RTPMAP-STATIC.rebound note"]),
        SDPCase(
            "SDP-RTPMAP-STATIC", "one channel of two", .presented(head + "m=audio 0 RTP/AVP 10\na=rtpmap:10 L16/44100"),
            expect: ["SDP-RTPMAP-STATIC.rebound note"]),
        SDPCase("SDP-RTPMAP-CLOCK", "90000", .presented(video), expect: []),
        SDPCase("SDP-RTPMAP-CLOCK", "no map", .presented(head + "m=audio 0 RTP/AVP 0"), expect: nil),
        SDPCase("SDP-RTPMAP-CLOCK", "8000", fmtp("a=1", "H264/8000"), expect: ["SDP-RTPMAP-CLOCK.rate error"]),
        SDPCase("SDP-RTPMAP-CLOCK", "none", fmtp("a=1", "H264"), expect: ["SDP-RTPMAP-CLOCK.none error"]),
        SDPCase("SDP-RTPMAP-CLOCK", "zero", fmtp("a=1", "H264/0"), expect: ["SDP-RTPMAP-CLOCK.none error"]),
        SDPCase("SDP-RTPMAP-CLOCK", "blank", fmtp("a=1", " H264/90000"), expect: []),
        SDPCase(
            "SDP-RTPMAP-CLOCK", "blank before the type",
            .presented(head + "m=video 0 RTP/AVP 96\na=rtpmap: 96 H264/90000"),
            expect: ["SDP-RTPMAP-CLOCK.blank warning Q-SDP"]),
        SDPCase(
            "SDP-RTPMAP-CLOCK", "blank in it", fmtp("a=1", "H264 /90000"),
            expect: ["SDP-RTPMAP-CLOCK.blank warning Q-SDP"]),
        SDPCase(
            "SDP-RTPMAP-CLOCK", "no encoding", .presented(head + "m=video 0 RTP/AVP 96\na=rtpmap:96"),
            expect: ["SDP-RTPMAP-CLOCK.form error"]),
        SDPCase(
            "SDP-RTPMAP-CLOCK", "opus", fmtp("a=1", "opus/48000"), expect: ["SDP-RTPMAP-CLOCK.opusChannels error"]),
        SDPCase(
            "SDP-RTPMAP-CLOCK", "rtx",
            .offer(
                head + "m=audio 9 RTP/AVPF 96 97\na=rtpmap:96 AMR/8000\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96"),
            expect: ["SDP-RTPMAP-CLOCK.rate error"]),
        SDPCase("SDP-RTPMAP-ONCE", "once", .presented(video), expect: []),
        SDPCase("SDP-RTPMAP-ONCE", "none", .presented("v=0"), expect: nil),
        SDPCase(
            "SDP-RTPMAP-ONCE", "twice", .presented(video + "\na=rtpmap:96 H265/90000"),
            expect: ["SDP-RTPMAP-ONCE.repeated warning"]),
        SDPCase(
            "SDP-RTPMAP-ONCE", "not listed", .presented(video + "\na=rtpmap:97 H265/90000"),
            expect: ["SDP-RTPMAP-ONCE.unlisted warning"]),
        SDPCase(
            "SDP-RTPMAP-ONCE", "for the session", .presented("v=0\na=rtpmap:96 H264/90000"),
            expect: ["SDP-RTPMAP-ONCE.session warning"]),
        SDPCase("SDP-FMTP", "pairs", fmtp("packetization-mode=1; profile-level-id=42C01F;"), expect: []),
        SDPCase("SDP-FMTP", "no such mode", fmtp("packetization-mode=3"), expect: ["SDP-FMTP.syntax warning"]),
        SDPCase("SDP-FMTP", "no profile", fmtp("profile-level-id=42C0"), expect: ["SDP-FMTP.syntax warning"]),
        SDPCase("SDP-FMTP", "events", fmtp("0-15,32", "telephone-event/8000"), expect: []),
        SDPCase("SDP-FMTP", "red", fmtp("111/111", "red/48000/2"), expect: []),
        SDPCase("SDP-FMTP", "unknown encoding", fmtp("anything goes", "x-new/90000"), expect: []),
        SDPCase("SDP-FMTP", "none", .presented(video), expect: nil),
        SDPCase("SDP-FMTP", "nothing, as Ubiquiti", fmtp(""), expect: ["SDP-FMTP.empty note Q-SDP"]),
        SDPCase("SDP-FMTP", "no pair", fmtp("packetization-mode"), expect: ["SDP-FMTP.syntax warning"]),
        SDPCase("SDP-FMTP", "no events", fmtp("15-0", "telephone-event/8000"), expect: ["SDP-FMTP.syntax warning"]),
        SDPCase("SDP-FMTP", "no red", fmtp("111/200", "red/48000/2"), expect: ["SDP-FMTP.syntax warning"]),
        SDPCase(
            "SDP-FMTP", "not listed", .presented(video + "\na=fmtp:97 a=1"), expect: ["SDP-FMTP.unlisted warning"]),
        SDPCase(
            "SDP-FMTP", "twice", .presented(video + "\na=fmtp:96 a=1\na=fmtp:96 b=1"),
            expect: ["SDP-FMTP.repeated warning"]),
        SDPCase(
            "SDP-FMTP", "for the session", .presented("v=0\na=fmtp:96 a=1"), expect: ["SDP-FMTP.session warning"]),
        SDPCase(
            "SDP-SPROP", "two sets", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA=="), expect: []),
        SDPCase("SDP-SPROP", "empty", fmtp("sprop-parameter-sets="), expect: ["SDP-SPROP.empty note"]),
        SDPCase("SDP-SPROP", "empty list", fmtp("sprop-vps=,", "H265/90000"), expect: ["SDP-SPROP.empty note"]),
        SDPCase("SDP-SPROP", "none", fmtp("packetization-mode=1"), expect: nil),
        SDPCase(
            "SDP-SPROP", "not base64", fmtp("sprop-parameter-sets=B`,aM4PyA=="), expect: ["SDP-SPROP.base64 warning"]),
        SDPCase(
            "SDP-SPROP", "nothing behind the comma", fmtp("sprop-parameter-sets=aM4PyA==,"),
            expect: ["SDP-SPROP.base64 warning"]),
        SDPCase("SDP-SPROP", "a slice", fmtp("sprop-parameter-sets=ZYiEAA=="), expect: ["SDP-SPROP.kind warning"]),
        SDPCase(
            "SDP-SPROP", "a start code", fmtp("sprop-parameter-sets=AAAAAWdCwB8="),
            expect: ["SDP-SPROP.startCode warning"]),
        SDPCase(
            "SDP-SPROP", "H.265", fmtp("sprop-vps=QAEMAf//;sprop-sps=QgEBAWAA;sprop-pps=RAHA8w==", "H265/90000"),
            expect: []),
        SDPCase(
            "SDP-SPROP", "kinds changed", fmtp("sprop-vps=RAHA8w==", "H265/90000"), expect: ["SDP-SPROP.kind warning"]),
        SDPCase(
            "SDP-SPROP", "H.264's for H.265", fmtp("sprop-parameter-sets=QAEMAf//", "H265/90000"),
            expect: ["SDP-SPROP.foreign warning"]),
        SDPCase("SDP-SPROP", "AAC", fmtp("mode=AAC-hbr;config=158856e500", "mpeg4-generic/8000"), expect: []),
        SDPCase(
            "SDP-SPROP", "odd digits", fmtp("mode=AAC-hbr;config=158", "mpeg4-generic/8000"),
            expect: ["SDP-SPROP.hex warning"]),
        SDPCase(
            "SDP-SPROP", "no object type", fmtp("mode=AAC-hbr;config=0588", "mpeg4-generic/8000"),
            expect: ["SDP-SPROP.aac warning"]),
        SDPCase("SDP-SPROP", "LATM", fmtp("cpresent=0;config=400028103fc0", "MP4A-LATM/16000"), expect: []),
        SDPCase(
            "SDP-SPROP", "LATM with a file's extension", fmtp("cpresent=0;config=40002810adca00", "MP4A-LATM/16000"),
            expect: ["SDP-SPROP.mux note"]),
        SDPCase(
            "SDP-SPROP", "LATM in no hexadecimal", fmtp("cpresent=0;config=LATM", "MP4A-LATM/16000"),
            expect: ["SDP-SPROP.hex warning"]),
        SDPCase(
            "SDP-SPROP", "MPEG-4 Visual", fmtp("config=000001b0f1000001b5a9130000010000000120", "MP4V-ES/90000"),
            expect: []),
        SDPCase(
            "SDP-SPROP", "MPEG-4 Visual without a start code", fmtp("config=b0f1000001b5a913", "MP4V-ES/90000"),
            expect: ["SDP-SPROP.headers warning"]),
        SDPCase(
            "H264-PLID", "the same octets",
            fmtp("profile-level-id=42C01F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA=="),
            expect: []),
        SDPCase(
            "H264-PLID", "the same sub-profile",
            fmtp("profile-level-id=42E01F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA=="),
            expect: []),
        SDPCase("H264-PLID", "nothing to compare", fmtp("packetization-mode=1"), expect: nil),
        SDPCase(
            "H264-PLID", "another profile",
            fmtp("profile-level-id=64001F;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA=="),
            expect: ["H264-PLID.profile warning"]),
        SDPCase(
            "H264-PLID", "another level",
            fmtp("profile-level-id=42C01E;sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA=="),
            expect: ["H264-PLID.level warning"]),
        SDPCase("H264-PLID", "base64, as TeAo", fmtp("profile-level-id=QsAf"), expect: ["H264-PLID.form note Q-SDP"]),
        SDPCase(
            "H264-PLID", "not said", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA=="),
            expect: ["H264-PLID.missing note"]),
        SDPCase(
            "H264-SPROP", "a whole", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA=="), expect: []),
        SDPCase("H264-SPROP", "none", fmtp("packetization-mode=1"), expect: nil),
        SDPCase(
            "H264-SPROP", "no PPS", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA=="),
            expect: ["H264-SPROP.noPicture warning"]),
        SDPCase(
            "H264-SPROP", "no SPS", fmtp("sprop-parameter-sets=aM4PyA=="), expect: ["H264-SPROP.noSequence warning"]),
        SDPCase(
            "H264-SPROP", "a PPS of another SPS", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aKOA"),
            expect: ["H264-SPROP.unknownSequence warning"]),
        SDPCase(
            "H264-SPROP", "changed", fmtp("sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA=="),
            fmtp("sprop-parameter-sets=Z2QACqy0FCPy4CIAAAMAAgAAAwAoHiRNQA==,aO88sA=="),
            expect: ["H264-SPROP.changed note"]),
    ]
}
