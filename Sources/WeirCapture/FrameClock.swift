import WeirPackets

/// The times of frames, of which some are wrong: frames that bear times far from those of the frame before them and the
/// frame behind them, which follow each other, have them from a fault of whoever captured.
///
/// A clock that was set, and a second capture behind the first, are something else: there the frames behind go with it.
struct FrameClock {
    /// How far back a time may go for packets that were written out of order, in nanoseconds.
    fileprivate static let back: Int64 = -5_000_000_000
    /// How far ahead a time may be without a look at the next one: most captures are idle at times.
    fileprivate static let ahead: Int64 = 60_000_000_000

    /// How many frames in a row may have wrong times: more of them were captured by a clock that was set.
    fileprivate static let mostInARow = 64

    /// How many octets behind a frame are looked at.
    static let mostOctets = 1 << 20

    /// How many times were wrong.
    private(set) var wrong = 0
    /// The first frame with a wrong time.
    private(set) var firstWrong: Int?
    private var last: Timestamp?
    /// The frame with which the times come back.
    private var back = 0

    /// A look at the times behind a frame whose own does not go on, until they come back.
    struct Search {
        private let last: Timestamp
        private var latest: Timestamp
        /// How many frames behind the first the next one to look at is.
        private(set) var distance = 1

        fileprivate init(from time: Timestamp, last: Timestamp) {
            self.last = last
            latest = time
        }

        /// Whether more frames may be looked at.
        private(set) var isOpen = true

        /// Whether the times come back with that of the next frame: in a leap, as they left.
        mutating func comesBack(_ time: Timestamp) -> Bool {
            let leap = FrameClock.distance(latest, time)
            let isOpposite = (leap < 0) == (last < latest)
            if isOpposite, leap.magnitude > FrameClock.back.magnitude,
                FrameClock.back...FrameClock.ahead ~= FrameClock.distance(last, time)
            {
                return true
            }
            // Those with another time are close to each other: a clock that was set, too, comes to where it was in the end.
            isOpen = distance < FrameClock.mostInARow && leap.magnitude <= FrameClock.back.magnitude
            latest = time
            distance += 1
            return false
        }
    }

    /// The look that is needed at a frame with this time; nil where nothing was before it, or it is known.
    func search(_ time: Timestamp, of frame: Int) -> Search? {
        guard let last, frame >= back else { return nil }
        return Search(from: time, last: last)
    }

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
    ///   - distance: how many frames behind it the times come back; nil where they do not, or no look was needed.
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
