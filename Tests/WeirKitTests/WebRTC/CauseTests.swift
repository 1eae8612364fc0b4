import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Causes of failed calls: each is reported only if packets show it.
@Suite("Causes of calls that fail") struct CauseTests {
    typealias P = PeerOctets

    /// A call between 192.0.2.1, the offerer, and 192.0.2.2.
    struct Call {
        var wire = Wire()

        init() {
            wire.serverPort = 9_000
            wire.connect()
        }

        /// Adds a description of one medium with these candidates.
        mutating func describe(
            _ type: String, _ candidates: [String], isEnd: Bool = false, setup: String? = nil, ufrag: String? = nil
        ) {
            let isOffer = type == "offer"
            let lines =
                [
                    "v=0", "o=- \(isOffer ? 1 : 5) 1 IN IP4 127.0.0.1", "s=-", "t=0 0",
                    "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=mid:0", "a=rtcp-mux",
                    "a=ice-ufrag:\(ufrag ?? (isOffer ? "clnt" : "srvr"))", "a=ice-pwd:passwordOfTwentyTwoSigns",
                    "a=fingerprint:sha-256 " + [String](repeating: "AA", count: 32).joined(separator: ":"),
                    "a=setup:\(setup ?? (isOffer ? "actpass" : "active"))", "a=rtpmap:111 opus/48000/2",
                ] + candidates.map { "a=candidate:1 1 udp 2130706431 \($0) typ host" }
                + (isEnd ? ["a=end-of-candidates"] : [])
            let sdp = lines.map { $0 + "\\r\\n" }.joined()
            say("{\"type\":\"\(type)\",\"sdp\":\"\(sdp)\"}", fromClient: isOffer)
        }

        mutating func say(_ text: String, fromClient: Bool) {
            wire.send(fromClient: fromClient, Array((text + "\n").utf8))
        }

        mutating func client(_ octets: [UInt8], after seconds: Double = 0.01, serverPort: UInt16 = 60_000) {
            wire.seconds += seconds
            wire.datagram(fromClient: true, clientPort: 50_000, serverPort: serverPort, octets)
        }

        mutating func server(_ octets: [UInt8], after seconds: Double = 0.01, serverPort: UInt16 = 60_000) {
            wire.seconds += seconds
            wire.datagram(fromClient: false, clientPort: 50_000, serverPort: serverPort, octets)
        }

        /// Adds both descriptions, each with a candidate.
        mutating func describe() {
            describe("offer", ["192.0.2.1 50000"])
            describe("answer", ["192.0.2.2 60000"])
        }

        /// Adds successful checks of both sides; the client nominates.
        mutating func connect(nominates: Bool = true) {
            client(P.check("srvr", "clnt", id: 1, nominates: nominates))
            server(P.granted(id: 1))
            server(P.check("clnt", "srvr", id: 2, controlling: false))
            client(P.granted(id: 2))
        }
    }

    @Test("if responses may be missing, a call has not failed, and its checks are reported")
    func filtered() throws {
        let frames = try EditedCalls.frames("webrtc-call").filter { frame in
            frame.datagram.map { $0.first == 0 && $0.dropFirst().first == 1 } ?? true
        }
        let result = EditedCalls.analyzed(frames)
        let call = try #require(result.calls.first)
        #expect(result.calls.count == 1 && call.heldCauses.isEmpty)
        let checks = result.events.filter { ($0.message as? STUNMessage)?.isICECheck ?? false }
        let last = try #require(checks.last)
        let outcome = call.outcome.joined(separator: "; ")
        #expect(outcome.contains("in the capture") && outcome.contains("last in frame \(last.frame)"))
        #expect(outcome.contains("from \(last.source) to \(last.destination)"))
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var cause: String
        var make: @Sendable (inout Call) -> Void
        var testDescription: String { cause }
        init(_ cause: String, _ make: @escaping @Sendable (inout Call) -> Void) {
            (self.cause, self.make) = (cause, make)
        }
    }

    private static let certificate = P.handshake(11, number: 1, P.certificate([UInt8](repeating: 7, count: 1_300)))

