import WeirPackets

/// How fast a stream's clock runs against the capture's, as its timestamps tell: a straight line through how much later
/// each frame came than its timestamp says, over the time of arrival.
///
/// A line is drawn for each stretch without a jump or a silence; the longest one counts. What is sent in a burst at the beginning
/// or the end does not turn it: its slope is the median of those between any two parts of the stretch (Theil and Sen).
package struct ClockSlope: Sendable {
    /// What a stretch tells.
    package struct Estimate: Sendable {
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
        /// The mean time and lateness of the frames of each part.
        fileprivate var centres: [Centre]

        /// Whether the line holds for the stretch: it is as good as even, or its halves go the same way, as far as their frames
        /// tell. The rate of a half is known some three times less well than that of the whole.
        package var isSteady: Bool {
            let off = (rate - 1).magnitude
            let (first, second) = halves
            return off <= 3 * uncertainty || isOff(by: off / 4) || (first - second).magnitude <= 12 * uncertainty
        }

        /// Whether both halves of the stretch run too fast, or both too slow, by more than so much: else something happened once.
        package func isOff(by tolerance: Double) -> Bool {
            let (first, second) = halves
            return rate > 1 ? min(first, second) > 1 + tolerance : max(first, second) < 1 - tolerance
        }

        /// The rates of both halves.
        private var halves: (Double, Double) {
            let middle = centres.count / 2
            return (
                1 - (ClockSlope.slope(centres[..<middle]) ?? 1 - rate),
                1 - (ClockSlope.slope(centres[middle...]) ?? 1 - rate)
            )
        }
    }

    fileprivate struct Centre {
        var x: Double
        var y: Double
    }

    /// The frames up to a moment, and their sums.
    private struct Sums {
        var count = 0
        var x = 0.0
        var y = 0.0
    }

    /// Most parts of a stretch; where there are more, two become one.
    private static let mostParts = 12
    /// Seconds of a part at first.
    private static let part = 0.25

    private var start = Timestamp(nanoseconds: 0)
    private var latest = 0.0
    private var origin = 0.0
    private var sums = Sums()
    /// The sums where each part ends.
    private var parts: [Sums] = []
    private var width = Self.part
    private var partEnd = Self.part
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var sumYY = 0.0
    private var best: Estimate?

    /// Begins without a frame.
    package init() {}

    /// Takes a frame that came `transit` ticks later than its timestamp says.
    mutating func observe(_ transit: Double, at time: Timestamp, clockRate: Int) {
        let late = transit / Double(clockRate)
        if sums.count == 0 {
            start = time
            origin = late
        }
        let x = Double(time.nanoseconds &- start.nanoseconds) / 1_000_000_000
        let y = late - origin
        if x >= partEnd { endPart(x) }
        latest = x
        sums.count &+= 1
        sums.x += x
        sums.y += y
        sumXX += x * x
        sumXY += x * y
        sumYY += y * y
    }

    /// Begins a new stretch.
    mutating func begin() {
        best = estimate
        sums = Sums()
        latest = 0
        (sumXX, sumXY, sumYY) = (0, 0, 0)
        parts.removeAll(keepingCapacity: true)
        (width, partEnd) = (Self.part, Self.part)
    }

    /// A part ends before a frame at `x`.
    @inline(never)
    private mutating func endPart(_ x: Double) {
        if parts.isEmpty { parts.reserveCapacity(Self.mostParts) }
        parts.append(sums)
        if parts.count == Self.mostParts {
            for place in 0..<Self.mostParts / 2 { parts[place] = parts[2 * place + 1] }
            parts.removeLast(Self.mostParts / 2)
            width *= 2
        }
        // A capture's clock may jump by centuries.
        partEnd = max(partEnd, (x / width).rounded(.down) * width) + width
    }

    /// What the longest stretch tells; nil with fewer than 8 frames.
    package var estimate: Estimate? {
        latest > best?.seconds ?? 0 ? current ?? best : best
    }

    private var current: Estimate? {
        guard sums.count >= 8, latest > 0 else { return nil }
        let number = Double(sums.count)
        let spread = sumXX - sums.x * sums.x / number
        guard spread > 0 else { return nil }
        let centres = centres
        let slope = Self.slope(centres[...]) ?? (sumXY - sums.x * sums.y / number) / spread
        let height = Self.median(centres.map { $0.y - slope * $0.x }) ?? (sums.y - slope * sums.x) / number
        // The squares of what is left of each frame, of which only the sums are known.
        let square = sumYY - 2 * height * sums.y - 2 * slope * sumXY + number * height * height
        let rest = max(0, square + 2 * height * slope * sums.x + slope * slope * sumXX)
        return Estimate(
            seconds: latest, frames: sums.count, rate: 1 - slope,
            uncertainty: (rest / max(1, number - 2) / spread).squareRoot(), deviation: (rest / number).squareRoot(),
            centres: centres)
    }

    private var centres: [Centre] {
        var before = Sums()
        var centres: [Centre] = []
        centres.reserveCapacity(Self.mostParts)
        for place in 0...parts.count {
            let end = place < parts.count ? parts[place] : sums
            let count = Double(end.count &- before.count)
            if count > 0 {
                centres.append(Centre(x: (end.x - before.x) / count, y: (end.y - before.y) / count))
            }
            before = end
        }
        return centres
    }

    /// The median of the slopes between any two; nil of fewer than three.
    fileprivate static func slope(_ centres: ArraySlice<Centre>) -> Double? {
        guard centres.count >= 3 else { return nil }
        var slopes: [Double] = []
        slopes.reserveCapacity(centres.count * centres.count / 2)
        for (place, one) in zip(centres.indices, centres) {
            for other in centres[(place + 1)...] where other.x > one.x {
                slopes.append((other.y - one.y) / (other.x - one.x))
            }
        }
        return median(slopes)
    }

    private static func median(_ values: consuming [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        values.sort()
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }
}
