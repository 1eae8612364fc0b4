import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Two simultaneous calls of one host, each with an allocation of its own at the same TURN server.
@Suite("Two relayed calls of one client") struct TwoRelayedCallsTests {
    typealias P = PeerOctets

    /// The steps: an offer, an allocation, a candidate, or an answer of a call.
    private enum Step { case offer, allocation, candidate, answer }

    private static func result(_ steps: [(Step, Int)]) -> AnalysisResult {
        var wire = Wire()
        wire.serverPort = 6_868
        wire.connect()
        for (step, call) in steps {
            wire.seconds += 0.05
            switch step {
            case .offer: wire.send(fromClient: true, line("offer", call, sdp(call, "off", "actpass")))
            case .answer: wire.send(fromClient: false, line("answer", call, sdp(call, "ans", "active")))
            case .allocation: allocate(call, &wire)
            case .candidate:
                let text = "candidate:1 1 udp 41885439 192.0.2.9 \(60_000 + call) typ relay raddr 0.0.0.0 rport 0"
                wire.send(
                    fromClient: true,
                    Array(
                        #"{"type":"candidate","from":"a","to":"b\#(call)","candidate":"\#(text)","sdpMid":"0"}"#.utf8)
                        + [0x0A])
            }
        }
        return wire.analyzed()
    }

    private static func sdp(_ call: Int, _ name: String, _ setup: String) -> String {
        SignalingTests.sdp.replacing("o=- 1 2", with: "o=- \(name.count + setup.count)\(call) 2")
            .replacing("abcd", with: "\(name)\(call)").replacing("actpass", with: setup)
            .replacing("AB:AB", with: "\(call)\(setup.count):AB")
    }

    private static func line(_ type: String, _ call: Int, _ sdp: String) -> [UInt8] {
        let (from, to) = type == "offer" ? ("a", "b\(call)") : ("b\(call)", "a")
        return Array(#"{"type":"\#(type)","from":"\#(from)","to":"\#(to)","sdp":"\#(sdp)"}"#.utf8) + [0x0A]
    }

    private static func allocate(_ call: Int, _ wire: inout Wire) {
        let (client, server) = ("192.0.2.1:\(50_000 + call)", "192.0.2.9:3478")
        let credentials = [TURNSessionTests.Exchange.nonce("n"), TURNSessionTests.Exchange.signature]
        let id = UInt64(10 * call)
        wire.datagram(from: client, to: server, P.stun(0x0003, id: id, [(0x0019, [17, 0, 0, 0])]))
        wire.datagram(
            from: server, to: client,
            P.stun(0x0113, id: id, [TURNSessionTests.Exchange.code(401), TURNSessionTests.Exchange.nonce("n")]))
        wire.datagram(from: client, to: server, P.stun(0x0003, id: id + 1, credentials))
        let address: (UInt16, [UInt8]) = (0x0016, P.address(192, 0, 2, 9, UInt16(60_000 + call), mixed: true))
        wire.datagram(
            from: server, to: client, P.stun(0x0103, id: id + 1, [address, TURNSessionTests.Exchange.lifetime(600)]))
    }

    /// The session of each allocation, by the port of its client.
    private static func sessions(_ result: AnalysisResult, _ call: Int) -> Set<Int> {
        Set(
            result.events.filter { $0.message.protocolName == "stun" }
                .filter { [$0.source.port, $0.destination.port].contains(UInt16(50_000 + call)) }.compactMap(\.session))
    }

    private static func offer(_ result: AnalysisResult, _ call: Int) -> Int? {
        result.events.first { $0.message.kind == "offer" && $0.message.summary(.masked).contains("b\(call)") }?.session
    }

    @Test("allocations before the offers belong to the calls that signal their addresses")
    func before() throws {
        let result = Self.result([
            (.allocation, 0), (.allocation, 1), (.offer, 0), (.offer, 1), (.candidate, 1), (.candidate, 0),
        ])
        // The offers contain no candidates, so that two allocations are not told apart: they stay on their own.
        #expect(result.calls.count == 2)
        #expect(Self.sessions(result, 0).isDisjoint(with: Self.sessions(result, 1)))
    }

    @Test("an allocation while two calls gather candidates is of neither")
    func between() throws {
        let result = Self.result([
            (.offer, 0), (.offer, 1), (.allocation, 0), (.allocation, 1), (.candidate, 0), (.candidate, 1),
            (.answer, 0),
            (.answer, 1),
        ])
        let calls = [0, 1].compactMap { Self.offer(result, $0) }
        #expect(Set(calls).count == 2)
        #expect(Self.sessions(result, 0).isDisjoint(with: calls) && Self.sessions(result, 1).isDisjoint(with: calls))
        #expect(Self.sessions(result, 0).isDisjoint(with: Self.sessions(result, 1)))
    }

    @Test("calls one after the other have their own allocations")
    func successive() throws {
        let result = Self.result([
            (.offer, 0), (.allocation, 0), (.candidate, 0), (.offer, 1), (.allocation, 1), (.candidate, 1),
            (.answer, 0),
            (.answer, 1),
        ])
        for call in [0, 1] {
            let own = try #require(Self.offer(result, call))
            #expect(Self.sessions(result, call) == [own])
        }
    }
}
