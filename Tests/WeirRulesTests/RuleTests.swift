import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Rules of RTSP and RTP")
struct RuleTests {
    private static var rules: [any Rule.Type] { RTSP.rules + RTP.rules + RTCP.rules }

    @Test("Conversations that keep every rule have no findings", arguments: Conversations.clean.indices)
    func clean(_ index: Int) {
        let said = Conversations.clean[index].judged(by: Self.rules)
        #expect(said.findings.map(Collector.line) == [])
    }

    @Test("A rule reports what is broken, and the severity", arguments: RTSPCases.rtsp + RTPCases.rtp)
    func broken(_ example: RTSPCase) throws {
        let transcript = try #require(example.script.replacing(example.edits))
        let said = transcript.judged(by: Self.rules).said(example.rule)
        #expect(said == example.said)
    }

    /// Variants of conversations that keep further rules.
    private static var keeping: [Transcript] {
        get throws {
            let edits: [[(String, String)]] = [
                [("a=control:track1", "a=control:track1\na=rtcp-mux"), ("V 5001 6001 S", "V 5000 6000 S")],
                [("a=control:track2", "a=control:track2\na=ptime:1")],
                [("V 5001 6001 S", "V 5001 6001 S\n\n+5\n\nV 5001 6001 S\n\n+5\n\nV 5001 6001 S")],
                [("P 5000 6000 100 20", RTPCases.even)],
                [
                    ("RTP/AVP 96", "RTP/AVPF 96"), ("a=control:track1", "a=control:track1\na=rtcp-fb:96 nack"),
                    ("V 5001 6001 S", "N 5001 6001 105\n\nU 5000 6000 105 22500\n\nU 5000 6000 120 99000"),
                ],
            ]
            return try edits.map { try #require(Conversations.play.replacing($0)) }
        }
    }

    /// Recorded media that keeps the rules about packets and payload formats.
    private static let healthyMedia = [
        "rtsp/rtsp-udp", "rtsp/rtsp-udp-gst", "rtsp/rtsp-h265-opus", "rtsp/rtsp-jpeg-pcma", "rtsp/rtsp-vp8-g722",
        "rtsp/rtsp-b-frames",
        "rtsp/rtsp-record-udp", "rtsp/rtsp-to-the-end", "rtsp/rtsp-retransmission", "rtsp/rtsp-standstill-udp",
        "rtsp/rtsp-offload", "rtsp/rtsp-vp9-l24", "rtp/rtp-mpegts", "rtsp/rtsp-mp4v-latm", "rtsp/rtsp-srtp-sdes",
    ]

    @Test("Every rule has a conversation that breaks it and one that keeps it")
    func everyRuleIsTested() throws {
        var passes: Set<String> = []
        for transcript in Conversations.clean + [Conversations.refused] + (try Self.keeping) {
            for tally in transcript.judged(by: Self.rules).tallies where tally.pass > 0 { passes.insert(tally.rule) }
        }
        for name in Self.healthyMedia {
            let collector = Collector()
            try WholeAnalysis.run(RecordedCaptures.path("Captures/\(name).pcap"), into: collector)
            for tally in collector.tallies where tally.pass > 0 { passes.insert(tally.rule) }
        }
        for name in PlantedFaults.unsignaled {
            let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
            let said = PlantedFaultTests.judged(frames, decodeAs: PlantedFaults.meanings(name))
            for tally in said.tallies where tally.pass > 0 { passes.insert(tally.rule) }
        }
        let breaks =
            Set((RTSPCases.rtsp + RTPCases.rtp).filter { !$0.said.isEmpty }.map(\.rule))
            // Covered by their own tests.
            .union(["RTCP-PLI-SERVED", "RTP-FRAGMENT", "PS-IN-RTP", "RTP-SKEW", "RTP-TCP-FRAME", "SRTP-AUTH"])
            .union((PlantedFaults.all + PlantedFaults.reports).map(\.rule))
        // Covered by their own tests.
        passes.formUnion(["RTCP-FIR", "PS-IN-RTP", "RTCP-PLI-SERVED", "RTP-TCP-FRAME"])
        let all = Set(Self.rules.map { $0.info.id })
        #expect(all.subtracting(breaks) == [])
        #expect(all.subtracting(passes) == [])
    }

    @Test("Quirks count in full when strict")
    func strict() throws {
        let transcript = try #require(
            Conversations.play.replacing([("200 OK\nCSeq: 2", "200 OK\nCSeq: 0")]))
        #expect(
            transcript.judged(by: Self.rules, strict: true).said("RTSP-CSEQ-ECHO") == [
                "error RTSP-CSEQ-ECHO.stuck Q-CSEQ"
            ])
    }

    @Test("A capture that starts late has no errors about missing packets")
    func startsLate() throws {
        let text = Conversations.play.text
        let setup = try #require(text.firstRange(of: "C: PLAY"))
        let late = Transcript(String(text[setup.lowerBound...]), startsLate: true)
        let said = late.judged(by: Self.rules)
        #expect(said.findings.filter { $0.verdict == .fail }.map(Collector.line) == [])
        #expect(said.tally("RTSP-STATE").inconclusive > 0)
    }

    @Test("Rules decided at the session's end are undecided if the capture ends before")
    func endsEarly() throws {
        let text = Conversations.play.text
        let end = try #require(text.firstRange(of: "S: RTSP/1.0 200 OK\nCSeq: 6"))
        let transcript = Transcript(String(text[..<end.lowerBound]))
        #expect(
            transcript.judged(by: Self.rules).said("RTSP-UNANSWERED") == ["inconclusive RTSP-UNANSWERED.inconclusive"])
    }

    @Test("Missing octets are no fault of the peers")
    func gap() throws {
        let transcript = try #require(Conversations.interleaved.replacing([("R 1 S", "G S 20")]))
        let said = transcript.judged(by: Self.rules)
        #expect(said.findings.filter { $0.verdict == .fail && $0.severity == .error }.map(Collector.line) == [])
    }

    @Test("Ids are those of the list, each once, and each rule has documentation")
    func descriptions() {
        let ids = Self.rules.map { $0.info.id }
        #expect(Set(ids).count == ids.count)
        for rule in Self.rules {
            #expect(!rule.info.check.isEmpty && !rule.info.example.isEmpty)
            let reference = rule.info.reference
            let isAV1 = reference.hasPrefix("RTP Payload Format For AV1 §")
            #expect(reference.contains("RFC ") || reference.contains("ETSI ") || isAV1)
        }
    }
}
