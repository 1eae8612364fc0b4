import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct HeaderBlockTests {
    private func complete(_ text: String) throws -> HeaderBlock {
        guard case .complete(let block) = HeaderBlock.parse(text) else {
            throw Failure(text: "\(HeaderBlock.parse(text))")
        }
        return block
    }

    private struct Failure: Error { var text: String }

    @Test func fieldsKeepOrderAndCase() throws {
        let block = try complete("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX:  a b \r\ncseq:2\r\n\r\nrest")
        #expect(block.startLine == "OPTIONS * RTSP/1.0")
        #expect(block.fields.map(\.name) == ["CSeq", "X", "cseq"])
        #expect(block.first("CSEQ") == "1")
        #expect(block.all("CSeq") == ["1", "2"])
        #expect(block.field("x")?.value == "a b")
        #expect(block.field("x")?.hasTrailingBlank == true)
        #expect(block.octets == "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX:  a b \r\ncseq:2\r\n\r\n".utf8.count)
        #expect(block.field("x")?.range == 29..<37)
    }

    static let endings: [(String, HeaderBlock.LineEndings)] = [
        ("A\r\nB: c\r\n\r\n", HeaderBlock.LineEndings.crlf), ("A\nB: c\n\n", .lineFeed),
        ("A\r\nB: c\n\n", [.crlf, .lineFeed]), ("A\rB: c\r\r", .carriageReturn),
        ("A\r\r\nB: c\r\r\n\r\r\n", [.crlf, .carriageReturn]), ("\r\nA\r\nB: c\r\n\r\n", .crlf),
    ]

    @Test(arguments: endings)
    func lineEndings(_ text: String, _ endings: HeaderBlock.LineEndings) throws {
        let block = try complete(text)
        #expect(block.startLine == "A")
        #expect(block.first("b") == "c")
        #expect(block.lineEndings == endings)
        #expect(block.octets == text.utf8.count)
    }

    @Test func foldedValueIsJoined() throws {
        let block = try complete(
            "A\r\nTransport: RTP/AVP;unicast;\r\n   client_port=1-2\r\n\t;mode=play\r\nB: c\r\n\r\n")
        #expect(block.first("transport") == "RTP/AVP;unicast; client_port=1-2 ;mode=play")
        #expect(block.field("transport")?.isFolded == true)
        #expect(block.first("B") == "c")
    }

    @Test func linesThatAreNoFieldAreKeptApart() throws {
        let block = try complete("A\r\n folded\r\nno colon\r\n: no name\r\nB : c\r\n\r\n")
        #expect(block.strayLines.count == 3)
        #expect(block.fields.map(\.name) == ["B"])
        #expect(block.field("B")?.hasBlankBeforeColon == true)
    }

    @Test func octetsThatAreNotUTF8Survive() throws {
        let octets = Array("A\r\nServer: caf".utf8) + [0xE9, 0x0D, 0x0A, 0x0D, 0x0A]
        guard case .complete(let block) = HeaderBlock.parse(octets.rawSpan) else {
            Issue.record("not complete")
            return
        }
        #expect(block.first("Server") == "caf\u{E9}")
        #expect(!block.isUTF8)
    }

    @Test func everyBeginningNeedsMore() {
        let octets = Array("\r\nSETUP rtsp://a/b RTSP/1.0\r\nCSeq: 1\r\nTransport: a;\r\n b\r\n\r\n".utf8)
        for count in 0..<octets.count {
            #expect(HeaderBlock.parse(Array(octets[..<count]).rawSpan) == .needMore, "\(count)")
        }
    }

    @Test func limitsAreKept() {
        var limits = Limits()
        limits.headerFields = 4
        limits.headerOctets = 100
        let many = Array(("A\r\n" + String(repeating: "B: c\r\n", count: 5) + "\r\n").utf8)
        let long = Array(("A: " + String(repeating: "x", count: 200)).utf8)
        guard case .complete(let block) = HeaderBlock.parse(many.rawSpan, limits: limits),
            case .malformed = HeaderBlock.parse(long.rawSpan, limits: limits)
        else {
            Issue.record("kept")
            return
        }
        #expect(block.fields.count == 4 && block.unkept == 1)
    }
}
