import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// Sessions that span several connections.
@Suite("Several connections") struct SeveralConnectionsTests {
    // MARK: - RTSP in two HTTP connections

    private static func get(_ cookie: String, _ wire: inout Wire) {
        wire.connect()
        wire.send(
            fromClient: true, lines: "GET /live HTTP/1.0", "x-sessioncookie: \(cookie)",
            "Accept: application/x-rtsp-tunnelled", "")
        wire.send(
            fromClient: false, lines: "HTTP/1.0 200 OK", "Content-Type: application/x-rtsp-tunnelled", "")
    }

    private static func post(_ cookie: String, _ wire: inout Wire) {
        wire.connect()
        wire.send(
            fromClient: true, lines: "POST /live HTTP/1.0", "x-sessioncookie: \(cookie)",
            "Content-Type: application/x-rtsp-tunnelled", "Content-Length: 32767", "")
    }

    private static func ask(_ number: Int, _ wire: inout Wire) {
        let text = "OPTIONS rtsp://192.0.2.2/live RTSP/1.0\r\nCSeq: \(number)\r\n\r\n"
        wire.send(fromClient: true, Array(Base64.encode(Array(text.utf8)).utf8))
    }

    private static func answer(_ number: Int, _ wire: inout Wire) {
        wire.send(fromClient: false, lines: "RTSP/1.0 200 OK", "CSeq: \(number)", "Public: OPTIONS", "")
    }

    @Test("the two connections of a tunnel are one session, whichever comes first", arguments: [true, false])
    func tunnel(_ getsFirst: Bool) throws {
        var wire = Wire()
        if getsFirst { Self.get("a", &wire) }
        wire.port = 40_001
        Self.post("a", &wire)
        wire.port = 40_000
        if !getsFirst { Self.get("a", &wire) }
        wire.port = 40_001
        Self.ask(1, &wire)
        wire.port = 40_000
        Self.answer(1, &wire)
        let result = wire.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["rtsp"])
        let session = try #require(result.sessions.first)
        #expect(session.record.flows.count == 2 && session["tunnel"]?.string == "http")
        let answers = result.events.filter { $0.message.protocolName == "rtsp" }.map { $0.answers != nil }
        #expect(answers == [false, true])
    }

    @Test("simultaneous tunnels are distinguished by their cookies")
    func twoTunnels() {
        var wire = Wire()
        for (port, cookie) in [(UInt16(40_000), "a"), (40_010, "b")] {
            wire.port = port
            Self.get(cookie, &wire)
        }
        for (port, cookie) in [(UInt16(40_011), "b"), (40_001, "a")] {
            wire.port = port
            Self.post(cookie, &wire)
        }
        wire.port = 40_001
        Self.ask(1, &wire)
        wire.port = 40_011
        Self.ask(7, &wire)
        wire.port = 40_010
        Self.answer(7, &wire)
        wire.port = 40_000
        Self.answer(1, &wire)
        let sessions = wire.analyzed().sessions.filter { $0.record.kind == "rtsp" }
        #expect(sessions.count == 2 && sessions.allSatisfy { $0.record.flows.count == 2 })
    }

    @Test("a POST with another cookie is not paired with unrelated responses")
    func otherCookie() {
        var wire = Wire()
        Self.get("a", &wire)
        wire.port = 40_001
        Self.post("b", &wire)
        Self.ask(1, &wire)
        wire.port = 40_000
        Self.answer(1, &wire)
        let result = wire.analyzed()
        #expect(result.sessions.allSatisfy { $0.record.flows.count < 2 })
        #expect(result.events.filter { $0.message.protocolName == "rtsp" }.allSatisfy { $0.answers == nil })
    }

    // MARK: - Two connections of WebSocket in one call

    private static func upgrade(_ wire: inout Wire) {
        wire.serverPort = 8_080
        wire.connect()
        wire.send(
            fromClient: true, lines: "GET /ws HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "")
        wire.send(
            fromClient: false, lines: "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "")
    }

    static func frame(_ first: UInt8, _ payload: [UInt8], masked: Bool) -> [UInt8] {
        let mask: UInt8 = masked ? 0x80 : 0
        let length =
            payload.count < 126
            ? [mask | UInt8(payload.count)] : [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        guard masked else { return [first] + length + payload }
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        return [first] + length + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// A call whose two peers each have a connection to the server; `ends` selects who sends a close frame on each.
    private static func call(_ ends: [(client: Bool, server: Bool)], pings: Bool = false) -> AnalysisResult {
        let texts = [("offer", SignalingTests.sdp), ("answer", SignalingTests.answer)].map { type, sdp in
            Array("{\"type\":\"\(type)\",\"sdp\":\"\(sdp)\"}".utf8)
        }
        var wire = Wire()
        for port in [UInt16(40_000), 40_001] {
            wire.port = port
            upgrade(&wire)
        }
        for (text, speaker) in zip(texts, [UInt16(40_000), 40_001]) {
            wire.port = speaker
            wire.send(fromClient: true, frame(0x81, text, masked: true))
            wire.port = speaker == 40_000 ? 40_001 : 40_000
            wire.send(fromClient: false, frame(0x81, text, masked: false))
        }
        if pings {
            // One peer asks, and only the other is notified.
            wire.port = 40_000
            wire.send(fromClient: true, frame(0x89, [1], masked: true))
            wire.port = 40_001
            wire.send(fromClient: false, frame(0x8A, [1], masked: false))
            wire.seconds += 20
            wire.port = 40_000
            wire.send(fromClient: true, frame(0x81, Array("{\"type\":\"ping\"}".utf8), masked: true))
        }
        for (port, end) in zip([UInt16(40_000), 40_001], ends) {
            wire.port = port
            if end.client { wire.send(fromClient: true, frame(0x88, [3, 232], masked: true)) }
            if end.server { wire.send(fromClient: false, frame(0x88, [3, 232], masked: false)) }
            wire.close()
        }
        return wire.analyzed(rules: WebSocket.rules)
    }

    @Test("each connection has to be closed by both sides")
    func closing() {
        let good = Self.call([(true, true), (true, true)])
        #expect(good.sessions.map(\.record.kind) == ["webrtc"] && good.findings.isEmpty)
        // A client close on one connection and a server close on the other do not pair.
        let crossed = Self.call([(true, false), (false, true)])
        #expect(crossed.findings.map(\.message.key).sorted() == ["WS-CLOSE.byClient", "WS-CLOSE.byServer"])
        #expect(Self.call([(true, true), (false, false)]).findings.map(\.message.key) == ["WS-CLOSE.none"])
    }

    @Test("a pong on one connection answers no ping on another")
    func pinging() {
        let findings = Self.call([(false, false), (true, true)], pings: true).findings
        #expect(findings.map(\.message.key).sorted() == ["WS-CLOSE.none", "WS-CONTROL.ping"])
    }
}
