import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite("RTP sequence numbers")
struct SequenceTrackerTests {
    private let step: Int64 = 1_000_000

    private func arrivals(_ numbers: [UInt16]) -> (SequenceTracker, [SequenceTracker.Arrival], [SequenceTracker.Gap]) {
        var tracker = SequenceTracker()
        var arrivals: [SequenceTracker.Arrival] = []
        var gaps: [SequenceTracker.Gap] = []
        for (index, number) in numbers.enumerated() {
            let time = Timestamp(nanoseconds: Int64(index) * step)
            arrivals.append(tracker.observe(number, at: time))
            while let gap = tracker.takeGap(at: time) { gaps.append(gap) }
        }
        while let gap = tracker.takeLastGap() { gaps.append(gap) }
        return (tracker, arrivals, gaps)
    }

    @Test("in order, across the wrap")
    func wrap() {
        let (tracker, arrivals, gaps) = arrivals([65_534, 65_535, 0, 1])
        #expect(arrivals == [.next, .next, .next, .next])
        #expect(tracker.expected == 4 && tracker.missing == 0 && gaps.isEmpty)
        #expect(tracker.firstSequence == 65_534 && tracker.lastSequence == 1)
        #expect(tracker.extendedHighest == 0x1_0001)
    }

    @Test("late is not lost, duplicate is not reordered")
    func lateAndDouble() {
        let (tracker, arrivals, gaps) = arrivals([10, 12, 11, 12, 13])
        #expect(arrivals == [.next, .ahead, .late, .duplicate, .next])
        #expect(tracker.expected == 4 && tracker.missing == 0 && gaps.isEmpty)
        #expect(tracker.reordered == 1 && tracker.duplicates == 1)
    }

    @Test("packets that overtook the first one move the start")
    func overtaken() {
        let (tracker, _, gaps) = arrivals([5, 3, 4, 6])
        #expect(tracker.expected == 4 && tracker.missing == 0 && gaps.isEmpty)
        #expect(tracker.reordered == 2)
    }

    @Test("a gap is reported once, after 64 further packets")
    func window() {
        var tracker = SequenceTracker()
        let time = Timestamp(nanoseconds: 0)
        _ = tracker.observe(100, at: time)
        for number in UInt16(104)...167 {
            _ = tracker.observe(number, at: time)
            let early = tracker.takeGap(at: time)
            #expect(early == nil)
        }
        _ = tracker.observe(168, at: time)
        let isDue = tracker.isGapDue(at: time)
        let gap = tracker.takeGap(at: time)
        let again = tracker.takeGap(at: time)
        let last = tracker.takeLastGap()
        #expect(isDue)
        #expect(gap == .init(first: 101, count: 3))
        #expect(again == nil && last == nil)
    }

    @Test("or when half a second has passed")
    func time() {
        var tracker = SequenceTracker()
        _ = tracker.observe(1, at: Timestamp(nanoseconds: 0))
        _ = tracker.observe(3, at: Timestamp(nanoseconds: 20_000_000))
        let early = tracker.takeGap(at: Timestamp(nanoseconds: 519_000_000))
        let gap = tracker.takeGap(at: Timestamp(nanoseconds: 520_000_000))
        #expect(early == nil)
        #expect(gap == .init(first: 2, count: 1))
    }

    @Test("a late packet takes the loss back")
    func afterGivingUp() {
        let (tracker, arrivals, gaps) = arrivals([1] + Array(3...90) + [2])
        #expect(gaps == [.init(first: 2, count: 1)])
        #expect(arrivals.last == .late && tracker.missing == 0)
    }

    @Test("a jump of less than 3000 is loss, a larger one a restart after its successor arrived (RFC 3550 §A.1)")
    func jumps() {
        let (lossy, _, gaps) = arrivals([0, 1_713])
        #expect(lossy.missing == 1_712 && gaps == [.init(first: 1, count: 1_712)])
        let (restarted, arrivals, none) = arrivals([10, 11, 40_000, 40_001, 40_002])
        #expect(arrivals == [.next, .next, .stray, .restart, .next])
        #expect(restarted.expected == 5 && restarted.missing == 0 && none.isEmpty && restarted.strays == 0)
        let (astray, after, _) = self.arrivals([10, 11, 40_000, 12])
        #expect(after == [.next, .next, .stray, .next])
        #expect(astray.strays == 1 && astray.expected == 3 && astray.missing == 0)
    }

