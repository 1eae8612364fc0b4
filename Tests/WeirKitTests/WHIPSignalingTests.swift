import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirProtocols

/// The steps of WHIP and WHEP as signaling, beside their HTTP messages.
@Suite("Signaling in WHIP and WHEP") struct WHIPSignalingTests {
    @Test(
        "offers, answers, the end of candidates and of the call follow their HTTP messages",
        arguments: ["whip", "whep"])
    func steps(_ name: String) throws {
        let result = try Analysis(RecordedCaptures.path("Captures/webrtc/\(name).pcap")).run()
        let steps = result.events.filter { $0.message.protocolName == "signaling" }
        let kinds = steps.map(\.message.kind)
        #expect(kinds.suffix(4) == ["offer", "answer", "endOfCandidates", "bye"] || name == "whep")
        #expect(Set(kinds).isSuperset(of: ["offer", "answer", "bye"]))
        for step in steps {
            let fields = step.message.fields(.masked)
            #expect(fields.contains(Field("carrier", .string("http"))))
            #expect(fields.contains(Field("framing", .string("body"))))
            let number = try #require(fields.first { $0.name == "httpEvent" }?.value)
            let http = try #require(result.events.first { .integer($0.id) == number })
            #expect(http.message.protocolName == "http" && http.frame == step.frame && http.session == step.session)
        }
    }

    @Test("trickled candidates are steps of their own")
    func candidates() throws {
        let fragment =
            "a=ice-ufrag:abcd\r\na=ice-pwd:C4NARYC4NARYC4NARYC4NA\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n"
            + "a=candidate:1 1 udp 2122260223 192.0.2.1 61022 typ host\r\n"
            + "a=candidate:2 1 udp 1686052607 203.0.113.1 61022 typ srflx raddr 192.0.2.1 rport 61022\r\n"
        func request(_ line: String, _ type: String, _ body: String) -> [UInt8] {
            Array(
                "\(line) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    .utf8)
        }
        let sdp = SignalingTests.sdp.replacing("\\r\\n", with: "\r\n")
        var dialogue = Dialogue(.tcp, port: 8_080)
        dialogue.client(request("POST /whip", "application/sdp", sdp))
        dialogue.client(request("PATCH /whip/1", "application/trickle-ice-sdpfrag", fragment))
        let result = dialogue.analyzed()
        let steps = result.events.filter { $0.message.protocolName == "signaling" }
        #expect(steps.map(\.message.kind) == ["offer", "candidate", "candidate"])
        // WHIP has rules of its own.
        #expect(!result.findings.contains { $0.rule.hasPrefix("SIG-") })
    }
}
