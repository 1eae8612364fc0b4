import Testing
import WeirEngine
import WeirKit
@testable import WeirProtocols

/// Messages between a client and its server, with the expected findings of a rule.
struct SignalingCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var name: String
    /// `C` or `S`, optionally the seconds since the previous step, and the text; a line feed ends each.
    var lines: [String]
    /// `severity key` of each finding; empty when the rule passes, nil when it does not apply.
    var expected: [String]?

    var testDescription: String { "\(rule): \(name)" }

    init(_ rule: String, _ name: String, _ lines: [String], expect expected: [String]?) {
        self.rule = rule
        self.name = name
        self.lines = lines
        self.expected = expected
    }

    func judged() -> (words: [String], passes: Int) {
        var dialogue = Dialogue(.tcp, port: 6868)
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            let octets = Array((parts[2].replacing("␊", with: "\n") + (parts[2].hasSuffix("␄") ? "" : "\n")).utf8)
            let plain = parts[2].hasSuffix("␄") ? Array(parts[2].dropLast().utf8) : octets
            let seconds = Double(parts[1]) ?? 0
            if parts[0] == "C" {
                dialogue.client(plain, after: seconds)
            } else {
                dialogue.server(plain, after: seconds)
            }
        }
        let result = dialogue.analyzed(rules: BuiltIn.rules.filter { $0.info.id == rule })
        let words = result.findings.map { finding in
            "\(finding.verdict == .fail ? finding.severity.rawValue : "inconclusive") \(finding.message.key)"
        }
        return (words, result.tallies.flatMap { $0 }.reduce(0) { $0 + $1.pass })
    }
}

