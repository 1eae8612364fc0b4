package import WeirPackets

/// The key frame times of a stream.
package struct KeyframeRhythm: Sendable, Hashable {
    /// The number of key frames.
    package private(set) var count = 0
    /// Time of the first key frame.
    package private(set) var first: Timestamp?
    /// Time of the last key frame.
    package private(set) var last: Timestamp?
    /// Time of the key frame before the last.
    package private(set) var previous: Timestamp?
    /// The longest interval without a key frame, in nanoseconds: between two, and from the start of the stream to the
    /// first, if no packet in between is missing and media was not paused. A missing packet may have been a key frame.
    private var longest: Int64?
    /// The longest interval between two key frames with packets missing in between.
    private var unknown: Int64 = 0
    /// Missing packets, and nanoseconds of pauses, at the last key frame.
    private var missing = 0
    private var paused: Int64 = 0

    /// Adds a key frame of a stream that began at `start`, with the number of missing packets and the nanoseconds of
    /// pauses so far.
    mutating func add(at time: Timestamp, since start: Timestamp, missing: Int, paused: Int64) {
        let (known, unknown) = stretches(until: time, since: start, missing, paused)
        (longest, self.unknown) = (known, unknown)
        count &+= 1
        previous = last
        last = time
        if first == nil { first = time }
        (self.missing, self.paused) = (missing, paused)
    }

    /// Returns the longest interval without a key frame in a stream that continued until `end`; nil if there is none,
    /// or if an interval with missing packets may have been longer.
    package func longest(until end: Timestamp, since start: Timestamp, missing: Int, paused: Int64) -> Int64? {
        let (known, unknown) = stretches(until: end, since: start, missing, paused)
        return known.flatMap { $0 >= unknown ? $0 : nil }
    }

    /// Returns the longest intervals, including the one that ends now if it counts: those with all packets, and others.
    private func stretches(
        until end: Timestamp, since start: Timestamp, _ missing: Int, _ paused: Int64
    ) -> (known: Int64?, unknown: Int64) {
        let open = end.nanoseconds &- (last ?? start).nanoseconds
        guard open > 0, paused == self.paused else { return (longest, unknown) }
        return missing == self.missing ? (max(longest ?? 0, open), unknown) : (longest, max(unknown, open))
    }
}
