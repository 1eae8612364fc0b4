import Dispatch
import Synchronization
import WeirPackets

/// Reads and decompresses the next blocks of a file on another thread, while the current one is analyzed.
///
/// The blocks of a ring are filled in turn, half of them at once, and handed over together: waking a thread takes as long
/// as reading a block. Each has free octets in front, for the end of the block before it that is not consumed yet.
struct ReadAhead {
    /// The octets of a block.
    private static let blockOctets = 256 * 1024
    /// The free octets in front: more than most packets have.
    private static let front = 16 * 1024
    /// The size of the memory of a block, in octets.
    static let memoryOctets = front + blockOctets
    /// The number of blocks that are filled at once: half of the ring.
    private static let half = 4

    /// A block, which belongs to the reading thread until its half of the ring is filled.
    private final class Block: Sendable {
        struct Contents: ~Copyable, Sendable {
            var memory = InputMemory(memoryOctets)
            var arrival = InputSource.Arrival()
        }

        let contents = Mutex(Contents())
    }

    /// What the reading thread uses.
    private final class Reader: Sendable {
        let source: InputSource
        private let sums: Mutex<RecordSums?>

        init(_ source: InputSource, _ sums: RecordSums?) {
            self.source = source
            self.sums = Mutex(sums)
        }

        /// Computes the sums of the records in a block.
        func sum(_ contents: inout Block.Contents) {
            sums.withLock { sums in
                let octets = front..<front &+ contents.arrival.count
                let found = sums?.read(contents.memory.bytes(octets), at: front)
                contents.memory.sums = found ?? []
            }
        }
    }

    private let reader: Reader
    private let queue = DispatchQueue(label: "weir.read")
    /// Signaled once for each half of the ring that is filled.
    private let filled = DispatchSemaphore(value: 0)
    private let blocks = (0..<2 * half).map { _ in Block() }
    /// The position of the next block.
    private var position = 0
    /// The arrival at the end of the input.
    private var last: InputSource.Arrival?

    /// Starts to read a regular file, which nothing else reads from now on.
    ///
    /// - Parameter sums: Computes the sums of its records, of which the first is next; nil if they are not needed.
    init(_ source: InputSource, sums: RecordSums?) {
        reader = Reader(source, sums)
        fill(blocks[..<Self.half])
        fill(blocks[Self.half...])
    }

    /// Fills half of the ring on the other thread.
    private func fill(_ blocks: ArraySlice<Block>) {
        queue.async { [reader, filled] in
            for block in blocks { Self.fill(block, by: reader) }
            filled.signal()
        }
    }

    /// Reads a block, up to its end or the end of the input.
    private static func fill(_ block: Block, by reader: Reader) {
        block.contents.withLock { contents in
            var (total, end) = (0, front)
            repeat {
                contents.arrival = reader.source.read(into: contents.memory, end..<memoryOctets)
                total &+= contents.arrival.count
                end &+= contents.arrival.count
            } while contents.arrival.count > 0 && end < memoryOctets
            // A failure after these octets is that of the next read as well.
            if total > 0 { contents.arrival.failure = nil }
            contents.arrival.count = total
            reader.sum(&contents)
        }
    }

    /// Waits for the next block, and joins it to the unread octets before it.
    ///
    /// - Parameters:
    ///   - unread: The range of these octets in `memory`; becomes that of all unread octets. Unchanged at the end.
    ///   - memory: The memory with them; becomes that of the block if they fit in front of it.
    mutating func next(_ unread: inout Range<Int>, in memory: inout InputMemory) -> InputSource.Arrival {
        if let last { return last }
        if position % Self.half == 0 { filled.wait() }
        let arrival = blocks[position].contents.withLock { contents in
            if contents.arrival.count > 0 { Self.join(&unread, &memory, &contents) }
            return contents.arrival
        }
        if arrival.count > 0 {
            position &+= 1
            if position == Self.half { fill(blocks[..<position]) }
            if position == blocks.count {
                fill(blocks[Self.half...])
                position = 0
            }
        } else {
            last = arrival
        }
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
