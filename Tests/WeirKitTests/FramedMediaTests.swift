import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
import WeirProtocols

/// RTP and RTCP over TCP, each packet prefixed with its length (RFC 4571).
@Suite("Media over TCP") struct FramedMediaTests {
    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// 20 ms of PCMU.
    private static func packet(_ number: Int, ssrc: UInt32 = 0xCAFE_0001) -> [UInt8] {
        [0x80, 0] + big(UInt16(truncatingIfNeeded: 65_500 + number)) + big(UInt32(number * 160)) + big(ssrc)
            + [UInt8](repeating: UInt8(truncatingIfNeeded: 0x80 | number), count: 160)
    }

    private static func frame(_ packet: [UInt8]) -> [UInt8] { big(UInt16(packet.count)) + packet }

    /// A receiver report without report blocks.
    private static let report: [UInt8] = [0x80, 201, 0, 1, 0xBE, 0xEF, 0, 1]

    private func analyzed(_ sent: [[UInt8]], decodeAs: Bool = false, startsLate: Bool = false) -> AnalysisResult {
        var dialogue = Dialogue(.tcp, port: 16_112)
        for octets in sent { dialogue.client(octets, after: 0.02) }
        var options = AnalyzerOptions()
        if decodeAs {
            options.decodeAs = [
                AnalyzerOptions.DecodeAs(
                    transport: .tcp, port: 16_112, protocolName: "rtp",
                    meanings: [AnalyzerOptions.DecodeAs.Meaning(number: 0, text: "PCMU/8000")])
            ]
        }
        return dialogue.analyzed(options: options)
    }

    private func number(_ name: String, _ stream: StreamRecord) -> Int? {
        for field in stream.details.fields(.masked) where field.name == name {
            if case .integer(let value) = field.value { return value }
        }
        return nil
    }

    private func text(_ name: String, _ stream: StreamRecord) -> String? {
        for field in stream.details.fields(.masked) where field.name == name {
            if case .string(let value) = field.value { return value }
        }
        return nil
    }

    @Test("is recognized and counted, announced or not", arguments: [true, false])
    func found(_ decodeAs: Bool) throws {
        let frames = (0..<60).map { Self.frame(Self.packet($0)) }
        let result = analyzed(frames, decodeAs: decodeAs)
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1)
        #expect(number("packets", stream) == 60 && number("lost", stream) == 0)
        #expect(text("transport", stream) == "tcp")
        #expect(result.findings.filter { $0.rule == "RTP-TCP-FRAME" }.isEmpty)
        #expect(result.tallies.first?.first { $0.rule == "RTP-TCP-FRAME" }?.pass == 1)
    }

    @Test("may be cut into segments anywhere", arguments: [1, 3, 7, 173, 174, 175, 1_399])
    func segments(_ size: Int) throws {
        let octets = (0..<40).flatMap { Self.frame(Self.packet($0)) }
        let parts = stride(from: 0, to: octets.count, by: size).map { Array(octets[$0..<min($0 + size, octets.count)]) }
        let stream = try #require(analyzed(parts, decodeAs: true).streams.first)
        #expect(number("packets", stream) == 40 && number("lost", stream) == 0)
    }

    @Test("shares its connection with reports, null packets and other sources")
    func mixed() throws {
        var frames: [[UInt8]] = []
        for index in 0..<40 {
            frames.append(Self.frame(Self.packet(index)))
            if index % 5 == 0 { frames.append(Self.frame(Self.report)) }
            if index % 7 == 0 { frames.append([0, 0]) }
            if index >= 10 { frames.append(Self.frame(Self.packet(index, ssrc: 0xCAFE_0002))) }
        }
        let result = analyzed(frames, decodeAs: true)
        #expect(result.streams.map { number("packets", $0) } == [40, 30])
        #expect(result.streams.allSatisfy { number("lost", $0) == 0 })
        #expect(result.findings.filter { $0.rule == "RTP-TCP-FRAME" }.isEmpty)
    }

    @Test("with a wrong length is a fault, and reading resumes after it", arguments: [-3, 2, 40])
    func wrongLength(_ error: Int) throws {
        var frames = (0..<60).map { Self.frame(Self.packet($0)) }
        frames[30] = Self.big(UInt16(172 + error)) + Self.packet(30)
        let result = analyzed(frames)
        let found = result.findings.filter { $0.rule == "RTP-TCP-FRAME" }
        #expect(found.count == 1 && found.first?.verdict == .fail)
        #expect(result.sentence(try #require(found.first).message).contains("\(172 + error)"))
        let stream = try #require(result.streams.first)
        #expect(number("packets", stream) ?? 0 >= 58)
    }

    @Test("with missing octets has no fault and no loss for them")
    func gap() throws {
        let frames = (0..<80).map { Self.frame(Self.packet($0)) }
        var wire = Wire()
        wire.serverPort = 16_112
        wire.connect()
        for octets in frames[..<30] { wire.send(fromClient: true, octets) }
        wire.lose(fromClient: true, octets: frames[30..<33].joined().count)
        for octets in frames[33...] { wire.send(fromClient: true, octets) }
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "gap", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in wire.packets.enumerated() {
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                .use { analyzer.process($0) }
        }
        analyzer.finish()
        let result = collector.result
        #expect(result.findings.filter { $0.rule == "RTP-TCP-FRAME" && $0.verdict == .fail }.isEmpty)
        let stream = try #require(result.streams.first)
        #expect(number("packets", stream) == 77)
        #expect(number("lost", stream) == 0 && number("uncaptured", stream) == 3)
    }

    @Test("is not recognized in other data")
    func others() {
        var text = Dialogue(.tcp, port: 16_112)
        text.client([UInt8](repeating: 0, count: 3_000))
        text.server((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        #expect(text.analyzed().streams.isEmpty)
        // Packets that are not consecutive.
        let odd = [7, 300, 20].map { Self.frame(Self.packet($0)) }
        #expect(analyzed(odd).streams.isEmpty)
    }
}
