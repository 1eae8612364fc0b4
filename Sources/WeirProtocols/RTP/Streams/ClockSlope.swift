import WeirPackets

/// How fast a stream's clock runs against the capture's, as its timestamps tell: a straight line through how much later
/// each frame came than its timestamp says, over the time of arrival.
///
/// A line is drawn for each stretch without a jump or a silence; the longest one counts.
package struct ClockSlope: Sendable {
    /// What a stretch tells.
    package struct Estimate: Sendable, Hashable {
        /// Seconds from the first frame of the stretch to the last.
        package var seconds: Double
        /// The frames of the stretch.
        package var frames: Int
        /// Seconds of the media's clock in a second of the capture's: 1 when both run alike.
        package var rate: Double
        /// The standard deviation of the rate.
        package var uncertainty: Double
        /// How far frames are from the line, in seconds (root of the mean square).
        package var deviation: Double
    }

    private var start = Timestamp(nanoseconds: 0)
    private var latest = 0.0
    private var origin = 0.0
    private var count = 0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var sumYY = 0.0
    private var best: Estimate?

    /// Begins without a frame.
    package init() {}

    /// Takes a frame that came `transit` ticks later than its timestamp says.
    mutating func observe(_ transit: Double, at time: Timestamp, clockRate: Int) {
        let late = transit / Double(clockRate)
        if count == 0 {
            start = time
            origin = late
        }
        let x = Double(time.nanoseconds &- start.nanoseconds) / 1_000_000_000
        let y = late - origin
        latest = x
        count &+= 1
        sumX += x
        sumY += y
        sumXX += x * x
        sumXY += x * y
        sumYY += y * y
    }

    /// Begins a new stretch.
    mutating func begin() {
        if let current, current.seconds > best?.seconds ?? 0 { best = current }
        count = 0
        (sumX, sumY, sumXX, sumXY, sumYY) = (0, 0, 0, 0, 0)
    }

    /// What the longest stretch tells; nil with fewer than 8 frames.
    package var estimate: Estimate? {
        guard let current, current.seconds > best?.seconds ?? 0 else { return best }
        return current
    }

    private var current: Estimate? {
        guard count >= 8, latest > 0 else { return nil }
        let number = Double(count)
        let spread = sumXX - sumX * sumX / number
        guard spread > 0 else { return nil }
        let slope = (sumXY - sumX * sumY / number) / spread
        let rest = max(0, sumYY - sumY * sumY / number - slope * slope * spread)
        let variance = rest / max(1, number - 2)
        return Estimate(
            seconds: latest, frames: count, rate: 1 - slope, uncertainty: (variance / spread).squareRoot(),
            deviation: (rest / number).squareRoot())
    }
}
