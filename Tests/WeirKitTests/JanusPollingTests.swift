import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

@testable import WeirKit

/// Janus over HTTP: requests on one connection, events polled on another, or a connection for each request.
@Suite("Janus over HTTP") struct JanusPollingTests {
    private static let path = "/janus/1234567/89"

    private static func http(_ line: String, _ body: String = "", closes: Bool) -> String {
        let close = closes ? "Connection: close\r\n" : ""
        let type = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return "\(line)\r\nHost: h\r\n\(type)\(close)\r\n\(body)"
    }

    /// The exchanges: connection, request line, its body, and that of the response.
    private static let exchanges: [(connection: String, line: String, body: String, answer: String)] = [
        ("post", "POST /janus", #"{"janus":"create"}"#, #"{"janus":"success","data":{"id":1234567}}"#),
        (
            "post", "POST /janus/1234567", #"{"janus":"attach","plugin":"p"}"#,
            #"{"janus":"success","session_id":1234567,"data":{"id":89}}"#
        ),
        ("poll", "GET /janus/1234567", "", #"{"janus":"keepalive"}"#),
        (
            "post", "POST \(path)",
            #"{"janus":"message","body":{},"jsep":{"type":"offer","sdp":"\#(SignalingTests.sdp)"}}"#,
            #"{"janus":"ack","session_id":1234567}"#
        ),
        (
            "post", "POST \(path)", #"{"janus":"trickle","candidate":{"completed":true}}"#,
            #"{"janus":"ack","session_id":1234567}"#
        ),
        (
            "poll", "GET /janus/1234567", "",
            #"{"janus":"event","session_id":1234567,"sender":89,"jsep":{"type":"answer","sdp":"\#(SignalingTests.answer)"}}"#
        ),
        ("poll", "GET /janus/1234567", "", #"{"janus":"keepalive"}"#),
        ("post", "POST \(path)", #"{"janus":"detach"}"#, #"{"janus":"success","session_id":1234567}"#),
        ("poll", "GET /janus/1234567", "", #"{"janus":"detached","session_id":1234567,"sender":89}"#),
    ]

    private static let kinds = [
        "login", "other", "login", "other", "heartbeat", "offer", "other", "endOfCandidates", "other", "answer",
        "heartbeat", "bye", "other", "other",
    ]

    private static func result(closes: Bool) -> AnalysisResult {
        var wire = Wire()
        wire.serverPort = 8_088
        var ports: [String: UInt16] = [:]
        for (number, exchange) in exchanges.enumerated() {
            let name = closes ? "\(number)" : exchange.connection
            let isNew = ports[name] == nil
            wire.port = ports[name] ?? UInt16(40_000 + ports.count)
            ports[name] = wire.port
            if isNew { wire.connect() }
            wire.send(
                fromClient: true, Array(http("\(exchange.line) HTTP/1.1", exchange.body, closes: closes).utf8))
            wire.seconds += 0.1
            wire.send(fromClient: false, Array(http("HTTP/1.1 200 OK", exchange.answer, closes: closes).utf8))
            if closes { wire.close(fromClient: false) }
        }
        return wire.analyzed(rules: BuiltIn.rules)
    }

    @Test("all messages are of one call, and only its end is a bye")
    func connections() {
        let result = Self.result(closes: false)
        #expect(result.calls.count == 1)
        let steps = result.events.filter { $0.message.protocolName == "signaling" }
        #expect(
            steps.sorted { $0.frame < $1.frame }.map(\.message.kind) == Self.kinds)
        #expect(Set(steps.compactMap(\.session)).count == 1)
    }

    @Test("a connection for each request: everything with a name is of one call, too")
    func connectionEach() {
        let result = Self.result(closes: true)
        #expect(result.calls.count == 1)
        let steps = result.events.filter { $0.message.protocolName == "signaling" }
        let kinds = steps.sorted { $0.frame < $1.frame }.map(\.message.kind)
        // A connection that only fetches, before the first description, is not followed.
        #expect(kinds == Self.kinds.prefix(4) + Self.kinds.suffix(9))
        #expect(!result.findings.contains { ["SIG-CAND-EARLY", "SIG-LOGIN-FIRST", "SIG-ROUTE"].contains($0.rule) })
    }

    @Test("JSON of another server is no signaling")
    func other() {
        var wire = Wire()
        for port in [UInt16(8_088), 8_089] {
            wire.serverPort = port
            wire.port += 1
            wire.connect()
            let body = port == 8_088 ? Self.exchanges[3].body : #"{"price":3}"#
            wire.send(fromClient: true, Array(Self.http("POST /a HTTP/1.1", body, closes: false).utf8))
            wire.send(fromClient: false, Array(Self.http("HTTP/1.1 200 OK", #"{"ok":1}"#, closes: false).utf8))
            wire.close()
        }
        let ports = wire.analyzed().events.filter { $0.message.protocolName == "signaling" }.map(\.destination.port)
        #expect(ports.contains(8_088) && !ports.contains(8_089))
    }
}
