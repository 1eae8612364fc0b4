import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// The subjects of findings and lines about calls.
@Suite("Subjects of findings and lines about calls") struct CallWordingTests {
    private static let captures = RecordedCaptures.files(below: "Captures/webrtc", endings: [".pcap"])

    @Test("no two findings of a session are equal", arguments: captures)
    func findings(_ path: String) throws {
        let result = try Analysis(RecordedCaptures.path(path)).run()
        for rule in ["SIG-EOC", "ICE-PRIORITY", "DTLS-SIZE"] {
            let said = result.sentences(rule)
            #expect(Set(said).count == said.count, "\(rule): \(said)")
        }
    }

    @Test("an oversized datagram is reported once, with content and sender")
    func longDatagrams() throws {
        // Records of one flight in one datagram, as some libraries send them.
        var wire = Wire()
        typealias P = PeerOctets
        func say(_ fromClient: Bool, _ octets: [UInt8]) {
            wire.datagram(fromClient: fromClient, clientPort: 5_000, serverPort: 6_000, octets)
        }
        say(true, P.check("srvr", "clnt", id: 1, nominates: true))
        say(false, P.granted(id: 1))
        say(false, P.handshake(1, number: 0, P.clientHello()))
        let certificate = P.certificate([UInt8](repeating: 7, count: 1_200))
        say(true, P.handshake(2, number: 0, P.serverHello()) + P.handshake(11, number: 1, certificate))
        say(false, P.handshake(11, number: 1, certificate))
        let said = wire.analyzed(rules: BuiltIn.rules).sentences("DTLS-SIZE")
        #expect(said.count == 2 && Set(said).count == 2)
        #expect(said.first?.hasPrefix("ServerHello") == true && said.last?.hasPrefix("Certificate") == true)
        #expect(said.first?.contains("192.0.2.1:5000") == true && said.last?.contains("192.0.2.2:6000") == true)
    }

    @Test("with several connections each step has its own addresses", arguments: ["webrtc-turn-tcp", "webrtc-ice-tcp"])
    func connections(_ name: String) throws {
        let result = try EditedCalls.recorded(name)
        let steps = result.events.sorted { $0.id < $1.id }
            .compactMap { event in (event.message as? TCPEvent).map { (event, $0) } }
        #expect(steps.count > 3)
        // The first connection is the only one when its step is created.
        for (event, step) in steps.dropFirst() {
            let ends = try #require(step.ends)
            #expect([ends.client, ends.server].contains(event.source))
            #expect(step.summary(.masked).contains("\(ends.client) → \(ends.server)"))
        }
        let single = try EditedCalls.recorded("webrtc-call")
        #expect(single.events.compactMap { $0.message as? TCPEvent }.allSatisfy { $0.ends == nil })
    }

    @Test("a momentary stream has no rate")
    func rates() throws {
        let streams = try EditedCalls.recorded("browser-aiortc").streams
        for stream in streams {
            let seconds = stream.endTime.seconds(since: stream.startTime)
            #expect((stream["bitrate"] != nil) == (seconds >= 0.05), "\(seconds)")
        }
        #expect(streams.contains { $0["bitrate"] == nil } && streams.contains { $0["bitrate"] != nil })
    }
}
