import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// SRT: packets, recorded sessions, and each rule met and violated.
@Suite("SRT")
struct SRTTests {
    private static let cookie: UInt32 = 0x0102_0304

    private static func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) } }
    }

    /// A handshake packet.
    private static func handshake(
        _ kind: UInt32, version: UInt32 = 5, encryption: UInt32 = 0, field: UInt32 = 0, cookie: UInt32 = Self.cookie,
        socket: UInt32 = 99, _ extensions: [UInt8] = []
    ) -> [UInt8] {
        words(
            0x8000_0000, 0, 1, 0, version, encryption << 16 | field, 7, 1_500, 8_192, kind, socket, cookie, 1, 0, 0, 0)
            + extensions
    }

    private static func parameters(isResponse: Bool, flags: UInt32 = 0xBF, delay: UInt32 = 120) -> [UInt8] {
        words(isResponse ? 0x0002_0003 : 0x0001_0003, 0x0001_0501, flags, delay << 16 | delay)
    }

    private static func keys(
        head: UInt32 = 0x1220_2901, length: Int = 16, cipher: UInt32 = 0x0200_0200, isResponse: Bool = false
    ) -> [UInt8] {
        let wrapped = [UInt8](repeating: 7, count: 16 + length + 8)
        let content = words(head, 0, cipher, 0x0000_0400 | UInt32(length / 4)) + wrapped
        return words((isResponse ? 0x0004_0000 : 0x0003_0000) | UInt32(content.count / 4)) + content
    }

    private static func streamID(_ text: String) -> [UInt8] {
        var octets = Array(text.utf8)
        while octets.count % 4 != 0 { octets.append(0) }
        let swapped = stride(from: 0, to: octets.count, by: 4).flatMap { octets[$0..<$0 + 4].reversed() }
        return words(0x0005_0000 | UInt32(octets.count / 4)) + swapped
    }

    /// The parts of an exchange that a test varies.
    private struct Exchange {
        var inductionVersion: UInt32 = 4
        var magic: UInt32 = 0x4A17
        var echoed: UInt32 = SRTTests.cookie
        var flags: UInt32 = 0xBF
        var responseDelay: UInt32 = 120
        var encryption: UInt32 = 2
        var head: UInt32 = 0x1220_2901
        var cipher: UInt32 = 0x0200_0200
        var answersKeys = true
        var hasParameters = true
        var inductionField: UInt32 = 2
        var version: UInt32 = 5
        var field: UInt32 = 7
        /// Control packets of the client after the handshake.
        var controls: [[UInt8]] = [SRTTests.words(0x8007_0000, 0, 5, 98, 8, 10)]
        var name = "#!::r=live/one,m=publish"
        var lost: [UInt8] = SRTTests.words(0x8000_0008, 0x0000_000A)

        func findings() -> (failed: Set<String>, passed: AnalysisResult) {
            var dialogue = Dialogue(.udp, port: 9_710)
            dialogue.client(SRTTests.handshake(1, version: inductionVersion, field: inductionField, cookie: 0))
            dialogue.server(SRTTests.handshake(1, field: magic, socket: 98))
            let parameters = hasParameters ? SRTTests.parameters(isResponse: false, flags: flags) : []
            dialogue.client(
                SRTTests.handshake(
                    0xFFFF_FFFF, version: version, encryption: encryption, field: field, cookie: echoed,
                    parameters + SRTTests.keys(head: head, cipher: cipher) + SRTTests.streamID(name)))
            dialogue.server(
                SRTTests.handshake(
                    0xFFFF_FFFF, field: 3, socket: 98,
                    SRTTests.parameters(isResponse: true, delay: responseDelay)
                        + (answersKeys ? SRTTests.keys(head: head, cipher: cipher, isResponse: true) : [])))
            dialogue.server(SRTTests.words(0x8003_0000, 0, 5, 99) + lost)
            for control in controls { dialogue.client(control) }
            dialogue.client(SRTTests.words(0x8005_0000, 0, 6, 98, 0))
            let result = dialogue.analyzed()
            return (Set(result.findings.filter { $0.rule.hasPrefix("SRT-") }.map(\.rule)), result)
        }
    }

    @Test("A valid exchange has no findings")
    func kept() throws {
        let (failed, result) = Exchange().findings()
        #expect(failed == [])
        let session = try #require(result.sessions.first)
        #expect(session.record.kind == "srt")
    }

    @Test("Each rule reports its violation")
    func broken() {
        let cases: [(String, (inout Exchange) -> Void)] = [
            ("SRT-INDUCTION", { $0.inductionVersion = 5 }),
            ("SRT-MAGIC", { $0.magic = 2 }),
            ("SRT-COOKIE", { $0.echoed = 5 }),
            ("SRT-FLAGS", { $0.flags = 0x1B }),
            ("SRT-LATENCY", { $0.responseDelay = 20 }),
            ("SRT-KM-FORM", { $0.head = 0x1220_2900 }),
            ("SRT-KLEN", { $0.encryption = 4 }),
            ("SRT-STREAMID", { $0.name = "#!::r=live,publish" }),
            ("SRT-NAK-LIST", { $0.lost = Self.words(0x8000_000A, 0x0000_0008) }),
            ("SRT-INDUCTION-FIELDS", { $0.inductionField = 0 }),
            ("SRT-VERSION", { $0.version = 4 }),
            ("SRT-EXTENSION-FIELD", { $0.field = 3 }),
            ("SRT-HSREQ", { $0.hasParameters = false }),
            ("SRT-LIVE", { $0.flags = 0x27 }),
            ("SRT-KM-CIPHER", { $0.cipher = 0x0400_0200 }),
            ("SRT-KM-ANSWER", { $0.answersKeys = false }),
            ("SRT-DROP-RANGE", { $0.controls = [Self.words(0x8007_0000, 0, 5, 98, 10, 8)] }),
            ("SRT-CONTROL-TYPE", { $0.controls = [Self.words(0x8009_0000, 0, 5, 98)] }),
            ("SRT-REASON", { $0.controls = [Self.handshake(1_500)] }),
        ]
        #expect(Set(cases.map(\.0)).isDisjoint(with: SRTPacketRuleTests.rules))
        #expect(Set(cases.map(\.0)).union(SRTPacketRuleTests.rules) == Set(SRT.rules.map { $0.info.id }))
        for (rule, change) in cases {
            var exchange = Exchange()
            change(&exchange)
            #expect(exchange.findings().failed == [rule])
        }
    }

    @Test("A truncated handshake is an error at every length, never a trap")
    func truncated() {
        let whole = Self.handshake(
            0xFFFF_FFFF, field: 7, Self.parameters(isResponse: false) + Self.keys() + Self.streamID("one"))
        for count in 0..<whole.count {
            _ = try? SRTPacket(Array(whole.prefix(count)).rawSpan, wireLength: whole.count)
        }
        #expect((try? SRTPacket(Array(whole.prefix(40)).rawSpan, wireLength: whole.count)) == nil)
    }

    @Test("Names of resources and users are masked")
    func masked() {
        let name = SRTStreamID(octets: Array("#!::r=live/camera,u=studio,m=publish".utf8))
        #expect(!name.text(.masked).contains("camera") && !name.text(.masked).contains("studio"))
        #expect(name.text(.masked).hasSuffix("m=publish"))
        #expect(name.text(.revealed) == "#!::r=live/camera,u=studio,m=publish")
    }

    @Test("Sequence numbers wrap at 31 bits")
    func wraps() {
        #expect(SRTPacket.distance(1, from: 0x7FFF_FFFF) == 2)
        #expect(SRTPacket.distance(0x7FFF_FFFF, from: 1) == -2)
    }

    @Test(
        "Recorded failures have their causes",
        arguments: [
            ("srt-no-listener", "srt-no-answer"), ("srt-wrong-passphrase", "srt-wrong-passphrase"),
            ("srt-wrong-passphrase-tolerated", "srt-wrong-passphrase"),
        ])
    func causes(_ name: String, _ cause: String) throws {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/\(name).pcap")).run()
        #expect(result.sessions.contains { session in session.record.kind == "srt" })
        #expect(result.sessions.contains { session in session.record.causes.contains { $0.id == cause } })
    }

    @Test("Figures of a lossy path agree with the statistics of the sender")
    func figures() throws {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/srt-late-repair.pcap")).run()
        let stream = try #require(result.streams.first { $0.direction == .clientToServer })
        let details = try #require(stream.details as? SRTStream)
        // The relay saw 98 data packets, 8 of them retransmissions of the 8 that it dropped.
        #expect(details.packets == 98 && details.recovery.retransmitted == 8 && details.recovery.lost == 0)
        #expect(details.latency == 20)
        let roundTrip = try #require(details.meanRoundTrip)
        #expect(99...110 ~= roundTrip)
    }

    @Test("A transport stream in SRT is read", arguments: ["srt-live", "srt-rendezvous"])
    func transportStream(_ name: String) throws {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/\(name).pcap")).run()
        let details = try #require(result.streams.first?.details as? SRTStream)
        #expect(details.packets == 45 && details.transportStream?.programs.count == 1)
        #expect(result.findings.filter { $0.rule.hasPrefix("SRT-") }.map(\.rule) == [])
    }

    /// Returns a connection whose client sends data with these sequence numbers, after seconds.
    private static func sending(_ data: [(sequence: UInt32, after: Double)], naks: Int = 0) -> AnalysisResult {
        var dialogue = Dialogue(.udp, port: 9_710)
        dialogue.client(handshake(1, version: 4, field: 2, cookie: 0))
        dialogue.server(handshake(1, field: 0x4A17))
        dialogue.client(handshake(0xFFFF_FFFF, field: 1, parameters(isResponse: false)))
        dialogue.server(handshake(0xFFFF_FFFF, field: 1, parameters(isResponse: true)))
        for packet in data {
            dialogue.client(
                words(packet.sequence, 0xC000_0001, 5, 98) + [UInt8](repeating: 1, count: 100), after: packet.after)
        }
        for _ in 0..<naks { dialogue.server(words(0x8003_0000, 0, 5, 99, 0x8000_0007, 0x3000_0000)) }
        return dialogue.analyzed()
    }

    @Test("A packet that is missing shortly before the end may still arrive")
    func lateLoss() throws {
        func unrecovered(_ result: AnalysisResult) throws -> FieldValue? {
            let fields = try #require(result.streams.first).details.fields(.masked)
            #expect(fields.first { $0.name == "lost" }?.value == .integer(1))
            return fields.first { $0.name == "unrecovered" }?.value
        }
        #expect(try unrecovered(Self.sending([(7, 0.1), (8, 0.1), (10, 0.1), (11, 0.5)])) == .integer(0))
        #expect(try unrecovered(Self.sending([(7, 0.1), (8, 0.1), (10, 0.1), (11, 2)])) == .integer(1))
    }

    @Test("Loss reports of everything do not grow with their number, and the limit is reported")
    func reportedFlood() {
        let result = Self.sending([(7, 0.1)], naks: 2_000)
        #expect(result.summaries.flatMap(\.limitsReached).contains { $0.key == "limit.srt.missingPackets" })
    }

    @Test("An incompatible cipher mode is no wrong passphrase")
    func cipherMode() throws {
        var dialogue = Dialogue(.udp, port: 9_710)
        dialogue.client(Self.handshake(1, version: 4, field: 2, cookie: 0))
        dialogue.server(Self.handshake(1, field: 0x4A17))
        dialogue.client(
            Self.handshake(
                0xFFFF_FFFF, encryption: 2, field: 3, Self.parameters(isResponse: false) + Self.keys()))
        dialogue.server(
            Self.handshake(
                0xFFFF_FFFF, field: 3, Self.parameters(isResponse: true) + Self.words(0x0004_0001, 0x0000_0005)))
        let session = try #require(dialogue.analyzed().sessions.first)
        #expect(session.causes.isEmpty && session.outcome.contains { $0.contains("cannot be decrypted") })
    }

    /// Returns a handshake up to conclusion requests to a socket ID.
    private static func requests(_ count: Int, to socket: UInt32 = 0, hasInduction: Bool = true) -> Dialogue {
        var dialogue = Dialogue(.udp, port: 9_710)
        if hasInduction {
            dialogue.client(handshake(1, version: 4, field: 2, cookie: 0))
            dialogue.server(handshake(1, field: 0x4A17))
        }
        var request = handshake(0xFFFF_FFFF, field: 1, parameters(isResponse: false))
        request.replaceSubrange(12..<16, with: words(socket))
        for _ in 0..<count { dialogue.client(request, after: 0.25) }
        return dialogue
    }

    @Test(
        "Conclusion requests without a response are the cause",
        arguments: [(UInt32(0), "cause.srt-no-conclusion"), (98, "cause.srt-no-conclusion-addressed")])
    func unanswered(_ socket: UInt32, _ key: String) throws {
        let session = try #require(Self.requests(4, to: socket).analyzed().sessions.first)
        #expect(session.record.causes.map(\.id) == ["srt-no-answer"])
        #expect(session.record.causes.first?.text.key == key)
        #expect(session.record.outcome.first?.key == "outcome.srt.noConclusion")
    }

    @Test("Few requests, one that is answered, and a capture without the induction show no missing response")
    func answered() {
        var connected = Self.requests(4)
        connected.server(Self.handshake(0xFFFF_FFFF, field: 1, socket: 98, Self.parameters(isResponse: true)))
        for dialogue in [Self.requests(2), connected, Self.requests(8, hasInduction: false)] {
            #expect(dialogue.analyzed().sessions.allSatisfy { $0.record.causes.isEmpty })
        }
    }

    @Test("A conclusion response without the handshake extension is reported, and the cause of a close right after it")
    func incompleteResponse() throws {
        var dialogue = Self.requests(1)
        dialogue.server(Self.handshake(0xFFFF_FFFF, socket: 98))
        dialogue.client(Self.words(0x8005_0000, 0, 6, 98, 0))
        let result = dialogue.analyzed()
        let findings = result.findings.filter { $0.rule.hasPrefix("SRT-") }
        #expect(findings.map(\.rule) == ["SRT-HSREQ"])
        let session = try #require(result.sessions.first)
        #expect(session.record.causes.map(\.id) == ["srt-incomplete-response"])
    }

    @Test("Handshakes of the caller, of the listener and without extensions are explained as such")
    func notes() throws {
        func note(_ octets: [UInt8]) throws -> String? {
            try SRTPacket(octets.rawSpan, wireLength: octets.count).note?.key
        }
        let extended = Self.handshake(0xFFFF_FFFF, field: 1, Self.parameters(isResponse: true))
        #expect(try note(Self.handshake(1, version: 4, field: 2, cookie: 0)) == "srt.note.induction")
        #expect(try note(Self.handshake(1, field: 0x4A17)) == "srt.note.cookie")
        #expect(try note(extended) == "srt.note.conclusion")
        #expect(try note(Self.handshake(0xFFFF_FFFF)) == "srt.note.bare")
    }
}
