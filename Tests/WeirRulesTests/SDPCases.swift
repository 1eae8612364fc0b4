import Testing

/// One or more descriptions in a row, and what a rule is to say of the last.
struct SDPCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var name: String
    var descriptions: [Description]
    /// Key, severity and quirk of each finding; empty when the rule is kept, nil when it has nothing to say.
    var expected: [String]?

    var testDescription: String { "\(rule): \(name)" }

    init(_ rule: String, _ name: String, _ descriptions: Description..., expect expected: [String]?) {
        self.rule = rule
        self.name = name
        self.descriptions = descriptions
        self.expected = expected
    }
}

/// Lines that most cases share.
private let head = "v=0\no=- 1 1 IN IP4 192.0.2.1\ns=-\nc=IN IP4 0.0.0.0\nt=0 0\n"
private let video = head + "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000"
private let dtls = head + "m=audio 9 UDP/TLS/RTP/SAVPF 0\n"
private let sha256 = Array(repeating: "4A", count: 32).joined(separator: ":")
private let key30 = String(repeating: "A", count: 40)
private let pwd = "a=ice-pwd:asd88fgpdd777uzjYhagZg"
private let mid = "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid\n"

private func fmtp(_ parameters: String, _ encoding: String = "H264/90000") -> Description {
    .presented(head + "m=video 0 RTP/AVP 96\na=rtpmap:96 \(encoding)\na=fmtp:96 \(parameters)")
}

private func bundle(_ audio: String, _ video: String, group: String = "0 1", proto: String = "UDP/TLS/RTP/SAVPF")
    -> String
{
    head + "a=group:BUNDLE \(group)\nm=audio 9 UDP/TLS/RTP/SAVPF 111\na=mid:0\na=rtpmap:111 opus/48000/2\n\(audio)"
        + "m=video 9 \(proto) 96\na=mid:1\na=rtpmap:96 VP8/90000\n\(video)a=sendrecv"
}

extension SDPCase {
    static let all = lines + media + formats + negotiated + keys

