import Testing
import WeirPackets
import WeirTesting
@testable import WeirProtocols

@Suite("H.264 interleaved mode, written in decoding order (RFC 6184 §5.5, §5.7, §5.8)")
struct InterleavedExtractionTests {
    /// A NAL unit, its decoding order number, and its picture's timestamp.
    private struct Unit {
        var order: Int
        var timestamp: UInt32
        var octets: [UInt8]
    }

    private static let start: [UInt8] = [0, 0, 0, 1]

    private static func depacketizer(_ depth: Int, _ more: String = "") -> any Depacketizer {
        let format = MediaFormat(
            mediaType: "video", encoding: "H264", clockRate: 90_000,
            parameters: "packetization-mode=2;sprop-interleaving-depth=\(depth)\(more)")
        // The packetization mode selects the depacketizer, and files of this format can always be written.
        return (try? Depacketizers.make(format)) ?? OctetDepacketizer(fileExtension: "", skip: 0)
    }

    private static func written(_ packets: [ExtractedPacket], _ depacketizer: any Depacketizer) -> (
        octets: [UInt8], framesIn: Int, framesOut: Int
    ) {
        var depacketizer = depacketizer
        var octets: [UInt8] = []
        for packet in packets { octets += depacketizer.take(packet) }
        octets += depacketizer.finish()
        return (octets, depacketizer.framesIn, depacketizer.framesOut)
    }

    private static func packet(_ sequence: Int, _ timestamp: UInt32, _ payload: [UInt8], missing: Int = 0)
        -> ExtractedPacket
    {
        ExtractedPacket(
            sequence: UInt16(truncatingIfNeeded: sequence), timestamp: timestamp, marker: false, payload: payload,
            missingBefore: missing)
    }

    @Test("each structure, octet by octet")
    func structures() {
        let packets = [
            // STAP-B, DON 65535: an IDR slice; the next in the packet has DON 0.
            Self.packet(1, 0, [0x79, 0xFF, 0xFF, 0, 2, 0x65, 0xA1, 0, 2, 0x06, 0xA2]),
            // MTAP16, DON base 2: DOND 1 at 7200, then DOND 0 at 3600.
            Self.packet(
                2, 3_600, [0x7A, 0, 2, 0, 2, 1, 0x0E, 0x10, 0x41, 0xA4, 0, 2, 0, 0, 0, 0x41, 0xA3]),
            // FU-B and FU-A, DON 1, of the first picture's time.
            Self.packet(3, 0, [0x7D, 0x85, 0, 1, 0xB1]), Self.packet(4, 0, [0x7C, 0x05, 0xB2]),
            Self.packet(5, 0, [0x7C, 0x45, 0xB3]),
            // MTAP24, DON base 4.
            Self.packet(6, 10_800, [0x7B, 0, 4, 0, 2, 0, 0, 0, 0, 0x41, 0xA5]),
        ]
        let result = Self.written(packets, Self.depacketizer(3))
        let units: [[UInt8]] = [
            [0x65, 0xA1], [0x06, 0xA2], [0x65, 0xB1, 0xB2, 0xB3], [0x41, 0xA3], [0x41, 0xA4], [0x41, 0xA5],
        ]
        #expect(result.octets == units.flatMap { Self.start + $0 })
        #expect(result.framesIn == 4 && result.framesOut == 4)
    }

    @Test("a DON difference that must not be exceeded also releases units")
    func greatestDifference() {
        let packets = [7, 5, 6, 4, 9, 8].enumerated().map { index, order in
            Self.packet(index, UInt32(order) * 3_600, [0x79, 0, UInt8(order), 0, 2, 0x41, UInt8(order)])
        }
        let result = Self.written(packets, Self.depacketizer(32_000, ";sprop-max-don-diff=3"))
        #expect(result.octets == (4...9).flatMap { Self.start + [0x41, UInt8($0)] })
    }

