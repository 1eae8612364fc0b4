import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols
import WeirTesting

/// Compares measurements with the known values of a simulated sender and network.
@Suite("Measures against a known truth") struct MeasuredTruthTests {
    static let seeds: [UInt64] = Array(1...24)

    /// A packet in transit.
    struct Sent {
        var number: Int
        var octets: [UInt8]
        var arrival: Double
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    static func packet(
        _ type: UInt8, _ number: Int, _ timestamp: Int, ssrc: UInt32 = 0x1EAF_CAFE, _ payload: [UInt8]
    ) -> [UInt8] {
        [0x80, type] + big(UInt16(truncatingIfNeeded: number)) + big(UInt32(truncatingIfNeeded: timestamp)) + big(ssrc)
            + payload
    }

    static func uniform(_ generator: inout SeededGenerator) -> Double {
        Double(UInt32.random(in: 0...1_000_000, using: &generator)) / 1_000_000
    }

    static func analyzed(_ packets: [Sent], meanings: [String] = []) -> AnalysisResult {
        var wire = Wire()
        for packet in packets.sorted(by: { $0.arrival < $1.arrival }) {
            wire.seconds = packet.arrival
            wire.datagram(fromClient: true, clientPort: 7_000, serverPort: 7_002, packet.octets)
        }
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        options.decodeAs = [
            AnalyzerOptions.DecodeAs(
                transport: .udp, port: 7_002, protocolName: "rtp",
                meanings: meanings.compactMap { text in
                    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                    return UInt8(parts[0]).map { AnalyzerOptions.DecodeAs.Meaning(number: $0, text: parts[1]) }
                })
        ]
        return analyzed(wire, options)
    }

    static func analyzed(_ wire: Wire, _ options: AnalyzerOptions) -> AnalysisResult {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "truth", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in wire.packets.enumerated() {
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
                .use { analyzer.process($0) }
        }
        analyzer.finish()
        return collector.result
    }

    static func value(_ path: String, _ stream: StreamRecord) -> Double? {
        var fields = stream.details.fields(.masked)
        var found: FieldValue?
        for name in path.split(separator: ".").map(String.init) {
            found = fields.first { $0.name == name }?.value
            if case .object(let inner)? = found { fields = inner }
        }
        return switch found {
        case .integer(let number)?: Double(number)
        case .double(let number)?: number
        default: nil
        }
    }

    @Test("loss, reordering, duplicates, jitter and drift of audio", arguments: seeds)
    func sound(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        let drift = (Self.uniform(&generator) - 0.5) * 400
        let noise = Self.uniform(&generator) * 0.012
        var sent: [Sent] = []
        for number in 0..<1_500 {
            guard number < 3 || Self.uniform(&generator) > 0.03 else { continue }
            let octets = Self.packet(0, 65_000 + number, 160 * number, [UInt8](repeating: 0xD5, count: 160))
            var delay = Self.uniform(&generator) * noise
            if number > 3, Self.uniform(&generator) < 0.02 { delay += 0.06 }
            let due = 1 + Double(number) * 0.02 / (1 + drift / 1_000_000)
            sent.append(Sent(number: number, octets: octets, arrival: due + delay))
            if number > 3, Self.uniform(&generator) < 0.02 {
                sent.append(Sent(number: number, octets: octets, arrival: due + delay + 0.003))
            }
        }
        let stream = try #require(Self.analyzed(sent).streams.first)
        let arrived = sent.sorted { $0.arrival < $1.arrival }
        let numbers = Set(arrived.map(\.number))
        let lost = (numbers.max() ?? 0) - (numbers.min() ?? 0) + 1 - numbers.count
        var (highest, reordered, seen) = (-1, 0, Set<Int>())
        // Interarrival jitter as in RFC 3550 §A.8, in order of arrival.
        var (jitter, most, sum, last) = (0.0, 0.0, 0.0, Sent?.none)
        for packet in arrived {
            if seen.insert(packet.number).inserted, packet.number < highest { reordered += 1 }
            highest = max(highest, packet.number)
            if let last {
                // The capture has a resolution of nanoseconds.
                let apart = Double(Int64(packet.arrival * 1e9) - Int64(last.arrival * 1e9)) / 1e9
                let difference = apart * 8_000 - Double(packet.number - last.number) * 160
                jitter += (difference.magnitude - jitter) / 16
                most = max(most, jitter)
                sum += jitter
            }
            last = packet
        }
        #expect(Self.value("lost", stream) == Double(lost))
        #expect(Self.value("packets", stream) == Double(arrived.count))
        #expect(Self.value("duplicates", stream) == Double(arrived.count - numbers.count))
        #expect(Self.value("reordered", stream) == Double(reordered))
        let mean = sum / Double(arrived.count - 1) / 8
        #expect(abs((Self.value("jitterMs.mean", stream) ?? -1) - mean) < 0.001)
        #expect(abs((Self.value("jitterMs.max", stream) ?? -1) - most / 8) < 0.001)
        let measured = try #require(Self.value("clock.driftPpm", stream))
        let uncertainty = try #require(Self.value("clock.uncertaintyPpm", stream))
        #expect(abs(measured - drift) < 4 * uncertainty + 5, "\(measured) ± \(uncertainty), in truth \(drift)")
    }

