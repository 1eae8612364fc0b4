import WeirPackets

/// Detects invalid timestamps: frames whose times are far from those of the consecutive frames before and after them
/// have been stamped incorrectly.
///
/// A clock change, or a second capture appended to the first, is something else: there the following frames have the
/// new time as well.
struct FrameClock {
    /// How far timestamps may step back when packets are written out of order, in nanoseconds.
    fileprivate static let back: Int64 = -5_000_000_000
    /// How far a timestamp may step ahead without looking at the next one, in nanoseconds: most captures are idle at
    /// times.
    fileprivate static let ahead: Int64 = 60_000_000_000

    /// The maximum number of consecutive frames with invalid times; more indicate a clock change.
    fileprivate static let mostInARow = 64

    /// How far to look ahead after a frame, in octets.
    static let mostOctets = 1 << 20

    /// The number of invalid timestamps.
    private(set) var wrong = 0
    /// The first frame with an invalid timestamp.
    private(set) var firstWrong: Int?
    /// The time of the last frame.
    private(set) var last: Timestamp?
    /// The frame at which the timestamps return to the sequence.
    private var back = 0

    /// A search after a frame whose time is out of sequence, for the frame at which the timestamps return.
    struct Search {
        private let last: Timestamp
        private var latest: Timestamp
        /// The distance of the next frame to examine from the first one.
        private(set) var distance = 1

        fileprivate init(from time: Timestamp, last: Timestamp) {
            self.last = last
            latest = time
        }

        /// Whether the search may continue.
        private(set) var isOpen = true

        /// Whether the next frame's timestamp returns to the sequence, with a step in the opposite direction.
        mutating func comesBack(_ time: Timestamp) -> Bool {
            let leap = FrameClock.distance(latest, time)
            let isOpposite = (leap < 0) == (last < latest)
            if isOpposite, leap.magnitude > FrameClock.back.magnitude,
                FrameClock.back...FrameClock.ahead ~= FrameClock.distance(last, time)
            {
                return true
            }
            // Invalid timestamps are close to each other; a clock that was changed also catches up eventually.
            isOpen = distance < FrameClock.mostInARow && leap.magnitude <= FrameClock.back.magnitude
            latest = time
            distance += 1
            return false
        }
    }

    /// Returns the search required for a frame with this time, or nil for the first frame or one already classified.
    func search(_ time: Timestamp, of frame: Int) -> Search? {
        guard let last, frame >= back else { return nil }
        return Search(from: time, last: last)
    }

    /// Whether a frame's time continues from that of the previous frame, as nearly all do; then it is valid.
    @inline(__always)
    mutating func follows(_ time: Timestamp) -> Bool {
        let step = time.nanoseconds.subtractingReportingOverflow(last?.nanoseconds ?? time.nanoseconds)
        guard !step.overflow, Self.usualSteps ~= step.partialValue else { return false }
        last = time
        return true
    }

    /// The steps between the times of consecutive frames, in nanoseconds, that need no closer look.
    static let usualSteps = back...ahead

    /// Records frames whose times followed those of the frames before them, up to one with this time.
    mutating func skip(to time: Timestamp) { last = time }

    /// Whether a time is before that of the previous frame.
    func goesBack(_ time: Timestamp) -> Bool { last.map { time < $0 } ?? false }

    /// Returns the effective time of a frame whose timestamp is out of sequence: the time of the previous frame if its
    /// own is invalid.
    ///
    /// - Parameters:
    ///   - time: The recorded time.
    ///   - frame: The number of the frame.
    ///   - distance: The number of frames after which the timestamps return, or nil if they do not or no search was
    ///     needed.
    @inline(never)
    mutating func time(_ time: Timestamp, of frame: Int, back distance: Int?) -> Timestamp {
        if let distance { back = frame + distance }
        guard let before = last, frame < back else {
            last = time
            return time
        }
        wrong += 1
        if firstWrong == nil { firstWrong = frame }
        return before
    }

    fileprivate static func distance(_ one: Timestamp, _ other: Timestamp) -> Int64 {
        let distance = other.nanoseconds.subtractingReportingOverflow(one.nanoseconds)
        return distance.overflow ? .max : distance.partialValue
    }
}
