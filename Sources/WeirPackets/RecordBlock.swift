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
    ///   - progress: The number and time of the previous frame.
    @_lifetime(copy bytes)
    public init(
        _ bytes: RawSpan, _ linkType: LinkType, nanosecondsPerUnit: Int64, largest: Int,
        usualSteps: ClosedRange<Int64>, after progress: Progress
    ) {
        self.bytes = bytes
        self.linkType = linkType
        self.nanosecondsPerUnit = nanosecondsPerUnit
        self.largest = largest
        self.usualSteps = usualSteps
        current = progress
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
}
