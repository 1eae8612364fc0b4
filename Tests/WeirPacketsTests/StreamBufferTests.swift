import Testing
import WeirPackets
import WeirTesting

@Suite struct StreamBufferTests {
    /// Messages with a length of two octets, parsed as by a dissector.
    struct Reader {
        var messages: [[UInt8]] = []
        var shown = 0
        var calls = 0
        let saysNeeded: Bool

        mutating func read(_ bytes: RawSpan) -> StreamBuffer.Use {
            calls += 1
            shown += bytes.byteCount
            guard let length = bytes.uint16(at: 0) else { return .init(0, needed: saysNeeded ? 2 : 0) }
            let end = 2 + Int(length)
            guard bytes.byteCount >= end else { return .init(0, needed: saysNeeded ? end : 0) }
            messages.append(bytes.clamped(2, end).array())
            return .init(end)
        }
    }

    static func message(_ octets: [UInt8]) -> [UInt8] {
        [UInt8(octets.count >> 8), UInt8(octets.count & 0xFF)] + octets
    }

    @Test(arguments: [true, false], [1, 3, 700, 5_000])
    func anyCuttingGivesTheSameMessages(saysNeeded: Bool, largest: Int) {
        for seed in 0..<40 {
            var random = SeededGenerator(UInt64(seed))
            let messages = (0..<20).map { _ in
                random.octets(Int.random(in: 0...(random.chance(4) ? 4_000 : 40), using: &random))
            }
            let stream = messages.flatMap(Self.message)
            var reader = Reader(saysNeeded: saysNeeded)
            var buffer = StreamBuffer()
            var budget = OctetBudget(perOwner: 10_000, total: 10_000)
            var start = 0
            while start < stream.count {
                let end = min(stream.count, start + Int.random(in: 1...largest, using: &random))
                let outcome = buffer.offer(Array(stream[start..<end]).rawSpan, budget: &budget) { reader.read($0) }
                #expect(outcome == .taken)
                #expect(budget.used == buffer.count)
                start = end
            }
            #expect(reader.messages == messages)
            #expect(buffer.isEmpty)
            #expect(budget.used == 0)
        }
    }

    @Test func aReaderThatSaysWhatItNeedsIsNotAskedInBetween() {
        var reader = Reader(saysNeeded: true)
        var buffer = StreamBuffer()
        var budget = OctetBudget(perOwner: 100_000, total: 100_000)
        for octet in Self.message([UInt8](repeating: 1, count: 60_000)) {
            _ = buffer.offer([octet].rawSpan, budget: &budget) { reader.read($0) }
        }
        #expect(reader.messages.count == 1)
        #expect(reader.calls == 3)
    }

    @Test func littleUseAtATimeIsLinear() {
        // Ten thousand small messages in one segment after an incomplete one: no octet may be passed or moved
        // repeatedly.
        let small = (0..<10_000).flatMap { _ in Self.message([7]) }
        var calls = 0
        var buffer = StreamBuffer()
        var budget = OctetBudget(perOwner: 100_000, total: 100_000)
        var reader = Reader(saysNeeded: false)
        _ = buffer.offer([0].rawSpan, budget: &budget) { reader.read($0) }
        let outcome = buffer.offer(Array(small.dropFirst()).rawSpan, budget: &budget) { bytes in
            calls += 1
            return reader.read(bytes)
        }
        #expect(outcome == .taken)
        #expect(reader.messages.count == 10_000)
        #expect(calls <= 10_002)
        #expect(budget.used == 0)
    }

    @Test func tooLongAMessageIsDroppedAndSaid() {
        var buffer = StreamBuffer()
        var budget = OctetBudget(perOwner: 100, total: 1_000)
        var reader = Reader(saysNeeded: false)
        let outcomes = (0..<3).map { _ in
            buffer.offer([UInt8](repeating: 0xFF, count: 40).rawSpan, budget: &budget) { reader.read($0) }
        }
        #expect(outcomes == [.taken, .taken, .overflow(dropped: 120)])
        #expect(buffer.isEmpty && budget.used == 0)
        var announced = Reader(saysNeeded: true)
        let early = buffer.offer([UInt8](repeating: 0xFF, count: 40).rawSpan, budget: &budget) { announced.read($0) }
        #expect(early == .overflow(dropped: 40), "nothing is kept of a message that will not fit")
        #expect(buffer.isEmpty && budget.used == 0)
    }

    @Test func theSharedBudgetBoundsAllBuffers() {
        var budget = OctetBudget(perOwner: 100, total: 150)
        var buffers = [StreamBuffer(), StreamBuffer()]
        let input = [UInt8](repeating: 0, count: 90)
        #expect(buffers[0].offer(input.rawSpan, budget: &budget) { _ in .init(0) } == .taken)
        #expect(buffers[1].offer(input.rawSpan, budget: &budget) { _ in .init(0) } == .overflow(dropped: 90))
        buffers[0].discard(&budget)
        #expect(buffers[1].offer(input.rawSpan, budget: &budget) { _ in .init(0) } == .taken)
        #expect(budget.used == 90)
    }

    @Test func aReaderThatLiesIsContained() {
        var random = SeededGenerator(5)
        var buffer = StreamBuffer()
        var budget = OctetBudget(perOwner: 500, total: 500)
        for _ in 0..<5_000 {
            let input = random.octets(Int.random(in: 0...300, using: &random))
            var calls = 0
            _ = buffer.offer(input.rawSpan, budget: &budget) { _ in
                calls += 1
                return .init(
                    random.chance(3) ? 0 : .random(in: .min ... .max, using: &random),
                    needed: random.chance(3) ? .random(in: .min ... .max, using: &random) : 0)
            }
            #expect(calls <= 600)
            #expect(budget.used == buffer.count && budget.used <= 500)
        }
    }
}
