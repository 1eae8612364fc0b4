import WeirPackets

/// Connections in which one direction waits for bytes of the other, and when to check them.
struct PendingConnections {
    /// The maximum number checked by timer; others are checked with their next packet.
    private let limit: Int
    private var flows: [Int] = []
    /// The time of the next check.
    private(set) var until = Timestamp(nanoseconds: .max)

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ flow: Int, _ time: Timestamp) {
        guard flows.count < limit, !flows.contains(flow) else { return }
        flows.append(flow)
        until = min(until, Timestamp(nanoseconds: time.nanoseconds &+ TCPConnection.holdNanoseconds))
    }

    /// Returns and removes the connections to check.
    mutating func take() -> [Int] {
        until = Timestamp(nanoseconds: .max)
        defer { flows = [] }
        return flows
    }
}
