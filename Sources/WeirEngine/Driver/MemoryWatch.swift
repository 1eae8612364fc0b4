import WeirPackets

// How much memory is held, as far as it follows what is open.

extension Analyzer {
    /// Octets that one thing takes, with all that hangs on it: measured, and rounded up.
    private enum Cost {
        static let flow = 320
        static let state = 1_280
        static let stream = 10_752
        static let session = 8_192
    }

    /// Octets that tables and buffers take, about.
    var heldOctets: Int {
        table.count &* Cost.flow &+ openStates &* Cost.state &+ storyOutlet.openStreams &* Cost.stream
            &+ sessions.count &* Cost.session &+ fastPaths.waitingOctets &+ innerBudget.used
    }

    /// Flows that may have to give way for one stream: many hold less than it takes.
    private static let mostGivingWay = 32

    /// Streams began on flows that have been open for long: where they take too much, other flows give way.
    @inline(never)
    func makeRoomForStreams(on index: Int, _ info: FrameInfo) {
        watchMemory()
        for _ in 0..<Self.mostGivingWay where table.isFull {
            guard let evicted = table.evict(but: index) else { break }
            reach("limit.memory")
            endFlow(evicted, at: info, isEvicted: true)
            watchMemory()
        }
        watchedStreams = storyOutlet.openStreams
    }

    /// Looks whether there is memory for more.
    func watchMemory() { table.isFull = heldOctets > options.limits.memoryOctets }
}
