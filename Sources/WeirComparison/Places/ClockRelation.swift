/// How the clock of the second capture relates to that of the first.
package struct ClockRelation: Sendable {
    /// What the relation is derived from.
    package enum Basis: String, Sendable {
        /// Packets in both directions: the offset is known up to half of the least round-trip time.
        case bothDirections
        /// Packets in one direction: offset and delay cannot be separated.
        case oneDirection
        /// No packets with a known direction.
        case none
    }

    /// What it is derived from.
    package var basis = Basis.none
    /// The time of the first packet used, in the first capture.
    package var reference: Int64 = 0
    /// How far the second clock is ahead of the first at that time, in nanoseconds; with one direction including the
    /// least delay.
    package var offset: Int64 = 0
    /// The uncertainty of the offset, in nanoseconds; nil with one direction.
    package var uncertainty: Int64?
    /// How much faster the second clock runs, in parts per million, and twice its standard error; nil if unknown.
    package var drift: (value: Double, uncertainty: Double)?
    /// The seconds between the first and the last packet used.
    package var seconds = 0.0
    /// The time that stamps may be off, in nanoseconds.
    package var resolution: Int64 = 0

    /// Whether the drift is larger than its uncertainty.
    package var isDriftKnown: Bool { drift.map { $0.value.magnitude > $0.uncertainty } ?? false }
    /// The drift used to compare times: 0 unless known.
    var rate: Double { isDriftKnown ? (drift?.value ?? 0) * 1e-6 : 0 }

    /// Returns the delay of a packet from the first place to the second, in nanoseconds, given its times there; negative
    /// for the opposite direction. Includes the error of the offset.
    package func delay(_ timeA: Int64, _ timeB: Int64) -> Double {
        Double((timeB &- timeA) &- offset) - rate * Double(timeA &- reference)
    }

    /// Returns the time of the first clock on the second.
    package func timeOfB(_ time: Int64) -> Int64 {
        time &+ offset &+ Int64(max(-9e15, min(9e15, rate * Double(time &- reference))))
    }
}

/// Estimates the clock relation from the times of matched packets.
struct ClockEstimate {
    /// The time of a packet in the first capture, and its time in the second less that.
    typealias Sample = (time: Int64, step: Int64)

    private static let windows = 32
    private static let fewestWindows = 4

    /// Estimates the relation.
    ///
    /// - Parameters:
    ///   - forward: Packets that pass the first place first.
    ///   - backward: Packets that pass the second place first.
    ///   - resolution: The time that stamps of either capture may be off.
    static func relation(forward: [Sample], backward: [Sample], resolution: Int64) -> ClockRelation {
        var relation = ClockRelation()
        relation.resolution = resolution
        let times = forward.lazy.map(\.time).min().map { [$0] } ?? []
        guard let start = (times + [backward.lazy.map(\.time).min()].compactMap { $0 }).min(),
            let base = (forward.first ?? backward.first)?.step
        else { return relation }
        let end = max(forward.lazy.map(\.time).max() ?? start, backward.lazy.map(\.time).max() ?? start)
        relation.reference = start
        relation.seconds = Double(end &- start) / 1e9
        let edges = [edge(forward, start, end, base, least: true), edge(backward, start, end, base, least: false)]
        relation.drift = drift(edges.compactMap { $0 }, seconds: relation.seconds, resolution)
        let rate = relation.rate
        let least = forward.lazy.map { Double($0.step &- base) - rate * Double($0.time &- start) }.min()
        let most = backward.lazy.map { Double($0.step &- base) - rate * Double($0.time &- start) }.max()
        switch (least, most) {
        case (let least?, let most?):
            relation.basis = .bothDirections
            relation.offset = base &+ bounded((least + most) / 2)
            // The drift is taken out of the steps, so its error adds to that of the offset.
            let drifted = rate == 0 ? 0 : (relation.drift?.uncertainty ?? 0) * 1_000 * relation.seconds / 2
            relation.uncertainty = bounded((least - most).magnitude / 2 + drifted) &+ resolution
        case (let only?, nil), (nil, let only?):
            relation.basis = .oneDirection
            relation.offset = base &+ bounded(only)
        case (nil, nil): break
        }
        return relation
    }

    /// Returns nanoseconds as an integer; stamps may be any numbers.
    private static func bounded(_ nanoseconds: Double) -> Int64 { Int64(max(-4e18, min(4e18, nanoseconds))) }

    /// Fits a line to the least (or most) steps per window, which are those of the least delay.
    private static func edge(
        _ samples: [Sample], _ start: Int64, _ end: Int64, _ base: Int64, least: Bool
    ) -> (slope: Double, error: Double)? {
        guard samples.count >= 4 * fewestWindows, end > start else { return nil }
        let count = min(windows, samples.count / 4)
        var best: [Int: (x: Double, y: Double)] = [:]
        for sample in samples {
            let x = Double(sample.time &- start) / 1e9
            let y = Double(sample.step &- base)
            let window = min(count - 1, Int(x * 1e9 / Double(end &- start) * Double(count)))
            if let known = best[window], least ? known.y <= y : known.y >= y { continue }
            best[window] = (x, y)
        }
        let points = best.values.sorted { $0.x < $1.x }
        guard points.count >= fewestWindows else { return nil }
        let n = Double(points.count)
        let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / n, points.reduce(0) { $0 + $1.y } / n)
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        guard spread > 0 else { return nil }
        let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        let residual = points.reduce(0.0) { sum, point in
            let error = point.y - meanY - slope * (point.x - meanX)
            return sum + error * error
        }
        return (slope, (residual / (n - 2) / spread).squareRoot())
    }

    /// Combines the slopes of both directions, in nanoseconds a second, to parts per million.
    private static func drift(
        _ edges: [(slope: Double, error: Double)], seconds: Double, _ resolution: Int64
    ) -> (value: Double, uncertainty: Double)? {
        guard let first = edges.first, seconds > 0 else { return nil }
        // What stamps cannot show.
        let floor = max(1, Double(resolution)) / seconds
        let weights = edges.map { 1 / max($0.error * $0.error, floor * floor * 1e-4) }
        let total = weights.reduce(0, +)
        let slope = zip(edges, weights).reduce(0) { $0 + $1.0.slope * $1.1 } / total
        var error = 2 / total.squareRoot()
        if edges.count > 1, let other = edges.last { error = max(error, (other.slope - first.slope).magnitude / 2) }
        return (slope / 1_000, max(error, floor) / 1_000)
    }
}
