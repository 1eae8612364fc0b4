package import WeirPackets

/// When the key frames of a stream came.
package struct KeyframeRhythm: Sendable, Hashable {
    /// How many came.
    package private(set) var count = 0
    /// Time of the first.
    package private(set) var first: Timestamp?
    /// Time of the last.
    package private(set) var last: Timestamp?
    /// Time of the one before that.
    package private(set) var previous: Timestamp?
    /// The longest time without one, in nanoseconds: from one to the next, and from the stream's beginning to the first, where
    /// the capture holds all packets in between and media was not paused. A packet that it lacks may have been a key frame.
    private var longest: Int64?
    /// Packets missing, and nanoseconds of pauses, when the last one came.
    private var missing = 0
    private var paused: Int64 = 0

    /// One came, in a stream that began at `start`, where so many packets were missing, and media had been paused for so many nanoseconds.
    mutating func add(at time: Timestamp, since start: Timestamp, missing: Int, paused: Int64) {
        longest = longest(until: time, since: start, missing: missing, paused: paused)
        count &+= 1
        previous = last
        last = time
        if first == nil { first = time }
        (self.missing, self.paused) = (missing, paused)
    }

    /// The longest time without one in a stream that went on until then; nil when nothing lies between.
    package func longest(until end: Timestamp, since start: Timestamp, missing: Int, paused: Int64) -> Int64? {
        guard missing == self.missing, paused == self.paused else { return longest }
        let open = end.nanoseconds &- (last ?? start).nanoseconds
        return open > 0 ? max(longest ?? 0, open) : longest
    }
}
