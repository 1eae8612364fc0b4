import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// Damaged input must never trap, be consumed twice or stall a dissector.
@Suite struct TextProtocolFuzzTests {
    private static let vectors: [[UInt8]] =
        RTSPDissectorTests.streams.map(\.1) + [
            SeedDialogue.description, Array((SessionDescriptionTests.good + SessionDescriptionTests.video).utf8),
            lines(
                "RTSP/1.0 401 Unauthorized", "WWW-Authenticate: Digest realm=\"a\", nonce=\"b\" Basic realm=\"c\"",
                "Transport: RTP/AVP;src_addr=\"[::1]:1\"/\":2\";ssrc=1/2;mode=\"PLAY\"", "Range: smpte=1:2:3-",
                "RTP-Info: url=\"rtsp://a\" ssrc=1:seq=2;rtptime=3", "Session: a;timeout=1"),
        ]

    private static let tokens: [[UInt8]] = [
        "\r\n", "\r\n\r\n", "\n", "\r", "RTSP/1.0", "Content-Length: 99999999999999999999", "$", "\"", ";", ",", "=",
        "://",
        "v=", "m=video ", "a=rtpmap:", "a=fmtp:", "65536", "-1", "\u{0}", "é",
    ].map { Array($0.utf8) }

    private func mutated(_ vector: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var octets = vector
        for _ in 0...Int(generator.next() % 4) {
            let place = octets.isEmpty ? 0 : Int(generator.next() % UInt64(octets.count + 1))
            switch generator.next() % 5 {
            case 0 where place < octets.count: octets[place] = UInt8(truncatingIfNeeded: generator.next())
            case 1: octets.insert(contentsOf: Self.tokens[Int(generator.next() % UInt64(Self.tokens.count))], at: place)
            case 2: octets.removeSubrange(place..<min(octets.count, place + Int(generator.next() % 20)))
            case 3: octets = Array(octets[..<place])
            default: octets.insert(contentsOf: octets[place..<min(octets.count, place + 30)], at: place)
            }
        }
        return octets
    }

    /// Accesses everything that reports and rules use of a message.
    private func look(_ message: RTSPMessage) {
        _ = message.fields(.masked)
        _ = message.summary(.masked)
        _ = (message.note, message.date, message.authorization?.username, message.scale, message.accept)
        for uri in [message.uri, message.contentBase].compactMap({ $0 }) {
            _ = ControlURL.resolve("../track1", base: uri)
            _ = ControlURL.resolve(uri, base: "rtsp://a/b")
            _ = ControlURL.concatenate(uri, base: uri)
        }
    }

    @Test(arguments: 0..<4)
    func damagedStreams(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        for round in 0..<20_000 {
            let octets = mutated(Self.vectors[round % Self.vectors.count], &generator)
            var feed = DissectorFeed<RTSPDissector>(startsLate: generator.chance(4))
            let cut = octets.isEmpty ? 0 : Int(generator.next() % UInt64(octets.count))
            try feed.feed(octets[..<cut])
            if generator.chance(10) { feed.gap(100) }
            try feed.feed(octets[cut...])
            for message in feed.messages { look(message) }
        }
    }

    @Test(arguments: 10..<12)
    func damagedDescriptionsAndTunnels(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        for round in 0..<10_000 {
            let octets = mutated(Self.vectors[round % Self.vectors.count], &generator)
            let description = SessionDescription(octets.rawSpan)
            _ = description.fields(.masked)
            _ = description.summary(.masked)
            for medium in description.media {
                for payloadType in medium.payloadTypes { _ = medium.formatParameters(payloadType)?.parameters }
                _ = (medium.candidates, medium.crypto, medium.rtcp, medium.ptime)
            }
            #expect(description.problems.allSatisfy { $0.offset + $0.length <= octets.count })
            var feed = DissectorFeed<HTTPTunnelDissector>()
            try feed.feed(lines("POST / HTTP/1.0", "x-sessioncookie: a") + octets, .clientToServer)
        }
    }
}
