import Testing
import WeirEngine
import WeirKit
import WeirPackets
@testable import WeirProtocols
import WeirReports

/// Calls with JSON signaling over TCP.
@Suite("Signaling on TCP") struct SignalingTests {
    static let sdp =
        "v=0\\r\\no=- 1 2 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\nm=audio 9 UDP/TLS/RTP/SAVPF 111\\r\\n"
        + "c=IN IP4 0.0.0.0\\r\\na=ice-ufrag:abcd\\r\\na=ice-pwd:C4NARYC4NARYC4NARYC4NA\\r\\na=mid:0\\r\\n"
        + "a=setup:actpass\\r\\na=rtcp-mux\\r\\na=fingerprint:sha-256 "
        + Array(repeating: "AB", count: 32).joined(separator: ":") + "\\r\\na=rtpmap:111 opus/48000/2\\r\\n"
    static let answer = sdp.replacing("o=- 1 2", with: "o=- 5 2").replacing("actpass", with: "active")
        .replacing("abcd", with: "efgh")
    static let candidate =
        #"{"type":"candidate","candidate":"candidate:1 1 udp 2122260223 192.0.2.1 61022 typ host","sdpMid":"0"}"#
    /// The messages, with their sender.
    static let call: [(isClient: Bool, text: String)] = [
        (true, #"{"type":"login","name":"a"}"#), (false, #"{"type":"login","ok":true}"#),
        (true, #"{"type":"offer","sdp":"\#(sdp)"}"#), (true, candidate),
        (false, #"{"type":"answer","sdp":"\#(answer)"}"#),
        (false, candidate.replacing("192.0.2.1", with: "192.0.2.2")), (true, #"{"type":"candidate","candidate":null}"#),
        (true, #"{"type":"bye"}"#),
    ]
    static let kinds = ["login", "login", "offer", "candidate", "answer", "candidate", "endOfCandidates", "bye"]

    /// A message framing.
    struct Packing: Sendable, CustomTestStringConvertible {
        var name: String
        var pack: @Sendable ([UInt8]) -> [UInt8]
        var testDescription: String { name }

        static func length(_ name: String, _ width: Int, little: Bool = false, extra: Int = 0, magic: [UInt8] = [])
            -> Self
        {
            Self(name: name) { text in
                let count = text.count + extra
                let big = (0..<width).map { UInt8(truncatingIfNeeded: count >> (8 * (width - 1 - $0))) }
                return magic + (little ? big.reversed() : big) + text
            }
        }
    }

    static let packings = [
        Packing(name: "newline") { $0 + [0x0A] }, Packing(name: "newline") { $0 + [0x0D, 0x0A] },
        Packing(name: "nul") { $0 + [0] }, Packing(name: "concatenated") { $0 }, .length("length2be", 2),
        .length("length2le", 2, little: true), .length("length4be", 4), .length("length4le", 4, little: true),
        .length("length8be", 8), .length("length8le", 8, little: true), .length("length4beincl", 4, extra: 4),
        .length("length2leincl", 2, little: true, extra: 2), .length("length4be", 4, magic: Array("RTC1".utf8)),
        .length("length4beincl", 4, extra: 8, magic: [0xCA, 0xFE, 0, 1]),
    ]

    private func signaling(_ result: AnalysisResult) -> [Event] {
        result.events.filter { $0.message.protocolName == "signaling" }
    }

    private func framings(_ events: [Event]) -> Set<String> {
        Set(events.compactMap { ($0.message as? SignalingMessage)?.framing.name })
    }

    @Test("the framing is inferred, whatever it is", arguments: packings)
    func inferred(packing: Packing) {
        var dialogue = Dialogue(.tcp, port: 6868)
        for step in Self.call {
            let octets = packing.pack(Array(step.text.utf8))
            if step.isClient { dialogue.client(octets) } else { dialogue.server(octets) }
        }
        let result = dialogue.analyzed()
        #expect(signaling(result).map(\.message.kind) == Self.kinds)
        #expect(framings(signaling(result)) == [packing.name])
        #expect(!result.findings.contains { $0.rule == "SIG-FRAMING" || $0.rule == "SIG-JSON" })
        #expect(result.sessions.map(\.record.kind) == ["webrtc"])
    }

    @Test("several messages per segment, and one over many segments", arguments: packings, [1, 7, 100, 3_000])
    func segments(packing: Packing, step: Int) {
        var dialogue = Dialogue(.tcp, port: 6868)
        let octets = Self.call.filter(\.isClient).flatMap { packing.pack(Array($0.text.utf8)) }
        for start in stride(from: 0, to: octets.count, by: step) {
            dialogue.client(Array(octets[start..<min(octets.count, start + step)]))
        }
        let result = dialogue.analyzed()
        #expect(signaling(result).map(\.message.kind) == ["login", "offer", "candidate", "endOfCandidates", "bye"])
    }

    @Test("the first octet of a length may look like a blank", arguments: [true, false])
    func blankLength(isWhole: Bool) {
        var dialogue = Dialogue(.tcp, port: 6868)
        let pack = Packing.length("length4le", 4, little: true).pack
        let octets =
            pack(Array(#"{"type":"login","name":"abcdef"}"#.utf8))
            + pack(Array(#"{"type":"offer","sdp":"\#(Self.sdp)"}"#.utf8))
        #expect(octets.first == 0x20)
        for piece in isWhole ? [octets] : octets.map({ [$0] }) { dialogue.client(piece) }
        #expect(signaling(dialogue.analyzed()).map(\.message.kind) == ["login", "offer"])
    }

    /// Texts of 32, 44, 58, 91, 92 and 123 octets have lengths that look like parts of JSON.
    @Test("a message alone in its segment is reported, whatever its length", arguments: packings)
    func anyLength(packing: Packing) {
        for length in Array(24...128) + [300, 347, 603] {
            let start = #"{"type":"login","a":""#
            let text = start + String(repeating: "x", count: length - start.utf8.count - 2) + #""}"#
            for isWhole in [true, false] {
                var dialogue = Dialogue(.tcp, port: 6868)
                if !isWhole { dialogue.server(packing.pack(Array(#"{"type":"hello"}"#.utf8)), isCaptured: false) }
                dialogue.server(packing.pack(Array(text.utf8)))
                dialogue.client(packing.pack(Array(text.utf8)), after: 1)
                dialogue.client(packing.pack(Array(#"{"type":"offer","sdp":"\#(Self.sdp)"}"#.utf8)), after: 1)
                dialogue.server(packing.pack(Array(#"{"type":"answer","sdp":"\#(Self.answer)"}"#.utf8)), after: 1)
                let found = signaling(dialogue.analyzed()).map(\.message.kind)
                #expect(found == ["login", "login", "offer", "answer"], "\(length) octets")
            }
        }
    }

    @Test("messages before the first description are reported at their own frame and time")
    func before() throws {
        var dialogue = Dialogue(.tcp, port: 6868)
        for _ in 0..<100 {
            dialogue.client(
                Array((#"{"type":"heartbeat","filler":"\#(String(repeating: "x", count: 60))"}"# + "\n").utf8), after: 1
            )
        }
        dialogue.client(Array((#"{"type":"offer","sdp":"\#(Self.sdp)"}"# + "\n").utf8), after: 1)
        let events = signaling(dialogue.analyzed())
        #expect(events.count == 101 && events.last?.message.kind == "offer")
        let first = try #require(events.first)
        #expect(first.frame == 4 && first.offset < 1_100_000_000)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.frame < $1.frame && $0.time < $1.time })
    }

    @Test(
        "JSON unrelated to calls is never reported as signaling",
        arguments: [
            #"{"jsonrpc":"2.0","method":"mining.subscribe","params":["miner/1.0"],"id":1}"#,
            #"{"@timestamp":"2026-01-01T00:00:00Z","message":"candidate elected","host":{"name":"a"}}"#,
            #"{"op":"login","args":[{"apiKey":"k","passphrase":"p"}]}"#, #"["SET","v=0","candidate"]"#,
            #"{"type":"login"}"#, #"{"type":"heartbeat"}"#,
        ])
    func unrelated(text: String) {
        for packing in Self.packings {
            var dialogue = Dialogue(.tcp, port: 6868)
            for _ in 0..<40 {
                dialogue.client(packing.pack(Array(text.utf8)))
                dialogue.server(packing.pack(Array(#"{"result":true}"#.utf8)))
            }
            let result = dialogue.analyzed()
            #expect(signaling(result).isEmpty && result.sessions.isEmpty)
            #expect(result.flows.allSatisfy { !$0.protocols.contains("signaling") })
        }
    }

    @Test("several calls on one socket are several sessions")
    func severalCalls() {
        var dialogue = Dialogue(.tcp, port: 6868)
        func message(_ from: Int, _ to: Int, _ content: String) -> [UInt8] {
            Array((#"{"from":\#(from),"to":\#(to),"\#(content)}"# + "\n").utf8)
        }
        func described(_ type: String, _ id: Int) -> String {
            let own = Self.sdp.replacing("o=- 1 2", with: "o=- \(id) 2").replacing("abcd", with: "uf\(id)")
            return #"type":"\#(type)","sdp":"\#(type == "offer" ? own : own.replacing("actpass", with: "active"))""#
        }
        dialogue.client(message(7, 8, described("offer", 78)))
        dialogue.client(message(7, 9, described("offer", 79)))
        dialogue.server(message(9, 7, described("answer", 97)))
        dialogue.server(message(8, 7, described("answer", 87)))
        dialogue.client(message(7, 8, #"type":"bye""#))
        let result = dialogue.analyzed()
        let steps = signaling(result)
        #expect(steps.map(\.message.kind) == ["offer", "offer", "answer", "answer", "bye"])
        let calls = steps.compactMap(\.session)
        #expect(calls.count == 5 && calls[0] != calls[1])
        #expect(calls == [calls[0], calls[1], calls[1], calls[0], calls[0]])
        #expect(result.sessions.count == 2)
        #expect(!result.findings.contains { $0.rule.hasPrefix("OA-") })
    }

    @Test("malformed messages are shown, and the following ones parsed")
    func broken() {
        var dialogue = Dialogue(.tcp, port: 6868)
        for text in [
            #"{"type":"offer","sdp":"\#(Self.sdp)"}"#, #"{"type":"login","#, #"{"type":"ping",}"#, "ping",
            Self.candidate,
        ] {
            dialogue.client(Array((text + "\n").utf8))
        }
        let result = dialogue.analyzed()
        #expect(signaling(result).map(\.message.kind) == ["offer", "login", "heartbeat", "heartbeat", "candidate"])
        #expect(
            result.findings.filter { $0.rule == "SIG-JSON" }.map(\.message.key) == [
                "SIG-JSON.unfinished", "SIG-JSON.strayComma",
            ])
    }

    @Test("a wrong length is detected, and the next message found")
    func lyingLength() {
        var dialogue = Dialogue(.tcp, port: 6868)
        let pack = Packing.length("length4be", 4).pack
        dialogue.client(pack(Array(#"{"type":"offer","sdp":"\#(Self.sdp)"}"#.utf8)))
        dialogue.client([0, 0, 0, 9] + Array(#"{"type":"ping"}"#.utf8))
        dialogue.client(pack(Array(Self.candidate.utf8)))
        let result = dialogue.analyzed()
        #expect(signaling(result).map(\.message.kind).last == "candidate")
        #expect(result.findings.contains { $0.rule == "SIG-FRAMING" })
    }

    @Test("a message of blanks ends at its length, whatever follows")
    func blankMessage() {
        var dialogue = Dialogue(.tcp, port: 6868)
        let pack = Packing.length("length4be", 4).pack
        dialogue.client(pack(Array(#"{"type":"offer","sdp":"\#(Self.sdp)"}"#.utf8)))
        dialogue.client([0, 0, 0, 2] + Array(#"    {"type":"#.utf8))
        dialogue.client(pack(Array(Self.candidate.utf8)))
        #expect(signaling(dialogue.analyzed()).map(\.message.kind) == ["offer", "heartbeat", "candidate"])
    }

    @Test("a profile defines what cannot be inferred")
    func profile() throws {
        let profile = try SignalingProfile(
            yaml: """
                name: own
                port: 7000
                framing: {kind: length, octets: 2, order: little, before: 1, after: 1, magic: "A5"}
                paths: {type: head.verb, from: head.me, to: [head.you, head.group]}
                kinds: {login: [hallo], bye: tschüss}
                nobody: [0, none]
                heartbeat-timeout: 5 s
                """, file: "own.yml")
        var options = AnalyzerOptions()
        options.limits[SignalingSettings.self].profile = profile
        var dialogue = Dialogue(.tcp, port: 7_000)
        for text in [#"{"head":{"verb":"hallo","me":3}}"#, #"{"head":{"verb":"tschüss","me":3,"group":"g"}}"#] {
            let octets = Array(text.utf8)
            dialogue.client([0xA5, UInt8(octets.count & 255), UInt8(octets.count >> 8), 0x01] + octets)
        }
        let events = signaling(dialogue.analyzed(options: options))
        #expect(events.map(\.message.kind) == ["login", "bye"])
        let last = try #require(events.last?.message as? SignalingMessage)
        #expect(last.envelope.from == "3" && last.envelope.to == "g" && last.envelope.type == "tschüss")
    }

    @Test(
        "errors in a profile have the line",
        arguments: [
            (
                "port: 7000\nframming: nul",
                "own.yml:2: there is no key 'framming' in a signaling profile. Did you mean 'framing'?"
            ),
            ("framing: newlines", "own.yml:1: there is no framing 'newlines'. Did you mean 'newline'?"),
            ("framing:\n  kind: length\n  octets: 3", "own.yml:3: octets takes 1, 2, 4 or 8, not 3"),
            (
                "framing:\n  kind: length\n  order: bigg",
                "own.yml:3: order takes big or little, not 'bigg'. Did you mean 'big'?"
            ),
            ("framing:\n  kind: nul\n  octets: 2", "own.yml:3: octets is for framing of kind length"),
            ("port: 70000", "own.yml:1: port takes a number from 1 to 65535, not '70000'"),
            ("kinds:\n  logon: x", "own.yml:2: there is no key 'logon' in kinds. Did you mean 'login'?"),
            ("paths:\n  fron: x", "own.yml:2: there is no key 'fron' in paths. Did you mean 'from'?"),
            ("framing: {kind: length, magic: 1}", "own.yml:1: magic takes octets in hexadecimal"),
            ("heartbeat-timeout: soon", "own.yml:1: heartbeat-timeout takes a time in seconds, not 'soon'"),
        ])
    func wrongProfiles(yaml: String, message: String) {
        let error = #expect(throws: ProfileError.self) { try SignalingProfile(yaml: yaml, file: "own.yml") }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("the built-in profiles are readable")
    func builtIn() throws {
        for name in SignalingProfile.builtIn {
            let profile = try SignalingProfile(yaml: try #require(SignalingProfile.text(name)), file: name)
            #expect(profile.name == name && profile.port == 6_868 && profile.needsLogin)
        }
    }

    @Test("passwords are in no finding, note or field")
    func secrets() {
        var dialogue = Dialogue(.tcp, port: 6868)
        let tokens = #","token":"C4NARY","iceServers":[{"urls":"turn:t","credential":"C4NARY"}]}"#
        dialogue.client(Array((#"{"type":"login","password":"C4NARY"}"# + "\n").utf8))
        dialogue.client(Array((#"{"type":"offer","sdp":"\#(Self.sdp)""# + tokens + "\n").utf8))
        dialogue.client(Array((#"{"type":"answer","sdp":"\#(Self.answer)","pwd":"C4NARY",}"# + "\n").utf8))
        let result = dialogue.analyzed()
        #expect(signaling(result).count == 3 && result.findings.count > 2)
        for event in result.events {
            let fields = event.message.fields(.masked)
            #expect(!"\(fields) \(event.message.summary(.masked))".contains("C4NARY"))
            if let note = event.message.note { #expect(!result.sentence(note).contains("C4NARY")) }
        }
        for finding in result.findings {
            for text in [finding.message, finding.expected, finding.actual].compactMap(\.self) {
                #expect(!result.sentence(text).contains("C4NARY"))
            }
        }
        for session in result.sessions { #expect(!"\(session.fields) \(session.outcome)".contains("C4NARY")) }
    }
}
