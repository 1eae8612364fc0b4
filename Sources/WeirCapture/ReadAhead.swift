import Dispatch
import Synchronization
import WeirPackets

/// Reads and decompresses the next blocks of a file on another thread, while the current one is analyzed.
///
/// The blocks of a ring are filled in turn, half of them at once, and handed over together: waking a thread takes as long
/// as reading a block. The thread of the analysis reads a half itself if the other one has not begun, which may be waiting
/// for a processor. Each block has free octets in front, for the end of the previous block that is not consumed yet.
struct ReadAhead {
    /// The octets of a block.
    private static let blockOctets = 256 * 1024
    /// The free octets in front: more than most packets have.
    private static let front = 16 * 1024
    /// The size of the memory of a block, in octets.
    static let memoryOctets = front + blockOctets
    /// The number of blocks in half of the ring, which are filled at once.
    private static let blocksOfHalf = 4

    /// A block, which belongs to the thread that reads until its half of the ring is filled.
    private final class Block: Sendable {
        struct Contents: ~Copyable, Sendable {
            var memory = InputMemory(memoryOctets)
            var arrival = InputSource.Arrival()
        }

        let contents = Mutex(Contents())
    }

    /// The input, from which one thread reads at a time.
    private final class Reader: Sendable {
        private let source: InputSource
        private let sums: Mutex<RecordSums?>
        /// Signaled while no thread reads. The mutex alone would suffice, but ThreadSanitizer does not recognize it.
        private let isFree = DispatchSemaphore(value: 1)
        /// The number of times that half of the ring was filled.
        let filled = Atomic(0)

        init(_ source: InputSource, _ sums: RecordSums?) {
            self.source = source
            self.sums = Mutex(sums)
        }

        /// Fills half of the ring, unless another thread has.
        ///
        /// - Parameter earlier: The value of `filled` before.
        func fill(_ blocks: ArraySlice<Block>, after earlier: Int) {
            isFree.wait()
            defer { isFree.signal() }
            sums.withLock { sums in
                guard filled.load(ordering: .relaxed) == earlier else { return }
                for block in blocks { fill(block, &sums) }
                filled.store(earlier &+ 1, ordering: .releasing)
            }
        }

        /// Reads a block, up to its end or the end of the input, and computes the sums of its records.
        private func fill(_ block: Block, _ sums: inout RecordSums?) {
            block.contents.withLock { contents in
                var (total, end) = (0, front)
                repeat {
                    contents.arrival = source.read(into: contents.memory, end..<memoryOctets)
                    total &+= contents.arrival.count
                    end &+= contents.arrival.count
                } while contents.arrival.count > 0 && end < memoryOctets
                // A failure after these octets is that of the next read as well.
                if total > 0 { contents.arrival.failure = nil }
                contents.arrival.count = total
                let found = sums?.read(contents.memory.bytes(front..<front &+ total), at: front)
                contents.memory.sums = found ?? []
            }
        }
    }

    private let reader: Reader
    private let queue = DispatchQueue(label: "weir.read")
    private let blocks = (0..<2 * blocksOfHalf).map { _ in Block() }
    /// The position of the next block.
    private var position = 0
    /// The value of the reader's `filled` before the half with that block was filled.
    private var filledBefore = 0
    /// The arrival at the end of the input.
    private var last: InputSource.Arrival?

    /// Starts to read a regular file, which nothing else reads from now on.
    ///
    /// - Parameter sums: Computes the sums of its records, of which the first is next; nil if they are not needed.
    init(_ source: InputSource, sums: RecordSums?) {
        reader = Reader(source, sums)
        fill(blocks[..<Self.blocksOfHalf], after: 0)
        fill(blocks[Self.blocksOfHalf...], after: 1)
    }

    /// Fills half of the ring on the other thread.
    private func fill(_ blocks: ArraySlice<Block>, after earlier: Int) {
        queue.async { [reader] in reader.fill(blocks, after: earlier) }
    }

    /// Waits for the next block, and joins it to the unread octets before it.
    ///
    /// - Parameters:
    ///   - unread: The range of these octets in `memory`; becomes that of all unread octets. Unchanged at the end.
    ///   - memory: The memory with them; becomes that of the block if they fit in front of it.
    mutating func next(_ unread: inout Range<Int>, in memory: inout InputMemory) -> InputSource.Arrival {
        if let last { return last }
        let half = half
        if reader.filled.load(ordering: .acquiring) <= filledBefore { reader.fill(half, after: filledBefore) }
        let arrival = blocks[position].contents.withLock { contents in
            if contents.arrival.count > 0 { Self.join(&unread, &memory, &contents) }
            return contents.arrival
        }
        if arrival.count > 0 {
            position &+= 1
            if position == half.endIndex {
                fill(half, after: filledBefore &+ 2)
                filledBefore &+= 1
                position %= blocks.count
            }
        } else {
            last = arrival
        }
        return arrival
    }

    /// The half of the ring with the next block.
    private var half: ArraySlice<Block> {
        position < Self.blocksOfHalf ? blocks[..<Self.blocksOfHalf] : blocks[Self.blocksOfHalf...]
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
