import WeirPackets

/// Follows the sequence numbers of one RTP stream: what is expected, lost, late and double (RFC 3550 §A.1, §A.3).
///
/// A missing number counts as lost only when the packets behind it have passed the reorder window. Memory is a bit for
/// each of the last `history` numbers, whatever the stream does.
package struct SequenceTracker: Sendable {
    /// Numbers in a row that never came.
    package struct Gap: Sendable, Hashable {
        /// The first missing sequence number.
        package var first: UInt16
        /// How many are missing.
        package var count: Int

        /// The missing numbers.
        var numbers: some Sequence<UInt16> {
            let first = self.first
            return (0..<min(count, 0x1_0000)).lazy.map { first &+ UInt16(truncatingIfNeeded: $0) }
        }
    }

    /// What a packet's sequence number means.
    package enum Arrival: Sendable, Hashable {
        /// The number after the highest so far, or the first of all.
        case next
        /// A number further ahead: those between are missing for now.
        case ahead
        /// A missing number, late.
        case late
        /// A number that was there before.
        case duplicate
        /// A number far from all others; unless its successor follows, it belongs to nothing.
        case stray
        /// The successor of a stray one: the source counts anew from there (RFC 3550 §A.1).
        case restart
    }

    /// How far behind a number may be and still be late rather than a new beginning (RFC 3550 §A.1, MAX_MISORDER).
    static let maximumMisorder = 100
    /// How many of the latest numbers are remembered: a power of two.
    static let history = 1_024

    /// Packets that came with a number not seen before, strays left out.
    package private(set) var received = 0
    /// The highest number of the current count, extended by the wraps before it; numbers start at one full turn, so that
    /// those before the first are not negative.
    private var highest: Int64 = -1
    /// Every number below is decided: it came, or was reported missing.
    private var settled: Int64 = 0
    /// The successor of the last stray number; -1 when there is none.
    private var restartCandidate: Int32 = -1
    /// Gaps given up before their time, because the history could not hold them any longer.
    private var waiting: [Gap] = []
    /// Packets that came again.
    package private(set) var duplicates = 0
    /// Packets that came after one with a higher number.
    package private(set) var reordered = 0
    /// Times that the source began to count anew.
    package private(set) var restarts = 0
    /// Packets whose numbers belonged to nothing.
    package private(set) var strays = 0
    /// Gaps reported.
    package private(set) var gaps = 0
    /// The highest number before the source counted anew, as on the wire.
    package private(set) var sequenceBeforeRestart: UInt16 = 0
    /// The first number that was missing when one came ahead of it last.
    package private(set) var firstSkipped: UInt16 = 0
    /// First sequence number as on the wire.
    package private(set) var firstSequence: UInt16 = 0

    /// One bit for each of the last `history` numbers up to `marked`: whether it came. All numbers behind that, up to
    /// `highest`, came: in an undisturbed stream nothing has to be marked.
    private var bits: [UInt64]
    private var marked: Int64 = 0
    /// The lowest number of the current count, extended by the wraps before it.
    private var base: Int64 = 0
    /// When the oldest undecided number was found missing.
    private var missingSince = Timestamp(nanoseconds: 0)
    /// Numbers expected before the last restart.
    private var expectedBefore = 0
    /// Whether the stray was counted as a duplicate, which a restart takes back.
    private var candidateIsDuplicate = false

    private let windowPackets: Int64
    private let windowNanoseconds: Int64

    /// Creates a tracker with the reorder window of `limits`.
    package init(limits: Limits = Limits()) {
        windowPackets = Int64(min(max(limits[RTPLimits.self].reorderPackets, 1), Self.history / 2))
        windowNanoseconds = Int64(min(max(limits[RTPLimits.self].reorderMilliseconds, 0), 3_600_000) * 1_000_000)
        bits = [UInt64](repeating: 0, count: Self.history / 64)
    }

    /// Whether a number is among those from the first to the highest, as far as 16 bits tell them apart.
    func hasSeen(_ number: UInt16) -> Bool { Int(lastSequence &- number) < expected }

    /// The highest sequence number, as on the wire.
    package var lastSequence: UInt16 { UInt16(truncatingIfNeeded: highest) }
    /// The highest sequence number with the count of wraps above its 16 bits, as receiver reports have it.
    package var extendedHighest: UInt32 {
        highest < 0 ? 0 : UInt32(truncatingIfNeeded: highest &- (base & ~0xFFFF))
    }
    /// How many packets the sequence numbers announce.
    package var expected: Int { highest < 0 ? 0 : expectedBefore &+ Int(highest &- base &+ 1) }
    /// How many packets are missing, those that may still come included.
    package var missing: Int { expected &- received }
    /// Whether a number is missing that is neither reported nor given up.
    package var hasUndecided: Bool { settled <= highest || !waiting.isEmpty }

    /// Whether nothing that is missing before a number may still come.
    func isSettled(_ number: UInt16) -> Bool {
        !hasUndecided || waiting.isEmpty && Int16(bitPattern: UInt16(truncatingIfNeeded: settled) &- number) > 0
    }

    /// Takes the sequence number of a packet seen at `time`.
    @inline(__always)
    package mutating func observe(_ sequence: UInt16, at time: Timestamp) -> Arrival {
        let step = Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: highest))
        if step == 1, highest >= 0 {
            highest &+= 1
            received &+= 1
            restartCandidate = -1
            if settled == highest { settled &+= 1 }
            return .next
        }
        return observeUnusual(sequence, Int64(step), time)
    }

    @inline(never)
    private mutating func observeUnusual(_ sequence: UInt16, _ step: Int64, _ time: Timestamp) -> Arrival {
        guard highest >= 0 else {
            firstSequence = sequence
            begin(sequence)
            return .next
        }
        if step > 0, step < RTPHeader.maximumDropout {
            restartCandidate = -1
            if highest &+ step &- settled >= Int64(Self.history) / 2 { giveUpAll(time) }
            if settled > highest { missingSince = time }
            markAll()
            for number in 1...min(step, Int64(Self.history)) { clear(highest &+ number) }
            firstSkipped = UInt16(truncatingIfNeeded: highest &+ 1)
            highest &+= step
            received &+= 1
            mark(highest)
            marked = highest
            return .ahead
        }
        if step <= 0, step > -Int64(Self.history), let arrival = observeBehind(sequence, highest &+ step, time) {
            return arrival
        }
        return observeStray(sequence, time)
    }

    /// A number at or behind the highest, inside the history; nil when it is too far behind for what it is.
    private mutating func observeBehind(_ sequence: UInt16, _ number: Int64, _ time: Timestamp) -> Arrival? {
        let isNear = highest &- number < Self.maximumMisorder
        if number < base {
            // Before the first: it moves the beginning, as long as no number has been given up yet.
            guard isNear, gaps == 0, restarts == 0 else { return nil }
            for between in number..<base { clear(between) }
            base = number
            settled = number &+ 1
            missingSince = time
        } else if isMarked(number) {
            guard isNear else {
                if Int32(sequence) == restartCandidate { return nil }
                duplicates &+= 1
                candidateIsDuplicate = true
                restartCandidate = Int32(sequence &+ 1)
                return .duplicate
            }
            duplicates &+= 1
            return .duplicate
        }
        mark(number)
        received &+= 1
        reordered &+= 1
        if number == settled || number == base {
            skipReceived()
            missingSince = time
        }
        return .late
    }

    private mutating func observeStray(_ sequence: UInt16, _ time: Timestamp) -> Arrival {
        guard Int32(sequence) == restartCandidate else {
            strays &+= 1
            candidateIsDuplicate = false
            restartCandidate = Int32(sequence &+ 1)
            return .stray
        }
        // Two in a row: the source counts anew, and the first of the two was no stray.
        if candidateIsDuplicate { duplicates &-= 1 } else { strays &-= 1 }
        giveUpAll(time)
        sequenceBeforeRestart = lastSequence
        expectedBefore = expected
        restarts &+= 1
        begin(sequence &- 1)
        _ = observe(sequence, at: time)
        return .restart
    }

    private mutating func begin(_ sequence: UInt16) {
        for index in bits.indices { bits[index] = 0 }
        base = 0x1_0000 &+ Int64(sequence)
        highest = base
        settled = base &+ 1
        received &+= 1
        restartCandidate = -1
        mark(base)
        marked = base
    }
}

