import Dispatch
import Synchronization
import WeirPackets

/// Reads and decompresses the next blocks of a file on another thread, while the current one is analyzed.
///
/// The blocks of a ring are filled in turn until none is free. Waking the other thread takes the analysis a third as long as
/// reading a block: it does so once a single one is left, and reads the next one itself if the other thread has not begun
/// by then, which may be waiting for a processor. Each block has free octets in front, for the end of the previous block that
/// is not consumed yet.
struct ReadAhead {
    /// The octets of a block.
    private static let blockOctets = 256 * 1024
    /// The free octets in front: more than most packets have.
    private static let front = 16 * 1024
    /// The size of the memory of a block, in octets.
    static let memoryOctets = front + blockOctets

    /// A block, which belongs to the thread that reads until it is filled.
    private final class Block: Sendable {
        struct Contents: ~Copyable, Sendable {
            var memory = InputMemory(memoryOctets)
            var arrival = InputSource.Arrival()
        }

        let contents = Mutex(Contents())
    }

    /// The thread that reads.
    private enum Turn: UInt8, AtomicRepresentable {
        /// Neither.
        case idle
        /// Neither, but the other thread was woken.
        case woken
        /// The other thread.
        case reader
        /// That of the analysis.
        case analysis
    }

    /// The ring of blocks, and the input, from which one thread reads at a time.
    private final class Ring: Sendable {
        private static let count = 8
        /// The number of filled blocks below which the other thread is woken: it begins before the rest is consumed.
        private static let few = 2

        private let source: InputSource
        private let sums: Mutex<RecordSums?>
        private let queue = DispatchQueue(label: "weir.read")
        private let blocks = (0..<count).map { _ in Block() }
        // One thread changes its turn and then looks at the blocks, the other one changes the blocks and then looks at the
        // turn: the order of all these accesses is the same for both.
        private let turn = Atomic(Turn.idle)
        /// The number of blocks filled so far.
        private let filled = Atomic(0)
        /// The number of blocks consumed so far.
        private let consumed = Atomic(0)
        private let isAtEnd = Atomic(false)
        /// Signaled for each block that is filled.
        private let ready = DispatchSemaphore(value: 0)

        init(_ source: InputSource, _ sums: RecordSums?) {
            self.source = source
            self.sums = Mutex(sums)
        }

        /// The number of blocks that are filled and not consumed.
        private var available: Int {
            filled.load(ordering: .sequentiallyConsistent) &- consumed.load(ordering: .sequentiallyConsistent)
        }

        /// Whether fewer blocks than `limit` are filled, and the input has more.
        private func lacksBlocks(_ limit: Int) -> Bool {
            available < limit && !isAtEnd.load(ordering: .sequentiallyConsistent)
        }

        /// Changes the turn, unless it is another one than expected.
        private func pass(from old: Turn, to new: Turn) -> Bool {
            turn.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
        }

        /// Wakes the other thread if few blocks are left.
        func wake() {
            guard lacksBlocks(Self.few), pass(from: .idle, to: .woken) else { return }
            queue.async { [self] in readAhead() }
        }

        /// Fills all blocks that are free, on the other thread.
        private func readAhead() {
            while pass(from: .woken, to: .reader) {
                while lacksBlocks(Self.count) { fill() }
                turn.store(.idle, ordering: .sequentiallyConsistent)
                // Meanwhile the analysis may have consumed blocks, and not woken this thread, which was reading.
                guard lacksBlocks(Self.few), pass(from: .idle, to: .woken) else { return }
            }
        }

        /// Passes the next block, once it is filled, and consumes it.
        func next(
            _ body: (inout sending Block.Contents) -> sending InputSource.Arrival
        ) -> InputSource.Arrival {
            if available == 0, pass(from: .woken, to: .analysis) || pass(from: .idle, to: .analysis) {
                // The other thread may have filled blocks and ended meanwhile.
                if available == 0 { fill() }
                turn.store(.idle, ordering: .sequentiallyConsistent)
            }
            ready.wait()
            let number = consumed.load(ordering: .relaxed)
            let arrival = blocks[number % Self.count].contents.withLock(body)
            consumed.store(number &+ 1, ordering: .sequentiallyConsistent)
            return arrival
        }

        /// Reads a block, up to its end or the end of the input, and computes the sums of its records.
        private func fill() {
            let number = filled.load(ordering: .relaxed)
            blocks[number % Self.count].contents.withLock { contents in
                var (total, end) = (0, front)
                repeat {
                    contents.arrival = source.read(into: contents.memory, end..<memoryOctets)
                    total &+= contents.arrival.count
                    end &+= contents.arrival.count
                } while contents.arrival.count > 0 && end < memoryOctets
                // A failure after these octets is that of the next read as well.
                if total > 0 { contents.arrival.failure = nil }
                contents.arrival.count = total
                let found = sums.withLock { $0?.read(contents.memory.bytes(front..<front &+ total), at: front) }
                contents.memory.sums = found ?? []
                if total == 0 { isAtEnd.store(true, ordering: .sequentiallyConsistent) }
            }
            filled.store(number &+ 1, ordering: .sequentiallyConsistent)
            ready.signal()
        }
    }

    private let ring: Ring
    /// The arrival at the end of the input.
    private var last: InputSource.Arrival?

    /// Starts to read a regular file, which nothing else reads from now on.
    ///
    /// - Parameter sums: Computes the sums of its records, of which the first is next; nil if they are not needed.
    init(_ source: InputSource, sums: RecordSums?) {
        ring = Ring(source, sums)
        ring.wake()
    }

    /// Waits for the next block, and joins it to the unread octets before it.
    ///
    /// - Parameters:
    ///   - unread: The range of these octets in `memory`; becomes that of all unread octets. Unchanged at the end.
    ///   - memory: The memory with them; becomes that of the block if they fit in front of it.
    mutating func next(_ unread: inout Range<Int>, in memory: inout InputMemory) -> InputSource.Arrival {
        if let last { return last }
        let arrival = ring.next { contents in
            if contents.arrival.count > 0 { Self.join(&unread, &memory, &contents) }
            return contents.arrival
        }
        if arrival.count > 0 { ring.wake() } else { last = arrival }
        return arrival
    }

    /// Joins a block to the unread octets before it.
    private static func join(_ unread: inout Range<Int>, _ memory: inout InputMemory, _ block: inout Block.Contents) {
        let arrived = front..<front &+ block.arrival.count
        if unread.count <= front {
            block.memory.copy(memory, unread, to: front &- unread.count)
            swap(&block.memory, &memory)
            unread = front &- unread.count..<arrived.upperBound
            return
        }
        if memory.count &- unread.upperBound < arrived.count {
            // Doubled, so that a large packet or block is copied a few times only.
            let larger = InputMemory(max(memory.count &* 2, unread.count &+ arrived.count))
            larger.copy(memory, unread, to: 0)
            memory = larger
            unread = 0..<unread.count
        }
        memory.copy(block.memory, arrived, to: unread.upperBound)
        unread = unread.lowerBound..<unread.upperBound &+ arrived.count
    }
}
