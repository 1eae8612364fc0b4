import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// Resynchronization of WebSocket frames after a gap, by their structure.
@Suite("WebSocket resynchronization") struct WebSocketResynchronisationTests {
    private static let words =
        ["{\"n\":1}", "{\"n\":2,\"text\":\"two\"}", "{\"n\":3,\"list\":[1,2,3]}", "{\"n\":4}"]
        + (5...12).map { "{\"n\":\($0),\"text\":\"message number \($0)\"}" }

    private static func octets(_ masked: Bool, _ range: Range<Int>) -> [UInt8] {
        words[range].flatMap { SeveralConnectionsTests.frame(0x81, Array($0.utf8), masked: masked) }
    }

    /// Returns the lengths of the reported text messages.
    private static func reported(_ wire: Wire) -> [Int] {
        wire.analyzed().events.compactMap { event in
            guard let message = event.message as? WebSocketMessage, message.purpose == .text else { return nil }
            return message.length
        }
    }

    private static func opened() -> Wire {
        var wire = Wire()
        wire.serverPort = 8_080
        wire.connect()
        wire.send(
            fromClient: true, lines: "GET /ws HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "")
        wire.send(
            fromClient: false, lines: "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "")
        return wire
    }

    @Test("after a gap anywhere in a frame", arguments: [true, false], 0..<30)
    func gap(_ fromClient: Bool, _ cut: Int) {
        var wire = Self.opened()
        let (before, lost, behind) = (
            Self.octets(fromClient, 0..<2), Self.octets(fromClient, 2..<4), Self.octets(fromClient, 4..<12)
        )
        let lengths = Self.words.map(\.utf8.count)
        wire.send(fromClient: fromClient, before)
        wire.lose(fromClient: fromClient, octets: min(cut, lost.count))
        wire.send(fromClient: fromClient, Array(lost.dropFirst(cut)))
        wire.send(fromClient: fromClient, behind)
        wire.send(fromClient: !fromClient, Self.octets(!fromClient, 0..<1))
        let reported = Self.reported(wire)
        // Every complete message after the gap is reported, and nothing else.
        #expect(reported.starts(with: lengths[0..<2]))
        #expect(reported.dropLast().suffix(8) == lengths[4...])
        #expect(reported.allSatisfy(lengths.contains))
    }

    @Test("a capture that starts inside a connection and a frame", arguments: 0..<40)
    func late(_ cut: Int) {
        var wire = Wire()
        wire.serverPort = 8_080
        wire.send(fromClient: false, Array(Self.octets(false, 0..<4).dropFirst(cut)) + Self.octets(false, 4..<12))
        wire.send(fromClient: true, Self.octets(true, 4..<12))
        let lengths = Self.words.map(\.utf8.count)
        let reported = Self.reported(wire)
        // Unrelated JSON is not reported; every reported message was sent.
        #expect(reported.allSatisfy(lengths.contains))
    }

    @Test(
        "one long JSON text is enough, although the other side starts inside a message",
        arguments: [1, 7, 300])
    func lateAnswer(_ cut: Int) {
        var wire = Wire()
        wire.serverPort = 8_080
        func text(_ type: String, _ sdp: String) -> [UInt8] { Array("{\"type\":\"\(type)\",\"sdp\":\"\(sdp)\"}".utf8) }
        let offer = SeveralConnectionsTests.frame(0x81, text("offer", SignalingTests.sdp), masked: true)
        wire.send(fromClient: true, Array(offer.dropFirst(cut)))
        wire.send(
            fromClient: false, SeveralConnectionsTests.frame(0x81, text("answer", SignalingTests.answer), masked: false)
        )
        let result = wire.analyzed()
        let reported = result.events.compactMap { $0.message as? SignalingMessage }
        #expect(reported.map(\.carrier) == [.webSocket] && reported.first?.purpose == .answer)
        #expect(result.flows.first?.found.contains("websocket") == true)
    }

    @Test("a call captured late is reported from its first complete message on", arguments: 0..<12)
    func lateCall(_ cut: Int) {
        var wire = Wire()
        wire.serverPort = 8_080
        let offer = Array("{\"type\":\"offer\",\"sdp\":\"\(SignalingTests.sdp)\"}".utf8)
        wire.send(
            fromClient: true,
            Array(SeveralConnectionsTests.frame(0x81, Array(Self.words[7].utf8), masked: true).dropFirst(cut))
                + SeveralConnectionsTests.frame(0x81, offer, masked: true) + Self.octets(true, 4..<8))
        wire.send(fromClient: false, Self.octets(false, 4..<8))
        let result = wire.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        #expect(result.events.compactMap { ($0.message as? SignalingMessage)?.description }.count == 1)
    }
}
