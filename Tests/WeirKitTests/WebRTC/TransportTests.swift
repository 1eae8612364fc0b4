import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirPackets
@testable import WeirProtocols

/// Calls without BUNDLE: each medium has its own transport.
@Suite("Calls with several transports") struct TransportTests {
    typealias P = PeerOctets

    private static func list(_ value: FieldValue?) -> [[Field]] {
        guard case .array(let elements) = value else { return [] }
        return elements.map { element in
            guard case .object(let members) = element else { return [] }
            return members
        }
    }

    private static func member(_ members: [Field], _ name: String) -> FieldValue? {
        members.first { $0.name == name }?.value
    }

    @Test("each transport of a recorded call has its pair, handshake and candidates")
    func recorded() throws {
        let (result, session) = try EditedCalls.recordedCall("webrtc-no-bundle")
        let transports = Self.list(session["transports"])
        #expect(transports.map { Self.member($0, "mids") } == ["audio0", "video1"].map { .array([.string($0)]) })
        let pairs = transports.compactMap { Self.member($0, "selectedPair") }
        #expect(pairs.count == 2 && pairs.first != pairs.last && session["selectedPair"] == pairs.first)
        #expect(transports.allSatisfy { Self.member($0, "dtls") != nil && Self.member($0, "iceTimeMs") != nil })
        let table = Self.list(session["candidatePairs"])
        #expect(table.map { Self.member($0, "mids") } == ["audio0", "video1"].map { .array([.string($0)]) })
        // For each medium each agent has candidates for UDP and for TCP, active and passive: some are similar.
        let mids = Self.list(session["candidates"]).compactMap { Self.member($0, "mid")?.string }
        #expect(mids.filter { $0 == "audio0" }.count == 6 && mids.filter { $0 == "video1" }.count == 6)
        let outcome = session.outcome.joined(separator: "; ")
        #expect(outcome.contains("media section audio0: connected on"))
        #expect(outcome.contains("media section video1: connected on"))
        #expect(session["iceRestarts"] == nil && session.causes.isEmpty && result.errors.isEmpty)
    }

    @Test("without signaling it is one call, and no restart")
    func unsignaled() throws {
        let frames = try EditedCalls.frames("webrtc-no-bundle").filter { $0.datagram != nil }
        let result = EditedCalls.analyzed(frames)
        let session = try #require(result.calls.first)
        #expect(result.calls.count == 1 && session["iceRestarts"] == nil)
        #expect(Self.list(session["transports"]).count == 2)
        #expect(!session.outcome.contains { $0.contains("ICE restart in") })
        let keys = result.events.flatMap(\.remarks).map(\.text.key)
        #expect(keys.contains("webrtc.remark.newNames") && !keys.contains("webrtc.remark.restarted"))
    }

    @Test("new credentials on the same transport are a restart, on another they may be")
    func newNames() throws {
        for isSameWay in [true, false] {
            var wire = Wire()
            let port: UInt16 = isSameWay ? 60_000 : 60_002
            for (names, port) in [(("srv1", "cln1"), UInt16(60_000)), (("srv2", "cln2"), port)] {
                let check = P.check(names.0, names.1, id: UInt64(port) + UInt64(names.0.utf8.last ?? 0))
                wire.datagram(fromClient: true, clientPort: 50_000, serverPort: port, check)
                wire.seconds += 1
            }
            let result = wire.analyzed()
            let call = try #require(result.calls.first)
            #expect(call["iceRestarts"] == (isSameWay ? .integer(1) : nil))
            let outcome = call.outcome.joined(separator: "; ")
            #expect(outcome.contains("or another transport of the call") != isSameWay)
            #expect(outcome.contains("ICE restart in frame 2") == isSameWay)
        }
    }

    /// A description of two media, each with its own credentials.
    private static func description(_ type: String) -> String {
        let isOffer = type == "offer"
        let media = [("audio", "1", 0), ("video", "2", 2)].flatMap { kind, name, offset in
            [
                "m=\(kind) 9 UDP/TLS/RTP/SAVPF \(kind == "audio" ? 111 : 96)", "c=IN IP4 0.0.0.0", "a=mid:\(kind)",
                "a=rtcp-mux", "a=ice-ufrag:\(isOffer ? "cln" : "srv")\(name)", "a=ice-pwd:passwordOfTwentyTwoSigns",
                "a=rtpmap:" + (kind == "audio" ? "111 opus/48000/2" : "96 VP8/90000"),
                "a=candidate:1 1 udp 2130706431 192.0.2.\(isOffer ? 1 : 2) \((isOffer ? 50_000 : 60_000) + offset) typ host",
            ]
        }
        let session = [
            "v=0", "o=- \(isOffer ? 1 : 5) 1 IN IP4 127.0.0.1", "s=-", "t=0 0",
            "a=fingerprint:sha-256 " + [String](repeating: "AA", count: 32).joined(separator: ":"),
            "a=setup:\(isOffer ? "actpass" : "active")",
        ]
        let sdp = (session + media).map { $0 + "\\r\\n" }.joined()
        return "{\"type\":\"\(type)\",\"sdp\":\"\(sdp)\"}\n"
    }

    @Test("one transport may fail while the other works, and its checks are reported")
    func failing() throws {
        var wire = Wire()
        wire.serverPort = 9_000
        wire.connect()
        wire.send(fromClient: true, Array(Self.description("offer").utf8))
        wire.send(fromClient: false, Array(Self.description("answer").utf8))
        wire.datagram(
            fromClient: true, clientPort: 50_000, serverPort: 60_000, P.check("srv1", "cln1", id: 1, nominates: true))
        wire.datagram(fromClient: false, clientPort: 50_000, serverPort: 60_000, P.granted(id: 1))
        wire.datagram(
            fromClient: false, clientPort: 50_002, serverPort: 60_002,
            P.check("cln2", "srv2", id: 2, controlling: false))
        for _ in 0..<4 {
            wire.seconds += 1
            wire.datagram(fromClient: true, clientPort: 50_002, serverPort: 60_002, P.check("srv2", "cln2", id: 3))
        }
        let call = try #require(wire.analyzed().calls.first)
        let outcome = call.outcome.joined(separator: "; ")
        #expect(outcome.contains("media section audio: connected on 192.0.2.1:50000 ↔ 192.0.2.2:60000"))
        #expect(outcome.contains("media section video: no "))
        #expect(call.heldCauses.contains("unanswered"))
        #expect(outcome.contains("4 checks from 192.0.2.1:50002 to 192.0.2.2:60002"))
    }

    @Test("encrypted reports in a capture with truncated frames have no figures", arguments: [70, 82, 94, 96])
    func cut(_ length: Int) throws {
        let frames = try EditedCalls.frames("webrtc-no-bundle").map { frame in
            let octets = Array(frame.octets.prefix(length))
            let info = FrameInfo(
                number: frame.info.number, time: frame.info.time, capturedLength: octets.count,
                originalLength: frame.info.originalLength, linkType: frame.info.linkType)
            return KeptFrame(info: info, octets: octets)
        }
        let result = EditedCalls.analyzed(frames)
        #expect(!result.events.contains { $0.message is SenderReport })
        #expect(result.sentences("RTCP-SR-COUNT").isEmpty)
    }
}