    @Test("loss repaired by retransmission", arguments: seeds)
    func retransmissions(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var sent: [Sent] = []
        var (lost, made, again) = (0, 0, 0)
        for number in 0..<600 {
            let due = 1 + Double(number) * 0.01
            let isEdge = number < 4 || number > 590
            if isEdge || Self.uniform(&generator) > 0.05 {
                sent.append(
                    Sent(number: number, octets: Self.packet(96, number, 900 * number, [0x41, 0x9A]), arrival: due))
                continue
            }
            lost += 1
            guard Self.uniform(&generator) < 0.7 else { continue }
            made += 1
            let payload = Self.big(UInt16(number)) + [0x41, 0x9A]
            sent.append(
                Sent(
                    number: number,
                    octets: Self.packet(97, 40_000 + again, 900 * number, ssrc: 0x1EAF_CAFF, payload),
                    arrival: due + 0.05 + Self.uniform(&generator) * 0.1))
            again += 1
        }
        let result = Self.analyzed(sent, meanings: ["96=H264/90000", "97=rtx/90000 apt=96"])
        let stream = try #require(result.streams.first { Self.value("payloadType", $0) == 96 })
        #expect(Self.value("lost", stream) == Double(lost))
        #expect((Self.value("recovered", stream) ?? 0) == Double(made))
    }

    /// Parity over every second packet of eight, for a generic FEC header (RFC 5109).
    private static func parity(_ base: Int, _ places: [Int]) -> [UInt8] {
        let mask = places.reduce(UInt16(0)) { $0 | 0x8000 >> UInt16($1) }
        return [0, 96] + big(UInt16(truncatingIfNeeded: base)) + [0, 0, 0, 0, 0, 0, 0, 2] + big(mask) + [0xAA, 0x55]
    }

    @Test("loss repaired by FEC", arguments: seeds)
    func correction(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var (sent, groups): ([Sent], [(number: Int, protects: [Int])]) = ([], [])
        var number = 0
        var time = 1.0
        func send(_ type: UInt8, _ timestamp: Int, _ payload: [UInt8]) -> Bool {
            defer {
                number += 1
                time += 0.004
            }
            guard number < 8 || Self.uniform(&generator) > 0.07 else { return false }
            sent.append(Sent(number: number, octets: Self.packet(type, number, timestamp, payload), arrival: time))
            return true
        }
        for block in 0..<80 {
            let base = number
            for _ in 0..<8 { _ = send(96, block * 3_000, [0x41, 0x9A]) }
            // Rows of four, and a column over both.
            for places in [[0, 1, 2, 3], [4, 5, 6, 7], [0, 2, 4, 6]] {
                let own = number
                if send(122, block * 3_000, Self.parity(base, places)) {
                    groups.append((own, places.map { base + $0 }))
                }
            }
        }
        var known = Set(sent.map(\.number))
        let (first, last) = (known.min() ?? 0, known.max() ?? 0)
        let lost = last - first + 1 - known.count
        var recovered = 0
        var goesOn = true
        while goesOn {
            goesOn = false
            for group in groups {
                let missing = group.protects.filter { !known.contains($0) }
                guard missing.count == 1, let back = missing.first, back < last else { continue }
                known.insert(back)
                recovered += 1
                goesOn = true
            }
        }
        let result = Self.analyzed(sent, meanings: ["96=H264/90000", "122=ulpfec/90000"])
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && recovered > 0)
        #expect(Self.value("lost", stream) == Double(lost))
        #expect((Self.value("recovered", stream) ?? 0) == Double(recovered))
        #expect(!result.events.contains { $0.message.kind == "payloadTypeChange" })
    }

