import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Calls of real peers: one session each, with outcome and cause.
@Suite("Recorded calls") struct WebRTCCaptureTests {
    static func analyzed(
        _ name: String, _ edit: @escaping @Sendable (String, String) -> (String, String) = { ($0, $1) }
    ) throws -> AnalysisResult {
        try LineSignaling.$edit.withValue(edit) {
            try Analysis(
                RecordedCaptures.path("Captures/webrtc/\(name).pcap"), plugins: [LineSignaling.self] + BuiltIn.plugins
            ).run()
        }
    }

    private static func member(_ value: FieldValue?, _ name: String) -> FieldValue? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    @Test("a call is one session, from signaling to encrypted media")
    func call() throws {
        let result = try Self.analyzed("webrtc-call")
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        let session = try #require(result.sessions.first)
        #expect(session.record.phases.map(\.phase.name) == ["connect", "signaling", "ice", "dtls", "media", "close"])
        #expect(session["fingerprintMatches"] == .bool(true))
        #expect(Self.member(session["selectedPair"], "localType") == .string("host"))
        for name in ["setupTimeMs", "iceTimeMs", "offerToNominatedMs", "timeToFirstMediaMs"] {
            #expect(try #require(session[name]?.double) > 0, "\(name)")
        }
        #expect(session.heldCauses.isEmpty)
        #expect(result.streams.count == 4)
        #expect(result.streams.allSatisfy { $0.session == session.record.id && $0["encrypted"] == .bool(true) })
        #expect(Set(result.streams.map(\.encoding)) == ["opus", "VP8"])
        let checks = result.events.compactMap { $0.message as? STUNMessage }
        #expect(checks.count > 3 && checks.allSatisfy { $0.integrity == .valid && $0.fingerprint == .valid })
        #expect(result.errors.isEmpty)
    }

    @Test("without signaling the same call is still a session")
    func withoutSignaling() throws {
        let result = try Analysis(
            RecordedCaptures.path("Captures/webrtc/webrtc-call.pcap"),
            plugins: [
                WebRTC.self, STUN.self, DTLS.self, RTP.self, RTCP.self,
            ]
        ).run()
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        #expect(result.streams.count == 4 && result.streams.allSatisfy { $0["encrypted"] == .bool(true) })
        #expect(result.events.compactMap { $0.message as? STUNMessage }.allSatisfy { $0.integrity == .present })
    }

    @Test("data channels are reported, and their content is not")
    func dataChannel() throws {
        let session = try #require(try Self.analyzed("webrtc-data-channel").sessions.first)
        #expect(session.outcome.contains { $0.contains("data channels") })
        #expect(session.record.streams.isEmpty)
    }

    @Test("through a relay: relayed content is dissected", arguments: ["udp", "tcp"])
    func relayed(_ transport: String) throws {
        let result = try Self.analyzed("webrtc-turn-\(transport)")
        #expect(result.sessions.count == 1)
        let session = try #require(result.sessions.first)
        #expect(Self.member(session["selectedPair"], "localType") == .string("relay"))
        #expect(session["fingerprintMatches"] == .bool(true))
        #expect(result.streams.count == 2 && result.streams.allSatisfy { $0["relayed"] == .bool(true) })
        let inner = result.events.compactMap { $0.message as? STUNMessage }.filter { $0.relay != nil }
        #expect(inner.count > 3 && inner.allSatisfy { $0.relay?.channel == 0x4000 && $0.relay?.peer != nil })
        #expect(result.errors.isEmpty)
    }

    @Test(
        "a failed call reports its cause",
        arguments: [
            ("webrtc-wrong-password", "integrity"), ("webrtc-blocked-port", "unanswered"),
            ("webrtc-wrong-fingerprint", "fingerprint"),
        ])
    func failures(_ name: String, _ cause: String) throws {
        let result = try Self.analyzed(name)
        #expect(result.sessions.count == 1)
        let session = try #require(result.sessions.first)
        #expect(session.heldCauses.contains(cause))
        // The peer with the wrong fingerprint has verified the other's, and sends; nothing is returned.
        #expect(Set(result.streams.map(\.direction)).count < 2)
    }

    @Test("a capture that starts later reports less, and nothing else", arguments: [10, 14, 20, 60, 120])
    func late(_ first: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("weir-late-\(first).pcap")
        defer { try? FileManager.default.removeItem(at: file) }
        let octets = try Data(
            contentsOf: URL(fileURLWithPath: RecordedCaptures.path("Captures/webrtc/webrtc-call.pcap")))
        try Self.without(first: first, octets).write(to: file)
        let result = try Analysis(file.path, plugins: [LineSignaling.self] + BuiltIn.plugins).run()
        #expect(result.sessions.filter { $0.record.kind == "webrtc" }.count <= 1)
        #expect(result.errors.isEmpty)
        for session in result.sessions { #expect(session.heldCauses.isEmpty) }
    }

    /// Returns a capture (pcap, little-endian) without its first frames.
    private static func without(first count: Int, _ octets: Data) -> Data {
        var offset = 24
        for _ in 0..<count where offset + 16 <= octets.count {
            let length = (0..<4).reduce(0) { $0 | Int(octets[offset + 8 + $1]) << (8 * $1) }
            offset += 16 + length
        }
        return octets.prefix(24) + octets.dropFirst(offset)
    }
}
