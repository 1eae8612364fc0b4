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

    private let ticksPerNanosecond: Double
    private var sum = 0.0
    private var count = 0
    private var lastTime = Timestamp(nanoseconds: 0)
    private var lastTimestamp: UInt32 = 0

    /// Begins a measurement; nil for a clock that does not tick.
    package init?(clockRate: Int) {
        guard clockRate > 0 else { return nil }
        self.clockRate = clockRate
        ticksPerNanosecond = Double(clockRate) / 1_000_000_000
    }

    /// Takes a packet in order of arrival.
    ///
    /// - Returns: by how many ticks this packet came later, against the one before, than its timestamp says; nil for
    ///   the first packet.
    @inline(__always)
    package mutating func observe(_ timestamp: UInt32, at time: Timestamp) -> Double? {
        defer {
            lastTime = time
            lastTimestamp = timestamp
            count &+= 1
        }
        guard count > 0 else { return nil }
        let arrival = Double(time.nanoseconds &- lastTime.nanoseconds) * ticksPerNanosecond
        let sent = Double(Int32(bitPattern: timestamp &- lastTimestamp))
        let difference = arrival - sent
        ticks += (difference.magnitude - ticks) / 16
        if ticks > maximumTicks { maximumTicks = ticks }
        sum += ticks
        return difference
    }

    /// Begins anew with a packet whose timestamp has nothing to do with those before.
    mutating func begin(_ timestamp: UInt32, at time: Timestamp) {
        lastTime = time
        lastTimestamp = timestamp
    }

    /// The mean of the estimates after each packet but the first, in milliseconds.
    package var meanMilliseconds: Double { count < 2 ? 0 : milliseconds(sum / Double(count - 1)) }
    /// The highest estimate, in milliseconds.
    package var maximumMilliseconds: Double { milliseconds(maximumTicks) }
    /// The current estimate, in milliseconds.
    package var milliseconds: Double { milliseconds(ticks) }

    private func milliseconds(_ ticks: Double) -> Double { ticks * 1_000 / Double(clockRate) }
}