    /// Pictures of one to three slices, some with parameter sets.
    private static func pictures(_ generator: inout SeededGenerator) -> [[Unit]] {
        var order = 65_000 + Int.random(in: 0..<500, using: &generator)
        return (0..<60).map { picture in
            let heads: [UInt8] = picture % 12 == 0 ? [0x67, 0x68, 0x65] : [0x41, 0x41, 0x01]
            let count = picture % 12 == 0 ? 3 : Int.random(in: 1...3, using: &generator)
            return heads.prefix(count).map { head in
                defer { order += 1 }
                let rest = (0..<Int.random(in: 2...40, using: &generator)).map { _ in
                    UInt8.random(in: 2...255, using: &generator)
                }
                return Unit(order: order, timestamp: UInt32(picture) * 3_600, octets: [head] + rest)
            }
        }
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Packets of any structure of the mode, in transmission order.
    private static func packets(_ units: [Unit], _ generator: inout SeededGenerator) -> [ExtractedPacket] {
        let keys = units.map { Double($0.order) + Double(UInt32.random(in: 0..<8_000, using: &generator)) / 1_000 }
        var rest = zip(keys, units).sorted { $0.0 < $1.0 }.map(\.1)[...]
        var packets: [ExtractedPacket] = []
        func add(_ timestamp: UInt32, _ payload: [UInt8]) {
            packets.append(packet(65_500 + packets.count, timestamp, payload))
        }
        while let first = rest.first {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                rest.removeFirst()
                add(
                    first.timestamp, [0x79] + big(first.order, 2) + big(first.octets.count, 2) + first.octets)
            case 1 where first.octets.count > 4:
                rest.removeFirst()
                let (indicator, type) = (first.octets[0] & 0xE0, first.octets[0] & 0x1F)
                let body = first.octets.dropFirst()
                let cut = body.startIndex + body.count / 2
                add(first.timestamp, [indicator | 29, 0x80 | type] + big(first.order, 2) + body[..<cut])
                add(first.timestamp, [indicator | 28, 0x40 | type] + body[cut...])
            case let choice:
                let isLong = choice == 3
                let part = rest.prefix(Int.random(in: 1...4, using: &generator))
                rest = rest.dropFirst(part.count)
                let base = part.map(\.order).min() ?? 0
                let time = part.map(\.timestamp).min() ?? 0
                var payload: [UInt8] = [0x60 | (isLong ? 27 : 26)] + big(base, 2)
                for unit in part {
                    payload += big(unit.octets.count, 2) + [UInt8(unit.order - base)]
                    payload += big(Int(unit.timestamp - time), isLong ? 3 : 2) + unit.octets
                }
                add(time, payload)
            }
        }
        return packets
    }

    @Test("any order and structure gives the decoding order", arguments: Array(1...24) as [UInt64])
    func anyOrder(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let pictures = Self.pictures(&generator)
        let packets = Self.packets(pictures.flatMap(\.self), &generator)
        let result = Self.written(packets, Self.depacketizer(16))
        #expect(result.octets == pictures.flatMap { $0.flatMap { Self.start + $0.octets } })
        #expect(result.framesIn == 60 && result.framesOut == 60)
    }

    @Test("after a missing packet, only complete pictures are written", arguments: Array(1...24) as [UInt64])
    func missing(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let pictures = Self.pictures(&generator)
        var packets = Self.packets(pictures.flatMap(\.self), &generator)
        let lost = Int.random(in: 5..<(packets.count - 5), using: &generator)
        packets.remove(at: lost)
        packets[lost].missingBefore = 1
        let result = Self.written(packets, Self.depacketizer(16))
        #expect(result.framesOut < 60 && result.framesOut > 40)
        var rest = result.octets[...]
        for picture in pictures {
            let whole = picture.flatMap { Self.start + $0.octets }
            if rest.starts(with: whole) { rest = rest.dropFirst(whole.count) }
        }
        #expect(rest.isEmpty)
    }

    @Test("arbitrary octets in any order neither trap nor hang")
    func hostile() {
        var generator = SeededGenerator(0x4D54_4150)
        var depacketizer = Self.depacketizer(32_767)
        for number in 0..<30_000 {
            var octets = generator.octets(Int(generator.next() % 48))
            if !octets.isEmpty { octets[0] = 0x60 | [25, 26, 27, 28, 29, 1][number % 6] }
            var packet = Self.packet(number, UInt32(truncatingIfNeeded: generator.next()), octets)
            packet.isCut = generator.chance(50)
            packet.missingBefore = generator.chance(50) ? 3 : 0
            _ = depacketizer.take(packet)
        }
        _ = depacketizer.finish()
        #expect(depacketizer.waitingOctets == 0 && depacketizer.framesOut <= depacketizer.framesIn)
    }

    @Test("buffered data is counted, with any timestamps, and dropped when the limit is reached")
    func counted() {
        var unit = Self.depacketizer(8)
        _ = unit.take(Self.packet(1, 0, [0x7D, 0x85, 0, 1] + [UInt8](repeating: 1, count: 100)))
        for number in 2..<50 {
            _ = unit.take(
                Self.packet(number, UInt32(number) * 3_000, [0x7C, 0x05] + [UInt8](repeating: 1, count: 100)))
        }
        #expect(unit.waitingOctets >= 48 * 100)
        // One octet each: the overhead per unit counts as well.
        _ = unit.take(Self.packet(50, 150_000, [0x79, 0, 2] + (0..<100).flatMap { _ in [0, 1, 0x06] as [UInt8] }))
        #expect(unit.waitingOctets > 48 * 100 + 100 * 60)
        var packet = Self.packet(51, 153_000, [])
        packet.isCut = true
        _ = unit.take(packet)
        #expect(unit.waitingOctets == 0)
    }
}
