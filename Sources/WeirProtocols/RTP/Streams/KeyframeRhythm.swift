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
    /// The longest time from one to the next in which the capture lacks packets: what they were is not known.
    private var unknown: Int64 = 0
    /// Packets missing, and nanoseconds of pauses, when the last one came.
    private var missing = 0
    private var paused: Int64 = 0

    /// One came, in a stream that began at `start`, where so many packets were missing, and media had been paused for so many nanoseconds.
    mutating func add(at time: Timestamp, since start: Timestamp, missing: Int, paused: Int64) {
        let (known, unknown) = stretches(until: time, since: start, missing, paused)
        (longest, self.unknown) = (known, unknown)
        count &+= 1
        previous = last
        last = time
        if first == nil { first = time }
        (self.missing, self.paused) = (missing, paused)
    }

    /// The longest time without one in a stream that went on until then; nil when nothing lies between, and when it may have been
    /// longer where packets are missing.
    package func longest(until end: Timestamp, since start: Timestamp, missing: Int, paused: Int64) -> Int64? {
        let (known, unknown) = stretches(until: end, since: start, missing, paused)
        return known.flatMap { $0 >= unknown ? $0 : nil }
    }

    /// The longest stretches with the one that ends now, if it is one: of which all packets are there, and others.
    private func stretches(
        until end: Timestamp, since start: Timestamp, _ missing: Int, _ paused: Int64
    ) -> (known: Int64?, unknown: Int64) {
        let open = end.nanoseconds &- (last ?? start).nanoseconds
        guard open > 0, paused == self.paused else { return (longest, unknown) }
        return missing == self.missing ? (max(longest ?? 0, open), unknown) : (longest, max(unknown, open))
    }
}