    @Test("loss repaired by redundant audio", arguments: seeds)
    func redundancy(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var sent: [Sent] = []
        for number in 0..<400 where number < 4 || Self.uniform(&generator) > 0.08 {
            // The redundant block has 10 octets and started 160 ticks earlier.
            let head: [UInt8] = [0x80] + Array(Self.big(UInt32(160 << 10 | 10)).dropFirst()) + [0]
            let payload = head + [UInt8](repeating: 0x55, count: 10) + [UInt8](repeating: 0xD5, count: 160)
            sent.append(
                Sent(
                    number: number, octets: Self.packet(100, number, 160 * number, payload),
                    arrival: 1 + Double(number) * 0.02))
        }
        let numbers = Set(sent.map(\.number))
        let lost = (0...(numbers.max() ?? 0)).filter { !numbers.contains($0) }
        let stream = try #require(Self.analyzed(sent, meanings: ["100=red/8000", "0=PCMU/8000"]).streams.first)
        #expect(Self.value("lost", stream) == Double(lost.count))
        #expect((Self.value("recovered", stream) ?? 0) == Double(lost.filter { numbers.contains($0 + 1) }.count))
    }

    @Test("damaged pictures, and those that depend on them", arguments: seeds)
    func pictures(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var (sent, truth): ([Sent], [(received: Int, of: Int, isKey: Bool)]) = ([], [])
        var number = 0
        for picture in 0..<200 {
            let isKey = picture % 20 == 0
            let count = isKey ? 6 : Int.random(in: 2...4, using: &generator)
            truth.append((0, count, isKey))
            for part in 0..<count {
                defer { number += 1 }
                let isSafe = picture < 2 || picture > 197
                guard isSafe || Self.uniform(&generator) > 0.015 else { continue }
                truth[picture].received += 1
                // Fragments of an IDR or another slice (RFC 6184 §5.8).
                let flags: UInt8 = (part == 0 ? 0x80 : 0) | (part == count - 1 ? 0x40 : 0)
                var octets = Self.packet(96, number, 3_600 * picture, [0x7C, flags | (isKey ? 5 : 1), 0x88, 0x84])
                if part == count - 1 { octets[1] |= 0x80 }
                sent.append(
                    Sent(number: number, octets: octets, arrival: 1 + Double(picture) * 0.04 + Double(part) * 0.001))
            }
        }
        var (damaged, undecodable, isBroken) = (0, 0, false)
        for picture in truth {
            if picture.received == picture.of {
                if picture.isKey { isBroken = false }
                if isBroken { undecodable += 1 }
                continue
            }
            isBroken = true
            guard picture.received > 0 else { continue }
            damaged += 1
            undecodable += 1
        }
        let stream = try #require(Self.analyzed(sent, meanings: ["96=H264/90000"]).streams.first)
        #expect((Self.value("pictures.damaged", stream) ?? 0) == Double(damaged))
        #expect((Self.value("pictures.undecodable", stream) ?? 0) == Double(undecodable))
        let complete = truth.filter { $0.received == $0.of }.count
        #expect((Self.value("pictures.complete", stream) ?? Double(truth.count)) == Double(complete))
    }

    @Test("transmission time of pictures", arguments: seeds)
    func pacing(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        var (sent, number, spans): ([Sent], Int, [Double]) = ([], 0, [])
        for picture in 0..<250 {
            let count = Int.random(in: 1...6, using: &generator)
            // One in thirty is slow.
            let step = Self.uniform(&generator) * (Self.uniform(&generator) < 0.033 ? 0.006 : 0.001)
            let due = 1 + Double(picture) * 0.04
            for part in 0..<count {
                let flags: UInt8 = (part == 0 ? 0x80 : 0) | (part == count - 1 ? 0x40 : 0)
                var octets = Self.packet(96, number, 3_600 * picture, [0x7C, flags | 1, 0x9A, 0x84])
                if part == count - 1 { octets[1] |= 0x80 }
                sent.append(Sent(number: number, octets: octets, arrival: due + Double(part) * step))
                number += 1
            }
            // The capture has a resolution of nanoseconds.
            let last = Int64((due + Double(count - 1) * step) * 1e9)
            spans.append(Double(last - Int64(due * 1e9)) / 1e6)
        }
        let stream = try #require(Self.analyzed(sent, meanings: ["96=H264/90000"]).streams.first)
        let sorted = spans.sorted()
        #expect(abs((Self.value("pacing.minMs", stream) ?? -1) - (sorted.first ?? 0)) < 0.000_01)
        #expect(abs((Self.value("pacing.maxMs", stream) ?? -1) - (sorted.last ?? 0)) < 0.000_01)
        let mean = spans.reduce(0, +) / Double(spans.count)
        #expect(abs((Self.value("pacing.meanMs", stream) ?? -1) - mean) < 0.000_01)
        #expect(abs((Self.value("pacing.frameIntervalMs", stream) ?? -1) - 40) < 0.000_1)
        // Two of 250 may be longer; the report gives the upper bound of its histogram bucket, a quarter of an octave.
        let percentile = sorted[247]
        let reported = try #require(Self.value("pacing.p99Ms", stream))
        #expect(percentile - 0.001...percentile * 1.25 + 0.001 ~= reported, "\(reported), in truth \(percentile)")
    }
}
