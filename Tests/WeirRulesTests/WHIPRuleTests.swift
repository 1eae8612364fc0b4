import Testing
import WeirEngine
import WeirKit
@testable import WeirProtocols

@Suite("Rules of WHIP") struct WHIPRuleTests {
    /// A conversation over HTTP, with parts that cases replace.
    struct Script: Sendable {
        /// Alternating requests and responses.
        var messages: [String]

        /// Returns the message with a body of this type, with its length filled in.
        static func http(_ head: [String], type: String? = nil, _ body: [String] = []) -> String {
            let text = body.map { $0 + "\r\n" }.joined()
            let fields = type.map { ["Content-Type: \($0)"] } ?? []
            return (head + fields + ["Content-Length: \(text.utf8.count)", "", ""]).joined(separator: "\r\n") + text
        }

        /// The findings: `severity key`.
        func said() -> [String] {
            result().findings.map { "\($0.severity.rawValue) \($0.message.key)" }
        }

        func result() -> AnalysisResult {
            var dialogue = Dialogue(.tcp, port: 8_080)
            for (index, message) in messages.enumerated() {
                if index % 2 == 0 {
                    dialogue.client(Array(message.utf8))
                } else {
                    dialogue.server(Array(message.utf8))
                }
            }
            return dialogue.analyzed(rules: WHIP.rules)
        }

        /// Returns the script with a part of every message replaced.
        func replacing(_ piece: String, with other: String) -> Self {
            Script(messages: messages.map { Self.measured($0.replacing(piece, with: other)) })
        }

        /// Returns the message with the current length of its body.
        private static func measured(_ message: String) -> String {
            guard let end = message.firstRange(of: "\r\n\r\n") else { return message }
            let length = message[end.upperBound...].utf8.count
            return message.replacing(/Content-Length: \d+/, with: "Content-Length: \(length)")
        }
    }

    static let offer = [
        "v=0", "o=- 1 1 IN IP4 192.0.2.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
        "c=IN IP4 0.0.0.0", "a=mid:0", "a=ice-ufrag:EsAw", "a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1", "a=sendonly",
        "a=rtcp-mux", "a=rtcp-mux-only", "a=msid:stream audio", "a=rtpmap:111 opus/48000/2",
        "m=video 9 UDP/TLS/RTP/SAVPF 96", "c=IN IP4 0.0.0.0", "a=mid:1", "a=ice-ufrag:EsAw",
        "a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1", "a=sendonly", "a=rtcp-mux", "a=rtcp-mux-only", "a=msid:stream video",
        "a=rtpmap:96 VP8/90000",
    ]
    private static let answer = [
        "v=0", "o=- 2 2 IN IP4 192.0.2.2", "s=-", "t=0 0", "a=group:BUNDLE 0 1", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
        "c=IN IP4 0.0.0.0", "a=mid:0", "a=ice-ufrag:38sd", "a=ice-pwd:D2uYro0UCOQ4zxjKXaWCBui1", "a=recvonly",
        "a=rtcp-mux", "a=candidate:1 1 UDP 2130706431 192.0.2.2 3478 typ host", "a=rtpmap:111 opus/48000/2",
        "m=video 9 UDP/TLS/RTP/SAVPF 96", "c=IN IP4 0.0.0.0", "a=mid:1", "a=ice-ufrag:38sd",
        "a=ice-pwd:D2uYro0UCOQ4zxjKXaWCBui1", "a=recvonly", "a=rtcp-mux", "a=rtpmap:96 VP8/90000",
    ]
    private static let fragment = "application/trickle-ice-sdpfrag"
    private static let token = "Authorization: Bearer abc"

    private static func credentials(_ ufrag: String) -> [String] {
        ["a=ice-ufrag:\(ufrag)", "a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1", "m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=mid:0"]
    }

    static let clean = Script(messages: [
        Script.http(["POST /whip HTTP/1.1", token], type: "application/sdp", offer),
        Script.http(["HTTP/1.1 307 Temporary Redirect", "Location: /whip/b"]),
        Script.http(["POST /whip/b HTTP/1.1", token], type: "application/sdp", offer),
        Script.http(
            ["HTTP/1.1 201 Created", "ETag: \"one\"", "Location: /session/1"], type: "application/sdp", answer),
        Script.http(
            ["PATCH /session/1 HTTP/1.1", token, "If-Match: \"one\""], type: fragment,
            credentials("EsAw") + ["a=candidate:2 1 UDP 2130706431 192.0.2.1 5000 typ host"]),
        Script.http(["HTTP/1.1 204 No Content"]),
        Script.http(["PATCH /session/1 HTTP/1.1", token, "If-Match: \"*\""], type: fragment, credentials("New1")),
        Script.http(["HTTP/1.1 200 OK", "ETag: \"two\""], type: fragment, credentials("New2")),
        Script.http(["DELETE /session/1 HTTP/1.1", token]),
        Script.http(["HTTP/1.1 200 OK"]),
    ])

    /// A conversation with parts replaced, and the expected findings.
    struct Broken: Sendable, CustomTestStringConvertible {
        var piece: String
        var other: String
        var said: [String]
        var testDescription: String { said.joined(separator: ", ") }
        init(_ said: String..., piece: String, with other: String) {
            (self.piece, self.other, self.said) = (piece, other, said)
        }
    }

