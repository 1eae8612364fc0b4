import WeirPackets

/// The flows that carry the control messages of a session, and what TCP did to them.
final class ControlFlows {
    /// Their handles, including those of closed ones.
    private(set) var handles: [FlowHandle] = []
    /// The number of TCP connections.
    private(set) var connections = 0
    /// The number of open flows.
    private(set) var open = 0
    /// The time at which the last one ended, or nil while one is open.
    var closedAt: Timestamp?
    /// The longest delay caused by TCP.
    private(set) var longestDelay: TCPDelay?
    /// The longest zero window that lasted to the end of a connection.
    private(set) var zeroWindow: ZeroWindow?

    /// Adds an open flow.
    func add(_ handle: FlowHandle, isTCP: Bool) {
        handles.append(handle)
        open += 1
        if isTCP { connections += 1 }
    }

    /// Records that a flow has ended.
    func close() { open -= 1 }

    /// Records a delay caused by TCP.
    func note(_ delay: TCPDelay) {
        if !delay.isHarmless, delay.seconds > longestDelay?.seconds ?? 0 { longestDelay = delay }
    }

    /// Records a receive window that was closed and not reopened.
    func note(_ window: ZeroWindow) {
        if window.seconds > zeroWindow?.seconds ?? 0 { zeroWindow = window }
    }
}
