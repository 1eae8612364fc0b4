import CaptureTesting
import Testing
import WeirEngine
import WeirKit

/// TLS flows are identified by server name, ALPN or port; others are only counted.
@Suite("Encrypted flows") struct EncryptedFlowTests {
    private static func recorded(_ path: String) throws -> AnalysisResult {
        try Analysis(RecordedCaptures.path("Captures/\(path).pcap")).run()
    }

    @Test(
        "are named if the content is identified",
        arguments: [
            ("rtsp/rtsps", "camera.weir.example", "tls.rtsps.port"),
            ("rtmp/rtmps-server-name", "rtmp.weir.example", "tls.rtmps.name"),
            ("webrtc/signaling-wss", "signaling.weir.example", "tls.name.signaling"),
        ])
    func named(_ path: String, _ server: String, _ note: String) throws {
        let result = try Self.recorded(path)
        let hellos = result.events.filter { $0.message.protocolName == "tls" }
        #expect(hellos.map(\.message.kind) == ["clientHello", "serverHello"])
        #expect(hellos.map(\.message).compactMap(\.note).map(\.key) == [note])
        let fields = hellos.flatMap { $0.message.fields(.masked) }
        #expect(fields.contains(Field("serverName", .string(server))))
        #expect(fields.contains { $0.name == "alpn" } == path.hasPrefix("webrtc"))
        #expect(result.summaries.map(\.encryptedFlows) == [0])
    }

    @Test(
        "are only counted otherwise",
        arguments: ["rtsp/rtsps-other-port"])
    func counted(_ path: String) throws {
        let result = try Self.recorded(path)
        #expect(!result.events.contains { $0.message.protocolName == "tls" })
        #expect(result.summaries.map(\.encryptedFlows) == [1])
    }

    @Test("are shown if a session has the same host, and named as the possible signaling of a call")
    func sameHost() throws {
        let result = try Self.recorded("webrtc/signaling-wss-unnamed")
        let hellos = result.events.filter { $0.message.protocolName == "tls" }
        #expect(hellos.map(\.message.kind) == ["clientHello"])
        let first = try #require(result.events.first { $0.message.protocolName == "stun" })
        #expect(hellos.allSatisfy { $0.frame < first.frame })
        let outcome = result.sessions.flatMap(\.outcome)
        #expect(outcome.contains { $0.contains("it may be in flow") }, "\(outcome)")
    }

    @Test("are all shown on request", arguments: ["rtsp/rtsps-other-port", "webrtc/signaling-wss-unnamed"])
    func all(_ path: String) throws {
        var analysis = Analysis(RecordedCaptures.path("Captures/\(path).pcap"))
        analysis.options.showsEncrypted = true
        let kinds = try analysis.run().events.filter { $0.message.protocolName == "tls" }.map(\.message.kind)
        #expect(kinds == ["clientHello", "serverHello"])
    }

    @Test("a server name with RTSP identifies it on any port")
    func namedServer() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsps-other-port.pcap"))
        let from = Array("camera.weir".utf8)
        // A name of the same length, so that everything else is unchanged.
        let to = Array("rtsps1.weir".utf8)
        let changed = frames.map { frame -> KeptFrame in
            var frame = frame
            guard frame.octets.count > from.count else { return frame }
            for start in 0...(frame.octets.count - from.count)
            where Array(frame.octets[start..<start + from.count]) == from {
                frame.octets.replaceSubrange(start..<start + from.count, with: to)
            }
            return frame
        }
        let notes = EditedCalls.analyzed(changed).events.map(\.message).compactMap(\.note)
        #expect(notes.contains { $0.key == "tls.name.rtsps" })
    }
}
