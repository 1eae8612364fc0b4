import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Calls with a nominated pair in which DTLS never started.
@Suite("DTLS that never started") struct AbsentHandshakeTests {
    typealias P = PeerOctets

    /// A call with these DTLS roles in its descriptions; checks succeed for the given number of seconds.
    private static func call(
        offer: String, answer: String, seconds: Int = 15, _ more: (inout CauseTests.Call) -> Void = { _ in }
    ) throws -> AnalysisResult.SessionResult {
        var call = CauseTests.Call()
        call.describe("offer", ["192.0.2.1 50000"], setup: offer)
        call.describe("answer", ["192.0.2.2 60000"], setup: answer)
        call.connect()
        for id in 10..<UInt64(10 + seconds / 5) {
            call.client(P.check("srvr", "clnt", id: id), after: 5)
            call.server(P.granted(id: id))
        }
        more(&call)
        // Signaling is not acknowledged in this capture: without an end, the connection would count as vanished.
        call.wire.close()
        return try #require(call.wire.analyzed().sessions.first)
    }

    @Test("both sides wait")
    func bothPassive() throws {
        let session = try Self.call(offer: "passive", answer: "passive")
        #expect(session.heldCauses == ["both-passive"])
        #expect(session.outcome.first == "DTLS never started")
        #expect(session.outcome.dropFirst().first?.hasPrefix("connected on") == true)
        #expect(session.causes.first?.frames.count == 2 && session.causes.first?.verdict == .proved)
    }

    @Test("the side that is to begin does not", arguments: [("active", "answerer"), ("passive", "offerer")])
    func due(_ answer: String, _ side: String) throws {
        let session = try Self.call(offer: "actpass", answer: answer)
        #expect(session.heldCauses == ["no-dtls"])
        #expect(session.outcome.last?.hasPrefix("the \(side) did not send the ClientHello") == true)
    }

    @Test("a second is too short, and a ClientHello is a start")
    func started() throws {
        #expect(try Self.call(offer: "passive", answer: "passive", seconds: 0).heldCauses.isEmpty)
        let session = try Self.call(offer: "passive", answer: "passive") { call in
            call.client(P.handshake(1, number: 0, P.clientHello()))
        }
        #expect(!session.heldCauses.contains("both-passive") && session.outcome.first?.hasPrefix("connected") == true)
    }

    @Test("a capture that starts after the descriptions does not show that nobody started")
    func beganLate() throws {
        var call = CauseTests.Call()
        call.connect()
        for id in UInt64(10)..<14 {
            call.client(P.check("srvr", "clnt", id: id), after: 5)
            call.server(P.granted(id: id))
        }
        let session = try #require(call.wire.analyzed().sessions.first)
        #expect(session.heldCauses.isEmpty && session.outcome.first?.hasPrefix("connected") == true)
    }

    @Test("both sides start, as in both descriptions")
    func bothActive() throws {
        let session = try Self.call(offer: "active", answer: "active") { call in
            for _ in 0..<2 {
                call.client(P.handshake(1, number: 0, P.clientHello()), after: 1)
                call.server(P.handshake(1, number: 0, P.clientHello()), after: 1)
            }
        }
        #expect(session.heldCauses.first == "both-active", "\(session.heldCauses)")
        let works = try Self.call(offer: "active", answer: "active") { call in
            call.server(P.handshake(1, number: 0, P.clientHello()))
            call.client(P.handshake(2, number: 0, P.serverHello()))
            call.server(P.encrypted(22))
            call.client(P.encrypted(22))
        }
        #expect(works.heldCauses.isEmpty)
    }
}
