import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

@testable import WeirKit

/// Calls whose signaling travels in HTTP bodies fetched by long polling.
@Suite("Signaling by long polling") struct PolledSignalingTests {
    private static func http(_ line: String, _ body: String = "", type: String = "application/json") -> [UInt8] {
        let head = ["\(line)", "Host: h", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)", "", body]
        return Array(head.joined(separator: "\r\n").utf8)
    }

    /// A call in which one peer posts the offer and fetches the answer.
    private static func result(_ offer: String, _ answer: String, type: String) -> AnalysisResult {
        var wire = Wire()
        wire.serverPort = 3_000
        wire.connect()
        let target = "/socket.io/?EIO=4&transport=polling"
        wire.send(fromClient: true, http("POST \(target) HTTP/1.1", offer, type: type))
        wire.send(fromClient: false, http("HTTP/1.1 200 OK"))
        for body in [nil, answer, nil] {
            wire.seconds += 5
            wire.send(fromClient: true, Array("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            wire.seconds += 1
            wire.send(
                fromClient: false, body.map { http("HTTP/1.1 200 OK", $0, type: type) } ?? http("HTTP/1.1 204 None"))
        }
        wire.close()
        return wire.analyzed()
    }

    @Test("a posted offer and a fetched answer are one call", arguments: [true, false])
    func call(_ isSocketIO: Bool) throws {
        func message(_ type: String, _ sdp: String) -> String {
            let json = "{\"type\":\"\(type)\",\"sdp\":\"\(sdp)\"}"
            return isSocketIO ? "42[\"message\",\(json)]" : json
        }
        let result = Self.result(
            message("offer", SignalingTests.sdp), message("answer", SignalingTests.answer),
            type: isSocketIO ? "text/plain; charset=UTF-8" : "application/json")
        #expect(result.calls.count == 1)
        let said = result.events.filter { $0.message.protocolName == "signaling" }
        #expect(said.map(\.message.kind) == ["offer", "answer"] && said.map(\.frame) == [4, 9])
    }

    @Test("Socket.IO control packets are distinguished, and its events are signaling, as in python-socketio")
    func recorded() throws {
        let result = try Analysis(RecordedCaptures.path("Captures/webrtc/signaling-socketio.pcap")).run()
        #expect(result.calls.count == 1)
        let said = result.events.filter { $0.message.protocolName == "signaling" }
        let types = said.map { event in event.message.fields(.masked).first { $0.name == "type" }?.value.string ?? "?" }
        #expect(types.prefix(6) == ["ping", "pong", "open", "open", "join", "ready"])
        #expect(said.map(\.message.kind).suffix(3) == ["offer", "answer", "bye"])
    }

    @Test("other polled content is no signaling")
    func unrelated() {
        let result = Self.result("{\"type\":\"offer\",\"price\":3}", "{\"answer\":42}", type: "application/json")
        #expect(result.calls.isEmpty && !result.events.contains { $0.message.protocolName == "signaling" })
    }
}
