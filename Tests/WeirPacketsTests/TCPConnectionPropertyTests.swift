import Testing
import WeirPackets
import WeirTesting

/// Whatever happens to the segments, the stream is delivered as sent.
@Suite struct TCPConnectionPropertyTests {
    /// A client's stream and its segments, starting with the SYN; sequence numbers often wrap.
    struct Conversation {
        var random: SeededGenerator
        let octets: [UInt8]
        let initial: UInt32

        init(seed: UInt64, length: ClosedRange<Int> = 0...20_000) {
            random = SeededGenerator(seed)
            octets = random.octets(Int.random(in: length, using: &random))
            let isNearWrap = random.chance(2)
            initial = .random(in: isNearWrap ? UInt32.max - 30_000 ... .max : 0 ... .max, using: &random)
        }

        func data(_ range: Range<Int>) -> TestSegment {
            TestSegment(
                sequence: initial &+ 1 &+ UInt32(truncatingIfNeeded: range.lowerBound), acknowledgment: 1,
                payload: Array(octets[range]))
        }

        func acknowledge(_ position: Int) -> TestSegment {
            TestSegment(
                direction: .serverToClient, sequence: 1,
                acknowledgment: initial &+ 1 &+ UInt32(truncatingIfNeeded: position))
        }

        var opening: [TestSegment] {
            [
                TestSegment(sequence: initial, flags: .syn),
                TestSegment(direction: .serverToClient, sequence: 0, acknowledgment: initial &+ 1, flags: .syn),
                TestSegment(sequence: initial &+ 1, acknowledgment: 1),
            ]
        }

        mutating func ranges(upTo largest: Int) -> [Range<Int>] {
            var result: [Range<Int>] = []
            var start = 0
            while start < octets.count {
                let end = min(octets.count, start + Int.random(in: 1...largest, using: &random))
                result.append(start..<end)
                start = end
            }
            return result
        }
    }

    @Test func anySegmentationReorderingDuplicationAndOverlapGivesTheSameStream() {
        for seed in 0..<600 {
            var conversation = Conversation(seed: UInt64(seed))
            let largest = [1, 7, 100, 1_460, 70_000].randomElement(using: &conversation.random) ?? 1
            if largest == 1, conversation.octets.count > 2_000 { continue }
            var segments = conversation.ranges(upTo: largest)
            for range in segments where conversation.random.chance(5) {
                // A retransmission, extended or shortened on both sides.
                let spread = Int.random(in: 0...200, using: &conversation.random)
                let lower = max(0, range.lowerBound - spread)
                segments.append(lower..<min(conversation.octets.count, range.upperBound + spread / 2))
            }
            segments.sort { $0.lowerBound < $1.lowerBound }
            for index in segments.indices.dropLast() where conversation.random.chance(3) {
                let other = min(segments.count - 1, index + Int.random(in: 1...6, using: &conversation.random))
                segments.swapAt(index, other)
            }
            var harness = TCPHarness(perOwner: 1 << 24)
            harness.feed(conversation.opening)
            for range in segments {
                harness.feed(conversation.data(range))
                if conversation.random.chance(4) { harness.feed(conversation.acknowledge(harness.client.length)) }
            }
            #expect(harness.client.octets == conversation.octets, "before the end, seed \(seed)")
            harness.finish()
            #expect(harness.client.octets == conversation.octets, "seed \(seed)")
            #expect(harness.client.gaps == [], "seed \(seed)")
            #expect(harness.connection.handshake == .complete)
            #expect(harness.budget.used == 0)
            #expect(!harness.seen.contains(.overlapDiffers))
        }
    }

