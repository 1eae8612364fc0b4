import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite("HTTP framing") struct HTTPReaderTests {
    /// Reads octets in pieces: heads as one line, bodies joined, `.` at the end of a message.
    private func read(_ octets: [UInt8], piece: Int, answering method: String? = nil) -> [String] {
        var reader = HTTPReader(LimitsReference(Limits()))
        var said: [String] = []
        var waiting: [UInt8] = []
        var body = ""
        for start in stride(from: 0, to: octets.count, by: piece) {
            waiting += octets[start..<min(octets.count, start + piece)]
            var offset = 0
            while let step = reader.next(waiting.rawSpan, at: offset, answering: method) {
                offset += step.used
                switch step.item {
                case .head(let message): said.append(message.summary(.masked))
                case .content(let range): body += String(decoding: waiting[range], as: UTF8.self)
                case .end:
                    said.append(body + ".")
                    body = ""
                case .malformed(let reason): return said + ["malformed: \(reason)"]
                }
            }
            waiting.removeFirst(offset)
        }
        return body.isEmpty ? said : said + [body]
    }

    private static let chunked =
        lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Trailer: Digest")
        + Array("5;name=value\r\nHello\r\n7\r\n, world\r\n0\r\nDigest: x\r\n\r\n".utf8)

    @Test("bodies end according to their framing, in any segmentation", arguments: [1, 2, 3, 7, 1_000])
    func framings(_ piece: Int) {
        let post = lines("POST /a HTTP/1.1", "Content-Length: 4") + Array("abcd".utf8)
        let get = lines("GET /b HTTP/1.1", "Host: a")
        #expect(read(post + get + post, piece: piece) == ["POST /a", "abcd.", "GET /b", ".", "POST /a", "abcd."])
        #expect(
            read(Self.chunked + Self.chunked, piece: piece) == ["200 OK", "Hello, world.", "200 OK", "Hello, world."])
        let close = lines("HTTP/1.1 200 OK", "Content-Type: text/plain") + Array("to the end".utf8)
        #expect(read(close, piece: piece) == ["200 OK", "to the end"])
        let interim = lines("HTTP/1.1 100 Continue") + lines("HTTP/1.1 204 No Content", "Content-Length: 5")
        #expect(read(interim, piece: piece) == ["100 Continue", ".", "204 No Content", "."])
    }

    @Test("a response to HEAD has no body, whatever its headers")
    func head() {
        let octets = lines("HTTP/1.1 200 OK", "Content-Length: 9") + lines("HTTP/1.1 200 OK", "Content-Length: 9")
        #expect(read(octets, piece: 1_000, answering: "HEAD") == ["200 OK", ".", "200 OK", "."])
    }

    @Test(
        "contradictory framing has no end",
        arguments: [
            ["Content-Length: 4", "Content-Length: 5"], ["Content-Length: x"], ["Content-Length: -4"],
            ["Content-Length: 99999999999999999999"], ["Transfer-Encoding: gzip"],
        ])
    func contradictions(_ fields: [String]) {
        let octets = Array((["POST /a HTTP/1.1"] + fields + ["", "abcd"]).joined(separator: "\r\n").utf8)
        #expect(read(octets, piece: 1_000).last?.hasPrefix("malformed") == true)
    }

    @Test(
        "invalid chunks are given up", arguments: ["x\r\nabc", "-5\r\nabc", "5\r\nHelloX\r\n", "fffffffff\r\n"])
    func brokenChunks(_ body: String) {
        let octets = lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + Array(body.utf8)
        #expect(read(octets, piece: 1_000).last?.hasPrefix("malformed") == true)
    }

    @Test("after a gap inside a body the position of the next message is known, elsewhere not")
    func holes() {
        var reader = HTTPReader(LimitsReference(Limits()))
        let octets = lines("POST /a HTTP/1.1", "Content-Length: 10")
        _ = reader.next(octets.rawSpan, at: 0)
        #expect(reader.left == 10 && reader.skip(4) && reader.left == 6)
        #expect(!reader.skip(7) && !reader.isInStep)
    }

    /// `{"a":1}` compressed with gzip and with zlib.
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0xff, 0xab, 0x56, 0x4a, 0x54, 0xb2, 0x32, 0xac, 0x05, 0, 0xf5, 0x04,
        0x2e,
        0x1d, 0x07, 0, 0, 0,
    ]

    @Test("content codings are decoded, and decompression bombs are not")
    func codings() {
        let plain = Array("{\"a\":1}".utf8)
        #expect(HTTPContentCoding.decode(plain, [], upTo: 100) == plain)
        #expect(HTTPContentCoding.decode(Self.gzip, ["gzip"], upTo: 100) == plain)
        #expect(HTTPContentCoding.decode(Array(Self.gzip[10...]), ["deflate"], upTo: 100) == plain)
        #expect(HTTPContentCoding.decode([0x78, 0x9C] + Self.gzip[10...], ["deflate"], upTo: 100) == plain)
        #expect(HTTPContentCoding.decode(Self.gzip, ["gzip"], upTo: 6) == nil)
        #expect(HTTPContentCoding.decode(Self.gzip, ["br"], upTo: 100) == nil)
        for end in Self.gzip.indices { _ = HTTPContentCoding.decode(Array(Self.gzip[..<end]), ["gzip"], upTo: 100) }
    }
}
