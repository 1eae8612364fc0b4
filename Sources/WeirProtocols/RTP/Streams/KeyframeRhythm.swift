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
    /// The longest time from one to the next, in nanoseconds, where the capture holds all packets in between and media
    /// was not paused: a packet that it lacks may have been a key frame.
    package private(set) var longest: Int64?
    /// Packets missing, and nanoseconds of pauses, when the last one came.
    private var missing = 0
    private var paused: Int64 = 0

    /// One came, where so many packets were missing, and media had been paused for so many nanoseconds.
    mutating func add(at time: Timestamp, missing: Int, paused: Int64) {
        count &+= 1
        previous = last
        last = time
        if first == nil { first = time }
        if let previous, missing == self.missing, paused == self.paused {
            longest = max(longest ?? 0, time.nanoseconds &- previous.nanoseconds)
        }
        (self.missing, self.paused) = (missing, paused)
    }
}
