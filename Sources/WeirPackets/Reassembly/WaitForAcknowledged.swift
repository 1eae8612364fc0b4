/// The wait for octets that the receiver acknowledged before they were captured: merged captures and the device `any`
/// are not always in order. The octets are given up after some packets or some time.
struct WaitForAcknowledged: Sendable {
    /// The number of packets, after the acknowledgment of missing octets, in which these may still appear.
    private static let mostPackets: UInt32 = 8
    /// The time after which missing octets are no longer awaited, in nanoseconds.
    private static let longest: Int64 = 50_000_000
    /// The same if the receiver has sent data since, which may be a response that others wait for.
    static let longestAnswered: Int64 = 5_000_000

    /// Holes before this position are given up.
    var lostBefore = Int.min
    /// The packets since the acknowledgment; 0 if nothing is awaited.
    private var packets: UInt32 = 0
    private var isAnswered = false
    /// The acknowledged position when the wait began.
    private(set) var mark = 0
    private var start = Timestamp(nanoseconds: 0)

    /// Ends the wait: nothing acknowledged is missing, or the wait restarts.
    @inline(__always)
    mutating func stop() { packets = 0 }

    /// Counts a packet while octets before `acknowledged` are missing; returns whether the wait is over, so that they
    /// are given up. `isAnswered` is true if the packet carries data of the receiver.
    mutating func goOn(_ acknowledged: Int, _ time: Timestamp, isAnswered: Bool) -> Bool {
        if packets == 0 {
            mark = acknowledged
            start = time
            self.isAnswered = false
        }
        if isAnswered { self.isAnswered = true }
        packets &+= 1
        let longest = self.isAnswered ? Self.longestAnswered : Self.longest
        guard packets > Self.mostPackets || time.nanoseconds &- start.nanoseconds > longest else { return false }
        lostBefore = max(lostBefore, mark)
        packets = 0
        return true
    }
}
