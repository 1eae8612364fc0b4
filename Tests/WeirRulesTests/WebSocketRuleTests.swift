import Testing
import WeirEngine
import WeirKit
@testable import WeirProtocols

@Suite("Rules of WebSocket") struct WebSocketRuleTests {
    private static let hello = Array("Hello".utf8)
    private static let closing: [WebSocketScript.Step] = [
        .client(0x88, [0x03, 0xE8]), .server(0x88, [0x03, 0xE8]),
    ]
    /// Text in both directions, a message in three frames with a ping between them, its pong, and the close.
    private static let clean = WebSocketScript(
        steps: [
            .client(0x81, hello), .server(0x81, hello), .client(0x01, hello), .client(0x89, [1]), .client(0x00, hello),
            .server(0x8A, [1]), .client(0x80, hello), .server(0x82, [UInt8](repeating: 7, count: 70_000)),
        ] + closing)

    @Test("a conversation that keeps every rule has no findings, and each rule passes")
    func kept() {
        let result = Self.clean.dialogue.analyzed(rules: WebSocket.rules)
        #expect(result.findings.map(\.message.key) == [])
        let passes = Set(result.tallies.joined().filter { $0.pass > 0 }.map(\.rule))
        #expect(passes == Set(WebSocket.rules.map { $0.info.id }))
    }

    /// A conversation, and the expected findings.
    struct Broken: Sendable, CustomTestStringConvertible {
        var script: WebSocketScript
        var said: [String]
        var testDescription: String { said.joined(separator: ", ") }
        init(_ said: String..., steps: [WebSocketScript.Step], change: (inout WebSocketScript) -> Void = { _ in }) {
            script = WebSocketScript(steps: steps)
            change(&script)
            self.said = said
        }
    }

    static let broken = [
        Broken("error WS-HANDSHAKE.accept", steps: closing) { $0.response[3] = "Sec-WebSocket-Accept: AAAA" },
        Broken("error WS-HANDSHAKE.noAccept", steps: closing) { $0.response[3] = "X: y" },
        Broken("error WS-HANDSHAKE.version", steps: closing) { $0.request[6] = "Sec-WebSocket-Version: 8" },
        Broken("error WS-HANDSHAKE.subprotocol", steps: closing) { $0.response[4] = "Sec-WebSocket-Protocol: other" },
        Broken("error WS-HANDSHAKE.extension", steps: closing) {
            $0.response.append("Sec-WebSocket-Extensions: permessage-deflate")
        },
        Broken("error WS-MASK.client", steps: [.clientOctets(WebSocketScript.frame(0x81, hello))] + closing),
        Broken("error WS-MASK.server", steps: [.serverOctets(WebSocketScript.masked(0x81, hello))] + closing),
        Broken("error WS-FRAME.length", steps: [.serverOctets([0x81, 126, 0, 5] + hello)] + closing),
        Broken("error WS-FRAME.reserved", steps: [.server(0xC1, hello)] + closing),
        Broken("error WS-FRAME.opcode", steps: [.server(0x83, hello)] + closing),
        Broken("error WS-FRAME.compression", steps: [.server(0xC1, [0xFF, 0xFF])] + closing) {
            $0.request.append("Sec-WebSocket-Extensions: permessage-deflate")
            $0.response.append("Sec-WebSocket-Extensions: permessage-deflate")
        },
        Broken("error WS-CONTROL.length", steps: [.server(0x8A, [UInt8](repeating: 1, count: 126))] + closing),
        Broken("error WS-CONTROL.fragment", steps: [.server(0x0A, [1])] + closing),
        Broken(
            "error WS-CONTROL.ping", "note WS-CLOSE.none",
            steps: [.client(0x89, [1]), .silence(20), .client(0x81, hello)]),
        Broken("error WS-FRAG.stray", steps: [.server(0x80, hello)] + closing),
        Broken("error WS-FRAG.interrupted", steps: [.server(0x01, hello), .server(0x81, hello)] + closing),
        Broken("error WS-UTF8.text", steps: [.server(0x81, [0xC3, 0x28])] + closing),
        Broken("error WS-UTF8.reason", steps: [.client(0x88, [0x03, 0xE8, 0xC3, 0x28]), closing[1]]),
        Broken("note WS-CLOSE.code", steps: [.client(0x88, [0x03, 0xED]), closing[1]]),
        Broken("note WS-CLOSE.length", steps: [.client(0x88, [0x03]), closing[1]]),
        Broken("note WS-CLOSE.after", steps: closing + [.client(0x81, hello)]),
        Broken("note WS-CLOSE.none", steps: [.client(0x81, hello)]),
        Broken("note WS-CLOSE.byClient", steps: [closing[0]]),
        Broken("note WS-CLOSE.byServer", steps: [closing[1]]),
    ]

    @Test("a rule reports what is broken, and the severity", arguments: broken)
    func said(_ example: Broken) {
        #expect(example.script.said() == example.said)
    }

    @Test("every rule has a conversation that breaks it, and one that keeps it")
    func everyRuleIsTested() {
        let broken = Set(Self.broken.flatMap(\.said).map { $0.split(separator: " ")[1].split(separator: ".")[0] })
        #expect(broken == Set(WebSocket.rules.map { $0.info.id[...] }))
    }

    @Test("a message that starts outside a session and ends in one is complete")
    func intoSession() {
        let options = Array("OPTIONS rtsp://192.0.2.2/a RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)
        let script = WebSocketScript(steps: [.client(0x82, options)] + Self.closing)
        let result = script.dialogue.analyzed(rules: WebSocket.rules)
        #expect(result.sessions.map(\.record.kind) == ["rtsp"])
        #expect(result.findings.map(\.message.key) == [])
    }

    @Test("missing packets break nothing")
    func lateStart() {
        var late = Dialogue(.tcp, port: 80)
        late.server("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nSec-WebSocket-Accept: AAAA\n")
        late.server(WebSocketScript.frame(0x81, Self.hello))
        let findings = late.analyzed(rules: WebSocket.rules).findings
        #expect(findings.filter { $0.verdict == .fail && $0.severity == .error }.map(\.message.key) == [])
    }
}
