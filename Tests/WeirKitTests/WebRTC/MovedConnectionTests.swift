import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Path changes during a call: the selected pair, and the relay's transport.
@Suite("Calls that change their path") struct MovedConnectionTests {
    private static func records(_ result: AnalysisResult) -> [DTLSMessage] {
        result.events.compactMap { $0.message as? DTLSMessage }
    }

    @Test("a handshake that continues in a channel is complete", arguments: ["browser-turn", "browser-relay-only"])
    func channel(_ name: String) throws {
        let result = try EditedCalls.recorded(name)
        let records = Self.records(result)
        #expect(records.filter { $0.kind == "finished" }.count == 2)
        #expect(records.allSatisfy { !$0.lacksHandshake && $0.isRelayed && $0.relayPeer != nil })
        let call = try #require(result.calls.first)
        #expect(call["setupTimeMs"] != nil && call["dtls"] != nil)
    }

    @Test(
        "a connection on another pair has its own handshake",
        arguments: ["browser-data-channel", "browser-ice-restart"])
    func pair(_ name: String) throws {
        let result = try EditedCalls.recorded(name)
        let hello = try #require(result.events.first { ($0.message as? DTLSMessage)?.kind == "clientHello" })
        let moved = result.events.filter {
            ($0.message as? DTLSMessage)?.lacksHandshake ?? false && $0.message.kind == "applicationData"
        }
        #expect(!moved.isEmpty && moved.allSatisfy { $0.flow != hello.flow })
        #expect(moved.allSatisfy { $0.message.note == Text("dtls.moved", .integer(hello.frame)) })
    }

    @Test(
        "without descriptions, only the ufrags in checks distinguish connections",
        arguments: [("browser-data-channel", true), ("browser-ice-restart", false)])
    func unsignaled(_ name: String, _ hasSameNames: Bool) throws {
        // A restart has new credentials, as a second transport would.
        let result = EditedCalls.analyzed(try EditedCalls.frames(name).filter { $0.datagram != nil || $0.isIPv6 })
        let hello = try #require(result.events.first { ($0.message as? DTLSMessage)?.kind == "clientHello" })
        let later = result.events.filter { $0.flow != hello.flow && $0.message.kind == "applicationData" }
        let said = hasSameNames ? Text("dtls.moved", .integer(hello.frame)) : Text("dtls.applicationData.late")
        #expect(!later.isEmpty && later.allSatisfy { $0.message.note == said })
    }

    private static let nominated = [
        "browser-data-channel", "browser-ice-restart", "browser-aiortc", "browser-renomination", "webrtc-call",
    ]

    @Test("ICE time ends at the first nomination, whichever pair is selected in the end", arguments: nominated)
    func time(_ name: String) throws {
        let (result, call) = try EditedCalls.recordedCall(name)
        let checks = result.events.filter { ($0.message as? STUNMessage)?.isICECheck ?? false }
        let offer = try #require(result.events.first { ($0.message as? SessionDescription)?.role == .offer })
        let first = try #require(checks.first)
        let ice = try #require(call["iceTimeMs"]?.double)
        // Both end with the same nomination.
        let since = try #require(call["offerToNominatedMs"]?.double)
        #expect(abs(since - ice - first.time.seconds(since: offer.time) * 1_000) < 0.001)
        #expect(call.outcome.contains { $0.contains("ms after the first check") })
    }

    @Test("the side that starts the handshake is named by its end of the selected pair")
    func client() throws {
        for name in ["browser-data-channel", "browser-ice-restart", "browser-aiortc", "webrtc-call", "browser-turn"] {
            let call = try #require(try EditedCalls.recorded(name).calls.first)
            guard case .object(let dtls) = call["dtls"], case .object(let pair) = call["selectedPair"] else {
                Issue.record("no handshake, or no pair, in \(name)")
                continue
            }
            let client = try #require(dtls.first { $0.name == "client" }?.value)
            #expect(pair.filter { ["local", "remote"].contains($0.name) }.map(\.value).contains(client), "\(name)")
        }
    }
}
