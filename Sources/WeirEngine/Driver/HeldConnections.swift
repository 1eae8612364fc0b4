import WeirPackets

/// The connections in which what one side says waits for octets of the other, and when to look at them again.
struct HeldConnections {
    /// Most that are looked at without a packet of their own; others wait for one.
    private let limit: Int
    private var flows: [Int] = []
    /// When to look.
    private(set) var until = Timestamp(nanoseconds: .max)

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ flow: Int, _ time: Timestamp) {
        guard flows.count < limit, !flows.contains(flow) else { return }
        flows.append(flow)
        until = min(until, Timestamp(nanoseconds: time.nanoseconds &+ TCPConnection.holdNanoseconds))
    }

    /// Those to look at; they have to be added again.
    mutating func take() -> [Int] {
        until = Timestamp(nanoseconds: .max)
        defer { flows = [] }
        return flows
    }
}
