/// Timestamps and capture times of a stream that went back or leapt.
package struct TimestampJumps: Sendable {
    private static let mostClockBreaks = 4
    /// The number of packets in a row with an earlier capture time after which it is right: the clock was set back.
    private static let mostMisstamped = 8

    /// Packets whose timestamp went back, or forward by more than a second relative to capture time.
    package private(set) var count = 0
    /// Those of them that end a clock segment, which are the first.
    package private(set) var clockBreaks = 0
    /// Consecutive packets with a wrong capture time, and the number of the packet after the last of them.
    private var misstamped = (count: 0, last: -1)

    /// Counts a jump of the timestamp; returns whether it ends a clock segment.
    mutating func note(isFirstPacket: Bool) -> Bool {
        count &+= 1
        guard clockBreaks < Self.mostClockBreaks, !isFirstPacket else { return false }
        clockBreaks &+= 1
        return true
    }

    /// Counts a packet stamped long before the previous one, given the packets so far; returns whether the capture clock was
    /// set back.
    mutating func noteMisstamped(after packets: Int) -> Bool {
        misstamped = (misstamped.last == packets ? misstamped.count &+ 1 : 1, packets &+ 1)
        return misstamped.count >= Self.mostMisstamped
    }
}
