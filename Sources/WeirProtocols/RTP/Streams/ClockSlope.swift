import WeirPackets

/// Estimates the speed of a stream's clock relative to the capture clock, from its timestamps: a line through the delay
/// of each frame against its timestamp, over arrival time.
///
/// Each segment without a jump or a silence has its own line, and the longest one counts. To be robust against bursts
/// at the start or end, the slope is the median over all pairs of parts of the segment (Theil–Sen).
package struct ClockSlope: Sendable {
    /// The estimate for a segment.
    package struct Estimate: Sendable {
        /// Seconds from the first frame of the segment to the last.
        package var seconds: Double
        /// The number of frames in the segment.
        package var frames: Int
        /// Seconds of the media clock per second of the capture clock: 1 when both run at the same speed.
        package var rate: Double
        /// The standard deviation of the rate.
        package var uncertainty: Double
        /// Root mean square deviation of frames from the line, in seconds.
        package var deviation: Double
        /// Mean time and delay of the frames of each part.
        fileprivate var centres: [Centre]

        /// Whether the line represents the segment: it is nearly flat, or both halves have a similar slope within their
        /// uncertainty, which is about three times that of the whole.
        package var isSteady: Bool {
            let off = (rate - 1).magnitude
            let (first, second) = halves
            return off <= 3 * uncertainty || isOff(by: off / 4) || (first - second).magnitude <= 12 * uncertainty
        }

        /// Returns whether both halves run too fast, or both too slow, by more than `tolerance`; otherwise there was a
        /// single event.
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

    /// Running sums over the frames.
    private struct Sums {
        var count = 0
        var x = 0.0
        var y = 0.0
    }

    /// Maximum parts of a segment; beyond that, pairs of parts are merged.
    private static let mostParts = 12
    /// Initial length of a part, in seconds.
    private static let part = 0.25

    private var start = Timestamp(nanoseconds: 0)
    private var latest = 0.0
    private var origin = 0.0
    private var sums = Sums()
    /// The sums at the end of each part.
    private var parts: [Sums] = []
    private var width = Self.part
    private var partEnd = Self.part
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var sumYY = 0.0
    private var best: Estimate?

    /// Creates an estimator without frames.
    package init() {}

    /// Adds a frame that arrived `transit` ticks later than its timestamp indicates.
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

    /// Starts a new segment.
    mutating func begin() {
        best = estimate
        sums = Sums()
        latest = 0
        (sumXX, sumXY, sumYY) = (0, 0, 0)
        parts.removeAll(keepingCapacity: true)
        (width, partEnd) = (Self.part, Self.part)
    }

    /// Closes the current part before a frame at `x`.
    @inline(never)
    private mutating func endPart(_ x: Double) {
        if parts.isEmpty { parts.reserveCapacity(Self.mostParts) }
        parts.append(sums)
        if parts.count == Self.mostParts {
            for place in 0..<Self.mostParts / 2 { parts[place] = parts[2 * place + 1] }
            parts.removeLast(Self.mostParts / 2)
            width *= 2
        }
        // A capture clock may jump by centuries.
        partEnd = max(partEnd, (x / width).rounded(.down) * width) + width
    }

    /// The estimate for the longest segment, or nil with fewer than 8 frames.
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
        // The sum of squared residuals, computed from the running sums.
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

    /// Returns the median slope over all pairs, or nil with fewer than three parts.
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
        let middle = values.count / 2
        select(middle, of: &values)
        guard values.count % 2 == 0, let before = values[..<middle].max() else { return values[middle] }
        return (before + values[middle]) / 2
    }

    /// Moves the value of a rank to its place, and those below it to the places before: a median needs no complete order.
    private static func select(_ rank: Int, of values: inout [Double]) {
        var (low, high) = (0, values.count - 1)
        while low < high {
            values.swapAt((low + high) / 2, high)
            var place = low
            for index in low..<high where values[index] < values[high] {
                values.swapAt(index, place)
                place += 1
            }
            values.swapAt(place, high)
            if place == rank { return }
            if place < rank { low = place + 1 } else { high = place - 1 }
        }
    }
}
