import WeirPackets

/// The times of frames, of which single ones are wrong: a frame that bears a time far from those of the frame before and
/// the frame behind, which follow each other, has it from a fault of whoever captured.
///
/// A clock that was set, and a second capture behind the first, are something else: there the frame behind goes with it.
struct FrameClock {
    /// How far back a time may go for packets that were written out of order, in nanoseconds.
    private static let back: Int64 = -5_000_000_000
    /// How far ahead a time may be without a look at the next one: most captures are idle at times.
    private static let ahead: Int64 = 60_000_000_000

    /// How many times were wrong.
    private(set) var wrong = 0
    /// The first frame with a wrong time.
    private(set) var firstWrong: Int?
    private var last: Timestamp?

    /// Whether a frame's time goes on from that of the frame before, as nearly all do: then it is right.
    @inline(__always)
    mutating func follows(_ time: Timestamp) -> Bool {
        let step = time.nanoseconds.subtractingReportingOverflow(last?.nanoseconds ?? time.nanoseconds)
        guard !step.overflow, Self.back...Self.ahead ~= step.partialValue else { return false }
        last = time
        return true
    }

    /// Whether a time is before that of the frame before.
    func goesBack(_ time: Timestamp) -> Bool { last.map { time < $0 } ?? false }

    /// The time at which a frame was captured whose own does not go on: that of the frame before where its own is wrong.
    ///
    /// - Parameters:
    ///   - time: the time that it bears.
    ///   - frame: its number.
    ///   - next: the time that the frame behind it bears; nil when there is none, or it cannot be told.
    @inline(never)
    mutating func time(_ time: Timestamp, of frame: Int, next: Timestamp?) -> Timestamp {
        guard let before = last, let next, Self.back...Self.ahead ~= Self.distance(before, next),
            Self.distance(time, next).magnitude > Self.back.magnitude
        else {
            last = time
            return time
        }
        wrong += 1
        if firstWrong == nil { firstWrong = frame }
        return before
    }

    private static func distance(_ one: Timestamp, _ other: Timestamp) -> Int64 {
        let distance = other.nanoseconds.subtractingReportingOverflow(one.nanoseconds)
        return distance.overflow ? .max : distance.partialValue
    }
}
