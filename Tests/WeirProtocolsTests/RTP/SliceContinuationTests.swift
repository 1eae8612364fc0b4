import Testing
import WeirPackets
@testable import WeirProtocols
import WeirTesting

/// Packets that only continue a slice are counted without being examined, with the same result.
@Suite("Packets that continue a slice") struct SliceContinuationTests {
    private static let ssrc: UInt32 = 0x0BAD_CAFE

    private func stream(_ limits: Limits = Limits()) -> MediaStream {
        var stream = MediaStream(ssrc: Self.ssrc, limits: limits)
        stream.configure(
            payloadType: 96,
            as: MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000, parameters: "packetization-mode=1")
        )
        return stream
    }

    /// Another format with fragments.
    private let other = MediaFormat(
        mediaType: "video", encoding: "H264", clockRate: 90_000,
        parameters: "packetization-mode=1;profile-level-id=42E01F")

    /// The parts of a stream's description, sorted: dictionaries are in any order.
    private func parts(_ stream: MediaStream) -> [Substring] {
        "\(stream)".split { "[](), ".contains($0) }.sorted()
    }

    private func packet(_ sequence: UInt16, _ timestamp: UInt32, marker: Bool, _ payload: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = [0x80, 96 | (marker ? 0x80 : 0), UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
        for word in [timestamp, Self.ssrc] {
            for shift in [24, 16, 8, 0] as [UInt32] { octets.append(UInt8(word >> shift & 0xFF)) }
        }
        return octets + payload
    }

    /// Processes a packet in both ways; returns whether it was counted without being examined.
    private func feed(
        _ octets: [UInt8], at time: Timestamp, frame: Int, _ quick: inout MediaStream, _ whole: inout MediaStream
    ) throws -> Bool {
        let header = try RTPHeader(octets.rawSpan)
        let payload = octets.rawSpan.clamped(RTPHeader.fixedLength)
        let changes = whole.observe(header, payload: payload, time: time, frame: frame)
        defer {
            // As the owner of the streams does: what is lost is taken.
            if changes.contains(.gap) {
                while quick.takeGap(at: time) != nil {}
                while whole.takeGap(at: time) != nil {}
            }
        }
        // Of some packets only the beginning is at hand.
        let beginning = frame % 3 == 0 ? octets.rawSpan.clamped(0, 14) : octets.rawSpan
        guard !quick.continues(with: beginning, length: octets.count, at: time, frame: frame) else {
            #expect(changes.isEmpty)
            return true
        }
        #expect(quick.observe(header, payload: payload, time: time, frame: frame) == changes)
        return false
    }

    @Test(
        "change the same as when examined, with loss, repetition, delay and gaps in time",
        arguments: 1...6 as ClosedRange<UInt64>)
    func equal(_ seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var (quick, whole) = (stream(), stream())
        var (sequence, frame, continued, silence) = (UInt16(65_000), 0, 0, Int64(0))
        for picture in 0..<400 {
            let timestamp = UInt32(picture) &* 3_600
            let last = Int(random.next() % 12)
            let start = 1_000_000_000 + Int64(picture) * 40_000_000
            if picture > 350, random.chance(10) { silence += 3_000_000_000 }
            for part in 0...last {
                let header: UInt8 = picture % 50 == 0 ? 5 : 1
                let flags: UInt8 = part == 0 ? 0x80 : part == last ? 0x40 : 0
                sequence &+= random.chance(40) ? 2 : 1
                var payload: [UInt8] = [0x7C, flags | header, 1, 2, 3]
                if random.chance(60) {
                    payload = [[0, 0, 0, 1], [0x7C, header], [0x5C, header, 7], [0x65, 0x88]][part % 4]
                }
                let stamp = random.chance(60) ? timestamp &- 3_600 : timestamp
                let octets = packet(sequence, stamp, marker: part == last, payload)
                var time = start + silence + Int64(part) * 1_000_000
                if random.chance(50) { time += 400_000_000 }
                if random.chance(80) { time -= 5_000_000 }
                // From the first repeated number on, all packets are examined.
                for _ in 0..<(picture > 300 && random.chance(60) ? 2 : 1) {
                    frame += 1
                    let isQuick = try feed(
                        octets, at: Timestamp(nanoseconds: time), frame: frame, &quick, &whole)
                    continued += isQuick ? 1 : 0
                }
                if random.chance(90) {
                    quick.configure(payloadType: 96, as: other)
                    whole.configure(payloadType: 96, as: other)
                }
            }
        }
        #expect(parts(quick) == parts(whole))
        #expect(continued > 100)
    }

    @Test("are examined if anything else may have changed")
    func examined() throws {
        for change in 0..<7 {
            var (quick, whole) = (stream(), stream())
            var time = Int64(1_000_000_000)
            for (number, flags) in [0x80, 0, 0].enumerated() as EnumeratedSequence<[UInt8]> {
                time += 1_000_000
                _ = try feed(
                    packet(UInt16(number), 0, marker: false, [0x7C, flags | 1, 1, 2]),
                    at: Timestamp(nanoseconds: time), frame: number + 1, &quick, &whole)
            }
            var next = packet(3, 0, marker: false, [0x7C, 1, 1, 2])
            time += 1_000_000
            switch change {
            case 1: next = packet(4, 0, marker: false, [0x7C, 1, 1, 2])
            case 2: next = packet(3, 1, marker: false, [0x7C, 1, 1, 2])
            case 3: next = packet(3, 0, marker: true, [0x7C, 1, 1, 2])
            case 4: next = packet(3, 0, marker: false, [0x7C, 0x41, 1, 2])
            case 5: time += 1_500_000_000
            case 6:
                quick.configure(payloadType: 96, as: other)
                whole.configure(payloadType: 96, as: other)
            default: break
            }
            let isQuick = try feed(next, at: Timestamp(nanoseconds: time), frame: 9, &quick, &whole)
            #expect(isQuick == (change == 0), "\(change)")
            #expect(parts(quick) == parts(whole))
        }
    }
}
