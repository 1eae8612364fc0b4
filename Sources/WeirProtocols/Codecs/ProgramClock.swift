/// The figures of the program clock references of one PID (ISO/IEC 13818-1 §2.4.3.5).
struct ProgramClock: Sendable {
    /// A clock reference and where it arrived.
    struct Point: Sendable {
        /// The clock, in ticks of 27 MHz.
        var value: Int64
        /// When it arrived, in nanoseconds.
        var time: Int64
        /// The position of its packet in the transport stream.
        var packet: Int

        /// Ticks after which the clock wraps, somewhat more than a day: its base has 33 bits.
        private static let turn: Int64 = (1 << 33) &* ProgramClock.ticks

        /// Returns the nanoseconds of the clock since another reference.
        func step(since other: Point) -> Int64 {
            var ticks = value &- other.value
            if ticks < -(Self.turn / 2) { ticks &+= Self.turn }
            // 27 ticks per microsecond.
            return ticks &* 1_000 / 27
        }
    }

    /// Ticks of the clock per tick of 90 kHz.
    static let ticks: Int64 = 300
    /// The part by which the rates before and after a reference may differ for a constant bit rate.
    private static let steadiness = 0.02
    /// References from which on the bit rate is judged, and the part of them with a constant rate around them.
    private static let (leastJudged, steadyPart) = (10, 0.9)

    /// The latest reference, or nil after a loss.
    private(set) var latest: Point?
    private var previous: Point?
    /// The number of references.
    private(set) var count = 0
    /// Intervals between references by the clock itself, in nanoseconds.
    private var intervals = (count: 0, sum: Int64(0), longest: Int64(0))
    /// Differences between the intervals of arrival and those of the clock, in nanoseconds.
    private var jitter = (sum: 0.0, largest: Int64(0))
    /// References with a packet position between two others, those with a constant rate around them, and the largest
    /// deviation of these, in nanoseconds.
    private var judged = (count: 0, steady: 0, deviation: 0.0)

    /// Handles a loss of packets or a discontinuity.
    mutating func lose() { (latest, previous) = (nil, nil) }

    /// Records a reference.
    mutating func take(_ point: Point) {
        count &+= 1
        defer { (previous, latest) = (latest, point) }
        guard let latest else { return }
        let step = point.step(since: latest)
        guard step > 0 else { return }
        intervals = (intervals.count &+ 1, intervals.sum &+ step, max(intervals.longest, step))
        let deviation = Int64(clamping: ((point.time &- latest.time) &- step).magnitude)
        jitter = (jitter.sum + Double(deviation), max(jitter.largest, deviation))
        if let previous { judge(previous, latest, point) }
    }

    /// Compares a reference with its position between two others, at a constant bit rate.
    private mutating func judge(_ first: Point, _ middle: Point, _ last: Point) {
        let packets = (Double(middle.packet &- first.packet), Double(last.packet &- middle.packet))
        let times = (Double(middle.step(since: first)), Double(last.step(since: middle)))
        guard packets.0 > 0, packets.1 > 0, times.0 > 0, times.1 > 0 else { return }
        judged.count &+= 1
        let rates = (packets.0 / times.0, packets.1 / times.1)
        guard abs(rates.0 - rates.1) <= Self.steadiness * max(rates.0, rates.1) else { return }
        judged.steady &+= 1
        let expected = (times.0 + times.1) * packets.0 / (packets.0 + packets.1)
        judged.deviation = max(judged.deviation, abs(times.0 - expected))
    }

    /// The mean and longest interval in milliseconds.
    var intervalMilliseconds: (mean: Double, longest: Double)? {
        guard intervals.count > 0 else { return nil }
        return (Double(intervals.sum) / Double(intervals.count) / 1_000_000, Double(intervals.longest) / 1_000_000)
    }

    /// The mean and largest difference between the intervals of arrival and those of the clock, in milliseconds.
    var jitterMilliseconds: (mean: Double, largest: Double)? {
        guard intervals.count > 0 else { return nil }
        return (jitter.sum / Double(intervals.count) / 1_000_000, Double(jitter.largest) / 1_000_000)
    }

    /// The largest deviation of a reference from its position in the stream in nanoseconds, or nil if the bit rate is
    /// not constant.
    var deviationNanoseconds: Double? {
        guard judged.count >= Self.leastJudged, Double(judged.steady) >= Double(judged.count) * Self.steadyPart else {
            return nil
        }
        return judged.deviation
    }
}
