import WeirPackets

/// The interarrival jitter of a stream (RFC 3550 §6.4.1, §A.8): how unevenly packets arrive, compared with how evenly
/// their timestamps say they were sent.
///
/// It is kept in ticks of the media's clock, as receiver reports have it.
package struct Jitter: Sendable {
    /// The current estimate in ticks.
    package private(set) var ticks = 0.0
    /// The highest estimate so far, in ticks.
    package private(set) var maximumTicks = 0.0
    /// Ticks of the media's clock in a second.
    package let clockRate: Int

    /// How much later than the first packet the last one came than its timestamp says, in ticks.
    package private(set) var transit = 0.0

    /// The most that a packet came later than the first one, in ticks.
    package private(set) var latestTransit = 0.0
    /// Packets that a buffer of 50, 100 and 200 milliseconds would have had no use for any more, when it plays the first
    /// packet so long after it came.
    package private(set) var late = (after50: 0, after100: 0, after200: 0)
    /// Different timestamps of packets that came too late for 100 milliseconds.
    package private(set) var lateTimestamps = 0
    private var latestLate: UInt32?
    private let lateTicks: Double

    /// Whether any packet had an earlier timestamp than the one that came before it: pictures are sent in another order than they
    /// are shown in, or packets came in another one.
    private(set) var wentBack = false

    private let ticksPerNanosecond: Double
    /// A deviation beyond which the timestamp is taken to have jumped, which says nothing of the network.
    private let jump: Double
    private var sum = 0.0
    private var count = 0
    private var jumps = 0
    private var lastTime = Timestamp(nanoseconds: 0)
    private var lastTimestamp: UInt32 = 0

    /// Begins a measurement; nil for a clock that does not tick.
    package init?(clockRate: Int) {
        guard clockRate > 0 else { return nil }
        self.clockRate = clockRate
        ticksPerNanosecond = Double(clockRate) / 1_000_000_000
        jump = Double(clockRate)
        lateTicks = Double(clockRate) / 20
    }

    /// Takes a packet in order of arrival.
    ///
    /// - Parameter floor: how far its timestamp may go back, as a negative number of ticks, before that says nothing of the way.
    /// - Returns: by how many ticks this packet came later, against the one before, than its timestamp says; nil for
    ///   the first packet.
    @inline(__always)
    package mutating func observe(
        _ timestamp: UInt32, at time: Timestamp, floor: Double = -.infinity
    ) -> Double? {
        defer {
            lastTime = time
            lastTimestamp = timestamp
            count &+= 1
        }
        guard count > 0 else { return nil }
        let arrival = Double(time.nanoseconds &- lastTime.nanoseconds) * ticksPerNanosecond
        let sent = Double(Int32(bitPattern: timestamp &- lastTimestamp))
        let difference = arrival - sent
        // A timestamp that jumps ahead, or goes back, by more than a second: what it says of the way here is nothing.
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

    /// Milliseconds that a buffer needs to play every packet: the most that one came later than the first.
    package var neededMilliseconds: Double { milliseconds(latestTransit) }

    /// Begins anew with a packet whose timestamp has nothing to do with those before.
    mutating func begin(_ timestamp: UInt32, at time: Timestamp) {
        lastTime = time
        lastTimestamp = timestamp
    }

    /// The mean of the estimates after each packet but the first, and those whose timestamp jumped, in milliseconds.
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
