/// What the timestamps of a capture can show.
package struct StampQuality: Sendable {
    /// A property that limits the figures derived from timestamps.
    package enum Flaw: String, Sendable {
        /// All stamps are multiples of a large unit.
        case coarse
        /// Many packets in a row have the same stamp, as from a driver that hands over packets in batches.
        case batched
    }

    /// Frames needed to judge.
    private static let needed = 50
    /// Units, in nanoseconds, that a clock may count in. Microseconds are usual, and no flaw.
    private static let units: [Int64] = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000]
    /// The share of frames with the stamp of the previous one from which stamps are batched.
    private static let batchedShare = 0.3
    /// The smallest step between stamps, in nanoseconds, from which a clock is coarse.
    private static let coarseStep: Int64 = 1_000_000

    private var frames = 0
    private var repeated = 0
    private var multiples = [Int](repeating: 0, count: units.count)
    private var smallest = Int64.max
    private var previous: Int64?
    private var gapTotal: Double = 0
    /// The times at which stamps stepped back.
    package private(set) var stepsBack = 0

    /// Adds the stamp of a frame.
    mutating func add(_ time: Int64) {
        frames &+= 1
        for (place, unit) in Self.units.enumerated() where time % unit == 0 { multiples[place] &+= 1 }
        defer { previous = time }
        guard let previous else { return }
        let step = time &- previous
        if step == 0 {
            repeated &+= 1
        } else if step > 0 {
            smallest = min(smallest, step)
            gapTotal += Double(step)
        } else {
            stepsBack &+= 1
        }
    }

    /// The flaw, and the time that a stamp may be off, in nanoseconds; nil if there is none.
    package var flaw: (kind: Flaw, resolution: Int64)? {
        guard frames >= Self.needed else { return nil }
        for (place, unit) in Self.units.enumerated() where multiples[place] == frames { return (.coarse, unit) }
        guard Double(repeated) >= Self.batchedShare * Double(frames), smallest != .max else { return nil }
        if smallest >= Self.coarseStep { return (.coarse, smallest) }
        let groups = max(1, frames &- repeated &- stepsBack &- 1)
        return (.batched, Int64(min(gapTotal / Double(groups), 1e15)))
    }

    /// The time that a stamp may be off, in nanoseconds.
    package var resolution: Int64 { flaw?.resolution ?? 0 }
}