    @Test("a repeated file restarts the sequence, although its numbers occurred before")
    func loop() {
        let (tracker, _, gaps) = arrivals(Array(1_000...1_235) + Array(1_000...1_235))
        #expect(tracker.restarts == 1 && tracker.duplicates == 0)
        #expect(tracker.expected == 472 && tracker.received == 472 && gaps.isEmpty)
    }

    @Test("gaps before a large jump are reported with the right numbers")
    func holesBeforeJump() {
        let (tracker, _, gaps) = arrivals([1, 3, 5, 2_000, 2_001])
        #expect(gaps == [.init(first: 2, count: 1), .init(first: 4, count: 1), .init(first: 6, count: 1_994)])
        #expect(tracker.missing == gaps.reduce(0) { $0 + $1.count })
    }

    @Test("loss, duplicates and reordering equal those simulated", arguments: 0..<300)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed)
        let first = UInt16(truncatingIfNeeded: random.next())
        let total = 200 + Int(random.next() % 3_000)
        let (loss, doubling, delay) = (
            Int(random.next() % 60) + 2, Int(random.next() % 60) + 2, Int(random.next() % 40)
        )
        // The arrival position of each packet: its own, or later by less than the reorder window.
        var sent: [(place: Int, order: Int, number: Int)] = []
        for number in 0..<total {
            if number > 0, number < total - 1, random.chance(loss) { continue }
            let late = delay > 0 && number > 0 && random.chance(10) ? 1 + Int(random.next() % UInt64(delay)) : 0
            sent.append((number + late, sent.count, number))
            if random.chance(doubling) { sent.append((number + late + Int(random.next() % 3), sent.count, number)) }
        }
        sent.sort { ($0.place, $0.order) < ($1.place, $1.order) }

        var tracker = SequenceTracker()
        var reported = Set<Int>()
        var seen = Set<Int>()
        var (highest, reordered, duplicates) = (-1, 0, 0)
        func emit(_ gap: SequenceTracker.Gap) {
            let start = Int(gap.first &- first)
            for number in start..<start + gap.count {
                #expect(!seen.contains(number) && reported.insert(number).inserted)
            }
        }
        for (index, packet) in sent.enumerated() {
            let time = Timestamp(nanoseconds: Int64(index) * step)
            let sequence = first &+ UInt16(truncatingIfNeeded: packet.number)
            let arrival = tracker.observe(sequence, at: time)
            if !seen.insert(packet.number).inserted {
                duplicates += 1
                #expect(arrival == .duplicate)
            } else if packet.number < highest {
                reordered += 1
                #expect(arrival == .late)
            }
            highest = max(highest, packet.number)
            #expect(tracker.expected == highest + 1 && tracker.received == seen.count)
            while let gap = tracker.takeGap(at: time) { emit(gap) }
        }
        while let gap = tracker.takeLastGap() { emit(gap) }
        #expect(reported == Set(0...highest).subtracting(seen))
        #expect(tracker.missing == reported.count)
        #expect(tracker.duplicates == duplicates && tracker.reordered == reordered)
        #expect(tracker.strays == 0 && tracker.restarts == 0)
    }

    @Test("arbitrary numbers: no traps, and the counts add up")
    func hostile() {
        var random = SeededGenerator(0x5345_5121)
        for round in 0..<200 {
            var limits = Limits()
            limits[RTPLimits.self].reorderPackets = Int(truncatingIfNeeded: random.next() % 3_000) - 500
            limits[RTPLimits.self].reorderMilliseconds = Double(random.next() % 1_000) - 100
            var tracker = SequenceTracker(limits: limits)
            var number = UInt16(truncatingIfNeeded: random.next())
            var (reported, packets) = (0, 0)
            for _ in 0..<1_000 {
                let spread = [3, 200, 2_000, 65_536][round % 4]
                number &+= UInt16(truncatingIfNeeded: Int(random.next() % UInt64(spread)) - spread / 3)
                let time = Timestamp(nanoseconds: Int64(truncatingIfNeeded: random.next()))
                _ = tracker.observe(number, at: time)
                packets += 1
                while let gap = tracker.takeGap(at: time) { reported += gap.count }
                #expect(tracker.received + tracker.duplicates + tracker.strays == packets)
                #expect(tracker.missing >= 0)
            }
            while let gap = tracker.takeLastGap() { reported += gap.count }
            #expect(reported >= tracker.missing)
        }
    }
}
