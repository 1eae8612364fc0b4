import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct RTSPDissectorTests {
    private typealias Feed = DissectorFeed<RTSPDissector>

    private func whole(_ octets: [UInt8], startsLate: Bool = false) throws -> Feed {
        var feed = Feed(startsLate: startsLate)
        try feed.feed(octets)
        return feed
    }

    @Test func seedDialogue() throws {
        #expect(SeedDialogue.description.count == 508)
        var feed = Feed()
        try feed.feed(SeedDialogue.requests, .clientToServer)
        try feed.feed(SeedDialogue.answers, .serverToClient)
        #expect(feed.messages.map(\.method) == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY", nil, nil, nil, nil])
        #expect(feed.messages.map(\.cseq) == [1, 2, 3, 4, 1, 2, 3, 4])
        #expect(feed.messages[1].session == nil)
        #expect(feed.messages[3].session == nil)
        #expect(feed.said.contains(.payload("sdp", SeedDialogue.description)))
        #expect(feed.messages[5].bodyDelta == 0)
        #expect(feed.messages[5].date?.form == .monthFirst)
        #expect(feed.messages[6].session?.timeoutSeconds == 60)
        #expect(feed.messages[7].rtpInfo.map(\.rtpTime) == [3_987_283_666, 0])
        #expect(feed.remarks == [])
        #expect(feed.waiting(.serverToClient) == 0)
    }

    /// Streams that give the same messages with any segmentation.
    static let streams: [(String, [UInt8])] = [
        ("seed requests", SeedDialogue.requests),
        ("seed answers", SeedDialogue.answers),
        ("pipelined", lines("OPTIONS * RTSP/1.0", "CSeq: 1") + lines("PLAY rtsp://a RTSP/1.0", "CSeq: 2")),
        ("bare LF", Array("OPTIONS * RTSP/1.0\nCSeq: 1\n\nPLAY rtsp://a RTSP/1.0\nCSeq: 2 \n\n".utf8)),
        (
            "leading line ends",
            Array("\r\nOPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n\r\n".utf8) + frame(0, rtp(1)) + frame(1, rtp(2))
        ),
        (
            "media and messages",
            frame(0, rtp(1)) + lines("RTSP/1.0 200 OK", "CSeq: 5") + frame(3, []) + frame(0, rtp(2))
        ),
        (
            "body too short",
            lines("RTSP/1.0 200 OK", "CSeq: 1", "Content-Length: 2") + Array("abXYZ".utf8)
                + lines("RTSP/1.0 404 Not Found", "CSeq: 2")
        ),
        (
            "body too long",
            lines("RTSP/1.0 200 OK", "CSeq: 1", "Content-Length: 30") + Array("a: b\r\n".utf8)
                + lines("RTSP/1.0 404 Not Found", "CSeq: 2") + lines("RTSP/1.0 200 OK", "CSeq: 3")
        ),
        (
            "garbage between frames",
            frame(0, rtp(1)) + [0x24, 1, 2, 0xFF, 0, 7] + frame(0, rtp(2)) + frame(0, rtp(3))
                + frame(0, rtp(4)) + lines("RTSP/1.0 200 OK", "CSeq: 5")
        ),
        ("unknown method", lines("X-THING rtsp://a RTSP/1.0", "CSeq: 1") + lines("GET /info RTSP/1.0", "CSeq: 2")),
        ("version 2", lines("OPTIONS * RTSP/2.0", "CSeq: 1") + lines("RTSP/2.0 200 OK", "CSeq: 1")),
        ("malformed header", lines("PLAY rtsp://a RTSP/1.0x") + lines("PLAY rtsp://a RTSP/1.0", "CSeq: 2")),
    ]

    @Test(arguments: streams.indices)
    func sameHoweverCut(_ index: Int) throws {
        let (name, octets) = Self.streams[index]
        let expected = try whole(octets).said
        #expect(!expected.isEmpty, "\(name)")
        for cut in 0...octets.count {
            var feed = Feed()
            try feed.feed(octets[..<cut])
            try feed.feed(octets[cut...])
            #expect(feed.said == expected, "\(name) cut at \(cut)")
        }
        var feed = Feed()
        for octet in octets { try feed.feed([octet]) }
        #expect(feed.said == expected, "\(name) octet by octet")
    }

    @Test func framesKeepChannelAndLength() throws {
        let feed = try whole(frame(0, rtp(1)) + frame(255, [1]) + frame(2, [7]))
        #expect(feed.said == [.media(0, rtp(1)), .media(255, [1]), .media(2, [7])])
    }

    @Test func emptyFramesAreTold() throws {
        let feed = try whole(frame(0, rtp(1)) + frame(2, []) + frame(0, []) + frame(0, rtp(2)))
        #expect(feed.remarks == ["rtsp.remark.emptyFrame"])
        #expect(try whole(frame(0, rtp(1)) + frame(2, [1])).remarks == [])
    }

    @Test func wrongContentLengthIsMeasured() throws {
        let short = try whole(try #require(Self.streams.first { $0.0 == "body too short" }).1)
        #expect(short.messages.map(\.status) == [200, 404])
        #expect(short.messages.map(\.skippedBefore) == [0, 3])
        #expect(short.remarks == ["rtsp.remark.skipped"])
        let long = try whole(try #require(Self.streams.first { $0.0 == "body too long" }).1)
        #expect(long.messages.map(\.bodyDelta) == [-24, 0, 0])
        #expect(long.messages.map(\.bodyLength) == [6, 0, 0])
    }

    @Test func descriptionBeyondContentLengthIsTaken() throws {
        // RFC 2326 §14.4 announces 44 octets for a longer description.
        let body =
            "v=0\r\no=- 2890844526 2890842807 IN IP4 192.16.24.202\r\ns=RTSP Session\r\nm=audio 3456 RTP/AVP 0\r\n"
        let head = lines("RTSP/1.0 200 OK", "CSeq: 1", "Content-Type: application/sdp", "Content-Length: 44")
        let feed = try whole(head + Array(body.utf8) + lines("RTSP/1.0 200 OK", "CSeq: 2"))
        #expect(feed.messages.map(\.cseq) == [1, 2])
        #expect(feed.messages.first?.bodyDelta == body.utf8.count - 44)
        #expect(feed.said.contains(.payload("sdp", Array(body.utf8))))
    }

    @Test func descriptionWithoutContentLengthIsTaken() throws {
        let body = Array("v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n".utf8)
        let head = lines("RTSP/1.0 200 OK", "CSeq: 1", "Content-Type: application/sdp")
        let feed = try whole(head + body + lines("RTSP/1.0 200 OK", "CSeq: 2"))
        #expect(feed.messages.map(\.cseq) == [1, 2])
        #expect(feed.messages.first?.oddities == .bodyWithoutLength)
        #expect(feed.said.contains(.payload("sdp", body)))
    }

    @Test func lateStartFindsFrames() throws {
        let middle = Array(rtp(1, octets: 200)[100...]) + frame(0, rtp(2)) + frame(1, rtp(3)) + frame(0, rtp(4))
        let feed = try whole(middle + lines("RTSP/1.0 200 OK", "CSeq: 9"), startsLate: true)
        #expect(feed.media.map { $0[3] } == [2, 3, 4])
        #expect(feed.messages.map(\.cseq) == [9])
        #expect(feed.remarks == ["rtsp.remark.skipped"])
    }

    @Test func cutMessagesAreReadAfterEachOther() throws {
        var feed = Feed()
        feed.cut(Array("SETUP rtsp://10.77.0.2:554/li".utf8), .clientToServer)
        feed.gap(100, .clientToServer)
        feed.cut(Array("PLAY rtsp://10.77.0.2:554/liv".utf8), .clientToServer)
        feed.gap(100, .clientToServer)
        #expect(feed.remarks == ["rtsp.remark.cut", "rtsp.remark.cut"])
        #expect(feed.said.count == 4)
    }

    @Test func gapIsFollowedByTheNextStart() throws {
        var feed = Feed()
        try feed.feed(frame(0, rtp(1)) + [0x24, 0, 0, 200])
        feed.gap(500)
        try feed.feed([9, 9, 9] + lines("RTSP/1.0 200 OK", "CSeq: 1") + frame(0, rtp(2)))
        #expect(feed.media.count == 2)
        #expect(feed.messages.first?.skippedBefore == 3)
    }

    @Test func gapInsideAFrameKeepsTheStep() throws {
        var feed = Feed()
        try feed.feed(frame(0, rtp(1)) + Array(frame(0, rtp(2, octets: 300))[..<20]))
        feed.gap(200)
        // A start pattern inside the rest of the frame is ignored.
        try feed.feed(Array(repeating: 0x24, count: 84))
        try feed.feed(frame(1, [7]))
        #expect(feed.said == [.media(0, rtp(1)), .media(1, [7])])
        try feed.feed(Array(frame(0, rtp(3, octets: 100))[..<50]))
        feed.gap(54)
        try feed.feed(frame(1, [8]))
        #expect(feed.said.last == .media(1, [8]))
        try feed.feed(Array(frame(0, rtp(3, octets: 100))[..<50]))
        feed.gap(55)
        try feed.feed(frame(1, rtp(4))[1...] + frame(0, rtp(5)) + frame(0, rtp(6)))
        #expect(feed.media.suffix(2) == [rtp(5), rtp(6)])
    }

    @Test func descriptionWithoutTypeIsTakenForWhatItIs() throws {
        let feed = try whole(
            lines("RTSP/1.0 200 OK", "CSeq: 2", "Content-Length: 508") + SeedDialogue.description)
        #expect(feed.said.last == .payload("sdp", SeedDialogue.description))
    }

    @Test func datagramsHoldOneMessageEach() throws {
        var feed = Feed(transport: .udp)
        try feed.feed(lines("OPTIONS * RTSP/1.0", "CSeq: 1", "Content-Length: 4") + Array("abc".utf8), .clientToServer)
        #expect(feed.messages.map(\.bodyLength) == [3])
        #expect(feed.messages.map(\.bodyDelta) == [-1])
    }

    @Test func hugeContentLengthDoesNotSwallowTheStream() throws {
        let feed = try whole(
            lines("RTSP/1.0 200 OK", "CSeq: 1", "Content-Length: 9223372036854775807")
                + lines("RTSP/1.0 200 OK", "CSeq: 2"))
        #expect(feed.messages.map(\.cseq) == [1, 2])
    }

    @Test func garbageIsNotKept() throws {
        var generator = SeededGenerator(7)
        var feed = Feed(startsLate: true)
        for _ in 0..<200 { try feed.feed(generator.octets(1_460)) }
        #expect(feed.waiting(.serverToClient) <= 65_539 + 1_460)
    }

    static let openings: [(String, String, ProbeAnswer)] = [
        ("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", "", ProbeAnswer.yes), ("", "RTSP/1.0 200 OK\r\n", .yes),
        ("GET /info RTSP/1.0\r\n", "", .yes), ("\r\nPLAY rtsp://a RTSP/2.0\r\n", "", .yes), ("DESC", "", .needMore),
        ("", "", .needMore), ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "", .no), ("INVITE sip:a@b SIP/2.0\r\n", "", .no),
        ("\u{3}\0\0\0\0", "", .no), ("", "HTTP/1.1 200 OK\r\n", .no), ("EHLO a\r\n", "220 RTSP/1.0 mail\r\n", .no),
        ("$", "", .needMore), ("GET /RTSP/1.0 HTTP/1.1\r\n", "", .no),
    ]

    @Test(arguments: openings)
    func probe(_ client: String, _ server: String, _ answer: ProbeAnswer) {
        #expect(probe(Array(client.utf8), Array(server.utf8)) == answer)
    }

    @Test func probeKnowsChainsOfFrames() {
        #expect(probe([], frame(0, rtp(1)) + frame(0, rtp(2)), startsLate: true) == .yes)
        // After unrelated octets, two frames appear by chance.
        let frames = (1...4).map { frame(0, rtp($0)) }
        #expect(probe([], [1, 2, 3] + frames[0] + frames[1], startsLate: true) == .needMore)
        #expect(probe([], [1, 2, 3] + frames.joined(), startsLate: true) == .yes)
        #expect(probe([], [1, 2, 3] + frame(0, rtp(1)) + frame(0, rtp(2))) == .no)
        #expect(probe([], frame(0, rtp(1)) + [1, 2, 3, 4, 5, 6]) == .no)
    }

    private func probe(_ client: [UInt8], _ server: [UInt8], startsLate: Bool = false) -> ProbeAnswer {
        RTSPDissector.probe(
            FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: .test(startsLate: startsLate)))
    }
}
