/// The octets of one stream that its dissector has not consumed yet.
///
/// While the buffer is empty, octets are read in place, and only an unconsumed tail is copied. Otherwise only what
/// completes the message is appended; then reading continues in place. The work is proportional to the length of the
/// stream, however little the reader consumes at a time.
public struct StreamBuffer: Sendable {
    /// The result of a reader.
    public struct Use: Sendable {
        /// The octets consumed, from the front; 0 if more are needed.
        public var octets: Int
        /// If more are needed: the length of the whole next message, counted from the end of the consumed octets; 0 if
        /// unknown.
        public var needed: Int

        /// Creates a result.
        @inlinable
        public init(_ octets: Int, needed: Int = 0) {
            self.octets = octets
            self.needed = needed
        }
    }

    /// The result of offering octets.
    public enum Outcome: Sendable, Equatable {
        /// They were consumed or buffered.
        case taken
        /// The incomplete message exceeds the budget. This many octets were dropped, buffered and offered ones; the
        /// reader has to resynchronize at a later message.
        case overflow(dropped: Int)
    }

    /// The capacity kept while the buffer is empty, so that it need not be allocated for each message.
    private static let keptCapacity = 2_048
    /// The number of octets appended first if the reader has not reported how many it needs.
    private static let firstStep = 256

    /// The memory, also behind the buffered octets: appending to an array takes twice as long as copying into it.
    @usableFromInline private(set) var memory: [UInt8] = []
    /// The place of the first buffered octet in it.
    @usableFromInline private(set) var start = 0
    /// The place behind the last buffered octet.
    @usableFromInline private(set) var end = 0
    /// Octets required before the reader is called again; 0 if unknown.
    private var needed = 0

    /// Creates an empty buffer.
    @inlinable public init() {}

    /// The number of buffered octets.
    @inlinable public var count: Int { end &- start }
    /// The buffered octets.
    package var octets: RawSpan {
        @_lifetime(borrow self)
        @inlinable @inline(__always) get { memory.rawSpan.clamped(start, end) }
    }
    /// A copy of the buffered octets.
    public var waiting: [UInt8] { octets.array() }
    /// Whether the buffer is empty.
    @inlinable public var isEmpty: Bool { end == start }

    /// Offers the next octets of the stream to `read`, which is called as long as it consumes some of them.
    ///
    /// `read` receives the buffered and the offered octets contiguously, or a prefix of them.
    public mutating func offer(
        _ input: RawSpan,
        budget: inout OctetBudget,
        read: (RawSpan) -> Use
    ) -> Outcome {
        var offset = 0
        if !isEmpty {
            guard let resumed = complete(input, budget: &budget, read: read) else {
                return overflow(input.byteCount, &budget)
            }
            if !isEmpty { return .taken }
            offset = resumed
        }
        while offset < input.byteCount {
            let rest = input.clamped(offset)
            let use = read(rest)
            let used = max(0, min(use.octets, rest.byteCount))
            offset &+= used
            needed = max(0, use.needed)
            if used == 0 { break }
        }
        let tail = input.byteCount &- offset
        guard tail > 0 else {
            needed = 0
            return .taken
        }
        guard max(tail, needed) <= budget.perOwner, budget.allows(tail) else {
            return overflow(tail, &budget)
        }
        append(input, from: offset, count: tail, &budget)
        return .taken
    }

    /// Appends octets of `input` until `needed` octets are buffered, or all of `input` if it is shorter. Returns how
    /// many were appended, or nil if more are buffered already or the budget does not allow it.
    package mutating func complete(_ needed: Int, with input: RawSpan, budget: inout OctetBudget) -> Int? {
        let some = min(needed &- count, input.byteCount)
        guard some >= 0, needed <= budget.perOwner, budget.allows(some) else { return nil }
        append(input, from: 0, count: some, &budget)
        self.needed = needed
        return some
    }

    /// Appends as much of `input` as the reader needs, until all buffered octets are consumed. Returns the offset in
    /// `input` at which in-place reading continues, all of it if octets remain buffered, or nil if the budget is
    /// exceeded.
    private mutating func complete(
        _ input: RawSpan,
        budget: inout OctetBudget,
        read: (RawSpan) -> Use
    ) -> Int? {
        var appended = 0
        var step = Self.firstStep
        while true {
            //  Octets of this input at the end of the buffer: once the reader has consumed all before them, the copy is
            //  not needed.
            let missing = needed > count ? needed &- count : max(step, count)
            let some = min(missing, input.byteCount &- appended)
            step = step < 1 << 30 ? step &* 2 : step
            guard count &+ some <= budget.perOwner, max(needed, 1) <= budget.perOwner, budget.allows(some) else {
                return nil
            }
            append(input, from: appended, count: some, &budget)
            appended &+= some
            if needed > count { return appended }
            while !isEmpty {
                let use = read(octets)
                let used = max(0, min(use.octets, count))
                needed = max(0, use.needed)
                if used == 0 { break }
                start &+= used
                budget.returnBorrowed(used)
                if count <= appended {
                    let resumed = appended &- count
                    discard(&budget)
                    return resumed
                }
            }
            compact()
            if appended == input.byteCount { return appended }
        }
    }

    @inline(__always)
    private mutating func append(_ input: RawSpan, from offset: Int, count: Int, _ budget: inout OctetBudget) {
        guard count > 0 else { return }
        budget.take(count)
        if isEmpty { (start, end) = (0, 0) }
        if memory.count &- end < count { grow(to: end &+ count) }
        input.clamped(offset, offset &+ count).copy(into: &memory, at: end)
        end &+= count
    }

    /// Extends the memory to at least a length, and to twice as much as before, so that each octet is moved once on average.
    @inline(never)
    private mutating func grow(to least: Int) {
        memory.append(contentsOf: repeatElement(0, count: max(least, 2 &* memory.count) &- memory.count))
    }

    /// Moves the buffered octets to the front once at least as many were consumed, so that each octet consumed moves at
    /// most one.
    private mutating func compact() {
        guard start > 0, start >= count else { return }
        memory.removeSubrange(end...)
        memory.removeFirst(start)
        (start, end) = (0, memory.count)
    }

    private mutating func overflow(_ offered: Int, _ budget: inout OctetBudget) -> Outcome {
        let dropped = count &+ offered
        discard(&budget)
        return .overflow(dropped: dropped)
    }

    /// Drops the buffered octets, after a gap or at the end, and releases their share of the budget.
    public mutating func discard(_ budget: inout OctetBudget) {
        budget.returnBorrowed(count)
        needed = 0
        (start, end) = (0, 0)
        if memory.capacity > Self.keptCapacity { memory = [] }
    }
}
