import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct HTTPTunnelTests {
    private typealias Feed = DissectorFeed<HTTPTunnelDissector>

    private static let get = lines(
        "GET /live.sdp HTTP/1.0", "x-sessioncookie: tD9hKgAAfB8ABCftAAAAAw", "Accept: application/x-rtsp-tunnelled")
    private static let post = lines(
        "POST /live.sdp HTTP/1.0", "x-sessioncookie: tD9hKgAAfB8ABCftAAAAAw", "Content-Length: 32767")
    private static let answer = lines("HTTP/1.0 200 OK", "Content-Type: application/x-rtsp-tunnelled")
    private static let cookie = "tD9hKgAAfB8ABCftAAAAAw"
    // "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n" and "DESCRIBE * RTSP/1.0\r\nCSeq: 2\r\n\r\n", each with its own padding.
    private static let encoded =
        "T1BUSU9OUyAqIFJUU1AvMS4wDQpDU2VxOiAxDQoNCg==\r\nREVTQ1JJQkUgKiBSVFNQLzEuMA0KQ1NlcTogMg0KDQo="
    private static let decoded =
        lines("OPTIONS * RTSP/1.0", "CSeq: 1") + lines("DESCRIBE * RTSP/1.0", "CSeq: 2")

    @Test func serverSideIsHandedOnAsItIs() throws {
        let tunnelled = lines("RTSP/1.0 200 OK", "CSeq: 1") + frame(0, rtp(1))
        for cut in 0...(Self.answer.count + tunnelled.count) {
            var feed = Feed()
            try feed.feed(Self.get, .clientToServer)
            let octets = Self.answer + tunnelled
            try feed.feed(octets[..<cut])
            try feed.feed(octets[cut...])
            #expect(
                feed.said == [
                    .other("GET /live.sdp"), .other("200 OK"), .joined(Self.cookie, .serverToClient, tunnelled),
                ], "cut at \(cut)")
        }
    }

    @Test func clientSideIsDecoded() throws {
        let octets = Self.post + Array(Self.encoded.utf8)
        for cut in 0...octets.count {
            var feed = Feed()
            try feed.feed(octets[..<cut], .clientToServer)
            try feed.feed(octets[cut...], .clientToServer)
            #expect(
                feed.said == [.other("POST /live.sdp"), .joined(Self.cookie, .clientToServer, Self.decoded)],
                "cut at \(cut)")
        }
    }

    @Test func decodedBytesAreRTSP() throws {
        var feed = DissectorFeed<RTSPDissector>()
        try feed.feed(Base64.decode(Self.encoded.utf8), .clientToServer)
        #expect(feed.messages.map(\.method) == ["OPTIONS", "DESCRIBE"])
    }

    @Test func gapsKeepTheGroupsOfFour() {
        let letters = Array(Self.encoded.utf8.prefix(42))
        for lost in 0..<12 {
            var decoder = Base64()
            var output: [UInt8] = []
            for octet in letters[..<9] { decoder.decode(octet, into: &output) }
            decoder.skip(lost)
            output = []
            for octet in letters[(9 + lost)...] { decoder.decode(octet, into: &output) }
            #expect(!output.isEmpty)
            #expect(Self.decoded[..<31].suffix(output.count).elementsEqual(output), "\(lost)")
        }
    }

    @Test func refusedTunnelIsNotRead() throws {
        var feed = Feed()
        try feed.feed(Self.get, .clientToServer)
        try feed.feed(lines("HTTP/1.1 404 Not Found") + [1, 2, 3])
        #expect(feed.said == [.other("GET /live.sdp"), .other("404 Not Found")])
    }

    @Test func probe() {
        func answer(_ client: [UInt8]) -> ProbeAnswer {
            let none: [UInt8] = []
            return HTTPTunnelDissector.probe(FirstBytes(client: client.rawSpan, server: none.rawSpan, flow: .test()))
        }
        #expect(answer(Self.get) == .yes)
        #expect(answer(Self.post) == .yes)
        #expect(answer(Array(Self.post[..<30])) == .needMore)
        #expect(answer(lines("GET / HTTP/1.1", "Host: a")) == .no)
        #expect(answer(lines("GET /info RTSP/1.0", "x-sessioncookie: a")) == .no)
        #expect(answer(SeedDialogue.requests) == .no)
        #expect(answer([]) == .needMore)
    }
}
