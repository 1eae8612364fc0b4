import WeirPackets

/// Tracks the sequence numbers of one RTP stream: expected, lost, late and duplicate packets (RFC 3550 §A.1, §A.3).
///
/// A missing number counts as lost once the packets after it have passed the reorder window. Memory is one bit for each
/// of the last `history` numbers, whatever the stream.
package struct SequenceTracker: Sendable {
    /// Consecutive missing numbers.
    package struct Gap: Sendable, Hashable {
        /// The first missing sequence number.
        package var first: UInt16
        /// The number of missing packets.
        package var count: Int

        /// The missing numbers.
        var numbers: some Sequence<UInt16> {
            let first = self.first
            return (0..<min(count, 0x1_0000)).lazy.map { first &+ UInt16(truncatingIfNeeded: $0) }
        }
    }

    /// The classification of a packet by its sequence number.
    package enum Arrival: Sendable, Hashable {
        /// The number after the highest so far, or the first of all.
        case next
        /// A number further ahead; those in between are missing for now.
        case ahead
        /// A missing number, late.
        case late
        /// A number already received.
        case duplicate
        /// A number far from all others; discarded unless its successor follows.
        case stray
        /// The successor of a stray number: the source restarted its numbering (RFC 3550 §A.1).
        case restart
    }

    /// How far below the highest a number may be to count as late rather than as a restart (RFC 3550 §A.1,
    /// MAX_MISORDER).
    static let maximumMisorder = 100
    /// Number of recent sequence numbers tracked: a power of two.
    static let history = 1_024

    /// Duplicate packets.
    package private(set) var duplicates = 0
    /// Packets received after one with a higher number.
    package private(set) var reordered = 0
    /// Restarts of the source's numbering.
    package private(set) var restarts = 0
    /// Stray packets.
    package private(set) var strays = 0
    /// Gaps reported.
    package private(set) var gaps = 0
    /// The highest number before the last restart, as on the wire.
    package private(set) var sequenceBeforeRestart: UInt16 = 0
    /// The first missing number of the last jump ahead.
    package private(set) var firstSkipped: UInt16 = 0
    /// First sequence number, as on the wire.
    package private(set) var firstSequence: UInt16 = 0

    /// One bit for each of the last `history` numbers up to `marked`: whether it was received. All numbers after that,
    /// up to `highest`, were received, so an undisturbed stream needs no marking, and no bits.
    private var bits: [UInt64] = []
    private var marked: Int64 = 0
    /// The lowest number since the last restart, extended by its wraps.
    private var base: Int64 = 0
    /// Time at which the oldest undecided number was found missing.
    private var missingSince = Timestamp(nanoseconds: 0)
    /// Numbers expected before the last restart.
    private var expectedBefore = 0
    /// Whether the stray was counted as a duplicate, which a restart reverts.
    private var candidateIsDuplicate = false

    private static let noBits = [UInt64](repeating: 0, count: history / 64)

    private let windowPackets: Int64
    private let windowNanoseconds: Int64

    // Members that every packet needs, last: those of `MediaStream` follow them.

    /// Gaps given up early, because they no longer fit the history.
    private var waiting: [Gap] = []
    /// Packets with a new sequence number, without strays.
    package private(set) var received = 0
    /// The highest number since the last restart, extended by its wraps; extended numbers start at one full cycle, so
    /// that those before the first are not negative.
    private var highest: Int64 = -1
    /// Every number below is final: received, or reported missing.
    private var settled: Int64 = 0
    /// The successor of the last stray number; -1 if there is none.
    private var restartCandidate: Int32 = -1

    /// Creates a tracker with the reorder window of `limits`.
    package init(limits: Limits = Limits()) {
        windowPackets = Int64(min(max(limits[RTPLimits.self].reorderPackets, 1), Self.history / 2))
        windowNanoseconds = Int64(min(max(limits[RTPLimits.self].reorderMilliseconds, 0), 3_600_000) * 1_000_000)
    }

    /// Returns whether a number is between the first and the highest, as far as 16 bits distinguish.
    func hasSeen(_ number: UInt16) -> Bool { Int(lastSequence &- number) < expected }

    /// The highest sequence number, as on the wire.
    package var lastSequence: UInt16 { UInt16(truncatingIfNeeded: highest) }
    /// The highest sequence number, extended by its cycles above 16 bits, as in receiver reports.
    package var extendedHighest: UInt32 {
        highest < 0 ? 0 : UInt32(truncatingIfNeeded: highest &- (base & ~0xFFFF))
    }
    /// The number of packets expected from the sequence numbers.
    package var expected: Int { highest < 0 ? 0 : expectedBefore &+ Int(highest &- base &+ 1) }
    /// The number of missing packets, including those that may still arrive.
    package var missing: Int { expected &- received }
    /// Whether a missing number is neither reported nor given up.
    package var hasUndecided: Bool { settled <= highest || !waiting.isEmpty }

    /// Returns whether no missing packet before a number may still arrive.
    func isSettled(_ number: UInt16) -> Bool {
        !hasUndecided || waiting.isEmpty && Int16(bitPattern: UInt16(truncatingIfNeeded: settled) &- number) > 0
    }

    /// Processes the sequence number of a packet captured at `time`.
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

    /// Whether a number follows the highest, and none is undecided: `takeNext` then does the same as `observe`.
    @inline(__always)
    func isNext(_ sequence: UInt16) -> Bool {
        sequence == UInt16(truncatingIfNeeded: highest) &+ 1 && settled > highest && highest >= 0 && waiting.isEmpty
    }

    /// Counts the number after the highest.
    @inline(__always)
    mutating func takeNext() {
        highest &+= 1
        received &+= 1
        restartCandidate = -1
        settled = highest &+ 1
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

    /// Classifies a number at or below the highest within the history; returns nil if it is too far below.
    private mutating func observeBehind(_ sequence: UInt16, _ number: Int64, _ time: Timestamp) -> Arrival? {
        let isNear = highest &- number < Self.maximumMisorder
        if number < base {
            // Before the first: it moves the start, as long as no number was given up.
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
            candidateIsDuplicate = false
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
        // Two in a row: the source restarted its numbering, and the first of the two was not a stray.
        if candidateIsDuplicate { duplicates &-= 1 } else { strays &-= 1 }
        giveUpAll(time)
        sequenceBeforeRestart = lastSequence
        expectedBefore = expected
        restarts &+= 1
        begin(sequence &- 1)
        _ = observe(sequence, at: time)
        return .restart
    }

    /// Takes back the duplicate just counted, which is another packet. Returns false if it is a stray instead: it is far
    /// from the highest number, and its successor would confirm a restart.
    mutating func retractDuplicate() -> Bool {
        duplicates &-= 1
        guard candidateIsDuplicate, restartCandidate >= 0 else { return true }
        candidateIsDuplicate = false
        strays &+= 1
        return false
    }

    private mutating func begin(_ sequence: UInt16) {
        for index in bits.indices { bits[index] = 0 }
        base = 0x1_0000 &+ Int64(sequence)
        highest = base
        settled = base &+ 1
        received &+= 1
        restartCandidate = -1
        marked = base &- 1
    }
}

extension SequenceTracker {
    /// Returns the next gap whose reorder window is over at `time`; called until nil. Each gap is returned once.
    ///
    /// The reorder window of a gap starts with the first packet after it.
    package mutating func takeGap(at time: Timestamp) -> Gap? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        guard settled <= highest else { return nil }
        skipReceived()
        guard settled <= highest else { return nil }
        let end = endOfGap
        return isOver(end, time) ? giveUp(end, time) : nil
    }

    /// Returns whether `takeGap` would return a gap at `time`.
    package mutating func isGapDue(at time: Timestamp) -> Bool {
        guard waiting.isEmpty else { return true }
        skipReceived()
        return settled <= highest && isOver(endOfGap, time)
    }

    private func isOver(_ end: Int64, _ time: Timestamp) -> Bool {
        highest &- end >= windowPackets || end &- settled > Int64(Self.history) / 2
            || time.nanoseconds &- missingSince.nanoseconds >= windowNanoseconds
    }

    /// Returns the next gap at the end of the stream, when nothing can arrive any more.
    package mutating func takeLastGap() -> Gap? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        skipReceived()
        return settled <= highest ? giveUp(endOfGap, missingSince) : nil
    }

    /// The first received number from `settled` on; `settled` itself was not received.
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

    /// Gives up all undecided numbers, to be returned by the next calls of `takeGap`. There is at most one gap for
    /// every second number of the history.
    private mutating func giveUpAll(_ time: Timestamp) {
        skipReceived()
        while settled <= highest { waiting.append(giveUp(endOfGap, time)) }
    }

    /// Advances past received numbers.
    private mutating func skipReceived() {
        while settled <= highest, highest &- settled < Int64(Self.history), isMarked(settled) { settled &+= 1 }
    }

    /// Marks all numbers up to `highest`.
    private mutating func markAll() {
        var number = max(marked, highest &- Int64(Self.history)) &+ 1
        while number <= highest {
            mark(number)
            number &+= 1
        }
        marked = highest
    }

    private mutating func mark(_ number: Int64) {
        if bits.isEmpty { bits = Self.noBits }
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        bits[position >> 6] |= 1 << UInt64(position & 63)
    }

    private mutating func clear(_ number: Int64) {
        if bits.isEmpty { bits = Self.noBits }
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        bits[position >> 6] &= ~(1 << UInt64(position & 63))
    }

    /// Returns the extended number `step` numbers from the highest.
    func extended(_ step: Int64) -> Int64 { highest &+ step }
    /// The lowest number since the last restart.
    var lowest: Int64 { base }
    /// Returns whether a number within the history was received.
    func isReceived(_ number: Int64) -> Bool { isMarked(number) }
    /// Returns whether a number was received, or reported missing.
    func isSettled(_ number: Int64) -> Bool { number < settled }

    private func isMarked(_ number: Int64) -> Bool {
        guard number <= marked, !bits.isEmpty else { return number > marked }
        let position = Int(truncatingIfNeeded: number) & (Self.history - 1)
        return bits[position >> 6] & 1 << UInt64(position & 63) != 0
    }
}
