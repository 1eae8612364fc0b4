import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols

/// ICMP port unreachable for media without a session in the capture.
@Suite("Refused media outside of any session") struct RefusalTests {
    private static func analyzed(_ frames: [KeptFrame]) -> AnalysisResult {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    /// An ICMP port unreachable: the start of the original datagram after eight octets (RFC 792).
    private static func refusal(of frame: KeptFrame) -> KeptFrame {
        var octets = Array(frame.octets[6..<12]) + Array(frame.octets[0..<6]) + [8, 0]
        let quote = Array(frame.octets[14..<42])
        var header = Array(quote.prefix(20))
        let length = 20 + 8 + quote.count
        header.replaceSubrange(2..<4, with: [UInt8(length >> 8), UInt8(length & 255)])
        header[9] = 1
        header.replaceSubrange(12..<20, with: Array(quote[16..<20]) + Array(quote[12..<16]))
        octets += header + [3, 3, 0, 0, 0, 0, 0, 0] + quote
        var info = FrameInfo(
            number: 0, time: Timestamp(nanoseconds: frame.info.time.nanoseconds + 50_000),
            capturedLength: octets.count, originalLength: octets.count, linkType: .ethernet)
        info.number = frame.info.number
        return KeptFrame(info: info, octets: octets)
    }

    /// A capture in which a range of media packets to a port is refused.
    private static func refused(_ name: String, to port: UInt16, _ refused: (Int, Int) -> Bool) throws -> [KeptFrame] {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtp/\(name).pcap"))
        let all = frames.count { $0.portNumbers?.destination == port }
        var count = 0
        var reported: [KeptFrame] = []
        for frame in frames {
            reported.append(frame)
            guard frame.portNumbers?.destination == port else { continue }
            count += 1
            if refused(count, all) { reported.append(refusal(of: frame)) }
        }
        return reported.numbered
    }

    private static func verdicts(_ result: AnalysisResult) -> [String] {
        result.findings.filter { $0.rule == "RTP-NOT-ARRIVED" }.map { "\($0.verdict) \($0.severity) \($0.message.key)" }
    }

    private static func errors(_ result: AnalysisResult) -> [Event] {
        result.events.filter { $0.message.protocolName == "icmp" }
    }

    @Test("are reported at the first error, with their stream, as a port on which nothing is listening")
    func all() throws {
        let frames = try Self.refused("rtp-mpegts", to: Self.port("rtp-mpegts")) { _, _ in true }
        let errors = frames.filter { Self.isRefusal($0) }
        let result = Self.analyzed(frames)
        let stream = try #require(result.streams.first)
        #expect(errors.count > 50 && stream.media?.refusal?.count == errors.count)
        #expect(Self.errors(result).map(\.frame) == [errors.first?.info.number])
        #expect(Self.errors(result).first?.flow == stream.flow)
        #expect(Self.verdicts(result) == ["fail warning RTP-NOT-ARRIVED.nobody"])
        #expect(stream.details.fields(.masked).contains { $0.name == "unreachable" })
    }

    /// - Parameter more: the number of additional refusals at the end; if negative, the number of refusals at the start.
    @Test(
        "prove nothing at the end, when the receiver has left, or at the start, before it listens",
        arguments: [0, 20, -2])
    func edges(more: Int) throws {
        var frames = try Self.refused("rtp-mpegts", to: try Self.port("rtp-mpegts")) { count, all in
            more < 0 ? count <= -more : count > all - more
        }
        if more < 0 {
            let others = frames.filter { Self.isRefusal($0) }.dropFirst(-more).map(\.info.number)
            frames = frames.filter { !others.contains($0.info.number) }.numbered
        }
        let result = Self.analyzed(frames)
        #expect(Self.errors(result).count == 1 && (result.streams.first?.media?.refusal?.count ?? 0) > 0)
        #expect(Self.verdicts(result).isEmpty)
    }

    /// After half a minute without an error, something may be listening: refusals at the end alone prove nothing.
    @Test("start another run after a pause")
    func rows() throws {
        var frames = try Self.refused("rtp-mpegts", to: try Self.port("rtp-mpegts")) { count, all in
            count <= 2 || count > all - 4
        }
        let early = try #require(frames.indices.filter { Self.isRefusal(frames[$0]) }.dropFirst().first)
        for index in frames.indices where index > early {
            frames[index].info.time = Timestamp(nanoseconds: frames[index].info.time.nanoseconds + 30_000_000_000)
        }
        let result = Self.analyzed(frames)
        let refusal = try #require(result.streams.first?.media?.refusal)
        #expect(Self.errors(result).count == 1 && refusal.row.count > 4 && refusal.count == refusal.row.count + 2)
        #expect(Self.verdicts(result).isEmpty)
    }

    private static func isRefusal(_ frame: KeptFrame) -> Bool {
        frame.octets.count > 34 && frame.octets[12] == 8 && frame.octets[23] == 1 && frame.octets[34] == 3
    }

    @Test("prove nothing if receiver reports show that the port is in use")
    func reported() throws {
        // Without retransmissions, nothing shows that it is RIST, whose session would have the errors.
        let frames = try Self.refused("rtp-rist", to: 5_094) { count, _ in count > 10 }
            .filter { $0.datagram?.dropFirst(8).prefix(4).elementsEqual([0xA2, 0x33, 0xC6, 0xCB]) != true }.numbered
        let result = Self.analyzed(frames)
        let stream = try #require(result.streams.first { $0.media?.ssrc == 0xA233_C6CA })
        #expect((stream.media?.refusal?.count ?? 0) > 50 && (stream.media?.reports.receiverReports ?? 0) > 0)
        #expect(Self.verdicts(result).isEmpty && !Self.errors(result).isEmpty)
    }

    /// Returns the destination port of most datagrams in a capture.
    private static func port(_ name: String) throws -> UInt16 {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtp/\(name).pcap"))
        let counts = frames.filter { $0.datagram != nil }.reduce(into: [UInt16: Int]()) {
            $0[$1.portNumbers?.destination ?? 0, default: 0] += 1
        }
        return try #require(counts.max { $0.value < $1.value }?.key)
    }
}
