import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Rarely used features of calls.
@Suite("Parts of calls") struct CallPartsTests {
    typealias P = PeerOctets

    @Test(
        "a call without captured checks is one session",
        arguments: ["webrtc-call", "signaling-newline", "whip"])
    func unchecked(_ name: String) throws {
        let frames = try EditedCalls.frames(name)
        let result = EditedCalls.analyzed(frames.filter { $0.datagram.map { $0.first ?? 0 > 3 } ?? true })
        let (_, whole) = try EditedCalls.recordedCall(name)
        #expect(result.calls.count == 1 && result.errors.isEmpty)
        let call = try #require(result.calls.first)
        #expect(call["selectedPair"] == nil && call["fingerprintMatches"] == whole["fingerprintMatches"])
        #expect(!result.streams.isEmpty && result.streams.allSatisfy { $0.session == call.record.id })
    }

    @Test(
        "media whose encryption only reports reveal is reported as encrypted", arguments: ["webrtc-call", "janus-echo"])
    func lateMedia(_ name: String) throws {
        let frames = try EditedCalls.frames(name)
        let result = EditedCalls.analyzed(Array(frames.suffix(frames.count * 2 / 5)))
        #expect(result.calls.isEmpty && !result.streams.isEmpty)
        #expect(result.streams.allSatisfy { $0["encrypted"] == .bool(true) })
    }

    @Test("data channels in a description are reported")
    func dataChannels() {
        let text = [
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
            "c=IN IP4 0.0.0.0", "a=sctp-port:5000", "a=dcmap:0 subprotocol=\"chat\";label=\"talk\"",
            "a=dcmap:2 label=\"files\"", "a=dcmap:4 subprotocol=\"none\"", "",
        ].joined(separator: "\r\n")
        let octets = Array(text.utf8)
        let description = SessionDescription(octets.rawSpan, limits: Limits())
        #expect(description.media.first?.dataChannels == ["talk", "files"])
    }

    @Test("original STUN without a cookie is parsed on the usual port")
    func classic() throws {
        func message(_ type: UInt64, _ attributes: [UInt8]) -> [UInt8] {
            P.big(type, 2) + P.big(UInt64(attributes.count), 2) + [UInt8](1...16) + attributes
        }
        var wire = Wire()
        wire.datagram(fromClient: true, clientPort: 5_000, serverPort: 3_478, message(1, [0, 3, 0, 4, 0, 0, 0, 6]))
        let mapped: [UInt8] = [0, 1, 0, 8] + P.address(198, 51, 100, 7, 4_000, mixed: false)
        wire.datagram(fromClient: false, clientPort: 5_000, serverPort: 3_478, message(0x0101, mapped))
        let messages = wire.analyzed().events.compactMap { $0.message as? STUNMessage }
        #expect(messages.map(\.kind) == ["request", "success"] && messages.allSatisfy { $0.transaction.isClassic })
        #expect(messages.last?.mappedAddress?.description == "198.51.100.7:4000")
    }

    @Test("unknown methods and attributes are shown as numbers")
    func vendors() {
        var wire = Wire()
        wire.datagram(
            fromClient: true, clientPort: 5_000, serverPort: 3_478, P.stun(0x000F, id: 4, [(0xC9F3, [1, 2, 3, 4])]))
        let result = wire.analyzed(rules: STUN.rules)
        #expect(result.findings.isEmpty)
        let message = result.events.compactMap { $0.message as? STUNMessage }.first
        #expect(message?.methodName == "0xf" && message?.attributes.first?.name == "0xc9f3")
    }

    @Test("the content of Send and Data is parsed, then that of the channel")
    func indications() throws {
        let result = try EditedCalls.recorded("browser-turn")
        let inner = result.events.compactMap { ($0.message as? STUNMessage)?.relay }
        #expect(inner.contains { $0.channel == nil } && inner.contains { $0.channel == 0x4000 })
        #expect(inner.allSatisfy { $0.peer != nil })
        #expect(result.events.filter { ($0.message as? DTLSMessage)?.isRelayed ?? false }.count > 4)
        #expect(result.streams.count == 2 && result.streams.allSatisfy { $0["relayed"] == .bool(true) })
        let session = try #require(result.calls.first)
        #expect(result.calls.count == 1 && session["fingerprintMatches"] == .bool(true) && result.errors.isEmpty)
    }

    /// A TLS ClientHello with a server name and protocols.
    private static func hello(_ name: String, _ protocols: [String]) -> [UInt8] {
        func block(_ octets: [UInt8], _ size: Int) -> [UInt8] { P.big(UInt64(octets.count), size) + octets }
        let names = block([0] + block(Array(name.utf8), 2), 2)
        let list = block(protocols.flatMap { block(Array($0.utf8), 1) }, 2)
        let extensions = P.big(0, 2) + block(names, 2) + (protocols.isEmpty ? [] : P.big(16, 2) + block(list, 2))
        let body = [3, 3] + [UInt8](repeating: 9, count: 32) + [0, 0, 2, 0x13, 1, 1, 0] + block(extensions, 2)
        return [22, 3, 1] + block([1] + block(body, 3), 2)
    }

    @Test(
        "TLS is reported with the content indicated by server name, ALPN or port",
        arguments: [
            ("wss.example.net", [String](), 443, "tls.name.websocket"),
            ("whip.example.net", ["http/1.1"], 443, "tls.name.whip"),
            ("a.example.net", ["stun.turn"], 443, "tls.turns.protocol"), ("a.example.net", [], 322, "tls.rtsps.port"),
            ("www.example.net", ["h2"], 443, ""),
        ] as [(String, [String], UInt16, String)])
    func secured(_ name: String, _ protocols: [String], _ port: UInt16, _ note: String) throws {
        var wire = Wire()
        wire.serverPort = port
        wire.connect()
        wire.send(fromClient: true, Self.hello(name, protocols))
        wire.send(fromClient: false, [22, 3, 3, 0, 4, 2, 0, 0, 0])
        wire.close()
        let events = wire.analyzed().events.filter { $0.message.protocolName == "tls" }
        guard !note.isEmpty else { return #expect(events.isEmpty) }
        let event = try #require(events.first)
        #expect(
            events.count == 1 && event.message.note?.key.hasPrefix(note) == true, "\(event.message.note?.key ?? "")")
        let fields = event.message.fields(.masked)
        #expect(fields.first { $0.name == "serverName" }?.value == .string(name))
        #expect((fields.contains { $0.name == "alpn" }) == !protocols.isEmpty)
    }
}
