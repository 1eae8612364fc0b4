import WeirPackets

/// The octets of a capture from a file or the standard input, decompressed if necessary.
///
/// A read blocks only for the first octet, then returns what is available, so that packets in a pipe are not delayed
/// until a buffer is full. Larger files are read ahead on another thread. Compression is detected by content, not by
/// name.
final class CaptureInput {
    /// The size on disk from which a compressed file is read ahead, in octets.
    private static let longCompressed = 256 * 1024
    /// The size from which another file is read ahead: starting a thread, and the memory of blocks, take a millisecond.
    private static let long = 64 * 1024 * 1024

    /// The file name as given by the user; `-` is the standard input.
    let name: String
    /// The compression, or nil if the file is not compressed.
    let compression: Compression?
    /// The octets of the file read so far, as on disk.
    private(set) var octetsRead = 0
    /// The reason why reading stopped, or nil at the end.
    private(set) var failure: InputFailure?

    private let source: InputSource
    /// Whether the file is read ahead.
    private let readsAhead: Bool
    private var readAhead: ReadAhead?
    /// Computes the sums of the records of a file that is read ahead. Set before the first of them is read.
    var sums: RecordSums?
    /// Octets peeked at, but not delivered yet.
    private var peeked: [UInt8] = []

    /// The size of the file on disk, in octets; nil if unknown, as for a pipe.
    var size: Int? { source.size }

    /// Opens `name` (`-` is the standard input) and detects compression.
    ///
    /// - Parameter readsAhead: Whether a file is read ahead; nil by its size and compression.
    init(_ name: String, readsAhead: Bool? = nil) throws(CaptureError) {
        self.name = name
        source = try InputSource(name)
        let start = Self.octets(source, atLeast: 4)
        let compression = Compression(start: start.octets)
        self.compression = compression
        if let compression {
            source.decompress(compression, after: start.octets)
        } else {
            peeked = start.octets
        }
        let long = compression != nil ? Self.longCompressed : Self.long
        self.readsAhead = source.size.map { readsAhead ?? ($0 >= long) } ?? false
        note(start.last)
    }

    /// Returns the first `count` undelivered octets; fewer only at the end of the input.
    func peek(_ count: Int) -> [UInt8] {
        if peeked.count < count {
            let more = Self.octets(source, atLeast: count &- peeked.count)
            peeked += more.octets
            note(more.last)
        }
        return Array(peeked.prefix(count))
    }

    /// Reads at least one octet behind the unread ones, blocking if necessary.
    ///
    /// - Parameters:
    ///   - unread: The range of these octets in `memory`; becomes that of all unread octets.
    ///   - memory: The memory with them, which may be replaced by other memory.
    /// - Returns: Whether octets were read; false at the end and after a failure (see `failure`).
    func read(_ unread: inout Range<Int>, in memory: inout InputMemory) -> Bool {
        if readsAhead, peeked.isEmpty, readAhead == nil { readAhead = ReadAhead(source, sums: sums) }
        let arrival = readAhead?.next(&unread, in: &memory) ?? readNow(&unread, &memory)
        note(arrival)
        return arrival.count > 0
    }

    /// Reads in this thread.
    private func readNow(_ unread: inout Range<Int>, _ memory: inout InputMemory) -> InputSource.Arrival {
        if unread.count == memory.count {
            // Doubled, so that a large packet or block is copied a few times only.
            let larger = InputMemory(memory.count &* 2)
            larger.copy(memory, unread, to: 0)
            memory = larger
        } else if unread.lowerBound > 0 {
            memory.moveToStart(unread)
        }
        unread = 0..<unread.count
        var arrival = InputSource.Arrival(octetsRead: octetsRead, failure: failure)
        if peeked.isEmpty {
            arrival = source.read(into: memory, unread.upperBound..<memory.count)
        } else {
            arrival.count = min(peeked.count, memory.count &- unread.upperBound)
            memory.copy(peeked.prefix(arrival.count), to: unread.upperBound)
            peeked.removeFirst(arrival.count)
        }
        unread = 0..<unread.count &+ arrival.count
        return arrival
    }

    private func note(_ arrival: InputSource.Arrival) {
        octetsRead = arrival.octetsRead
        failure = arrival.failure
    }

    /// Reads until `count` octets are available, or the input ends.
    private static func octets(
        _ source: InputSource, atLeast count: Int
    ) -> (octets: [UInt8], last: InputSource.Arrival) {
        let memory = InputMemory(count)
        var (end, last) = (0, InputSource.Arrival())
        repeat {
            last = source.read(into: memory, end..<count)
            end &+= last.count
        } while last.count > 0 && end < count
        return (memory.prefix(end), last)
    }
}
