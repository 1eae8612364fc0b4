import WeirPackets

// Memory use, as far as it depends on what is open.

extension Analyzer {
    /// The bytes per object, including everything it owns; measured and rounded up.
    private enum Cost {
        static let flow = 320
        static let state = 1_280
        static let stream = 10_752
        static let session = 8_192
    }

    /// The approximate size of tables and buffers in bytes.
    var heldOctets: Int {
        table.count &* Cost.flow &+ openStates &* Cost.state &+ sessionOutlet.openStreams &* Cost.stream
            &+ openSessions &* Cost.session &+ fastPaths.waitingOctets &+ innerBudget.used
    }

    /// The maximum number of flows evicted per stream; many are smaller than a stream.
    private static let mostGivingWay = 32

    /// Evicts other flows when new streams on existing flows exceed the memory limit.
    @inline(never)
    func evictForStreams(on index: Int, _ info: FrameInfo) {
        watchMemory()
        for _ in 0..<Self.mostGivingWay where table.isFull {
            guard let evicted = table.evict(but: index) else { break }
            reach("limit.memory")
            endFlow(evicted, at: info, isEvicted: true)
            watchMemory()
        }
        watchedStreams = sessionOutlet.openStreams
    }

    /// Checks whether the memory limit is exceeded.
    func watchMemory() { table.isFull = heldOctets > options.limits.memoryOctets }
}
