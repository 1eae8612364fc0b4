import WeirPackets

/// The interarrival jitter of a stream (RFC 3550 §6.4.1, §A.8): the variation of arrival intervals relative to
/// timestamp intervals.
///
/// Measured in ticks of the media clock, as in receiver reports.
package struct Jitter: Sendable {
    // Members that every packet needs, then the others.

    /// The media clock rate in Hz; 0 if it is unknown, so that nothing is measured.
    package let clockRate: Int
    private(set) var lastTime = Timestamp(nanoseconds: 0)
    private var lastTimestamp: UInt32 = 0
    /// Whether any packet had an earlier timestamp than the previous one: pictures are not sent in display order, or
    /// packets were reordered.
    private(set) var wentBack = false
    private var count = 0
    private let ticksPerNanosecond: Double
    /// The deviation in ticks above which the timestamp is assumed to have jumped, which is unrelated to the network.
    private let jump: Double
    private let lateTicks: Double
    /// Delay of the last packet relative to the first one, by timestamps, in ticks.
    package private(set) var transit = 0.0
    /// Maximum delay of a packet relative to the first one, in ticks, in the current interval of the series.
    private var latestTransit = 0.0
    /// The current estimate in ticks.
    package private(set) var ticks = 0.0
    /// The highest estimate so far, in ticks.
    package private(set) var maximumTicks = 0.0
    private var sum = 0.0

    /// The maximum delay in earlier intervals.
    private var earlierTransit = 0.0
    /// Packets too late for a jitter buffer of 50, 100 and 200 milliseconds, if playback starts so long after the first
    /// packet.
    package private(set) var late = (after50: 0, after100: 0, after200: 0)
    /// Distinct timestamps of packets too late for 100 milliseconds.
    package private(set) var lateTimestamps = 0
    private var latestLate: UInt32?
    private var jumps = 0

    /// Creates a measurement, or returns nil for an invalid clock rate.
    package init?(clockRate: Int) {
        guard clockRate > 0 else { return nil }
        self.init(rate: clockRate)
    }

    /// Without a clock rate. A stream has this instead of nil: the tag of a large optional is read by a call.
    static let unknown = Self(rate: 0)

    private init(rate clockRate: Int) {
        self.clockRate = clockRate
        ticksPerNanosecond = Double(clockRate) / 1_000_000_000
        jump = Double(clockRate)
        lateTicks = Double(clockRate) / 20
    }

    /// Processes a packet in order of arrival.
    ///
    /// - Parameter floor: the negative number of ticks below which a backward timestamp is ignored.
    /// - Returns: the delay of this packet relative to the previous one, by timestamps, in ticks; nil for the first
    ///   packet.
    @inline(__always)
    package mutating func observe(
        _ timestamp: UInt32, at time: Timestamp, floor: Double = -.infinity
    ) -> Double? {
        guard clockRate > 0 else { return nil }
        defer {
            lastTime = time
            lastTimestamp = timestamp
            count &+= 1
        }
        guard count > 0 else { return nil }
        let arrival = Double(time.nanoseconds &- lastTime.nanoseconds) * ticksPerNanosecond
        let sent = Double(Int32(bitPattern: timestamp &- lastTimestamp))
        let difference = arrival - sent
        // A timestamp that jumps forward or back by more than a second is unrelated to network delay.
        guard difference >= -jump, sent >= max(floor, -jump) else {
            jumps &+= 1
            return difference
        }
        if sent < 0 { wentBack = true }
        transit += difference
        if transit > latestTransit { latestTransit = transit }
        if transit > lateTicks { noteLate(timestamp) }
        ticks += (difference.magnitude - ticks) / 16
        if ticks > maximumTicks { maximumTicks = ticks }
        sum += ticks
        return difference
    }

    /// Processes a packet with the timestamp of the last one, unless it is delayed by more than `limit` ticks, or by more
    /// than a playback buffer; returns false in these cases, without a change.
    @inline(__always)
    mutating func continues(_ timestamp: UInt32, at time: Timestamp, within limit: Double) -> Bool {
        let arrival = Double(time.nanoseconds &- lastTime.nanoseconds) * ticksPerNanosecond
        let late = transit + arrival
        guard count > 0, timestamp == lastTimestamp, arrival <= limit, arrival >= 0, late <= lateTicks else {
            return false
        }
        transit = late
        if late > latestTransit { latestTransit = late }
        ticks += (arrival - ticks) / 16
        if ticks > maximumTicks { maximumTicks = ticks }
        sum += ticks
        lastTime = time
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func noteLate(_ timestamp: UInt32) {
        late.after50 &+= 1
        if transit > lateTicks * 2 {
            late.after100 &+= 1
            if latestLate != timestamp { lateTimestamps &+= 1 }
            latestLate = timestamp
        }
        if transit > lateTicks * 4 { late.after200 &+= 1 }
    }

    /// Milliseconds of buffering needed to play every packet: the maximum delay relative to the first one.
    package var neededMilliseconds: Double { milliseconds(max(earlierTransit, latestTransit)) }
    /// The maximum delay of a packet in the current interval, in milliseconds.
    var latestMilliseconds: Double { milliseconds(latestTransit) }
    /// The delay of the last packet, in milliseconds.
    var transitMilliseconds: Double { milliseconds(transit) }

    /// Begins an interval of the series.
    mutating func beginInterval() {
        earlierTransit = max(earlierTransit, latestTransit)
        latestTransit = 0
    }

    /// Restarts the measurement with a packet whose timestamp is unrelated to those before.
    mutating func begin(_ timestamp: UInt32, at time: Timestamp) {
        lastTime = time
        lastTimestamp = timestamp
    }

    /// The mean of the estimates after each packet in milliseconds, without the first packet and timestamp jumps.
    package var meanMilliseconds: Double {
        let measured = count &- 1 &- jumps
        return measured < 1 ? 0 : milliseconds(sum / Double(measured))
    }
    /// The highest estimate, in milliseconds.
    package var maximumMilliseconds: Double { milliseconds(maximumTicks) }
    /// The current estimate, in milliseconds.
    package var milliseconds: Double { milliseconds(ticks) }

    private func milliseconds(_ ticks: Double) -> Double { ticks * 1_000 / Double(clockRate) }
}