    static let examples = [
        Example("no-candidate") {
            $0.describe("offer", ["192.0.2.1 50000"])
            $0.describe("answer", [], isEnd: true)
        },
        Example("one-family") {
            $0.describe("offer", ["192.0.2.1 50000"])
            $0.describe("answer", ["2001:db8::2 60000"])
        },
        Example("no-checks") {
            $0.describe()
            // Datagrams are captured.
            $0.wire.datagram(fromClient: true, clientPort: 7_000, serverPort: 7_001, [1, 2, 3, 4])
            $0.wire.seconds += 5
            $0.say("{\"type\":\"heartbeat\"}", fromClient: true)
        },
        Example("unanswered") {
            $0.describe()
            // Both directions are captured; with one alone, responses would be unknown.
            $0.server(P.check("clnt", "srvr", id: 2, controlling: false))
            for _ in 0..<4 { $0.client(P.check("srvr", "clnt", id: 1), after: 0.5) }
        },
        Example("answer-unacceptable") {
            $0.describe("offer", ["192.0.2.1 50000"])
            $0.describe("answer", ["192.0.2.2 60000"], setup: "actpass")
            for id in 1..<5 { $0.server(P.check("clnt", "srvr", id: UInt64(id), controlling: false), after: 0.8) }
            $0.wire.close()
        },
        Example("former-credentials") {
            $0.describe()
            $0.describe("answer", ["192.0.2.2 60000"], ufrag: "newr")
            $0.server(P.check("clnt", "newr", id: 2, controlling: false))
            for _ in 0..<4 { $0.client(P.check("srvr", "clnt", id: 1), after: 0.5) }
        },
        Example("port-unreachable") {
            $0.describe()
            $0.server(P.check("clnt", "srvr", id: 2, controlling: false))
            $0.wire.unreachable(clientPort: 50_000, serverPort: 60_000)
        },
        Example("refused") {
            $0.describe()
            $0.client(P.check("srvr", "clnt", id: 1))
            $0.server(P.refused(0x0111, 400, id: 1))
        },
        Example("role-conflict") {
            $0.describe()
            $0.client(P.check("srvr", "clnt", id: 1))
            $0.server(P.refused(0x0111, 487, id: 1))
        },
        Example("not-nominated") {
            $0.describe()
            $0.connect(nominates: false)
            $0.client(P.check("srvr", "clnt", id: 3), after: 5)
            $0.server(P.granted(id: 3))
            // Signaling is not acknowledged in this capture: without an end, the connection would count as vanished.
            $0.wire.close()
        },
        Example("relay-refused") {
            $0.describe()
            $0.client(P.stun(0x0003, id: 7, [(0x0019, [17, 0, 0, 0])]), serverPort: 3_478)
            $0.server(P.refused(0x0113, 486, id: 7), serverPort: 3_478)
            for _ in 0..<4 { $0.client(P.check("srvr", "clnt", id: 1), after: 0.5) }
        },
        Example("consent-lost") {
            $0.describe()
            $0.connect()
            for id in 10..<16 { $0.client(P.check("srvr", "clnt", id: UInt64(id)), after: 5) }
        },
        Example("consent-refused") {
            $0.describe()
            $0.connect()
            $0.client(P.check("srvr", "clnt", id: 10), after: 5)
            $0.server(P.refused(0x0111, 403, id: 10))
        },
        Example("no-dtls") {
            $0.describe()
            $0.connect()
            $0.client(P.check("srvr", "clnt", id: 3), after: 5)
            $0.server(P.granted(id: 3))
            // Only a complete capture shows that neither side started.
            $0.wire.close()
        },
        Example("unanswered-dtls") {
            $0.describe()
            $0.connect()
            for _ in 0..<4 { $0.server(P.handshake(1, number: 0, P.clientHello()), after: 1) }
        },
        Example("large-dtls") {
            $0.describe()
            $0.connect()
            $0.server(P.handshake(1, number: 0, P.clientHello()))
            $0.client(P.handshake(2, number: 0, P.serverHello()))
            for _ in 0..<4 { $0.client(certificate, after: 1) }
        },
        Example("alert") {
            $0.describe()
            $0.connect()
            $0.server(P.handshake(1, number: 0, P.clientHello()))
            $0.client([21, 0xFE, 0xFD] + P.big(0, 8) + P.big(2, 2) + [2, 40])
        },
    ]

    @Test("is reported if the packets show it, with a sentence", arguments: examples)
    func held(_ example: Example) throws {
        var call = Call()
        example.make(&call)
        let result = call.wire.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        let session = try #require(result.sessions.first)
        #expect(session.heldCauses.contains(example.cause), "\(session.heldCauses): \(session.outcome)")
    }

    @Test(
        "checks without a response in the capture are probably unanswered if other flows show a host in both directions"
    )
    func twoWayHost() throws {
        func unanswered(_ makeCall: (inout Call) -> Void) throws -> AnalysisResult.SessionResult {
            var call = Call()
            makeCall(&call)
            for id in 1..<6 { call.client(P.check("srvr", "clnt", id: UInt64(id)), after: 0.6) }
            return try #require(call.wire.analyzed().sessions.first)
        }
        let likely = try unanswered { $0.describe() }
        #expect(likely.causes.first.map { "\($0.verdict) \($0.id)" } == "likely unanswered")
        #expect(likely.outcome.contains { $0.contains("although other flows show 192.0.2.1 in both directions") })
        // Without another flow, the capture may contain one direction only.
        let unknown = try unanswered { $0.wire = Wire() }
        #expect(unknown.heldCauses.isEmpty && unknown.outcome.contains { $0.contains("may not have been captured") })
        // A nomination after an ordinary check shows that there was a response.
        let nominated = try unanswered {
            $0.describe()
            $0.client(P.check("srvr", "clnt", id: 30))
            $0.client(P.check("srvr", "clnt", id: 31, nominates: true))
        }
        #expect(!nominated.heldCauses.contains("unanswered"))
    }