extension SequenceTracker {
    /// The next gap for which the time to be filled is over at `time`; ask until it is nil. Each is told once.
    ///
    /// A gap's window begins with the first packet behind it.
    package mutating func takeGap(at time: Timestamp) -> Gap? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        guard settled <= highest else { return nil }
        skipReceived()
        guard settled <= highest else { return nil }
        let end = endOfGap
        return isOver(end, time) ? giveUp(end, time) : nil
    }

    /// Whether `takeGap` has something to tell at `time`.
    package mutating func isGapDue(at time: Timestamp) -> Bool {
        guard waiting.isEmpty else { return true }
        skipReceived()
        return settled <= highest && isOver(endOfGap, time)
    }

    private func isOver(_ end: Int64, _ time: Timestamp) -> Bool {
        highest &- end >= windowPackets || end &- settled > Int64(Self.history) / 2
            || time.nanoseconds &- missingSince.nanoseconds >= windowNanoseconds
    }

    /// The next gap at the end of the stream, when nothing can come any more.
    package mutating func takeLastGap() -> Gap? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        skipReceived()
        return settled <= highest ? giveUp(endOfGap, missingSince) : nil
    }

    /// The first number from `settled` on that came; `settled` itself did not.
    private var endOfGap: Int64 {
        var end = max(settled &+ 1, highest &- Int64(Self.history) &+ 1)
        while end < highest, !isMarked(end) { end &+= 1 }
        return end
    }

    private mutating func giveUp(_ end: Int64, _ time: Timestamp) -> Gap {
        let gap = Gap(first: UInt16(truncatingIfNeeded: settled), count: Int(end &- settled))
        gaps &+= 1
        settled = end
        missingSince = time
        skipReceived()
        return gap
    }

    /// Gives up what is undecided, to be told by the next calls of `takeGap`. There is at most every second number of
    /// the history.
    private mutating func giveUpAll(_ time: Timestamp) {
        skipReceived()
        while settled <= highest { waiting.append(giveUp(endOfGap, time)) }
    }

    /// Moves past numbers that came.
    private mutating func skipReceived() {
        while settled <= highest, highest &- settled < Int64(Self.history), isMarked(settled) { settled &+= 1 }
    }

    /// Marks those up to `highest`.
    private mutating func markAll() {
        var number = max(marked, highest &- Int64(Self.history)) &+ 1
        while number <= highest {
            mark(number)
            number &+= 1
        }
        marked = highest
    }

    private mutating func mark(_ number: Int64) {
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        bits[position >> 6] |= 1 << UInt64(position & 63)
    }

    private mutating func clear(_ number: Int64) {
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        bits[position >> 6] &= ~(1 << UInt64(position & 63))
    }

    /// The number so many steps from the highest, wraps counted.
    func extended(_ step: Int64) -> Int64 { highest &+ step }
    /// The lowest number of the current count.
    var lowest: Int64 { base }
    /// Whether a number of the history came.
    func hasCome(_ number: Int64) -> Bool { isMarked(number) }
    /// Whether a number came, or was told to be missing.
    func isSettled(_ number: Int64) -> Bool { number < settled }

    private func isMarked(_ number: Int64) -> Bool {
        guard number <= marked else { return true }
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        return bits[position >> 6] & 1 << UInt64(position & 63) != 0
    }
}
