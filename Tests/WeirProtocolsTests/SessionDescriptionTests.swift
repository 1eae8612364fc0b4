import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct SessionDescriptionTests {
    typealias Kind = SDPProblem.Kind

    private func kinds(_ text: String) -> [Kind] { SessionDescription(text).problems.map(\.kind) }

    @Test func descriptionOfTheCamera() throws {
        let octets = SeedDialogue.description
        let description = SessionDescription(octets.rawSpan, role: .presentation)
        #expect(description.version == 0)
        #expect(description.origin?.sessionId == "1773926623")
        #expect(description.origin?.address == nil)
        #expect(description.name == "Session Streamed by LIBZRTSP")
        #expect(description.control == "*")
        #expect(description.range?.unit == .npt)
        #expect(description.media.map(\.type) == ["video", "audio"])
        #expect(description.media.map(\.control) == ["track1", "track2"])
        #expect(description.media[0].rtpMap(96)?.encoding == "H264")
        #expect(description.media[0].formatParameters(96)?["Profile-Level-ID"] == "4D001E")
        #expect(description.media[0].bandwidths == [SDPBandwidth(type: "AS", value: 0)])
        #expect(description.media[1].rtpMap(0)?.clockRate == 8000)
        #expect(
            description.problems.map(\.kind) == [
                .trailingBlank, .originAddressMissing, .trailingBlank, .connectionAddressMissing,
            ])
        #expect(description.problems.map(\.line) == [2, 2, 13, 13])
        #expect(description.problems.map(\.offset) == [5, 5, 248, 248])
        #expect(description.problems.map(\.medium) == [nil, nil, 0, 0])
        #expect(
            description.summary(.masked)
                == "video H264/90000 (pt 96) control track1; audio PCMU/8000 (pt 0) control track2")
    }

    /// A valid description.
    static let good = "v=0\r\no=- 1 2 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n"
    static let video = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"

    @Test func goodOnesHaveNoProblems() {
        #expect(kinds(Self.good + Self.video) == [])
        // RFC 8866 §5: the example.
        #expect(
            kinds(
                """
                v=0
                o=jdoe 3724394400 3724394405 IN IP4 198.51.100.1
                s=Call to John Smith
                i=SDP Offer #1
                u=http://www.jdoe.example.com/home.html
                e=Jane Doe <jane@jdoe.example.com>
                p=+1 617 555-6011
                c=IN IP4 198.51.100.1
                t=0 0
                m=audio 49170 RTP/AVP 0
                m=audio 49180 RTP/AVP 0
                m=video 51372 RTP/AVP 99
                c=IN IP6 2001:db8::2
                a=rtpmap:99 h263-1998/90000

                """.split(separator: "\n").map { $0 + "\r\n" }.joined()) == [])
        #expect(kinds(Self.good.replacing("t=0 0", with: "t=1 2\r\nr=7d 1h 0\r\nt=3 4") + Self.video) == [])
    }

    static let faults: [(String, String, [SDPProblem.Kind])] = [
        ("v=0", "v=1", [Kind.versionNotZero]), ("v=0\r\n", "", [.versionMissing]),
        ("o=- 1 2 IN IP4 192.0.2.1\r\n", "", [.originMissing]),
        ("o=- 1 2 IN IP4 192.0.2.1", "o=- 1 2 IN IP4", [.originAddressMissing]),
        ("o=- 1 2 IN IP4 192.0.2.1", "o=- a 2 IN IP4 x.y.z.w", [.originNumber, .originAddressInvalid]),
        ("o=- 1 2 IN IP4 192.0.2.1", "o=my cam 1 2 IN IP4 192.0.2.1", [.originFieldCount, .originNumber]),
        ("s=-", "s=", [.nameEmpty]), ("s=-", "s= ", []), ("s=-\r\n", "", [.nameMissing]),
        ("t=0 0\r\n", "", [.timeMissing]), ("t=0 0", "t=0", [.timeMalformed]),
        ("c=IN IP4 192.0.2.1\r\n", "", [.connectionMissing]),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 224.2.0.1", [.connectionTTLMissing]),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 224.2.0.1/127/3", []),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 224.2.0.1/256", [.connectionTTLInvalid]),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 192.0.2.1/127", [.connectionSlashOnUnicast]),
        ("c=IN IP4 192.0.2.1", "c=IN IP6 ff15::101/3", []),
        ("c=IN IP4 192.0.2.1", "c=IN IP6 ff15::101/127/3", [.connectionTTLOnIPv6]),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 300.1.1.1", [.connectionAddressInvalid]),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 cam.example.com", []),
        ("c=IN IP4 192.0.2.1", "c=IN IP4 a b", [.connectionFieldCount]),
        ("s=-\r\n", "s=-\r\ns=again\r\n", [.repeated]),
        ("t=0 0\r\n", "t=0 0\r\nc=IN IP4 192.0.2.9\r\n", [.order, .repeated]),
        ("t=0 0\r\n", "t=0 0\r\nx=what\r\n", [.unknownType]), ("t=0 0\r\n", "t=0 0\r\njunk\r\n", [.notTypeValue]),
        ("t=0 0", "t =0 0", [.blankBeforeEquals]), ("t=0 0", "t= 0 0", [.blankAfterEquals]),
        ("s=-\r\n", "s=-\n", [.lineFeedOnly]), ("t=0 0\r\n", "t=0 0\r\n\r\n", [.emptyLine]),
        ("96\r\n", "\r\n", [.trailingBlank, .mediaFieldCount, .rtpmapPayloadType]),
        ("video 0", "video x", [.mediaPort]),
        ("RTP/AVP 96", "RTP/AVP 960", [.mediaFormat, .rtpmapPayloadType]), ("H264/90000", "H264", [.rtpmapClockRate]),
        ("96 H264", "97 H264", [.rtpmapPayloadType]), ("rtpmap:96 H264/90000", "rtpmap:", [.rtpmapMalformed]),
        ("a=rtpmap", "a=fmtp:96 \r\na=rtpmap", [.trailingBlank, .fmtpMalformed]),
        ("a=rtpmap", "a=fmtp:96\r\na=rtpmap", [.fmtpMalformed]),
        ("a=rtpmap", "a=fmtp:97 x=1\r\na=rtpmap", [.fmtpFormat]),
        ("a=rtpmap", "a=rtpmap:96 H265/90000\r\na=rtpmap", [.rtpmapRepeated]),
        ("a=rtpmap", "b=AS\r\na=rtpmap", [.bandwidthMalformed]),
        ("a=rtpmap", "a=:x\r\na=rtpmap", [.attributeName]), ("90000\r\n", "90000", [.noFinalLineEnd]),
        ("90000\r\n", "90000 \r\n", [.trailingBlank]),
    ]

    @Test(arguments: faults)
    func problems(_ part: String, _ replacement: String, _ expected: [Kind]) {
        let text = Self.good + Self.video
        #expect(text.contains(part))
        #expect(kinds(text.replacing(part, with: replacement, maxReplacements: 1)) == expected)
    }

    @Test func webRTCAttributes() throws {
        let text =
            Self.good + "a=group:BUNDLE 0 1\r\na=ice-lite\r\n"
            + "m=audio 9 UDP/TLS/RTP/SAVPF 111 0\r\na=mid:0\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\n"
            + "a=rtcp-fb:111 transport-cc\r\na=rtcp:9 IN IP4 0.0.0.0\r\na=rtcp-mux\r\na=ice-ufrag:abcd\r\n"
            + "a=ice-pwd:verysecretpassword0000\r\na=fingerprint:sha-256 AA:BB\r\na=setup:actpass\r\na=sendrecv\r\n"
            + "a=extmap:1/recvonly urn:ietf:params:rtp-hdrext:ssrc-audio-level x y\r\na=ssrc:4294967295 cname:a b\r\n"
            + "a=candidate:1 1 udp 2130706431 1f4712db.local 50000 typ host generation 0\r\n"
            + "a=candidate:2 1 UDP 1 203.0.113.1 6000 typ srflx raddr 10.0.0.1 rport 5000\r\n"
            + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:topsecretkey|2^20 KDR=1\r\na=end-of-candidates\r\n"
        let description = SessionDescription(text, role: .offer)
        let medium = try #require(description.media.first)
        #expect(description.problems == [])
        #expect(description.bundle == ["0", "1"])
        #expect(description.isICELite)
        #expect(medium.rtpMap(111)?.channels == 2)
        #expect(
            medium.rtcpFeedback == [RTCPFeedbackAttribute(payloadType: "111", type: "transport-cc", parameter: nil)])
        #expect(medium.rtcp?.port == 9)
        #expect(medium.rtcpMux && medium.endOfCandidates)
        #expect(medium.fingerprints == [SDPFingerprint(hash: "sha-256", value: "AA:BB")])
        #expect(medium.extensionMaps.first?.direction == "recvonly")
        #expect(medium.sources == [SourceAttribute(ssrc: .max, name: "cname", value: "a b")])
        #expect(medium.candidates.map(\.isMDNS) == [true, false])
        #expect(medium.candidates.last?.relatedPort == 5000)
        #expect(medium.crypto.first?.inlineKey == "topsecretkey")
        let masked = "\(description.fields(.masked)) \(description.summary(.masked))"
        #expect(!masked.contains("verysecret") && !masked.contains("topsecret"))
        #expect("\(description.fields(.revealed))".contains("verysecretpassword0000"))
        #expect(description.summary(.masked).hasPrefix("offer: audio opus/48000/2 (pt 111), PCMU/8000 (pt 0)"))
    }

    @Test func lateSessionLinesAreUsed() {
        // RFC 2326 §14.4 has c= after the attributes of the medium.
        let description = SessionDescription(
            "v=0\r\ns=-\r\nm=audio 3456 RTP/AVP 0\r\na=control:x\r\nc=IN IP4 224.2.0.1/16\r\nt=0 0\r\n")
        #expect(description.media.first?.connections.first?.ttl == 16)
        #expect(description.times.count == 1)
        #expect(description.problems.map(\.kind) == [.order, .unknownType, .originMissing])
    }

    @Test func lineLimitIsKept() {
        var limits = Limits()
        limits[SDPLimits.self].descriptionLines = 10
        let text = Self.good + String(repeating: "a=x\r\n", count: 100)
        let description = SessionDescription(text, limits: limits)
        #expect(description.attributes.count == 5)
        #expect(description.problems.map(\.kind) == [.tooManyLines])
    }

    @Test func everyBeginningIsRead() {
        let octets = SeedDialogue.description
        for count in 0...octets.count {
            let beginning = Array(octets[..<count])
            let description = SessionDescription(beginning.rawSpan)
            #expect(description.media.count <= 2)
        }
    }

    static let addresses: [(String, Bool)] = [
        ("::", true), ("::1", true), ("2001:db8::1", true), ("1:2:3:4:5:6:7:8", true), ("::ffff:192.0.2.1", true),
        ("1:2:3:4:5:6:7", false), ("1::2::3", false), ("12345::", false), (":1:2:3:4:5:6:7", false),
        ("1:2:3:4:5:6:7:", false),
        ("::1.2.3", false), ("g::1", false), ("1:2:3:4:5:6:7::", true), (":::", false), ("1:2:3:4:5:6:7:8:9", false),
    ]

    @Test(arguments: addresses)
    func addressesOfVersionSix(_ text: String, _ isValid: Bool) {
        #expect(SDPAddress.isIPv6(text) == isValid)
    }
}
