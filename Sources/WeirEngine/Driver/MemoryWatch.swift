import WeirPackets

// How much memory is held, as far as it follows what is open.

extension Analyzer {
    /// Octets that one thing takes, with all that hangs on it: measured, and rounded up.
    private enum Cost {
        static let flow = 320
        static let state = 1_280
        static let stream = 6_656
        static let session = 8_192
    }

    /// Octets that tables and buffers take, about.
    var heldOctets: Int {
        table.count &* Cost.flow &+ openStates &* Cost.state &+ storyOutlet.openStreams &* Cost.stream
            &+ sessions.count &* Cost.session &+ fastPaths.waitingOctets &+ innerBudget.used
    }

    /// Looks whether there is memory for more.
    func watchMemory() { table.isFull = heldOctets > options.limits.memoryOctets }
}