    static let lines = [
        SDPCase("SDP-V", "version 0", .presented(video), expect: []),
        SDPCase("SDP-V", "version 1", .presented("v=1\ns=-"), expect: ["SDP-V.number error"]),
        SDPCase("SDP-V", "no version", .presented("s=-"), expect: ["SDP-V.missing error"]),
        SDPCase(
            "SDP-V", "second line", .presented("o=- 1 1 IN IP4 192.0.2.1\nv=0\ns=-"),
            expect: ["SDP-V.notFirst error"]),
        SDPCase("SDP-O-FIELDS", "six fields", .presented(video), expect: []),
        SDPCase("SDP-O-FIELDS", "a name", .presented("v=0\no=- 1 1 IN IP4 server\ns=-"), expect: []),
        SDPCase(
            "SDP-O-FIELDS", "none, as Macro-video", .presented("v=0\ns=-"),
            expect: ["SDP-O-FIELDS.missing warning Q-SDP"]),
        SDPCase(
            "SDP-O-FIELDS", "a blank for an address, as LIBZRTSP", .presented("v=0\no=- 1773926623 1 IN IP4 \ns=-"),
            expect: ["SDP-O-FIELDS.noAddress error"]),
        SDPCase(
            "SDP-O-FIELDS", "a user name with a blank", .presented("v=0\no=a b 1 1 IN IP4 192.0.2.1\ns=-"),
            expect: ["SDP-O-FIELDS.count error"]),
        SDPCase(
            "SDP-O-FIELDS", "an id in letters", .presented("v=0\no=- x1 1 IN IP4 192.0.2.1\ns=-"),
            expect: ["SDP-O-FIELDS.number error"]),
        SDPCase(
            "SDP-O-FIELDS", "x.y.z.w", .presented("v=0\no=- 1 1 IN IP4 x.y.z.w\ns=-"),
            expect: ["SDP-O-FIELDS.address warning Q-SDP"]),
        SDPCase(
            "SDP-O-FIELDS", "not IPv6", .presented("v=0\no=- 1 1 IN IP6 192.0.2.1\ns=-"),
            expect: ["SDP-O-FIELDS.address error"]),
        SDPCase("SDP-S", "a dash", .presented(video), expect: []),
        SDPCase("SDP-S", "a blank", .presented("v=0\ns= "), expect: []),
        SDPCase("SDP-S", "none", .presented("v=0"), expect: ["SDP-S.missing error"]),
        SDPCase("SDP-S", "empty", .presented("v=0\ns="), expect: ["SDP-S.empty error"]),
        SDPCase("SDP-S", "twice", .presented("v=0\ns=-\ns=-"), expect: ["SDP-S.repeated error"]),
        SDPCase("SDP-T", "always", .presented(video), expect: []),
        SDPCase("SDP-T", "none, as an ONVIF camera", .presented("v=0\ns=-"), expect: ["SDP-T.missing error"]),
        SDPCase("SDP-T", "one number", .presented("v=0\nt=0"), expect: ["SDP-T.malformed error"]),
        SDPCase("SDP-T", "a length", .presented("v=0\nt=0 3600"), expect: ["SDP-T.short warning"]),
        SDPCase("SDP-C-REQUIRED", "at session level", .presented(video), expect: []),
        SDPCase(
            "SDP-C-REQUIRED", "in the medium", .presented("v=0\nm=audio 0 RTP/AVP 0\nc=IN IP4 0.0.0.0"), expect: []),
        SDPCase("SDP-C-REQUIRED", "no media", .presented("v=0\ns=-"), expect: nil),
        SDPCase(
            "SDP-C-REQUIRED", "in one of two",
            .presented("v=0\nm=audio 0 RTP/AVP 0\nc=IN IP4 0.0.0.0\nm=audio 0 RTP/AVP 8"),
            expect: ["SDP-C-REQUIRED.missing error"]),
        SDPCase(
            "SDP-C-REQUIRED", "a rejected medium", .answer("v=0\nm=audio 0 RTP/AVP 0"),
            expect: ["SDP-C-REQUIRED.missing warning"]),
        SDPCase("SDP-C-ADDR", "the null address", .presented(video), expect: []),
        SDPCase("SDP-C-ADDR", "no line", .presented("v=0"), expect: nil),
        SDPCase("SDP-C-ADDR", "a group", .presented("v=0\nc=IN IP4 239.77.0.1/4"), expect: []),
        SDPCase("SDP-C-ADDR", "a group of IPv6", .presented("v=0\nc=IN IP6 ff15::101"), expect: []),
        SDPCase(
            "SDP-C-ADDR", "a blank for an address", .presented("v=0\nm=video 0 RTP/AVP 96\nc=IN IP4 "),
            expect: ["SDP-C-ADDR.missing error"]),
        SDPCase("SDP-C-ADDR", "one field", .presented("v=0\nc=192.0.2.1"), expect: ["SDP-C-ADDR.count error"]),
        SDPCase("SDP-C-ADDR", "300", .presented("v=0\nc=IN IP4 192.0.2.300"), expect: ["SDP-C-ADDR.invalid error"]),
        SDPCase(
            "SDP-C-ADDR", "x.y.z.w", .presented("v=0\nc=IN IP4 x.y.z.w"),
            expect: ["SDP-C-ADDR.invalid warning Q-SDP"]),
        SDPCase("SDP-C-ADDR", "no TTL", .presented("v=0\nc=IN IP4 239.77.0.1"), expect: ["SDP-C-ADDR.noTTL error"]),
        SDPCase("SDP-C-ADDR", "TTL 256", .presented("v=0\nc=IN IP4 239.77.0.1/256"), expect: ["SDP-C-ADDR.ttl error"]),
        SDPCase(
            "SDP-C-ADDR", "TTL of IPv6", .presented("v=0\nm=audio 0 RTP/AVP 0\nc=IN IP6 ff15::101/4/2"),
            expect: ["SDP-C-ADDR.ttlOnIPv6 error"]),
        SDPCase("SDP-C-ADDR", "a mask", .presented("v=0\nc=IN IP4 192.0.2.1/24"), expect: ["SDP-C-ADDR.slash error"]),
        SDPCase(
            "SDP-C-ADDR", "three addresses", .presented("v=0\nc=IN IP4 233.252.0.1/127/3"),
            expect: ["SDP-C-ADDR.manyAtSession error"]),
        SDPCase(
            "SDP-C-ADDR", "two lines", .presented("v=0\nc=IN IP4 0.0.0.0\nc=IN IP4 0.0.0.0"),
            expect: ["SDP-C-ADDR.repeated error"]),
        SDPCase("SDP-ORDER", "as in the grammar", .presented(video), expect: []),
        SDPCase(
            "SDP-ORDER", "c= behind t=", .presented("v=0\ns=-\nt=0 0\nc=IN IP4 0.0.0.0"),
            expect: ["SDP-ORDER.late note Q-SDP"]),
        SDPCase(
            "SDP-ORDER", "attributes first", .presented(video + "\nb=AS:5\nc=IN IP4 0.0.0.0"),
            expect: ["SDP-ORDER.late note Q-SDP", "SDP-ORDER.late note Q-SDP"]),
        SDPCase("SDP-ORDER", "s= behind t=", .presented("v=0\nt=0 0\ns=-"), expect: ["SDP-ORDER.late warning"]),
        SDPCase("SDP-ORDER", "i= twice", .presented("v=0\ns=-\ni=a\ni=b"), expect: ["SDP-ORDER.repeated warning"]),
        SDPCase(
            "SDP-ORDER", "r= alone", .presented("v=0\nr=7d 1h 0\nt=0 0"),
            expect: ["SDP-ORDER.repeatWithoutTime warning"]),
        SDPCase("SDP-LINE", "as it should be", .presented(video), expect: []),
        SDPCase("SDP-LINE", "free text ends in a blank", .presented("v=0\ns=a "), expect: []),
        SDPCase("SDP-LINE", "fmtp ends in a blank", .presented(video + "\na=fmtp:96 a=1; "), expect: []),
        SDPCase("SDP-LINE", "no equals sign", .presented("v=0\nhello"), expect: ["SDP-LINE.form error"]),
        SDPCase("SDP-LINE", "blank before", .presented("v=0\na =tool:x"), expect: ["SDP-LINE.blankBefore error"]),
        SDPCase("SDP-LINE", "blank after", .presented("v=0\na= tool:x"), expect: ["SDP-LINE.blankAfter error"]),
        SDPCase(
            "SDP-LINE", "blank at the end of m= and rtpmap",
            .presented(head + "m=video 0 RTP/AVP 96 \na=rtpmap:96 H264/90000 "),
            expect: ["SDP-LINE.trailingBlank warning Q-SDP", "SDP-LINE.trailingBlank warning Q-SDP"]),
        SDPCase(
            "SDP-LINE", "two blanks", .presented(head + "m=video 0  RTP/AVP 96"),
            expect: ["SDP-LINE.doubleBlank warning Q-SDP"]),
        SDPCase("SDP-LINE", "an empty line", .presented("v=0\n\ns=-"), expect: ["SDP-LINE.empty error"]),
        SDPCase("SDP-LINE", "a letter of its own", .presented("v=0\nx=1"), expect: ["SDP-LINE.unknown error"]),
        SDPCase(
            "SDP-LINE", "a letter of its own in a medium", .presented(video + "\nx=1"),
            expect: ["SDP-LINE.unknown warning Q-SDP"]),
        SDPCase("SDP-LINE", "i= without text", .presented("v=0\ni="), expect: ["SDP-LINE.emptyValue warning"]),
        SDPCase("SDP-LINE", "a name with a blank", .presented("v=0\na=a b"), expect: ["SDP-LINE.attributeName error"]),
        SDPCase("SDP-EOL", "CRLF", .presented(video), expect: []),
        SDPCase("SDP-EOL", "LF", .octets("v=0\ns=-\n"), expect: ["SDP-EOL.lineFeed note Q-LF"]),
        SDPCase("SDP-EOL", "CR", .octets("v=0\rs=-\r\n"), expect: ["SDP-EOL.carriageReturn warning"]),
        SDPCase("SDP-EOL", "open", .octets("v=0\r\ns=-"), expect: ["SDP-EOL.open note Q-NO-EOL"]),
        SDPCase("SDP-CASE", "encoding names are free", .presented(head + "a=rtpmap:0 pcmu/8000"), expect: []),
        SDPCase("SDP-CASE", "Control", .presented(video + "\na=Control:1"), expect: ["SDP-CASE.word note"]),
        SDPCase(
            "SDP-CASE", "proto and type", .presented(head + "m=Video 0 rtp/avp 96"),
            expect: ["SDP-CASE.word note", "SDP-CASE.word note"]),
    ]

