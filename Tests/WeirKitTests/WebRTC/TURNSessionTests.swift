import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Exchanges with TURN servers without a call: one session per client, with its result and the cause of a failure.
@Suite("Sessions of TURN") struct TURNSessionTests {
    typealias P = PeerOctets

    /// A client's exchange with a TURN server.
    struct Exchange {
        var dialogue = Dialogue(.udp, port: 3_478)
        private var id: UInt64 = 0

        static let signature: (UInt16, [UInt8]) = (0x0008, [UInt8](repeating: 1, count: 20))
        static let realm: (UInt16, [UInt8]) = (0x0014, Array("realm.test".utf8))
        static let peer: (UInt16, [UInt8]) = (0x0012, P.address(192, 0, 2, 7, 5_000, mixed: true))

        static func nonce(_ text: String) -> (UInt16, [UInt8]) { (0x0015, Array(text.utf8)) }
        static func lifetime(_ seconds: UInt64) -> (UInt16, [UInt8]) { (0x000D, P.big(seconds, 4)) }
        static func code(_ code: Int) -> (UInt16, [UInt8]) { (0x0009, [0, 0, UInt8(code / 100), UInt8(code % 100)]) }

        /// Adds a request, with credentials if it has a nonce, and its response.
        mutating func ask(
            _ method: UInt16, nonce: String? = "first", _ more: [(UInt16, [UInt8])] = [], after seconds: Double = 0.1,
            refusal: Int? = nil, newNonce: String = "second"
        ) {
            id += 1
            var attributes = more
            if let nonce {
                attributes += [(0x0006, Array("user".utf8)), Self.realm, Self.nonce(nonce), Self.signature]
            }
            dialogue.client(P.stun(method, id: id, attributes), after: seconds)
            guard let refusal else {
                let address: (UInt16, [UInt8]) = (0x0016, P.address(192, 0, 2, 9, 60_000, mixed: true))
                let answer = method == 0x003 ? [address, Self.lifetime(600)] : more.filter { $0.0 == 0x000D }
                return dialogue.server(P.stun(method | 0x0100, id: id, answer), after: 0.02)
            }
            dialogue.server(
                P.stun(method | 0x0110, id: id, [Self.code(refusal), Self.realm, Self.nonce(newNonce)]), after: 0.02)
        }

        /// Adds an allocation that succeeds on the second request.
        mutating func allocate() {
            ask(0x003, nonce: nil, refusal: 401, newNonce: "first")
            ask(0x003)
        }

        /// Adds one request with retransmissions at these intervals, without a response.
        mutating func repeatInVain(_ waits: [Double], _ method: UInt16 = 0x003) {
            id += 1
            for wait in waits { dialogue.client(P.stun(method, id: id, [(0x0019, [17, 0, 0, 0])]), after: wait) }
        }
    }

