import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
import WeirProtocols

/// MPEG transport streams directly in UDP.
@Suite("Transport streams in UDP") struct TransportStreamTests {
    private static let captures = ["rtp/mpegts-udp", "rtp/mpegts-udp-multicast"]

    private func analyzed(
        _ name: String, _ change: (inout [KeptFrame]) throws -> Void = { _ in }
    ) throws -> AnalysisResult {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        try change(&frames)
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    private func failed(_ result: AnalysisResult, _ rule: String) -> [Finding] {
        result.findings.filter { $0.rule == rule && $0.verdict == .fail }
    }

    @Test("are streams of their own, with their programs", arguments: captures)
    func stream(_ name: String) throws {
        let result = try analyzed(name)
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && stream.kind == "mpegts" && stream.encoding == "MP2T")
        let fields = stream.details.fields(.masked)
        let datagrams = try #require(result.flows.last { $0.found == ["mpegts"] }).packets.clientToServer
        #expect(datagrams > 30 && fields.contains { $0.name == "packets" && "\($0.value)".contains("\(datagrams)") })
        #expect(fields.contains { $0.name == "transportPackets" })
        #expect(stream.details.summary.contains("program 1: H264, AAC"))
        #expect(result.events.map(\.message.kind) == ["start", "end"])
        #expect(failed(result, "TS-CC").isEmpty && failed(result, "TS-SYNC").isEmpty)
        #expect(result.tallies.first?.first { $0.rule == "TS-CC" }?.pass == 1)
    }

    @Test("with a missing datagram are detected by their counters, at the next datagram")
    func missing() throws {
        let result = try analyzed("rtp/mpegts-udp") { $0.remove(at: 20) }
        let found = failed(result, "TS-CC")
        #expect(found.count == 1 && found.first?.frame == 22)
        #expect(found.first.map { result.sentence($0.message).contains("missing") } == true)
        let line = try #require(result.streams.first).details.summary
        #expect(line.contains(/continuity errors in (1 datagram|[2-9] datagrams)\b/), "\(line)")
    }

    @Test("with a missing datagram are not reported as late")
    func notLate() throws {
        for place in stride(from: 5, to: 60, by: 2) {
            let result = try analyzed("rtp/mpegts-udp") { $0.remove(at: place) }
            for rule in ["TS-PCR", "TS-PTS", "TS-PAT", "TS-PMT", "TS-CRC"] {
                #expect(failed(result, rule).isEmpty, "\(rule) without frame \(place + 1)")
            }
        }
    }

    @Test("with a wrong sync byte are reported, once per datagram", arguments: [true, false])
    func sync(_ isAgain: Bool) throws {
        let result = try analyzed("rtp/mpegts-udp") { frames in
            // After Ethernet, IPv4 and UDP.
            frames[20].octets[42 + 188] = 0x48
            if isAgain { frames[20].octets[42 + 376] = 0x48 }
        }
        let found = failed(result, "TS-SYNC")
        #expect(found.count == 1 && found.first?.frame == 21)
    }

    @Test("are not recognized in datagrams that only start alike")
    func others() {
        var dialogue = Dialogue(.udp, port: 7_100)
        for number in 0..<30 {
            dialogue.client([0x47] + [UInt8](repeating: UInt8(number), count: 375), after: 0.01)
            dialogue.server(Array("GET / HTTP/1.1\r\n".utf8) + [UInt8](repeating: 0, count: 172), after: 0.01)
        }
        #expect(dialogue.analyzed().streams.isEmpty)
    }
}
