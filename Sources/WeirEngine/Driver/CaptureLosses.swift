import WeirPackets

// Packets that the kernel or the interface dropped before they could be captured: what they held is not known.

extension Analyzer {
    /// Packets were dropped before the latest frame, or thereabouts: `count` more than before.
    ///
    /// Nobody can say where in the capture they are missing, nor from which conversation. So everything that is open, or
    /// opens within the next seconds, loses the benefit of a complete capture: what is missing there proves nothing.
    package func noteDrops(_ count: Int, at time: Timestamp) {
        guard count > 0 else { return }
        summary.droppedPackets = (summary.droppedPackets ?? 0) &+ count
        latestDrop = time
        for session in sessions.takeUndoubted() { session.completeness.hasDrops = true }
    }

    /// So many frames had a wrong time, the first of them this one; each counts as captured with the frame before it.
    package func noteWrongTimes(_ frames: Int, first: Int) {
        summary.wrongTimes = frames
        summary.firstWrongTime = first
    }

    /// Capturing on an interface ended at `time`, while it goes on on others.
    ///
    /// From then on the capture holds only what passes the others. What is missing proves nothing any more, whether it
    /// was open then or begins later.
    package func noteLoss(of interface: String, at time: Timestamp) {
        latestDrop = time
        if remarks.count < options.limits.lostInterfaces {
            remarks.append(Text("capture.interfaceLost", .string(interface)))
        } else {
            reach("limit.lostInterfaces")
        }
        // From the first loss on, every session knows.
        guard !lacksInterface else { return }
        lacksInterface = true
        for session in sessions.takeUndoubted() { session.completeness.hasDrops = true }
    }

    /// Whether packets may be missing from what began at `start`, or could not be put together because of a limit.
    func mayLackPackets(since start: Timestamp) -> Bool { lostDatagrams || sawDrops(since: start) }

    /// Whether fragmented datagrams were given up because of a limit: nobody can say what they held.
    var lostDatagrams: Bool { fastPaths.evictedDatagrams > 0 }

    /// Whether packets may be missing from what began at `start`, and has not ended yet.
    func sawDrops(since start: Timestamp) -> Bool {
        guard !lacksInterface else { return true }
        guard let latestDrop else { return false }
        return start.seconds(since: latestDrop) < Self.secondsOfDoubt
    }

    /// Packets that wait in the kernel's buffer may be older than those that found no room in it.
    private static let secondsOfDoubt = 10.0
}
