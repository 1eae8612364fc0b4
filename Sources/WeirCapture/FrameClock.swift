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

    /// The time at which a frame was captured: its own, or that of the frame before where its own is wrong.
    ///
    /// - Parameters:
    ///   - time: the time that it bears.
    ///   - frame: its number.
    ///   - next: the time that the frame behind it bears; nil when there is none, or it cannot be told. It is told whether it
    ///     may wait for that frame: behind a pause of a pipe nobody knows when it comes.
    @inline(__always)
    mutating func time(_ time: Timestamp, of frame: Int, next: (_ mayWait: Bool) -> Timestamp?) -> Timestamp {
        let step = time.nanoseconds.subtractingReportingOverflow(last?.nanoseconds ?? time.nanoseconds)
        if !step.overflow, Self.back...Self.ahead ~= step.partialValue {
            last = time
            return time
        }
        return far(time, frame, next(step.partialValue < 0))
    }

    @inline(never)
    private mutating func far(_ time: Timestamp, _ frame: Int, _ next: Timestamp?) -> Timestamp {
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
