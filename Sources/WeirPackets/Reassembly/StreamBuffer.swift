/// The octets of one stream that its dissector has not used yet.
///
/// As long as nothing waits, octets are read where they are, and only an unused tail is copied. When something waits, no
/// more than what completes the message is appended to it; behind that, reading in place goes on. The work for a stream is
/// proportional to its length, however little the reader uses at a time.
public struct StreamBuffer: Sendable {
    /// What a reader did with the octets it was shown.
    public struct Use: Sendable {
        /// Octets used, from the front; 0 means that more are needed.
        public var octets: Int
        /// When more are needed: octets of the whole next message, counted behind those used; 0 when not known.
        public var needed: Int

        /// Creates the answer of a reader.
        @inlinable
        public init(_ octets: Int, needed: Int = 0) {
            self.octets = octets
            self.needed = needed
        }
    }

    /// What became of the octets offered.
    public enum Outcome: Sendable, Equatable {
        /// They were used, or wait.
        case taken
        /// The unfinished message is longer than may be kept. So many octets were dropped, what waited and what was
        /// offered; the reader has to find the start of a later message.
        case overflow(dropped: Int)
    }

    /// Storage up to this size is kept while nothing waits, so that it need not be allocated for each message.
    private static let keptCapacity = 2_048
    /// How many octets are appended at first when the reader has not said how many it needs.
    private static let firstStep = 256

    @usableFromInline var bytes: [UInt8] = []
    /// Octets at the front of `bytes` that were used already.
    @usableFromInline var start = 0
    /// Octets that must wait before the reader is asked again; 0 when not known.
    private var needed = 0

    /// Creates a buffer in which nothing waits.
    @inlinable public init() {}

    /// Octets that wait.
    @inlinable public var count: Int { bytes.count &- start }
    /// The octets that wait.
    package var octets: RawSpan {
        @_lifetime(borrow self)
        get { bytes.rawSpan.clamped(start) }
    }
    /// A copy of the octets that wait.
    public var waiting: [UInt8] { Array(bytes[start...]) }
    /// Whether nothing waits.
    @inlinable public var isEmpty: Bool { bytes.count == start }

    /// Offers the next octets of the stream to `read`, which is called as long as it uses some of what it is shown.
    ///
    /// `read` gets what waits and what is offered in one piece, or the front of it.
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

    /// Appends to what waits, so that it becomes `needed` octets, or all of `input` if that is less. Returns how many octets
    /// that was; nil when more wait already, or when there is no room for them.
    package mutating func complete(_ needed: Int, with input: RawSpan, budget: inout OctetBudget) -> Int? {
        let some = min(needed &- count, input.byteCount)
        guard some >= 0, needed <= budget.perOwner, budget.allows(some) else { return nil }
        append(input, from: 0, count: some, &budget)
        self.needed = needed
        return some
    }

    /// Something waits: appends as much of `input` as the reader needs, until all that waited is used. Gives the offset in
    /// `input` from which reading in place goes on, all of it when something still waits, or nil when it is too much.
    private mutating func complete(
        _ input: RawSpan,
        budget: inout OctetBudget,
        read: (RawSpan) -> Use
    ) -> Int? {
        var appended = 0
        var step = Self.firstStep
        while true {
            // Octets of this input among those waiting: once the reader has used all before them, they are not needed.
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
                let use = read(bytes.rawSpan.clamped(start))
                let used = max(0, min(use.octets, count))
                needed = max(0, use.needed)
                if used == 0 { break }
                start &+= used
                budget.giveBack(used)
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

    private mutating func append(_ input: RawSpan, from offset: Int, count: Int, _ budget: inout OctetBudget) {
        guard count > 0 else { return }
        budget.take(count)
        if isEmpty {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        input.clamped(offset, offset &+ count).append(to: &bytes)
    }

    /// Moves what waits to the front once at least as much before it was used: each octet is moved at most once for each
    /// octet used.
    private mutating func compact() {
        guard start > 0, start >= count else { return }
        bytes.removeFirst(start)
        start = 0
    }

    private mutating func overflow(_ offered: Int, _ budget: inout OctetBudget) -> Outcome {
        let dropped = count &+ offered
        discard(&budget)
        return .overflow(dropped: dropped)
    }

    /// Forgets what waits: after a gap, or at the end. Gives back its share of the budget.
    public mutating func discard(_ budget: inout OctetBudget) {
        budget.giveBack(count)
        needed = 0
        guard bytes.capacity > Self.keptCapacity else {
            // Who appends next clears it.
            start = bytes.count
            return
        }
        bytes = []
        start = 0
    }
}