extension SignalingCase {
    private static let offer = #"C 0.01 {"type":"offer","sdp":"\#(SignalingTests.sdp)"}"#
    private static let answer = #"S 0.01 {"type":"answer","sdp":"\#(SignalingTests.answer)"}"#
    private static let candidate = "C 0.01 " + SignalingTests.candidate
    private static let login = [#"C 0.01 {"type":"login"}"#, #"S 0.01 {"type":"login","to":7}"#]
    private static func routed(_ from: String, _ to: String) -> String {
        offer.replacing(#"{"type""#, with: #"{"from":\#(from),"to":\#(to),"type""#)
    }
    private static func beat(_ seconds: Int) -> String { #"C \#(seconds) {"type":"heartbeat"}"# }

    static let all = [
        Self("SIG-FRAMING", "by line feeds", [offer, candidate], expect: []),
        Self("SIG-FRAMING", "one without", [offer, candidate + "␄", candidate], expect: ["error SIG-FRAMING.unended"]),
        Self("SIG-JSON", "JSON", [offer, candidate], expect: []),
        Self(
            "SIG-JSON", "a byte order mark between messages", [offer, "C 0.01 \u{FEFF}" + #"{"type":"x"}"#],
            expect: ["error SIG-JSON.byteOrderMark"]),
        Self("SDP-ICE-CAND", "by itself", [offer, candidate], expect: []),
        Self(
            "SDP-ICE-CAND", "no port", [offer, candidate.replacing(" 61022 typ", with: " typ")],
            expect: ["error SDP-ICE-CAND.form"]),
        Self(
            "SDP-ICE-CAND", "of a server, without its base", [offer, candidate.replacing("host", with: "srflx")],
            expect: ["error SDP-ICE-CAND.unrelated"]),
        Self(
            "SDP-ICE-CAND", "hidden", [offer, candidate.replacing("192.0.2.1", with: "a1b2.local")],
            expect: ["note SDP-ICE-CAND.mdns"]),
        Self("SDP-ICE-CAND", "none", [offer, #"C 0.01 {"type":"x"}"#], expect: nil),
        Self("SIG-JSON", "a comma too many", [offer, #"C 0.01 {"type":"x",}"#], expect: ["error SIG-JSON.strayComma"]),
        Self("SIG-JSON", "a name twice", [offer, #"C 0.01 {"a":1,"a":2}"#], expect: ["note SIG-JSON.repeatedName"]),
        Self("SIG-JSON", "no end", [offer, #"C 0.01 {"type":"#, candidate], expect: ["error SIG-JSON.unfinished"]),
        Self("SIG-TYPE", "offer and answer", [offer, answer], expect: []),
        Self(
            "SIG-TYPE", "empty", [offer.replacing(#""type":"offer""#, with: #""type":"""#)],
            expect: ["error SIG-TYPE.unknown"]),
        Self("SIG-TYPE", "no text", [offer, #"S 0.01 {"type":"answer","sdp":""}"#], expect: ["error SIG-TYPE.empty"]),
        Self("SIG-TYPE", "a rollback", [offer, #"S 0.01 {"type":"rollback","sdp":""}"#], expect: []),
        Self("SIG-LOGIN-FIRST", "answered", login + [routed("7", "8")], expect: []),
        Self(
            "SIG-LOGIN-FIRST", "early", [login[0], routed("7", "8"), login[1]], expect: ["error SIG-LOGIN-FIRST.early"]),
        Self("SIG-LOGIN-FIRST", "never answered", [login[0], routed("7", "8")], expect: []),
        Self("SIG-LOGIN-FIRST", "only a peer answers", [login[0], offer, answer], expect: []),
        Self("SIG-LOGIN-FIRST", "to nobody", login + [routed("7", "0")], expect: ["error SIG-LOGIN-FIRST.nobody"]),
        Self("SIG-LOGIN-FIRST", "no login", [routed("7", "0")], expect: nil),
        Self("SIG-ROUTE", "true", [routed("7", "8")], expect: []),
        Self("SIG-ROUTE", "to itself", [routed("7", "7")], expect: ["error SIG-ROUTE.self"]),
        Self(
            "SIG-ROUTE", "another's",
            [routed("7", "8"), answer.replacing(#"{"type""#, with: #"{"from":8,"to":7,"type""#), routed("9", "8")],
            expect: ["error SIG-ROUTE.source"]),
        Self("SIG-CAND-EARLY", "behind the offer", [offer, candidate], expect: []),
        Self("SIG-CAND-EARLY", "before it", [candidate, offer], expect: ["warning SIG-CAND-EARLY.early"]),
        Self("SIG-CAND-MID", "of the first medium", [offer, candidate], expect: []),
        Self(
            "SIG-CAND-MID", "of none", [offer, candidate.replacing(#""sdpMid":"0""#, with: #""sdpMid":"7""#)],
            expect: ["error SIG-CAND-MID.unknown"]),
        Self(
            "SIG-CAND-MID", "behind the last",
            [offer, candidate.replacing(#""sdpMid":"0""#, with: #""sdpMLineIndex":1"#)],
            expect: ["error SIG-CAND-MID.index"]),
        Self(
            "SIG-CAND-MID", "left out", [offer, candidate.replacing(#","sdpMid":"0""#, with: "")],
            expect: ["warning SIG-CAND-MID.none"]),
        Self(
            "SIG-CAND-MID", "null",
            [offer, candidate.replacing(#""sdpMid":"0""#, with: #""sdpMid":null,"sdpMLineIndex":null"#)],
            expect: ["error SIG-CAND-MID.none"]),
        Self(
            "SIG-CAND-MID", "of another generation",
            [offer, candidate.replacing("typ host", with: "typ host ufrag zzzz")],
            expect: ["error SIG-CAND-MID.generation"]),
        Self("SIG-EOC", "said", [offer, candidate, #"C 0.01 {"candidate":"","sdpMid":"0"}"#], expect: []),
        Self("SIG-EOC", "never", [offer, candidate], expect: ["note SIG-EOC.never"]),
        Self(
            "SIG-EOC", "too soon",
            [
                offer, candidate, #"C 0.01 {"type":"candidate","candidate":null}"#,
                candidate.replacing(#""sdpMid":"0""#, with: #""sdpMLineIndex":0"#),
            ], expect: ["note SIG-EOC.after"]),
        Self("SIG-HEARTBEAT", "regular", [offer, beat(1), beat(5), beat(5), beat(5)], expect: []),
        Self(
            "SIG-HEARTBEAT", "a pause", [offer, beat(1), beat(4), beat(4), beat(20)],
            expect: ["warning SIG-HEARTBEAT.pause"]),
        Self("SIG-CLEAR", "in the clear", [offer, answer], expect: ["warning SIG-CLEAR.clear"]),
        Self(
            "SIG-CLEAR", "no fingerprint",
            [#"C 0 {"type":"offer","sdp":"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"}"#], expect: nil),
        Self("SIG-RECONNECT", "one connection", login + [offer], expect: []),
    ]
}

/// Each rule on signaling, with cases that break and keep it.
@Suite("Rules of signaling") struct SignalingRuleTests {
    @Test("each reports what is broken, and the severity", arguments: SignalingCase.all)
    func judges(_ example: SignalingCase) {
        let (words, passes) = example.judged()
        #expect(words == example.expected ?? [])
        if example.expected == [] { #expect(passes > 0) }
        if example.expected == nil { #expect(passes == 0) }
    }

    @Test("each has a case that breaks it and one that keeps it")
    func everyRule() {
        for rule in Signaling.rules {
            let cases = SignalingCase.all.filter { $0.rule == rule.info.id }
            // Tested separately: several connections, and a single host.
            if rule.info.id != "SIG-RECONNECT" {
                #expect(cases.contains { $0.expected?.isEmpty == false }, "\(rule.info.id)")
            }
            if rule.info.id != "SIG-CLEAR" { #expect(cases.contains { $0.expected == [] }, "\(rule.info.id)") }
        }
    }
}
