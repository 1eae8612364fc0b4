/// The sum of a record in memory.
package struct RecordSum: Sendable, BitwiseCopyable {
    /// The position of the record in memory, in octets.
    package let position: UInt32
    /// The sum of its frame.
    package let octets: OctetSum
}

/// Consecutive records of the classic capture format that are in memory, as a sequence of frames. Reading them needs no
/// call into the source.
///
/// It ends before a record that is incomplete or in any way unusual: the source reads that one.
public struct RecordBlock: ~Escapable {
    /// What a source has to know of the records that were read.
    public struct Progress: Sendable {
        /// Their length, in octets.
        public var octets = 0
        /// The number of the last frame.
        public var number: Int
        /// Its time.
        public var time: Timestamp

        /// Creates the state after a frame.
        public init(number: Int, time: Timestamp) {
            self.number = number
            self.time = time
        }
    }

    /// The length of a record header: seconds, fraction, captured and original length, of 32 bits each in host byte
    /// order.
    @usableFromInline static var headerLength: Int { 16 }

    @usableFromInline let bytes: RawSpan
    @usableFromInline let linkType: LinkType
    @usableFromInline let nanosecondsPerUnit: Int64
    @usableFromInline let largest: Int
    /// The difference to the time of the previous frame in nanoseconds that is usual.
    @usableFromInline let usualSteps: ClosedRange<Int64>
    /// The sums of records, by position, and the position of the first record.
    private let sums: [RecordSum]
    private let start: Int
    /// The index of the next sum.
    private var nextSum: Int
    @usableFromInline var current: Progress
    /// The records read so far.
    public var progress: Progress { current }

    /// Creates a block of records.
    ///
    /// - Parameters:
    ///   - bytes: The octets from the first record on.
    ///   - linkType: The link type of all frames.
    ///   - nanosecondsPerUnit: The unit of the fractions of a second.
    ///   - largest: The maximum captured length of a usual record.
    ///   - usualSteps: The usual differences in nanoseconds between the times of consecutive frames.
    ///   - sums: The sums of records, in the order of their positions.
    ///   - start: The position of the first record.
    ///   - progress: The number and time of the previous frame.
    @_lifetime(copy bytes)
    package init(
        _ bytes: RawSpan, _ linkType: LinkType, nanosecondsPerUnit: Int64, largest: Int,
        usualSteps: ClosedRange<Int64>, sums: [RecordSum], at start: Int, after progress: Progress
    ) {
        self.bytes = bytes
        self.linkType = linkType
        self.nanosecondsPerUnit = nanosecondsPerUnit
        self.largest = largest
        self.usualSteps = usualSteps
        self.sums = sums
        self.start = start
        nextSum = Self.index(of: start, in: sums)
        current = progress
    }

    /// Returns the index of the first sum at a position or after it.
    private static func index(of position: Int, in sums: [RecordSum]) -> Int {
        var range = sums.indices
        while !range.isEmpty {
            let middle = range.lowerBound &+ range.count / 2
            range = Int(sums[middle].position) < position ? middle &+ 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// Returns the next frame, or nil if the source has to read it.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> Frame? {
        let start = current.octets &+ Self.headerLength
        guard start <= bytes.byteCount else { return nil }
        let (stamp, lengths) = bytes.loadHostUInt64s(at: current.octets)
        let (captured, original) = (Int(lengths & 0xFFFF_FFFF), Int(lengths >> 32))
        let nanoseconds =
            Int64(stamp & 0xFFFF_FFFF) &* 1_000_000_000 &+ Int64(stamp >> 32) &* nanosecondsPerUnit
        let step = nanoseconds.subtractingReportingOverflow(current.time.nanoseconds)
        guard captured <= largest, start &+ captured <= bytes.byteCount, !step.overflow,
            usualSteps.contains(step.partialValue)
        else { return nil }
        current.octets = start &+ captured
        current.number &+= 1
        current.time = Timestamp(nanoseconds: nanoseconds)
        return Frame(
            info: FrameInfo(
                number: current.number, time: current.time, capturedLength: captured, originalLength: original,
                linkType: linkType),
            bytes: bytes.extracting(start..<start &+ captured))
    }

    /// Whether the sums of records are known.
    package var hasSums: Bool { !sums.isEmpty }

    /// Returns the sum of the current frame, if it is known.
    package mutating func sum(of frame: FrameInfo) -> OctetSum {
        guard nextSum < sums.count else { return .unknown }
        let next = sums[nextSum]
        let position = start &+ current.octets &- frame.capturedLength &- Self.headerLength
        guard Int(next.position) == position else { return .unknown }
        nextSum &+= 1
        return next.octets
    }

    /// The number of frames whose headers are loaded at once.
    private static let most = 8

    /// Loads the headers of the frames after the current one into the processor's cache, all at once: it would wait for one as
    /// long as for all. Returns their number, and the sum of what was loaded, without which the compiler would omit it.
    @inline(never)
    package func loadAhead() -> (frames: Int, sum: UInt64) {
        let frames = min(sums.count &- nextSum, Self.most)
        var sum: UInt64 = 0
        for index in 0..<frames {
            let record = bytes.clamped(Int(sums[nextSum &+ index].position) &- start)
            guard record.byteCount >= 112 else { continue }
            // Octets of each cache line with headers.
            sum &+= record.loadUInt64(at: 0) &+ record.loadUInt64(at: 56) &+ record.loadUInt64(at: 104)
        }
        return (frames, sum)
    }
}
