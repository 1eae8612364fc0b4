import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite("HTTP connections") struct HTTPDissectorTests {
    private typealias Feed = DissectorFeed<HTTPDissector>

    private static func post(_ type: String, _ body: String) -> [UInt8] {
        lines("POST /a HTTP/1.1", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)") + Array(body.utf8)
    }

    private static let ok = lines("HTTP/1.1 200 OK", "Content-Length: 0")

    @Test("bodies that may be signaling are passed on complete, in any segmentation", arguments: [1, 10, 1_000])
    func carried(_ piece: Int) throws {
        let client = Self.post("application/json; charset=utf-8", "{\"a\": 1}") + Self.post("image/png", "xyz")
        let server =
            lines("HTTP/1.1 100 Continue")
            + lines("HTTP/1.1 200 OK", "Content-Type: text/plain", "Transfer-Encoding: chunked")
            + Array("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n".utf8) + Self.ok
        var feed = Feed()
        for (octets, direction) in [(client, Direction.clientToServer), (server, .serverToClient)] {
            for start in stride(from: 0, to: octets.count, by: piece) {
                try feed.feed(octets[start..<min(octets.count, start + piece)], direction)
            }
        }
        #expect(
            feed.said == [
                .carried(.clientToServer, Array("{\"a\": 1}".utf8)), .carried(.serverToClient, []),
                .carried(.serverToClient, Array("abcde".utf8)),
            ])
    }

    @Test("a body without a length extends to the end of the connection")
    func untilClose() throws {
        var feed = Feed()
        try feed.feed(lines("GET /a HTTP/1.0"), .clientToServer)
        try feed.feed(lines("HTTP/1.0 200 OK", "Content-Type: application/sdp") + Array("v=0".utf8))
        #expect(feed.said == [])
        feed.finish()
        #expect(feed.said == [.carried(.serverToClient, Array("v=0".utf8))])
    }

    @Test("other HTTP is not reported; long bodies are skipped")
    func others() throws {
        var feed = Feed()
        try feed.feed(lines("GET /a HTTP/1.1"), .clientToServer)
        try feed.feed(
            lines("HTTP/1.1 200 OK", "Content-Type: video/mp4", "Content-Length: 9999999")
                + [UInt8](repeating: 7, count: 10_000))
        #expect(feed.said == [])
        try feed.feed([UInt8](repeating: 7, count: 60_000))
        #expect(feed.said == [.other("leaves")])
    }

    @Test("a gap inside a body damages only that body; one elsewhere is skipped")
    func holes() throws {
        let json = Self.post("application/json", "{\"key\": 12345}")
        var feed = Feed()
        try feed.feed(json[..<(json.count - 8)], .clientToServer)
        feed.gap(3, .clientToServer)
        try feed.feed(json[(json.count - 5)...] + json, .clientToServer)
        #expect(feed.said.last == .carried(.clientToServer, Array("{\"key\": 12345}".utf8)))
        feed.forget()
        feed.gap(100, .clientToServer)
        let dissector = HTTPDissector(flow: .test())
        #expect(dissector.resynchronize(json.rawSpan, from: 0, .clientToServer) == 0)
    }

    @Test(
        "after a gap a message starts with its start line, also if the body before had no line end",
        arguments: [
            ("xx\r\nGET /a HTTP/1.1\r\n", 4), ("xxPOST /a HTTP/1.1\r\n", 2), ("xxHTTP/1.1 200 OK\r\n", 2),
            ("xxGET GET GET /a HTTP/1.1\r\n", 2), ("xxGET /a\r\n", nil), ("xxGET GET GET GET GET GET", nil),
            ("xxGET /a\r\nxxPUT /b HTTP/1.0\n", 12),
        ] as [(String, Int?)])
    func starts(text: String, expected: Int?) {
        let octets = Array(text.utf8)
        #expect(HTTPOpening.firstStart(octets.rawSpan, from: 0) == expected)
    }

    @Test("a connection is upgraded to WebSocket only when the server accepts")
    func upgrade() throws {
        let ask = lines("GET /a HTTP/1.1", "Upgrade: WebSocket", "Connection: Upgrade")
        var feed = Feed()
        try feed.feed(ask + [0x81, 0x80], .clientToServer)
        #expect(feed.waiting(.clientToServer) == 2)
        try feed.feed(lines("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket"))
        #expect(
            feed.said == [.other("GET /a"), .other("101 Switching Protocols"), .other("becomes websocket")])
        var other = Feed()
        try other.feed(ask, .clientToServer)
        try other.feed(Self.ok)
        try other.feed(ask, .clientToServer)
        #expect(other.said == [.other("GET /a"), .other("200 OK"), .other("GET /a")])
    }

    @Test("the start of a connection")
    func probe() {
        func answer(_ client: [UInt8], _ server: [UInt8] = []) -> ProbeAnswer {
            HTTPDissector.probe(FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: .test()))
        }
        #expect(answer(lines("GET / HTTP/1.1", "Host: a")) == .yes)
        #expect(answer([], lines("HTTP/1.1 200 OK")) == .yes)
        #expect(answer(Array("GET / HT".utf8)) == .needMore)
        #expect(answer(lines("GET / HTTP/1.1", "connection:  Close")) == .no)
        #expect(answer(lines("GET / HTTP/1.1", "Connection: close", "upgrade: websocket")) == .yes)
        #expect(answer(lines("POST / HTTP/1.1", "Connection: close")) == .yes)
        #expect(answer(lines("GET / RTSP/1.0", "CSeq: 1")) == .no)
        #expect(answer(lines("HTTP/1.1 200 OK")) == .no)
        #expect(answer([0x16, 3, 1]) == .no)
    }
}
