import WeirPackets

/// The times of frames, of which some are wrong: a frame, or a few in a row, that bear a time far from those of the frame
/// before and the frame behind, which follow each other, have it from a fault of whoever captured.
///
/// A clock that was set, and a second capture behind the first, are something else: there the frames behind go with it.
struct FrameClock {
    /// How far back a time may go for packets that were written out of order, in nanoseconds.
    fileprivate static let back: Int64 = -5_000_000_000
    /// How far ahead a time may be without a look at the next one: most captures are idle at times.
    fileprivate static let ahead: Int64 = 60_000_000_000

    /// How many octets ahead records are looked at.
    static let farthest = 1 << 18

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

    /// Begins a look at the frames behind one whose time does not go on.
    func look(from time: Timestamp) -> Look { Look(before: last, latest: time) }

    /// The time at which a frame was captured whose own does not go on: that of the frame before where its own is wrong.
    ///
    /// - Parameters:
    ///   - time: the time that it bears.
    ///   - frame: its number.
    ///   - look: what the frames behind it show.
    mutating func time(_ time: Timestamp, of frame: Int, _ look: Look) -> Timestamp {
        guard look.showsFault, let before = last else {
            last = time
            return time
        }
        wrong += 1
        if firstWrong == nil { firstWrong = frame }
        return before
    }

    /// A look at the frames behind one whose time does not go on from that of the frame before.
    struct Look {
        /// As many frames in a row may have a wrong time.
        private static let longestRun = 64

        /// The frame before.
        private let before: Timestamp?
        /// The last frame of those with another time.
        private var latest: Timestamp
        private var frames = 0
        /// Whether the frames behind go on from the frame before, and not from this one.
        private(set) var showsFault = false

        fileprivate init(before: Timestamp?, latest: Timestamp) {
            self.before = before
            self.latest = latest
        }

        /// Takes in the time of the next frame behind; returns whether one more has to be looked at.
        mutating func take(_ next: Timestamp) -> Bool {
            guard let before else { return false }
            frames += 1
            // Those with another time are close to each other, and far from where time goes on. A clock that was set, too, comes
            // to where it was in the end.
            let isFar = FrameClock.distance(latest, next).magnitude > FrameClock.back.magnitude
            if FrameClock.back...FrameClock.ahead ~= FrameClock.distance(before, next) {
                showsFault = isFar
                return false
            }
            latest = next
            return !isFar && frames < Self.longestRun
        }
    }

    fileprivate static func distance(_ one: Timestamp, _ other: Timestamp) -> Int64 {
        let distance = other.nanoseconds.subtractingReportingOverflow(one.nanoseconds)
        return distance.overflow ? .max : distance.partialValue
    }
}
