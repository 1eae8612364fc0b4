import Testing

/// One or more descriptions in a row, and the expected findings for the last.
struct SDPCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var name: String
    var descriptions: [Description]
    /// Key, severity and quirk of each finding; empty when the rule passes, nil when it does not apply.
    var expected: [String]?

    var testDescription: String { "\(rule): \(name)" }

    init(_ rule: String, _ name: String, _ descriptions: Description..., expect expected: [String]?) {
        self.rule = rule
        self.name = name
        self.descriptions = descriptions
        self.expected = expected
    }
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
}

// Lines shared by most cases.
extension SDPCase {
    static let head = "v=0\no=- 1 1 IN IP4 192.0.2.1\ns=-\nc=IN IP4 0.0.0.0\nt=0 0\n"
    static let video = head + "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000"
    static let dtls = head + "m=audio 9 UDP/TLS/RTP/SAVPF 0\n"
    static let sha256 = Array(repeating: "4A", count: 32).joined(separator: ":")
    static let key30 = String(repeating: "A", count: 40)
    static let pwd = "a=ice-pwd:asd88fgpdd777uzjYhagZg"
    static let mid = "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid\n"

    static func fmtp(_ parameters: String, _ encoding: String = "H264/90000") -> Description {
        .presented(head + "m=video 0 RTP/AVP 96\na=rtpmap:96 \(encoding)\na=fmtp:96 \(parameters)")
    }

    static func bundle(_ audio: String, _ video: String, group: String = "0 1", proto: String = "UDP/TLS/RTP/SAVPF")
        -> String
    {
        head + "a=group:BUNDLE \(group)\nm=audio 9 UDP/TLS/RTP/SAVPF 111\na=mid:0\na=rtpmap:111 opus/48000/2\n\(audio)"
            + "m=video 9 \(proto) 96\na=mid:1\na=rtpmap:96 VP8/90000\n\(video)a=sendrecv"
    }
}

extension String {
    /// Returns the text with the first `part` replaced.
    func replacingFirst(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
