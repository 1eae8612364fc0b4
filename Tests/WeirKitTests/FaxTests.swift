import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols
import WeirTesting

/// Fax over UDP (ITU-T T.38, UDPTL) starts with a sequence number of two octets and a length, and repeats earlier data.
/// Sequence numbers between 0x8000 and 0xBFFF look like RTP version 2.
@Suite("Fax is not RTP") struct FaxTests {
    private static func analyzed(_ wire: Wire) -> AnalysisResult {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "fax", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in wire.packets.enumerated() {
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                .use { analyzer.process($0) }
        }
        analyzer.finish()
        return collector.result
    }

    /// Fax datagrams: page data after some indicators, each with the data of the previous two as redundancy.
    private static func fax(_ first: UInt16, _ count: Int, _ generator: inout SeededGenerator) -> [[UInt8]] {
        var before: [[UInt8]] = []
        // White lines repeat the same octet.
        let white: UInt8 = generator.chance(2) ? 0x00 : 0xFF
        let size = Int.random(in: 8...60, using: &generator)
        return (0..<count).map { index in
            let number = first &+ UInt16(index)
            let isIndicator = index < 6
            let noise = generator.chance(3) ? generator.octets(4) : []
            let data: [UInt8] =
                isIndicator
                ? [0x00] : [0xC0, 0x01, 0x80, 0x00, UInt8(size)] + noise + [UInt8](repeating: white, count: size)
            let again = before.suffix(2).reversed()
            let datagram: [UInt8] =
                [UInt8(number >> 8), UInt8(number & 0xFF), UInt8(data.count)] + data + [0x00, UInt8(again.count)]
                + again.flatMap { [UInt8($0.count)] + $0 }
            before.append(data)
            return datagram
        }
    }

    @Test("with any first sequence number", arguments: Array(1...24) as [UInt64])
    func alone(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        var wire = Wire()
        let first = 0x8000 + UInt16.random(in: 0..<0x3F00, using: &generator)
        for datagram in Self.fax(first, 400, &generator) {
            wire.seconds += 0.02
            wire.datagram(fromClient: true, clientPort: 15_580, serverPort: 16_756, datagram)
        }
        #expect(Self.analyzed(wire).streams.isEmpty)
    }

    @Test("with audio on the same ports, only the audio packets are counted", arguments: Array(1...24) as [UInt64])
    func switched(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var wire = Wire()
        func send(_ datagram: [UInt8]) {
            wire.seconds += 0.02
            wire.datagram(fromClient: true, clientPort: 15_580, serverPort: 16_756, datagram)
        }
        func sound(_ number: Int) -> [UInt8] {
            let time = UInt32(number * 160)
            return [0x80, 8, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
                + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) } + [0x0E, 0xAF, 0x0E, 0xAF]
                + [UInt8](repeating: 0xD5, count: 160)
        }
        for number in 0..<60 { send(sound(number)) }
        let first = 0x8000 + UInt16.random(in: 0..<0x3F00, using: &generator)
        for datagram in Self.fax(first, 200, &generator) { send(datagram) }
        for number in 60..<120 { send(sound(number)) }
        let streams = Self.analyzed(wire).streams
        let stream = try #require(streams.first?.media)
        #expect(streams.count == 1 && stream.packets == 120 && stream.lost == 0)
        #expect(stream.faults[.version] == nil && stream.faults[.length] == nil)
    }
}