    private static func session(_ make: (inout Exchange) -> Void) throws -> AnalysisResult.SessionResult {
        var exchange = Exchange()
        make(&exchange)
        let result = exchange.dialogue.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["turn"])
        #expect(result.events.allSatisfy { $0.session == 1 })
        return try #require(result.sessions.first)
    }

    @Test("an allocation that is granted, refreshed and deleted has no cause")
    func healthy() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            exchange.ask(0x008, [Exchange.peer])
            exchange.ask(0x004, [Exchange.lifetime(600)], after: 300)
            exchange.ask(0x004, [Exchange.lifetime(0)], after: 10)
        }
        #expect(session.causes.isEmpty)
        #expect(
            session.outcome == [
                "relay address 192.0.2.9:60000 allocated in frame 4 for 600 s", "refreshed 1 time, last in frame 8",
                "deleted by the client in frame 10",
            ])
        #expect(session.record.phases.map(\.phase.name) == ["allocate", "permissions", "relay", "close"])
    }

    @Test("a request with several retransmissions was not answered")
    func unanswered() throws {
        let session = try Self.session { $0.repeatInVain([0, 0.5, 1, 2, 4, 8]) }
        #expect(session.outcome.first == "no answer from the server to 6 Allocate requests in 15.5 s, in this capture")
        let cause = try #require(session.causes.first)
        #expect(session.heldCauses == ["no-answer"] && cause.verdict == .proved && cause.frames == [1, 6])
    }

    @Test("two requests may be answered after the end of the capture")
    func soon() throws {
        let session = try Self.session { $0.repeatInVain([0, 0.5]) }
        #expect(session.causes.isEmpty && session.outcome.first?.hasPrefix("the capture contains no answer") == true)
    }

    @Test("refreshes with one direction captured are no silence of the server")
    func refreshes() throws {
        var exchange = Exchange()
        for id in UInt64(1)..<6 {
            let request = P.stun(0x0004, id: id, [Exchange.lifetime(600), Exchange.nonce("n"), Exchange.signature])
            exchange.dialogue.client(request, after: 200)
        }
        let result = exchange.dialogue.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["turn"])
        let session = try #require(result.sessions.first)
        #expect(session.causes.isEmpty && session.outcome.first?.hasPrefix("the capture contains no answer") == true)
    }

    @Test("refreshes without a response are probably unanswered if another flow shows the host in both directions")
    func twoWayHost() throws {
        for isTwoWay in [true, false] {
            var wire = Wire()
            wire.datagram(fromClient: true, clientPort: 7_000, serverPort: 7_001, [1, 2, 3, 4])
            wire.datagram(fromClient: !isTwoWay, clientPort: 7_000, serverPort: 7_001, [1, 2, 3, 4])
            for id in UInt64(1)..<5 {
                wire.seconds += 20
                let request = P.stun(0x0004, id: id, [Exchange.lifetime(600), Exchange.nonce("n"), Exchange.signature])
                wire.datagram(fromClient: true, clientPort: 50_000, serverPort: 3_478, request)
            }
            let session = try #require(wire.analyzed().sessions.first)
            #expect(session.causes.map { "\($0.verdict) \($0.id)" } == (isTwoWay ? ["likely no-answer"] : []))
        }
    }

    @Test("a closed port is the cause after a single request, and its error is in the timeline")
    func closedPort() throws {
        var wire = Wire()
        // The server's role is that of the host without a socket.
        let request = P.stun(0x0003, id: 1, [(0x0019, [17, 0, 0, 0])])
        wire.datagram(fromClient: false, clientPort: 3_478, serverPort: 50_000, request)
        wire.unreachable(clientPort: 3_478, serverPort: 50_000)
        let result = wire.analyzed()
        let session = try #require(result.sessions.first)
        #expect(session.record.kind == "turn" && session.heldCauses == ["port-unreachable"])
        #expect(session.causes.first?.frames == [1, 2] && session.outcome.first?.hasPrefix("no answer") == true)
        #expect(result.events.filter { $0.message.protocolName == "icmp" }.map(\.session) == [1])
        // Binding requests of their own belong to no session.
        var binding = Wire()
        binding.datagram(fromClient: false, clientPort: 3_478, serverPort: 50_000, P.stun(0x0001, id: 1))
        binding.unreachable(clientPort: 3_478, serverPort: 50_000)
        #expect(binding.analyzed().events.map(\.message.protocolName) == ["stun", "icmp"])
    }

    @Test(
        "a channel or permission that is not refreshed ends what comes back, while the client goes on",
        arguments: [(600.0, "channel-expired"), (300, "permission-expired"), (450, ""), (900, "")])
    func lapsed(_ end: Double, _ cause: String) throws {
        var wire = Wire()
        func say(_ octets: [UInt8], fromClient: Bool) {
            wire.datagram(fromClient: fromClient, clientPort: 50_000, serverPort: 3_478, octets)
        }
        let credentials = [Exchange.realm, Exchange.nonce("n"), Exchange.signature]
        let channel: (UInt16, [UInt8]) = (0x000C, [0x40, 0, 0, 0])
        let relayed: (UInt16, [UInt8]) = (0x0016, P.address(192, 0, 2, 9, 60_000, mixed: true))
        say(P.stun(0x003, id: 1, credentials), fromClient: true)
        say(P.stun(0x103, id: 1, [relayed, Exchange.lifetime(3_600)]), fromClient: false)
        say(P.stun(0x009, id: 2, [channel, Exchange.peer] + credentials), fromClient: true)
        say(P.stun(0x109, id: 2), fromClient: false)
        func carried(_ octets: [UInt8]) -> [UInt8] { [0x40, 0] + P.big(UInt64(octets.count), 2) + octets }
        for turn in 1...200 {
            wire.seconds = Double(turn) * 5
            say(carried(P.check("srvr", "clnt", id: UInt64(turn) + 10, nominates: turn == 1)), fromClient: true)
            if Double(turn) * 5 <= end { say(carried(P.granted(id: UInt64(turn) + 10)), fromClient: false) }
        }
        let session = try #require(wire.analyzed().sessions.first)
        let expired = session.causes.filter { $0.id.hasSuffix("-expired") }
        #expect(expired.map(\.id) == (cause.isEmpty ? [] : [cause]))
        #expect(expired.allSatisfy { $0.frames == [4] && $0.verdict == .likely })
    }

    @Test("a second channel for a peer is refused")
    func boundTwice() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            exchange.ask(0x009, [(0x000C, [0x40, 0, 0, 0]), Exchange.peer])
            exchange.ask(0x009, [(0x000C, [0x40, 1, 0, 0]), Exchange.peer], refusal: 400)
        }
        #expect(session.heldCauses == ["channel-bound-twice"] && session.causes.first?.frames == [8])
    }

    @Test("a request that was answered late has no cause")
    func late() throws {
        let session = try Self.session { exchange in
            exchange.repeatInVain([0, 0.5, 1, 2])
            exchange.allocate()
        }
        #expect(session.causes.isEmpty && session.outcome.first?.hasPrefix("relay address") == true)
    }

    @Test("only the responses are missing: the next request shows that there were some")
    func oneSided() throws {
        let session = try Self.session { exchange in
            exchange.repeatInVain([0, 0.5, 1])
            // The credentials show that there was an earlier response.
            let asked = P.stun(0x003, id: 9, [(0x0006, [1]), Exchange.realm, Exchange.nonce("n"), Exchange.signature])
            exchange.dialogue.client(asked, after: 0.1)
        }
        #expect(session.causes.isEmpty)
    }

    @Test("credentials that made the allocation are not wrong when a later request is refused with 401")
    func refusedLater() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            exchange.ask(0x008, [Exchange.peer], after: 120, refusal: 401, newNonce: "second")
        }
        #expect(session.heldCauses == ["relay-refused"])
        #expect(session.causes.first?.frames == [4, 6])
    }

    @Test("a client that repeats a rejected nonce loses its allocation")
    func staleNonce() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            for turn in 0..<4 {
                exchange.ask(0x004, [Exchange.lifetime(600)], after: 30, refusal: 438, newNonce: "new \(turn)")
            }
        }
        #expect(session.heldCauses == ["stale-nonce"])
        #expect(session.causes.first?.frames == [6, 7, 9, 11])
        #expect(session.outcome.first == "Refresh refused with 438 (last in frame 12, 4 in all)")
        #expect(session.outcome.contains("the allocation expires 600 s after frame 4 unless a Refresh succeeds"))
    }

    @Test("a client that uses the new nonce is correct, also with two pending requests")
    func newNonce() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            exchange.ask(0x004, [Exchange.lifetime(600)], after: 30, refusal: 438)
            // Sent before the error response arrived, captured after it.
            exchange.ask(0x008, [Exchange.peer], after: 0.001, refusal: 438)
            exchange.ask(0x004, nonce: "second", [Exchange.lifetime(600)])
            exchange.ask(0x008, nonce: "second", [Exchange.peer])
        }
        #expect(session.causes.isEmpty && session.outcome.count == 2)
    }

    @Test(
        "an error response gives its reason",
        arguments: [
            (401, "credentials-refused"), (403, "forbidden"), (437, "allocation-mismatch"), (441, "wrong-credentials"),
            (442, "transport-unsupported"), (486, "quota-reached"), (508, "insufficient-capacity"),
            (440, "address-family"), (500, "relay-refused"),
        ])
    func refused(_ code: Int, _ cause: String) throws {
        let session = try Self.session { exchange in
            exchange.ask(0x003, nonce: nil, refusal: 401, newNonce: "first")
            exchange.ask(0x003, refusal: code)
        }
        #expect(session.heldCauses == [cause])
        #expect(session.outcome.first == "Allocate refused with \(code) (last in frame 4, 1 in all)")
        let mended = try Self.session { exchange in
            exchange.ask(0x003, refusal: code)
            exchange.ask(0x003)
        }
        #expect(mended.causes.isEmpty)
    }

    @Test(
        "an allocation is missing, or has expired", arguments: [(10.0, "allocation-gone"), (700, "allocation-expired")])
    func gone(_ seconds: Double, _ cause: String) throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            // UDP flows time out long before an allocation does; keep-alives prevent that.
            for _ in 0..<Int(seconds / 100) { exchange.dialogue.client(P.stun(0x0011, id: 99), after: 100) }
            exchange.ask(0x004, [Exchange.lifetime(600)], after: 5, refusal: 437)
        }
        #expect(session.heldCauses == [cause])
    }

    @Test("one peer without permission is no failure if others have one")
    func onePeer() throws {
        let session = try Self.session { exchange in
            exchange.allocate()
            exchange.ask(0x008, [Exchange.peer])
            exchange.ask(0x008, [Exchange.peer], refusal: 403)
        }
        #expect(session.causes.isEmpty && session.outcome.last?.hasPrefix("CreatePermission refused") == true)
    }

    @Test("a call that starts on the relay belongs to the client's session")
    func call() throws {
        var exchange = Exchange()
        exchange.allocate()
        let check = P.check("srvr", "clnt", id: 50, nominates: true)
        exchange.dialogue.client(P.stun(0x0016, id: 51, [Exchange.peer, (0x0013, check)]))
        let result = exchange.dialogue.analyzed()
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        #expect(result.events.allSatisfy { $0.session == 1 })
    }

    @Test("a flood of clients creates at most half the limit of sessions, which is reported")
    func flood() {
        var options = AnalyzerOptions()
        options.limits.sessions = 20
        var wire = Wire()
        for port in 0..<100 {
            wire.datagram(
                fromClient: true, clientPort: UInt16(20_000 + port), serverPort: 3_478, P.stun(0x0003, id: UInt64(port))
            )
        }
        let result = wire.analyzed(options: options)
        #expect(result.sessions.count == 10)
        #expect(result.summaries.flatMap(\.limitsReached).contains { $0.key == "limit.turn" })
    }

    /// Returns a call through a relay, ten times as slow, whose allocation lasts `lifetime` seconds and is not refreshed;
    /// the server sends nothing `silence` seconds after the start.
    private static func call(lifetime: UInt8, silence: Double) throws -> AnalysisResult.SessionResult {
        let frames = try EditedCalls.frames("webrtc-turn-udp")
        let start = try #require(frames.first).info.time.nanoseconds
        let granted: [UInt8] = [0, 0x0D, 0, 4, 0, 0, 2, 0x58]
        let slow = frames.compactMap { frame -> KeptFrame? in
            var frame = frame
            let offset = (frame.info.time.nanoseconds - start) * 10
            frame.info.time = Timestamp(nanoseconds: start + offset)
            let octets = frame.octets
            let isFromServer = octets.count > 42 && octets[34] == 0x0D && octets[35] == 0x96
            if isFromServer, Double(offset) > silence * 1e9 { return nil }
            // A Refresh.
            if octets.count > 44, octets[42] & 0xFE == 0, octets[43] == 4 { return nil }
            if let place = octets.firstRange(of: granted) {
                frame.octets.replaceSubrange(place, with: [0, 0x0D, 0, 4, 0, 0, 0, lifetime])
            }
            return frame
        }
        return try #require(EditedCalls.analyzed(slow).calls.first)
    }

    @Test("media through an expired allocation is a cause if none comes back any more")
    func expired() throws {
        #expect(try Self.call(lifetime: 10, silence: 11).causes.first?.id == "allocation-expired")
        // A Refresh that was not captured may have extended it.
        #expect(try Self.call(lifetime: 10, silence: 100).causes.allSatisfy { $0.id != "allocation-expired" })
        #expect(try Self.call(lifetime: 200, silence: 11).causes.allSatisfy { $0.id != "allocation-expired" })
    }
}
