import CaptureTesting
import Testing
import WeirEngine

@testable import WeirKit
@testable import WeirProtocols

/// Two simultaneous calls of the same two peers over one connection.
@Suite("Two simultaneous calls on one connection") struct CallsAtOnceTests {
    /// A message of one of the calls: an offer of `a`, or an answer or offer of `b`.
    private static func message(_ type: String, _ call: Int, names: String?, fromClient: Bool) -> [UInt8] {
        let mark = fromClient ? "c" : "s"
        let hash = fromClient ? "A\(call)" : "B\(call)"
        let lines = [
            "v=0", "o=- \(call)\(fromClient ? 1 : 2) 1 IN IP4 127.0.0.1", "s=-", "t=0 0",
            "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=mid:0", "a=rtcp-mux",
            "a=ice-ufrag:\(mark)fr\(call)",
            "a=ice-pwd:passwordOfTwentyTwoSigns", "a=rtpmap:111 opus/48000/2",
            "a=fingerprint:sha-256 " + [String](repeating: hash, count: 32).joined(separator: ":"),
            "a=setup:\(type == "offer" ? "actpass" : "active")",
        ]
        let sdp = lines.map { $0 + "\\r\\n" }.joined()
        let (from, to) = fromClient ? ("a", "b") : ("b", "a")
        let name = names.map { "\"\($0)\":\"number\(call)\"," } ?? ""
        return Array("{\(name)\"type\":\"\(type)\",\"from\":\"\(from)\",\"to\":\"\(to)\",\"sdp\":\"\(sdp)\"}\n".utf8)
    }

    private static func result(_ steps: [(type: String, call: Int, fromClient: Bool)], names: String?) -> AnalysisResult
    {
        var wire = Wire()
        wire.serverPort = 9_000
        wire.connect()
        for step in steps {
            wire.seconds += 0.1
            wire.send(
                fromClient: step.fromClient,
                message(step.type, step.call, names: names, fromClient: step.fromClient))
        }
        return wire.analyzed(rules: BuiltIn.rules)
    }

    @Test("are two sessions, each with its offer and answer", arguments: ["call", "callId", "roomId"])
    func named(_ name: String) {
        for order in [[1, 2], [2, 1]] {
            let answers = order.map { (type: "answer", call: $0, fromClient: false) }
            let result = Self.result([("offer", 1, true), ("offer", 2, true)] + answers, names: name)
            #expect(result.calls.count == 2 && !result.findings.contains { $0.rule == "OA-GLARE" })
            for call in result.calls {
                let own = result.events.filter { $0.session == call.record.id }.compactMap {
                    $0.message as? SignalingMessage
                }
                #expect(own.map(\.kind) == ["offer", "answer"])
                #expect(Set(own.compactMap(\.envelope.call)).count == 1)
            }
        }
    }

    @Test("are two sessions also if only certificates distinguish them")
    func unnamed() {
        let result = Self.result([("offer", 1, true), ("offer", 2, true)], names: nil)
        #expect(result.calls.count == 2 && !result.findings.contains { $0.rule == "OA-GLARE" })
    }

    @Test("simultaneous offers of both sides (glare) are one call")
    func glare() {
        let result = Self.result([("offer", 1, true), ("offer", 1, false)], names: nil)
        #expect(result.calls.count == 1 && result.findings.contains { $0.rule == "OA-GLARE" })
    }
}