    @Test(arguments: [true, false])
    func aRemovedSegmentGivesOneGapAndNothingElseIsLost(acknowledged: Bool) {
        for seed in 0..<250 {
            var conversation = Conversation(seed: UInt64(seed), length: 2_000...40_000)
            let ranges = conversation.ranges(upTo: 1_460)
            let lost = Int.random(in: 0..<ranges.count - 1, using: &conversation.random)
            var harness = TCPHarness()
            harness.feed(conversation.opening)
            for (index, range) in ranges.enumerated() where index != lost {
                harness.feed(conversation.data(range))
                if acknowledged { harness.feed(conversation.acknowledge(range.upperBound)) }
            }
            let isGivenUp = harness.client.gaps.count == 1
            if acknowledged, ranges.count - lost > 12 { #expect(isGivenUp, "seed \(seed): not given up in time") }
            harness.finish()
            let gap = ranges[lost]
            let rest = conversation.octets[..<gap.lowerBound] + conversation.octets[gap.upperBound...]
            #expect(harness.client.gaps == [.init(position: gap.lowerBound, octets: gap.count)], "seed \(seed)")
            #expect(harness.client.octets == Array(rest), "seed \(seed)")
            #expect(harness.connection.missingOctets(.clientToServer) == gap.count)
            #expect(harness.connection.retransmittedOctets(.clientToServer) == 0)
            #expect(harness.budget.used == 0)
        }
    }

    @Test func aLateStartGivesAllFromTheFirstSegmentOn() {
        for seed in 0..<300 {
            var conversation = Conversation(seed: UInt64(seed), length: 3_000...9_000)
            let ranges = conversation.ranges(upTo: 900)
            let first = Int.random(in: 1..<ranges.count, using: &conversation.random)
            var harness = TCPHarness()
            for range in ranges[first...] { harness.feed(conversation.data(range)) }
            harness.finish()
            #expect(harness.client.octets == Array(conversation.octets[ranges[first].lowerBound...]))
            #expect(harness.client.gaps == [])
            #expect(harness.connection.handshake == .missing)
            #expect(!harness.connection.isSeenFromStart(.clientToServer))
        }
    }

    @Test func segmentsCutByTheSnapLengthLeaveGapsOfTheRightSize() {
        for seed in 0..<300 {
            var conversation = Conversation(seed: UInt64(seed), length: 1...9_000)
            var ranges = conversation.ranges(upTo: 900)
            let snap = Int.random(in: 1...500, using: &conversation.random)
            if ranges.count > 2, conversation.random.chance(2) { ranges.swapAt(0, 1) }
            var harness = TCPHarness()
            harness.feed(conversation.opening)
            for range in ranges {
                var segment = conversation.data(range)
                segment.missing = max(0, segment.payload.count - snap)
                segment.payload = Array(segment.payload.prefix(snap))
                harness.feed(segment)
            }
            harness.finish()
            let cut = ranges.sorted { $0.lowerBound < $1.lowerBound }.filter { $0.count > snap }
            #expect(
                harness.client.gaps
                    == cut.map { .init(position: $0.lowerBound + snap, octets: $0.count - snap) }, "seed \(seed)")
            let kept = ranges.sorted { $0.lowerBound < $1.lowerBound }.flatMap { conversation.octets[$0].prefix(snap) }
            #expect(harness.client.octets == kept, "seed \(seed)")
            #expect(harness.connection.retransmittedOctets(.clientToServer) == 0)
        }
    }

    @Test func hostileSegmentsNeverTrapAndStayWithinLimits() {
        for seed in 0..<150 {
            var random = SeededGenerator(UInt64(seed))
            var harness = TCPHarness(perOwner: 20_000, total: 30_000)
            let base = UInt32.random(in: 0 ... .max, using: &random)
            for _ in 0..<400 {
                func number() -> UInt32 {
                    random.chance(8)
                        ? .random(in: 0 ... .max, using: &random) : base &+ .random(in: 0...60_000, using: &random)
                }
                let count = random.chance(3) ? 0 : Int.random(in: 0...1_500, using: &random)
                let flags = random.chance(6) ? TCPFlags(rawValue: .random(in: 0...255, using: &random)) : .ack
                harness.feed(
                    TestSegment(
                        direction: random.chance(2) ? .clientToServer : .serverToClient, sequence: number(),
                        acknowledgment: random.chance(3) ? nil : number(), flags: flags,
                        window: random.chance(4) ? 0 : 1_000, payload: random.octets(count),
                        missing: random.chance(9) ? Int.random(in: -5...Int.max, using: &random) : 0,
                        milliseconds: Int.random(in: -1_000...1_000, using: &random)))
            }
            // One segment may exceed each limit before its stream is dropped.
            #expect(harness.mostUsed <= 30_000)
            harness.finish()
            #expect(harness.budget.used == 0, "seed \(seed)")
        }
    }
}