    static let broken = [
        Broken("error WHIP-POST.status", piece: "201 Created", with: "200 OK"),
        Broken("error WHIP-POST.location", piece: "Location: /session/1", with: "X: y"),
        Broken("error WHIP-DIR.offer", piece: "a=sendonly", with: "a=inactive"),
        Broken("error WHIP-DIR.answer", piece: "a=recvonly", with: "a=sendrecv"),
        Broken("error WHIP-PATCH.type", piece: fragment, with: "application/json"),
        Broken("error WHIP-PATCH.ifMatch", piece: "If-Match: \"one\"", with: "X: y"),
        Broken("error WHIP-PATCH.status", piece: "204 No Content", with: "200 OK"),
        // The fragments are no descriptions, whatever their type.
        Broken("error WHIP-PATCH.type", piece: fragment, with: "application/sdp"),
        Broken("error WHIP-PATCH.answer", piece: "204 No Content", with: "204 No Content\r\nETag: \"x\""),
        Broken("error WHIP-RESTART.ifMatch", piece: "If-Match: \"*\"", with: "If-Match: \"one\""),
        Broken("error WHIP-RESTART.answer", piece: "ETag: \"two\"", with: "ETag: \"one\""),
        Broken("warning WHIP-CANDS.none", piece: "a=candidate:1", with: "a=x-candidate:1"),
        Broken(
            "error WHIP-BUNDLE.group", piece: "a=group:BUNDLE 0 1", with: "a=group:LS 0 1"),
        Broken("note WHIP-BUNDLE.muxOnly", piece: "a=rtcp-mux-only", with: "a=x"),
        Broken(
            "error WHIP-BUNDLE.streams", piece: "a=msid:stream v", with: "a=msid:other v"),
        Broken("error WHIP-REDIRECT.status", piece: "307 Temporary Redirect", with: "302 Found"),
        Broken("warning WHIP-DELETE.other", piece: "Location: /session/1", with: "Location: session/1"),
        Broken(
            "warning WHIP-AUTH.without", piece: "DELETE /session/1 HTTP/1.1\r\n\(token)",
            with: "DELETE /session/1 HTTP/1.1\r\nX: y"),
    ]

    @Test("a conversation that keeps every rule has no findings, and each rule passes")
    func kept() {
        let result = Self.clean.result()
        #expect(result.findings.map(\.message.key) == [])
        let passes = Set(result.tallies.joined().filter { $0.pass > 0 }.map(\.rule))
        #expect(passes == Set(WHIP.rules.map { $0.info.id }))
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
        let reported = result.events.filter { $0.message.protocolName == "http" }
        #expect(reported.count == Self.clean.messages.count && reported.allSatisfy { $0.session == 1 })
    }

    @Test("a rule reports what is broken, and the severity", arguments: broken)
    func said(_ example: Broken) {
        let script = Self.clean.replacing(example.piece, with: example.other)
        #expect(script.said() == example.said)
    }

    @Test("a token added after a refusal is the expected reaction")
    func tokenAfterRefusal() {
        let bare = Script.http(["POST /whip/b HTTP/1.1"], type: "application/sdp", Self.offer)
        let refusal = Script.http(["HTTP/1.1 401 Unauthorized", "WWW-Authenticate: Bearer"])
        let rest = Array(Self.clean.messages.dropFirst(2))
        #expect(Script(messages: [bare, refusal] + rest).said() == [])
        let late = Self.clean.replacing(
            "POST /whip/b HTTP/1.1\r\n\(Self.token)", with: "POST /whip/b HTTP/1.1\r\nX: y")
        #expect(late.said().allSatisfy { $0 == "warning WHIP-AUTH.late" } && !late.said().isEmpty)
    }

    @Test("a session without DELETE is not closed")
    func noDelete() {
        #expect(Script(messages: Array(Self.clean.messages.dropLast(2))).said() == ["warning WHIP-DELETE.none"])
    }

    @Test("every rule has a conversation that breaks it")
    func everyRuleIsTested() {
        let broken = Set(Self.broken.flatMap(\.said).map { $0.split(separator: " ")[1].split(separator: ".")[0] })
        #expect(broken.union(["WHIP-DELETE"]) == Set(WHIP.rules.map { $0.info.id[...] }), "the one stands above")
    }

    @Test("DELETE of an unknown resource creates no session, and is not reported")
    func unrelated() {
        let script = Script(messages: [
            Script.http(["DELETE /items/7 HTTP/1.1"]), Script.http(["HTTP/1.1 204 No Content"]),
        ])
        let result = script.result()
        #expect(result.events.isEmpty && result.sessions.isEmpty)
    }

    @Test("ICE servers' credentials in Link are masked, and so are tokens")
    func secrets() {
        let script = Self.clean.replacing(
            "ETag: \"one\"",
            with: "ETag: \"one\"\r\nLink: <turn:a.example>; rel=\"ice-server\"; username=\"u\"; credential=\"hunter2\"")
        let reported = script.result().events.map { "\($0.message.fields(.masked))\($0.message.summary(.masked))" }
        for secret in ["hunter2", "Bearer abc", "UCOQ4zxjKXaWCBui1"] {
            #expect(!reported.contains { $0.contains(secret) }, "\(secret)")
        }
    }

    @Test("a refused offer is in the outcome, with its frame")
    func refused() throws {
        let script = Script(messages: [
            Script.http(["POST /whip HTTP/1.1", "Host: h"], type: "application/sdp", Self.offer),
            Script.http(["HTTP/1.1 404 Not Found"]),
        ])
        let outcome = try #require(script.result().sessions.first?.outcome)
        #expect(outcome.contains { $0.hasPrefix("the offer was refused in frame") && $0.hasSuffix("404 Not Found") })
    }
}
