/// What the sender of a stream retransmitted.
struct ResentOctets: Sendable {
    /// The time in nanoseconds after which octets that follow later ones are not due to reordering: less than the
    /// minimum RTO of a sender (RFC 6298 §2.4), and more than the delays that networks add.
    private static let overtaken: Int64 = 50_000_000
    /// A longer time, in nanoseconds, is a clock change.
    private static let longestHole: Int64 = 120_000_000_000

    /// The position after the furthest retransmitted octet.
    private(set) var end = Int.min
    /// The arrival time of the octets held back by the last retransmission whose first copy was not captured.
    private(set) var heldSince = Timestamp(nanoseconds: 0)
    /// The position of a hole that the receiver reported while octets after it were buffered.
    private var hole = Int.min

    /// Records that the octets before a position were retransmitted.
    mutating func note(before position: Int) { end = max(end, position) }

    /// Records a hole that the receiver reported while octets after it were buffered.
    mutating func note(hole position: Int) { hole = position }

    /// Returns whether octets that fill a hole at `time` are a retransmission whose first copy was not captured: the
    /// receiver reported the hole, and the octets after it arrived much earlier, at `arrival`. If so, stores that time.
    mutating func fills(holeAt position: Int, _ time: Timestamp, after arrival: Timestamp) -> Bool {
        guard hole == position else { return false }
        let held = time.nanoseconds &- arrival.nanoseconds
        guard held >= Self.overtaken, held <= Self.longestHole else { return false }
        heldSince = arrival
        return true
    }
}
