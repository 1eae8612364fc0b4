import CaptureTesting
import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct HandshakeTests {
    /// Returns the first octets of each side of a recorded connection.
    private static func handshake(_ capture: String) throws -> (client: [UInt8], server: [UInt8]) {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(capture).pcap"))
        let conversation = Conversation(frames)
        return (
            Array(conversation.stream(0, .clientToServer).prefix(3_073)),
            Array(conversation.stream(0, .serverToClient).prefix(3_073))
        )
    }

    /// Returns the parts of a handshake in wire order, with the client's first part before the server's response.
    private static func parts(_ client: [UInt8], _ server: [UInt8]) throws -> [RTMPHandshakePart] {
        var feed = DissectorFeed<RTMPDissector>()
        try feed.feed(client.prefix(1_537), .clientToServer)
        try feed.feed(server, .serverToClient)
        try feed.feed(client.dropFirst(1_537), .clientToServer)
        return feed.parts
    }

    /// Recordings of ffmpeg, librtmp, nginx-rtmp and GStreamer: C1, S1, S2, C2.
    @Test(arguments: [
        (
            "rtmp-play", RTMPHandshakePart.Scheme.digest0, RTMPHandshakePart.Answer.digest,
            RTMPHandshakePart.Answer.digest
        ),
        ("rtmp-publish", .digest0, .digest, .echo), ("rtmp-play-digest", .digest0, .digest, .digest),
        ("rtmp-play-rtmpdump", .simple, .echo, .echo), ("rtmp-publish-gst", .simple, .echo, .echo),
    ])
    func recordedHandshakes(
        _ capture: String, _ scheme: RTMPHandshakePart.Scheme, _ s2: RTMPHandshakePart.Answer,
        _ c2: RTMPHandshakePart.Answer
    ) throws {
        let (client, server) = try Self.handshake(capture)
        let parts = try Self.parts(client, server)
        #expect(parts.map(\.packet) == [.c0, .c1, .s0, .s1, .s2, .c2])
        #expect(parts[1].scheme == scheme)
        #expect(parts[3].scheme == scheme)
        #expect(parts[4].answer == s2)
        #expect(parts[5].answer == c2)
        #expect(parts.allSatisfy { $0.echoes != false && $0.prematureOf == nil && !$0.isCut })
        #expect(parts[1].filling == (scheme == .simple ? .varied : nil))
    }

    /// RTMPE: a capture that ends within a part shows that part where its latest octets are, from its own side.
    @Test(arguments: [(10, RTMPHandshakePart.Packet.s1), (12, .s2)])
    func incompletePart(_ last: Int, _ packet: RTMPHandshakePart.Packet) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-play-digest.pcap"))
        var wire = Array(frames.prefix(last))
        for index in wire.indices {
            // C0 and S0 begin the segments of frames 4 and 8.
            guard [4, 8].contains(wire[index].info.number),
                let place = wire[index].octets.indices.first(where: {
                    $0 == 66 && wire[index].octets[$0] == 3
                })
            else { continue }
            wire[index].octets[place] = 6
        }
        let timeline = AnalyzedTimeline.emit(wire)
        let parts = zip(timeline.lines, timeline.places).filter { $0.0.kind == "handshake" }
        #expect(parts.first?.0.summary.hasPrefix("C0, version 6") == true)
        #expect(Set(parts.map(\.0.fields.first)).count == parts.count)
        let (part, place) = try #require(parts.last)
        #expect(part.fields.first == Field("packet", .string("\(packet)".uppercased())))
        // Shown by the server, in a frame of the server.
        #expect(part.source.port == 1_935)
        #expect(frames[place.frames.upperBound - 1].ports.map { Array($0.source) } == [10, 77, 0, 2])
    }

    /// librtmp puts the digest of RTMPE at the offset given by octets 772 to 775.
    @Test func digestAtTheSecondPlace() throws {
        let (client, _) = try Self.handshake("rtmpe-refused")
        #expect(client.first == 6)
        let digest = try #require(HandshakeDigest(part: Array(client[1..<1_537]), signer: .player))
        #expect(digest.place == .second)
        #expect(digest.offset == 1_383)
        #expect(HandshakeDigest(part: Array(client[1..<1_537]), signer: .server) == nil)
        #expect(RTMPProbe.answer(client: client.rawSpan, server: [UInt8]().rawSpan, isUsualPort: false) == .yes)
    }

    /// Any changed octet makes a digest invalid.
    @Test func damagedDigests() throws {
        let (client, server) = try Self.handshake("rtmp-play")
        let c1 = Array(client[1..<1_537])
        let digest = try #require(HandshakeDigest(part: c1, signer: .player))
        #expect(digest.isAnswered(by: Array(server[1_537...]), signer: .server))
        for offset in stride(from: 0, to: c1.count, by: 61) {
            var damaged = c1
            damaged[offset] ^= 1
            #expect(HandshakeDigest(part: damaged, signer: .player) == nil)
            var answer = Array(server[1_537...])
            answer[offset] ^= 1
            #expect(!digest.isAnswered(by: answer, signer: .server))
        }
        #expect(HandshakeDigest(part: Array(c1.dropLast()), signer: .player) == nil)
    }

    @Test func secondC1InPlaceOfC2() throws {
        let own = RTMPBytes.part(1)
        var similar = own
        similar.replaceSubrange(8..<24, with: [UInt8](repeating: 7, count: 16))
        for second in [own, similar, Array(own[..<8]) + RTMPBytes.part(77)[8...]] {
            let parts = try Self.parts([3] + own + second, RTMPBytes.answer)
            #expect(parts.last?.answer == .ownFirstPart)
            #expect(parts.last?.echoes == false)
        }
    }

    /// A C2 that is neither S1 nor a digest cannot be classified if C1 is missing or has a gap.
    @Test(arguments: [1, 1_536]) func answersWithoutTheFirstPart(_ missing: Int) throws {
        for second in [RTMPBytes.part(1), RTMPBytes.part(77)] {
            var feed = DissectorFeed<RTMPDissector>()
            let client = [3] + RTMPBytes.part(1) + second
            try feed.feed(client[..<(1_537 - missing)], .clientToServer)
            feed.gap(missing, .clientToServer)
            try feed.feed(RTMPBytes.answer, .serverToClient)
            try feed.feed(client[1_537...], .clientToServer)
            let answer = try #require(feed.parts.last)
            #expect(answer.packet == .c2 && answer.answer == nil)
        }
        var feed = DissectorFeed<RTMPDissector>()
        try feed.feed([3] + RTMPBytes.part(1)[..<1_000], .clientToServer)
        feed.gap(536, .clientToServer)
        try feed.feed(RTMPBytes.answer, .serverToClient)
        try feed.feed(RTMPBytes.part(2), .clientToServer)
        #expect(feed.parts.last?.answer == .echo, "what S1 shows is told")
    }

    @Test func wrongEchoes() throws {
        var second = RTMPBytes.part(2)
        second[700] ^= 1
        second[900] ^= 1
        var parts = try Self.parts([3] + RTMPBytes.part(1) + second, RTMPBytes.answer)
        #expect(parts.last?.answer == .other(firstDifference: 700, differing: 2))
        #expect(parts.last?.mismatchOffset == 700)
        second = RTMPBytes.part(2)
        second[3] = 9
        second[7] = 5
        parts = try Self.parts([3] + RTMPBytes.part(1) + second, RTMPBytes.answer)
        #expect(parts.last?.answer == .echo)
        #expect(parts.last?.echoesTime == false)
        #expect(parts.last?.secondField == 5)
        #expect(parts.last?.peerTime == 2)
    }

    @Test func fillings() {
        func filling(_ octets: [UInt8]) -> HandshakeFilling { HandshakeFilling(octets.rawSpan) }
        var generator = SeededGenerator(3)
        for _ in 0..<300 { #expect(filling(generator.octets(1_528)) == .varied) }
        #expect(filling([UInt8](repeating: 0, count: 1_528)) == .zeros)
        #expect(filling([UInt8](repeating: 0x5A, count: 1_528)) == .constant(0x5A))
        #expect(filling((0..<1_528).map { UInt8(truncatingIfNeeded: $0) }) == .repeated(period: 256))
        #expect(filling((0..<1_528).map { [1, 2, 3][$0 % 3] }) == .repeated(period: 3))
        let log = Array("2016-08-02 22:23:15.885 connected to the server".utf8)
        #expect(filling(generator.octets(500) + [0] + log + [0] + generator.octets(980)) == .text(longest: log.count))
        #expect(filling((0..<1_528).map { $0 % 11 == 0 ? UInt8($0 % 90) : 0 }) == .sparse(values: 90))
        #expect(filling([]) == .varied)
    }

    @Test func order() throws {
        // The client does not wait.
        var feed = DissectorFeed<RTMPDissector>()
        try feed.feed(RTMPBytes.handshake + RTMPBytes.connect, .clientToServer)
        #expect(feed.parts.map(\.prematureOf) == [nil, nil, .s1])
        #expect(feed.rtmp.map(\.framing.prematureOf) == [.s2])
        // The server does not wait either.
        feed = DissectorFeed<RTMPDissector>()
        try feed.feed(RTMPBytes.answer + RTMPBytes.message(chunkStream: 2, type: 5, stream: 0, [0, 0, 16, 0]))
        #expect(feed.parts.map(\.prematureOf) == [.c0, .c0, .c1])
        #expect(feed.rtmp.map(\.framing.prematureOf) == [.c2])
    }

    @Test func interrupted() throws {
        for count in [2, 700, 1_537, 1_538, 3_072] {
            var feed = DissectorFeed<RTMPDissector>()
            try feed.feed(RTMPBytes.handshake[..<count], .clientToServer)
            feed.finish()
            feed.finish()
            let last = try #require(feed.parts.last)
            #expect(last.isUnfinished == (count != 1_537))
            #expect(feed.parts.map(\.octets).reduce(0, +) == count)
        }
        // A gap: the part is still separated from the next.
        var feed = DissectorFeed<RTMPDissector>()
        try feed.feed(RTMPBytes.handshake[..<500], .clientToServer)
        feed.miss(2_000, .clientToServer)
        try feed.feed(RTMPBytes.handshake[2_500...] + RTMPBytes.connect, .clientToServer)
        #expect(feed.parts.map(\.isCut) == [false, true, true])
        #expect(feed.parts.allSatisfy { !$0.isUnfinished && $0.scheme == nil && $0.answer == nil })
        #expect(feed.rtmp.count == 1)
    }

    @Test(arguments: [UInt8(6), 8, 9]) func encrypted(_ version: UInt8) throws {
        var feed = DissectorFeed<RTMPDissector>()
        var (client, server) = (RTMPBytes.handshake, RTMPBytes.answer)
        (client[0], server[0]) = (version, version)
        try feed.feed(client, .clientToServer)
        try feed.feed(server)
        var generator = SeededGenerator(1)
        for _ in 0..<3 { try feed.feed(generator.octets(900), .clientToServer) }
        #expect(feed.parts.count == 6)
        #expect(feed.said.last == .other("encrypted from here on (RTMPE, version \(version))"))
        #expect(feed.said.count == 7)
        // A server that does not support the version responds with 3 (RTMP §5.2.2).
        feed = DissectorFeed<RTMPDissector>()
        try feed.feed(client, .clientToServer)
        try feed.feed(RTMPBytes.answer)
        try feed.feed(RTMPBytes.connect, .clientToServer)
        #expect(feed.rtmp.count == 1)
    }

    @Test func probe() {
        func answer(_ client: [UInt8], _ server: [UInt8] = []) -> ProbeAnswer {
            RTMPProbe.answer(client: client.rawSpan, server: server.rawSpan, isUsualPort: false)
        }
        #expect(answer([3] + RTMPBytes.part(1)) == .yes)
        #expect(answer([3, 0, 0, 0]) == .needMore)
        #expect(answer(Array("OPTIONS * RTSP/1.0\r\n".utf8)) == .no)
        #expect(answer(hex("16 0301 0200")) == .no)
        var generator = SeededGenerator(5)
        for _ in 0..<200 { #expect(answer(generator.octets(4_096), generator.octets(4_096)) != .yes) }
        for version in [UInt8(3), 6] {
            for _ in 0..<200 { #expect(answer([version] + generator.octets(4_095)) != .yes) }
        }
        let odd = [5] + RTMPBytes.part(1)
        #expect(answer(odd) == .no)
        #expect(RTMPProbe.answer(client: odd.rawSpan, server: [UInt8]().rawSpan, isUsualPort: true) == .yes)
    }
}
