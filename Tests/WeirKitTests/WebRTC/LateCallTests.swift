import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Captures that start during or after the signaling.
@Suite("Calls in captures that start late") struct LateCallTests {
    private static func call(_ name: String, from frame: Int = 1) throws -> (
        AnalysisResult, AnalysisResult.SessionResult
    ) {
        let frames = try EditedCalls.frames(name)
        let result = EditedCalls.analyzed(Array(frames.dropFirst(frame - 1)))
        #expect(result.calls.count == 1)
        return (result, try #require(result.calls.first))
    }

    private static func end(_ pair: FieldValue?, _ name: String) -> FieldValue? {
        guard case .object(let members) = pair else { return nil }
        return members.first { $0.name == name }?.value
    }

    @Test(
        "signaling after the connection's handshake is reported, and the pair is that of the whole capture",
        arguments: [
            ("webrtc-call", 3), ("webrtc-call", 4), ("webrtc-wrong-fingerprint", 4), ("signaling-newline", 4),
            ("webrtc-ice-tcp", 4), ("signaling-nul", 4), ("signaling-concatenated", 4), ("signaling-length4be", 4),
            ("whip", 4), ("whip", 6), ("whip", 7), ("whep", 4), ("signaling-http", 4), ("browser-renomination", 4),
            ("browser-ice-restart", 4),
        ])
    func offers(_ name: String, _ frame: Int) throws {
        let (result, late) = try Self.call(name, from: frame)
        let (whole, call) = try Self.call(name)
        #expect(late["selectedPair"] == call["selectedPair"] && call["selectedPair"] != nil)
        let kinds = result.kinds("sdp").count
        #expect(kinds > 0 && kinds <= whole.kinds("sdp").count)
        #expect("\(String(describing: late["candidates"]))".contains("offerer"))
        #expect(late["iceTimeMs"] == call["iceTimeMs"])
    }

    @Test(
        "an answer without its offer identifies the offerer",
        arguments: [
            ("webrtc-call", 5), ("whep", 5), ("signaling-http", 5), ("signaling-newline", 13),
        ])
    func answers(_ name: String, _ frame: Int) throws {
        let (result, late) = try Self.call(name, from: frame)
        let (_, call) = try Self.call(name)
        #expect(result.events.contains { ($0.message as? SessionDescription)?.role == .answer })
        for end in ["local", "remote"] {
            #expect(Self.end(late["selectedPair"], end) == Self.end(call["selectedPair"], end))
        }
        #expect(result.errors.isEmpty)
    }

    @Test(
        "signaling in WebSocket is parsed without the upgrade response",
        arguments: ["signaling-websocket", "signaling-websocket-deflate", "janus-echo", "browser-aiortc"])
    func unanswered(_ name: String) throws {
        let frames = try EditedCalls.frames(name)
        let answer = "HTTP/1.1 101"
        let place = try #require(frames.firstIndex { String(decoding: $0.octets, as: UTF8.self).contains(answer) })
        func said(_ result: AnalysisResult, _ direction: Direction) -> [String] {
            let own = result.events.filter { $0.message.protocolName == "signaling" && $0.direction == direction }
            return own.map(\.message.kind)
        }
        let whole = EditedCalls.analyzed(frames)
        var less = frames
        less.remove(at: place)
        let result = EditedCalls.analyzed(less)
        #expect(said(result, .clientToServer) == said(whole, .clientToServer))
        // At the start of a server's compressed stream, the first messages cannot be decompressed.
        if !name.hasSuffix("deflate") { #expect(said(result, .serverToClient) == said(whole, .serverToClient)) }
        #expect(result.calls.count == 1 && result.errors.map(\.rule) == whole.errors.map(\.rule))
        let server = try #require(frames[place].portNumbers).source
        let client = EditedCalls.analyzed(frames.filter { $0.datagram != nil || $0.portNumbers?.source != server })
        #expect(said(client, .clientToServer) == said(whole, .clientToServer))
        // The answer may be later in the file than the messages that follow it.
        var later = frames
        later.insert(later.remove(at: place), at: place + 4)
        #expect(said(EditedCalls.analyzed(later), .clientToServer) == said(whole, .clientToServer))
    }

    @Test("a later offer does not identify the first offerer", arguments: [0, 1])
    func laterOffer(_ dropped: Int) throws {
        // The offer of the ICE restart follows checks and media.
        let frames = try EditedCalls.frames("browser-ice-restart")
        let result = EditedCalls.analyzed(Array(frames.dropFirst(120 + dropped)))
        let call = try #require(result.calls.first)
        #expect(result.events.contains { ($0.message as? SessionDescription)?.role == .offer })
        #expect(!"\(String(describing: call["candidates"]))".contains("offerer"))
    }

    @Test(
        "behind a relay the pair has the relay's address, not a port of the relay itself",
        arguments: [("browser-turn", 55), ("browser-turn", 61), ("browser-relay-only", 66)])
    func relayed(_ name: String, _ frame: Int) throws {
        let (result, late) = try Self.call(name, from: frame)
        let (_, call) = try Self.call(name)
        #expect(Self.end(late["selectedPair"], "local") == Self.end(call["selectedPair"], "local"))
        #expect(Self.end(late["selectedPair"], "localType") == .string("relay"))
        let remote = Self.end(late["selectedPair"], "remote")
        #expect(remote == nil || remote == Self.end(call["selectedPair"], "remote"))
        // The start of the checks was before the capture, and so may be the results of other pairs.
        #expect(late["iceTimeMs"] == nil && late.heldCauses.isEmpty)
        #expect(result.streams.count == 2 && result.streams.allSatisfy { $0["relayed"] == .bool(true) })
        let relayed = result.events.compactMap { $0.message as? STUNMessage }.filter(\.isICECheck)
        #expect(relayed.contains { $0.relay != nil })
    }

    @Test("content relayed over TCP is found in the middle of a connection", arguments: 60..<76)
    func channels(_ frame: Int) throws {
        let (result, _) = try Self.call("browser-relay-only", from: frame)
        #expect(result.streams.count == 2)
        // A response in channel data is not one of the relay itself.
        let mapped = result.events.compactMap { $0.message as? STUNMessage }.filter { $0.isBinding && $0.isAnswer }
        #expect(!mapped.isEmpty && mapped.allSatisfy { $0.relay != nil })
    }

    @Test("over UDP, channel data alone reveals relayed content", arguments: [56, 170])
    func datagrams(_ frame: Int) throws {
        let result = EditedCalls.analyzed(Array(try EditedCalls.frames("webrtc-turn-udp").dropFirst(frame - 1)))
        #expect(result.streams.count == 2 && result.streams.allSatisfy { $0["relayed"] == .bool(true) })
        #expect(result.flows.filter { $0.server.port == 3_478 }.count == 1)
        // The ports are those of the connection to the relay.
        #expect(result.findings.isEmpty, "\(result.findings.map(\.rule))")
    }

    @Test(
        "no duration is reported if its start may be missing",
        arguments: [
            ("signaling-http", 16), ("whep", 15), ("webrtc-ice-tcp", 20), ("browser-relay-only", 52),
            ("browser-ice-restart", 192), ("whip", 16), ("browser-turn", 45),
        ])
    func times(_ name: String, _ frame: Int) throws {
        let (_, late) = try Self.call(name, from: frame)
        for figure in ["setupTimeMs", "offerToNominatedMs", "timeToFirstMediaMs"] { #expect(late[figure] == nil) }
        let (_, call) = try Self.call(name)
        #expect(late["iceTimeMs"] == nil || late["iceTimeMs"] == call["iceTimeMs"])
        #expect(late["selectedPair"] != nil)
    }

    @Test("messages buffered until the upgrade response keep their frames", arguments: [true, false])
    func waiting(_ isFirst: Bool) throws {
        let frames = try EditedCalls.frames("browser-turn")
        let less = Less.late(isFirst: isFirst, by: 1_000_000_000, frames)
        func places(_ result: AnalysisResult, _ origins: [Int]? = nil) -> Set<Int> {
            let own = result.events.filter { $0.message.kind == "offer" || $0.message.kind == "login" }
            return Set(own.map { event in origins.map { $0[event.frame - 1] } ?? event.frame })
        }
        let reported = places(EditedCalls.analyzed(less.frames), less.origins)
        #expect(reported.isSubset(of: places(EditedCalls.analyzed(frames))) && !reported.isEmpty)
    }

    @Test("DTLS 1.3 records after the hellos belong to a handshake", arguments: [54, 55, 56])
    func encryptedHandshake(_ frame: Int) throws {
        let (result, call) = try Self.call("browser-renomination", from: frame)
        #expect(result.kinds("dtls").first == "finished")
        #expect(result.streams.allSatisfy { $0["encrypted"] == .bool(true) && $0.session == call.record.id })
    }
}
