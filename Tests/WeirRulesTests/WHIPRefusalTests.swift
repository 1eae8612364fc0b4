import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Offers refused by a WHIP or WHEP server: status, reason and cause.
@Suite("Refused offers of WHIP") struct WHIPRefusalTests {
    typealias Script = WHIPRuleTests.Script

    private static let json = [
        #"{"type":"offer","sdp":""# + WHIPRuleTests.offer.map { $0 + "\\r\\n" }.joined() + #""}"#
    ]

    private static func session(
        _ head: [String] = [], type: String? = "application/sdp", _ body: [String] = WHIPRuleTests.offer,
        answer: [String]
    ) throws -> AnalysisResult.SessionResult {
        let request = Script.http(["POST /live/whip HTTP/1.1", "Host: h"] + head, type: type, body)
        let result = Script(messages: [request, Script.http(answer)]).result()
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        return try #require(result.sessions.first)
    }

    @Test(
        "each status has its cause",
        arguments: [
            ("401 Unauthorized", "credentials-missing"), ("403 Forbidden", "forbidden"), ("404 Not Found", "not-found"),
            ("405 Method Not Allowed", "method-not-allowed"), ("415 Unsupported Media Type", "content-type"),
            ("422 Unprocessable Content", "offer-refused"), ("500 Internal Server Error", "server-error"),
            ("503 Service Unavailable", "server-unavailable"), ("429 Too Many Requests", "server-unavailable"),
        ])
    func causes(_ status: String, _ cause: String) throws {
        let session = try Self.session(answer: ["HTTP/1.1 \(status)"])
        #expect(session.causes.map(\.id) == [cause])
        #expect(session.causes.first?.frames.count == 2)
        #expect(session.outcome.contains { $0.hasPrefix("the offer was refused in frame") && $0.hasSuffix(status) })
    }

    @Test("an accepted offer has none")
    func accepted() throws {
        #expect(try #require(WHIPRuleTests.clean.result().sessions.first).causes.isEmpty)
    }

    @Test("sent credentials are refused")
    func credentials() throws {
        let session = try Self.session(["Authorization: Bearer abc"], answer: ["HTTP/1.1 401 Unauthorized"])
        #expect(session.causes.map(\.id) == ["credentials-refused"])
    }

    @Test("the content type is named, JSON and others")
    func contentTypes() throws {
        let bodies = [
            ("application/json", Self.json), ("text/plain", WHIPRuleTests.offer),
            ("application/x-www-form-urlencoded", WHIPRuleTests.offer),
        ]
        for (type, body) in bodies {
            let session = try Self.session(type: type, body, answer: ["HTTP/1.1 415 Unsupported Media Type"])
            #expect(session.causes.map(\.id) == ["content-type"], "\(type): \(session.outcome)")
            #expect(session.outcome.first?.contains("415 Unsupported Media Type") == true)
            #expect(session.outcome.last == "the offer was sent as \(type), not as application/sdp (RFC 9725)")
        }
    }

    @Test("the retry delay is named")
    func retryAfter() throws {
        let session = try Self.session(answer: ["HTTP/1.1 503 Service Unavailable", "Retry-After: 30"])
        #expect(session.outcome.last?.hasSuffix("(Retry-After: 30 s)") == true)
    }

    private static let preflight = Script.http([
        "OPTIONS /live/whip HTTP/1.1", "Host: h", "Origin: https://page.test", "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type",
    ])

    @Test(
        "a browser without CORS permission never posts",
        arguments: [["HTTP/1.1 405 Method Not Allowed"], ["HTTP/1.1 204 No Content", "Allow: POST"]])
    func preflightRefused(_ answer: [String]) throws {
        let result = Script(messages: [Self.preflight, Script.http(answer)]).result()
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.causes.map(\.id) == ["preflight-refused"])
        #expect(session.outcome.first?.hasPrefix("the preflight request (OPTIONS) was refused in frame") == true)
    }

    @Test("a permitted preflight is no call by itself, and is compatible with the token of the POST")
    func preflightAllowed() throws {
        let allowed = Script.http(["HTTP/1.1 204 No Content", "Access-Control-Allow-Origin: *"])
        #expect(Script(messages: [Self.preflight, allowed]).result().sessions.isEmpty)
        let result = Script(messages: [Self.preflight, allowed] + WHIPRuleTests.clean.messages).result()
        #expect(result.sessions.count == 1 && result.findings.isEmpty)
        #expect(try #require(result.sessions.first).causes.isEmpty)
    }

    @Test("the refusal of another request on the connection is not that of the offer")
    func another() throws {
        let offer = Script.http(["POST /signal HTTP/1.1", "Host: h"], type: "application/json", Self.json)
        let accepted = Script.http(["HTTP/1.1 200 OK"], type: "application/json", [#"{"result":"ok"}"#])
        let poll = Script.http(["POST /poll HTTP/1.1", "Host: h"], type: "application/json", [#"{"poll":1}"#])
        let failed = Script.http(["HTTP/1.1 404 Not Found"])
        let session = try #require(Script(messages: [offer, accepted, poll, failed]).result().sessions.first)
        #expect(session.causes.isEmpty && !session.outcome.contains { $0.contains("refused") })
    }
}