    @Test("ClientHellos with a cookie show that there was a response to the first")
    func cookie() throws {
        var call = Call()
        call.describe()
        call.connect()
        call.server(P.handshake(1, number: 0, P.clientHello()))
        let hello = P.clientHello()
        let repeated = hello.prefix(35) + [4, 1, 2, 3, 4] + hello.dropFirst(36)
        for _ in 0..<4 { call.server(P.handshake(1, number: 1, Array(repeated)), after: 1) }
        let session = try #require(call.wire.analyzed().sessions.first)
        #expect(session.heldCauses == ["unanswered-dtls"])
        #expect(session.outcome.contains { $0.hasPrefix("the server asked for a cookie") })
    }

    @Test("a consent refusal is reported as such")
    func consent() throws {
        var call = Call()
        call.describe()
        call.connect()
        for (id, isGranted) in [(UInt64(10), true), (11, false)] {
            call.client(P.check("srvr", "clnt", id: id), after: 5)
            call.server(isGranted ? P.granted(id: id) : P.refused(0x0111, 403, id: id))
        }
        let lines = call.wire.analyzed().events.map { $0.message.summary(.masked) }
        #expect(lines.contains { $0.hasPrefix("consent given") })
        #expect(lines.contains { $0.hasPrefix("consent refused 403") })
    }

    @Test("a host that rejects checks is reported by ICMP, once per port")
    func unreachable() throws {
        var call = Call()
        call.describe()
        for id in 1..<6 {
            call.client(P.check("srvr", "clnt", id: UInt64(id)), after: 0.5)
            call.wire.unreachable(clientPort: 50_000, serverPort: 60_000)
        }
        let result = call.wire.analyzed()
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.heldCauses.contains("unanswered"))
        let errors = result.events.filter { $0.message.protocolName == "icmp" }
        #expect(errors.map(\.session) == [session.record.id])
        #expect(errors.first?.message.summary(.masked).contains("WebRTC to 192.0.2.") == true)
    }

    @Test("media between signaled candidates belongs to the call, also without checks and handshake in the capture")
    func mediaAlone() throws {
        let frames = try EditedCalls.frames("webrtc-call").filter { frame in
            frame.datagram.map { ($0.first ?? 0) >= 128 } ?? true
        }
        let result = EditedCalls.analyzed(frames)
        let call = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && call.heldCauses.isEmpty)
        #expect(result.streams.count >= 2 && result.streams.allSatisfy { $0.session == call.record.id })
        #expect(call.outcome.contains { $0.hasPrefix("encrypted media for") })
        #expect(!result.findings.contains { $0.rule == "RTP-PORT-EVEN" })
    }

    @Test("only the relay worked: the direct checks of a recorded call have no response")
    func relayOnly() throws {
        let frames = try EditedCalls.frames("browser-relay-only")
        let session = try #require(EditedCalls.analyzed(frames).calls.first)
        #expect(session.heldCauses == ["relay-only"])
        #expect(session.outcome.contains { $0.contains("only the relay worked") })
        // One direction alone contains no responses.
        let half = frames.filter { $0.octets.count > 30 && $0.octets[26..<30].elementsEqual([10, 77, 0, 1]) }
        #expect(!(try #require(EditedCalls.analyzed(half).calls.first).heldCauses.contains("relay-only")))
        // Without the direct checks, nothing shows that another path was tried.
        let less = frames.filter { $0.datagram == nil || $0.portNumbers?.destination == 3_478 }
        #expect(try #require(EditedCalls.analyzed(less).calls.first).heldCauses == [])
        // A relay as the only candidate is no cause.
        let alone = try EditedCalls.frames("browser-turn")
        #expect(try #require(EditedCalls.analyzed(alone).calls.first).heldCauses == [])
    }

    @Test("a successful call has none")
    func works() throws {
        var call = Call()
        call.describe()
        call.connect()
        call.server(P.handshake(1, number: 0, P.clientHello()))
        call.client(P.handshake(2, number: 0, P.serverHello()))
        call.server(P.encrypted(22))
        call.client(P.encrypted(22))
        for id in 10..<14 {
            call.client(P.check("srvr", "clnt", id: UInt64(id)), after: 5)
            call.server(P.granted(id: UInt64(id)))
        }
        #expect(try #require(call.wire.analyzed().sessions.first).heldCauses == [])
    }

    @Test("a capture that ends after one check has none")
    func soon() throws {
        var call = Call()
        call.describe()
        call.client(P.check("srvr", "clnt", id: 1))
        #expect(try #require(call.wire.analyzed().sessions.first).heldCauses == [])
    }

    @Test("flows that end long before the capture do not show a missing side")
    func idle() throws {
        var call = Call()
        call.describe()
        call.connect()
        call.wire.seconds += 400
        call.wire.datagram(fromClient: true, clientPort: 1_111, serverPort: 2_222, [0, 1, 2, 3])
        let session = try #require(call.wire.analyzed().sessions.first)
        #expect(!session.record.reference.completeness.isOneSided)
    }
}