    static let media = [
        SDPCase("SDP-BW", "no limit", .presented(video), expect: nil),
        SDPCase("SDP-BW", "500", .presented(head + "m=video 0 RTP/AVP 96\nb=AS:500"), expect: []),
        SDPCase("SDP-BW", "RR:0, as VLC", .presented(head + "m=video 0 RTP/AVP 96\nb=RR:0"), expect: []),
        SDPCase("SDP-BW", "AS:0", .presented(head + "m=video 0 RTP/AVP 96\nb=AS:0"), expect: ["SDP-BW.zero warning"]),
        SDPCase("SDP-BW", "inactive", .offer(head + "m=video 9 RTP/AVP 96\nb=AS:0\na=inactive"), expect: []),
        SDPCase("SDP-BW", "session", .presented("v=0\nb=CT:0"), expect: ["SDP-BW.zeroSession warning"]),
        SDPCase("SDP-BW", "no number", .presented("v=0\nb=AS:fast"), expect: ["SDP-BW.malformed warning"]),
        SDPCase("SDP-M", "whole", .presented(video), expect: []),
        SDPCase("SDP-M", "no media", .presented("v=0"), expect: nil),
        SDPCase("SDP-M", "no format", .presented(head + "m=video 0 RTP/AVP"), expect: ["SDP-M.count error"]),
        SDPCase("SDP-M", "no port", .presented(head + "m=video $ RTP/AVP 96"), expect: ["SDP-M.port error"]),
        SDPCase(
            "SDP-M", "a name for a type", .presented(head + "m=video 0 RTP/AVP H264"), expect: ["SDP-M.format error"]),
        SDPCase("SDP-M-PROTO", "without feedback", .presented(video), expect: []),
        SDPCase("SDP-M-PROTO", "with it", .offer(dtls + "a=rtcp-fb:0 nack"), expect: []),
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

    static let negotiated = [
        SDPCase("SDP-MID", "each one", .offer(bundle("", "")), expect: []),
        SDPCase("SDP-MID", "no groups", .presented(video), expect: nil),
        SDPCase(
            "SDP-MID", "an unknown member", .offer(bundle("", "", group: "0 1 2")), expect: ["SDP-MID.unknown error"]),
        SDPCase(
            "SDP-MID", "twice", .offer(head + "m=audio 9 RTP/AVP 0\na=mid:0\nm=audio 9 RTP/AVP 8\na=mid:0"),
            expect: ["SDP-MID.repeated error"]),
        SDPCase(
            "SDP-MID", "a medium without",
            .offer(head + "a=group:LS 0\nm=audio 9 RTP/AVP 0\na=mid:0\nm=audio 9 RTP/AVP 8"),
            expect: ["SDP-MID.missing error"]),
        SDPCase(
            "SDP-MID", "a rejected medium without",
            .answer(head + "a=group:LS 0\nm=audio 9 RTP/AVP 0\na=mid:0\nm=audio 0 RTP/AVP 8"),
            expect: ["SDP-MID.missing warning"]),
        SDPCase(
            "SDP-MID", "a rejected member", .answer(head + "a=group:LS 0\nm=audio 0 RTP/AVP 0\na=mid:0"),
            expect: ["SDP-MID.rejected error"]),
        SDPCase("SDP-BUNDLE", "fits", .offer(bundle("a=rtcp-mux\n" + mid, "a=rtcp-mux\n" + mid)), expect: []),
        SDPCase("SDP-BUNDLE", "no group", .offer(video), expect: nil),
        SDPCase(
            "SDP-BUNDLE", "protocols", .offer(bundle("a=rtcp-mux\n" + mid, mid, proto: "RTP/AVP")),
            expect: ["SDP-BUNDLE.proto error"]),
        SDPCase("SDP-BUNDLE", "no rtcp-mux", .offer(bundle(mid, mid)), expect: ["SDP-BUNDLE.rtcpMux error"]),
        SDPCase(
            "SDP-BUNDLE", "no MID extension", .offer(bundle("a=rtcp-mux\n", mid)),
            expect: ["SDP-BUNDLE.midExtension warning"]),
        SDPCase(
            "SDP-BUNDLE", "in two groups",
            .offer(bundle("a=rtcp-mux\n" + mid, mid).replacingFirst("t=0 0", "t=0 0\na=group:BUNDLE 1")),
            expect: ["SDP-BUNDLE.rtcpMux error", "SDP-BUNDLE.twice error"]),
        SDPCase(
            "SDP-BUNDLE", "tagged bundle-only", .offer(bundle("a=rtcp-mux\na=bundle-only\n" + mid, mid)),
            expect: ["SDP-BUNDLE.taggedBundleOnly error"]),
        SDPCase(
            "SDP-BUNDLE", "96 twice",
            .offer(
                head + "a=group:BUNDLE 0 1\nm=video 9 RTP/AVPF 96\na=mid:0\na=rtcp-mux\na=rtpmap:96 VP8/90000\n" + mid
                    + "m=video 9 RTP/AVPF 96\na=mid:1\na=rtpmap:96 H264/90000\n" + mid + "a=sendrecv"),
            expect: ["SDP-BUNDLE.payloadType error"]),
        SDPCase(
            "SDP-BUNDLE", "extension 2 twice",
            .offer(bundle("a=rtcp-mux\na=extmap:2 urn:a\n" + mid, "a=extmap:2 urn:b\n" + mid)),
            expect: ["SDP-BUNDLE.extension error"]),
        SDPCase(
            "SDP-RTCPMUX", "offered", .offer(dtls + "a=rtcp-mux"), .answer(dtls + "a=rtcp-mux"), expect: []),
        SDPCase("SDP-RTCPMUX", "offer not seen", .answer(dtls + "a=rtcp-mux"), expect: nil),
        SDPCase(
            "SDP-RTCPMUX", "not offered", .offer(dtls + "a=sendrecv"), .answer(dtls + "a=rtcp-mux"),
            expect: ["SDP-RTCPMUX.notOffered error"]),
        SDPCase(
            "SDP-RTCPMUX", "for the session", .offer("v=0\na=rtcp-mux"), expect: ["SDP-RTCPMUX.session error"]),
        SDPCase("SDP-EXTMAP", "1 and 14", .offer(dtls + "a=extmap:1 urn:a\na=extmap:14/sendonly urn:b"), expect: []),
        SDPCase("SDP-EXTMAP", "none", .presented(video), expect: nil),
        SDPCase("SDP-EXTMAP", "alternatives", .offer(dtls + "a=extmap:4096 urn:a\na=extmap:4096 urn:b"), expect: []),
        SDPCase("SDP-EXTMAP", "copied into the answer", .answer(dtls + "a=extmap:4096 urn:a"), expect: []),
        SDPCase(
            "SDP-EXTMAP", "alternatives of none", .presented(video + "\na=extmap:4096 urn:a"),
            expect: ["SDP-EXTMAP.offered warning"]),
        SDPCase(
            "SDP-EXTMAP", "0 and 257", .offer(dtls + "a=extmap:0 urn:a\na=extmap:257 urn:b"),
            expect: ["SDP-EXTMAP.range error", "SDP-EXTMAP.range error"]),
        SDPCase(
            "SDP-EXTMAP", "twice", .offer(dtls + "a=extmap:1 urn:a\na=extmap:1 urn:b"),
            expect: ["SDP-EXTMAP.repeated error"]),
        SDPCase(
            "SDP-EXTMAP", "both levels", .offer(head + "a=extmap:1 urn:a\nm=audio 9 RTP/AVP 0\na=extmap:2 urn:b"),
            expect: ["SDP-EXTMAP.levels error"]),
        SDPCase("SDP-EXTMAP", "no number", .offer(dtls + "a=extmap:x urn:a"), expect: ["SDP-EXTMAP.form error"]),
        SDPCase(
            "SDP-EXTMAP", "no direction", .offer(dtls + "a=extmap:1/both urn:a"), expect: ["SDP-EXTMAP.direction error"]
        ),
        SDPCase(
            "SDP-EXTMAP", "against the stream", .offer(dtls + "a=recvonly\na=extmap:1/sendonly urn:a"),
            expect: ["SDP-EXTMAP.against error"]),
    ]

    static let keys = [
        SDPCase("SDP-ICE-CRED", "both", .offer(dtls + "a=ice-ufrag:8hhY\n" + pwd), expect: []),
        SDPCase(
            "SDP-ICE-CRED", "for the session", .offer(head + "a=ice-ufrag:8hhY\n\(pwd)\nm=audio 9 RTP/AVP 0"),
            expect: []),
        SDPCase("SDP-ICE-CRED", "no ICE", .presented(video), expect: nil),
        SDPCase(
            "SDP-ICE-CRED", "no password", .offer(dtls + "a=ice-ufrag:8hhY"), expect: ["SDP-ICE-CRED.missing error"]),
        SDPCase(
            "SDP-ICE-CRED", "short", .offer(dtls + "a=ice-ufrag:8hh\na=ice-pwd:short"),
            expect: ["SDP-ICE-CRED.ufragLength error", "SDP-ICE-CRED.pwdLength error"]),
        SDPCase(
            "SDP-ICE-CRED", "33 characters",
            .offer(dtls + "a=ice-ufrag:" + String(repeating: "a", count: 33) + "\n" + pwd),
            expect: ["SDP-ICE-CRED.ufragLength error"]),
        SDPCase(
            "SDP-ICE-CRED", "characters", .offer(dtls + "a=ice-ufrag:8h-Y\n\(pwd)_"),
            expect: ["SDP-ICE-CRED.ufragCharacters error", "SDP-ICE-CRED.pwdCharacters error"]),
        SDPCase(
            "SDP-ICE-CRED", "one name, two passwords",
            .offer(dtls + "a=ice-ufrag:8hhY\n\(pwd)\nm=video 9 RTP/AVP 31\na=ice-ufrag:8hhY\n\(pwd)x"),
            expect: ["SDP-ICE-CRED.passwords error"]),
        SDPCase(
            "SDP-ICE-CAND", "kinds",
            .offer(
                dtls + "a=candidate:1 1 udp 2130706431 192.0.2.1 50000 typ host generation 0\n"
                    + "a=candidate:2 1 UDP 1694498815 192.0.2.3 45664 typ srflx raddr 0.0.0.0 rport 9"), expect: []),
        SDPCase("SDP-ICE-CAND", "none", .offer(dtls + "a=sendrecv"), expect: nil),
        SDPCase(
            "SDP-ICE-CAND", "cut", .offer(dtls + "a=candidate:1 1 udp 2130706431"), expect: ["SDP-ICE-CAND.form error"]),
        SDPCase(
            "SDP-ICE-CAND", "no raddr", .offer(dtls + "a=candidate:2 1 UDP 1694498815 192.0.2.3 45664 typ srflx"),
            expect: ["SDP-ICE-CAND.unrelated error"]),
        SDPCase(
            "SDP-ICE-CAND", "raddr of a host",
            .offer(dtls + "a=candidate:2 1 UDP 1 192.0.2.3 45664 typ host raddr 192.0.2.1 rport 1"),
            expect: ["SDP-ICE-CAND.hostRelated error"]),
        SDPCase(
            "SDP-ICE-CAND", "hidden, port 0",
            .offer(dtls + "a=candidate:2 1 UDP 1 192.0.2.3 45664 typ srflx raddr 0.0.0.0 rport 0"),
            expect: ["SDP-ICE-CAND.hidden note Q-WEBRTC"]),
        SDPCase(
            "SDP-ICE-CAND", "mDNS", .offer(dtls + "a=candidate:2 1 udp 1 4e712009-4a6c.local 45664 typ host"),
            expect: ["SDP-ICE-CAND.mdns note Q-WEBRTC"]),
        SDPCase(
            "SDP-ICE-CAND", "a name", .offer(dtls + "a=candidate:2 1 udp 1 host.example.com 45664 typ host"),
            expect: ["SDP-ICE-CAND.name error"]),
        SDPCase(
            "SDP-ICE-CAND", "no address", .offer(dtls + "a=candidate:2 1 udp 1 300.1.1.1 45664 typ host"),
            expect: ["SDP-ICE-CAND.address error"]),
        SDPCase(
            "SDP-ICE-CAND", "numbers", .offer(dtls + "a=candidate:a-b 0 udp 0 192.0.2.3 45664 typ host"),
            expect: ["SDP-ICE-CAND.foundation error", "SDP-ICE-CAND.component error", "SDP-ICE-CAND.priority error"]),
        SDPCase("SDP-FINGERPRINT", "SHA-256", .offer(dtls + "a=fingerprint:sha-256 \(sha256)"), expect: []),
        SDPCase("SDP-FINGERPRINT", "no DTLS", .presented(video), expect: nil),
        SDPCase("SDP-FINGERPRINT", "none", .offer(dtls + "a=sendrecv"), expect: ["SDP-FINGERPRINT.missing error"]),
        SDPCase(
            "SDP-FINGERPRINT", "short", .offer(dtls + "a=fingerprint:sha-256 4A:4B"),
            expect: ["SDP-FINGERPRINT.length error"]),
        SDPCase(
            "SDP-FINGERPRINT", "lower case", .offer(dtls + "a=fingerprint:sha-256 \(sha256.lowercased())"),
            expect: ["SDP-FINGERPRINT.lowerCase warning"]),
        SDPCase(
            "SDP-FINGERPRINT", "no colons", .offer(dtls + "a=fingerprint:sha-256 4A4B"),
            expect: ["SDP-FINGERPRINT.form error"]),
        SDPCase(
            "SDP-FINGERPRINT", "a hash of its own", .offer(dtls + "a=fingerprint:crc 4A"),
            expect: ["SDP-FINGERPRINT.hash error"]),
        SDPCase(
            "SDP-FINGERPRINT", "MD5",
            .offer(dtls + "a=fingerprint:md5 " + Array(repeating: "00", count: 16).joined(separator: ":")),
            expect: ["SDP-FINGERPRINT.weak error"]),
        SDPCase("SDP-SETUP", "offer", .offer(dtls + "a=setup:actpass"), expect: []),
        SDPCase("SDP-SETUP", "answer", .answer(dtls + "a=setup:active"), expect: []),
        SDPCase("SDP-SETUP", "no DTLS", .offer(video + "\na=setup:passive"), expect: nil),
        SDPCase(
            "SDP-SETUP", "actpass in an answer", .answer(dtls + "a=setup:actpass"), expect: ["SDP-SETUP.answer error"]),
        SDPCase(
            "SDP-SETUP", "passive in an offer", .offer(dtls + "a=setup:passive"), expect: ["SDP-SETUP.offer error"]),
        SDPCase(
            "SDP-SETUP", "active in an offer, as WHIP may", .offer(dtls + "a=setup:active"),
            expect: ["SDP-SETUP.offer warning"]),
        SDPCase("SDP-SETUP", "holdconn", .answer(dtls + "a=setup:holdconn"), expect: ["SDP-SETUP.holdconn error"]),
        SDPCase("SDP-SETUP", "another word", .answer(dtls + "a=setup:both"), expect: ["SDP-SETUP.unknown error"]),
        SDPCase("SDP-SETUP", "none", .answer(dtls + "a=sendrecv"), expect: ["SDP-SETUP.missing error"]),
        SDPCase(
            "SDP-CRYPTO", "whole", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(key30)|2^20|1:4"),
            expect: []),
        SDPCase("SDP-CRYPTO", "none", .offer(dtls + "a=sendrecv"), expect: nil),
        SDPCase(
            "SDP-CRYPTO", "for the session", .offer("v=0\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(key30)"),
            expect: ["SDP-CRYPTO.session error"]),
        SDPCase("SDP-CRYPTO", "cut", .offer(dtls + "a=crypto:1"), expect: ["SDP-CRYPTO.form error"]),
        SDPCase(
            "SDP-CRYPTO", "short key", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA"),
            expect: ["SDP-CRYPTO.length error"]),
        SDPCase(
            "SDP-CRYPTO", "not base64", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:%%%%"),
            expect: ["SDP-CRYPTO.base64 error"]),
        SDPCase(
            "SDP-CRYPTO", "another suite", .offer(dtls + "a=crypto:1 ROT13 inline:AAAA"),
            expect: ["SDP-CRYPTO.suite warning"]),
        SDPCase(
            "SDP-CRYPTO", "another method", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 url:AAAA"),
            expect: ["SDP-CRYPTO.method error"]),
        SDPCase(
            "SDP-CRYPTO", "tags",
            .offer(
                dtls
                    + "a=crypto:01 AES_CM_128_HMAC_SHA1_80 inline:\(key30)\na=crypto:01 AES_CM_128_HMAC_SHA1_32 inline:\(key30)"
            ),
            expect: ["SDP-CRYPTO.tag error", "SDP-CRYPTO.tag error", "SDP-CRYPTO.repeated error"]),
    ]
}

extension String {
    /// The text with the first `part` replaced.
    func replacingFirst(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
