import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirTesting

@Suite("WebSocket") struct WebSocketTests {
    private static let request = """
        GET /chat HTTP/1.1
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Protocol: rtsp.onvif.org
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits
        Sec-WebSocket-Version: 13

        """
    private static let answer = """
        HTTP/1.1 101 Switching Protocols
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=

        """

    private func frame(_ first: UInt8, _ payload: [UInt8], key: [UInt8]? = nil) -> [UInt8] {
        let mask: UInt8 = key == nil ? 0 : 0x80
        let length =
            payload.count < 126
            ? [mask | UInt8(payload.count)]
            : [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        guard let key else { return [first] + length + payload }
        return [first] + length + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    private func reported(_ dialogue: Dialogue, options: AnalyzerOptions = AnalyzerOptions()) -> [String] {
        dialogue.analyzed(rules: [], options: options).events.compactMap { event in
            let name = event.message.protocolName
            return name == "tcp" ? nil : "\(name) \(event.message.summary(.masked))"
        }
    }

    private func open(_ more: [String] = []) -> Dialogue {
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client(Self.request)
        dialogue.server(more.isEmpty ? Self.answer : Self.answer + more.joined(separator: "\n") + "\n")
        return dialogue
    }

    private static let opening = ["http GET /chat", "http 101 Switching Protocols", "websocket upgraded at /chat"]
    private static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    @Test("messages in frames, with control frames between them, in any segmentation", arguments: [1, 3, 1_000])
    func messages(_ piece: Int) {
        var dialogue = open()
        let frames =
            frame(0x01, Array("Hel".utf8), key: Self.key) + frame(0x89, [1, 2], key: [9, 8, 7, 6])
            + frame(0x80, Array("lo".utf8), key: [1, 2, 3, 4])
            + frame(0x88, [0x03, 0xE9] + Array("bye".utf8), key: Self.key)
        for start in stride(from: 0, to: frames.count, by: piece) {
            dialogue.client(Array(frames[start..<min(frames.count, start + piece)]))
        }
        #expect(
            reported(dialogue) == Self.opening + [
                "websocket ping, 2 octets", "websocket text, 5 octets in 2 frames", "websocket close 1001 \"bye\"",
            ])
    }

    @Test("compressed messages refer to earlier ones (RFC 7692 §7.2.3)")
    func compressed() {
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client(Self.request)
        dialogue.server(Self.answer + "Sec-WebSocket-Extensions: permessage-deflate\n")
        dialogue.server(frame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]))
        dialogue.server(frame(0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00]))
        #expect(
            reported(dialogue).suffix(2) == [
                "websocket text, 5 octets (compressed to 7)", "websocket text, 5 octets (compressed to 5)",
            ])
    }

    @Test(
        "a decompression bomb is skipped and reported, and is no peer's fault", arguments: [0, 1 << 20])
    func expansive(most: Int) {
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client(Self.request)
        dialogue.server(Self.answer + "Sec-WebSocket-Extensions: permessage-deflate\n")
        // 100,000 times the letter a.
        let bomb = hex(
            "ed c1 31 01 00 00 00 c2 a0 ac eb 5f c2 1a 1e 40 01" + String(repeating: " 00", count: 96) + " af 06 00")
        dialogue.server(frame(0xC1, bomb))
        dialogue.server(frame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]))
        var options = AnalyzerOptions()
        options.limits.expansionOctets = most
        let result = dialogue.analyzed(options: options)
        let isRead = most > 0
        #expect((result.summaries.first?.limitsReached.map(\.key) ?? []) == (isRead ? [] : ["limit.expansion"]))
        #expect(reported(dialogue, options: options).last == "websocket text, 5 octets (compressed to 7)")
        #expect(!result.findings.contains { $0.verdict == .fail && $0.rule == "WS-FRAME" })
    }

    @Test("RTSP in WebSocket is dissected as RTSP, across message boundaries")
    func rtsp() {
        var dialogue = open()
        let options = "OPTIONS rtsp://192.0.2.2/a RTSP/1.0\r\nCSeq: 1\r\n\r\n"
        dialogue.client(frame(0x82, Array(options.utf8.prefix(20)), key: Self.key))
        dialogue.client(frame(0x82, Array(options.utf8.dropFirst(20)), key: Self.key))
        dialogue.server(frame(0x82, Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS\r\n\r\n".utf8)))
        let result = dialogue.analyzed(rules: [])
        #expect(result.sessions.map(\.record.kind) == ["rtsp"])
        #expect(result.sessions.first?["tunnel"]?.string == "websocket")
        #expect(
            result.events.filter { $0.message.protocolName == "rtsp" }.map(\.message.kind) == ["request", "response"])
        #expect(result.flows.first?.found == ["http", "websocket", "rtsp"])
    }

    @Test("a refusal is reported, and the connection stays HTTP")
    func refused() {
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client(Self.request)
        dialogue.server("HTTP/1.1 403 Forbidden\nContent-Length: 0\n")
        dialogue.client("GET /other HTTP/1.1\nHost: a\n")
        #expect(reported(dialogue) == ["http GET /chat", "http 403 Forbidden"])
    }

    @Test("HTTP unrelated to streaming is reported only with --packets")
    func unrelated() {
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client("GET / HTTP/1.1\nHost: a\n")
        dialogue.server("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 13\n\n{\"a\": [1, 2]}")
        let result = dialogue.analyzed(rules: [])
        #expect(result.events.isEmpty && result.sessions.isEmpty && result.flows.first?.found == [])
        var options = AnalyzerOptions()
        options.packets = true
        #expect(reported(dialogue, options: options) == ["http GET /", "http 200 OK"])
    }
}
