import WeirPackets

// Packets dropped by the kernel or the interface; their content is unknown.

extension Analyzer {
    /// Records that `count` packets were dropped around the latest frame.
    ///
    /// The position of the drops and the connections affected are unknown. All sessions that are open, or that open
    /// within the next seconds, are therefore marked incomplete: missing data proves nothing there.
    package func noteDrops(_ count: Int, at time: Timestamp) {
        guard count > 0 else { return }
        summary.droppedPackets = (summary.droppedPackets ?? 0) &+ count
        latestDrop = time
        for session in sessions.takeUndoubted() { session.completeness.hasDrops = true }
    }

    /// Records the number of frames with an invalid timestamp, and the first of them. Each is assigned the time of the
    /// frame before it.
    package func noteWrongTimes(_ frames: Int, first: Int) {
        summary.wrongTimes = frames
        summary.firstWrongTime = first
    }

    /// Records that capturing on an interface ended at `time` while it continues on others.
    ///
    /// From then on the capture only contains the traffic of the other interfaces, so missing data proves nothing, in
    /// open sessions and in later ones.
    package func noteLoss(of interface: String, at time: Timestamp) {
        latestDrop = time
        if remarks.count < options.limits.lostInterfaces {
            remarks.append(Text("capture.interfaceLost", .string(interface)))
        } else {
            reach("limit.lostInterfaces")
        }
        // All sessions are already marked after the first loss.
        guard !lacksInterface else { return }
        lacksInterface = true
        for session in sessions.takeUndoubted() { session.completeness.hasDrops = true }
    }

    /// Whether packets may be missing since `start`, or could not be reassembled because of a limit.
    func mayLackPackets(since start: Timestamp) -> Bool { lostDatagrams || sawDrops(since: start) }

    /// Whether fragmented datagrams were discarded because of a limit; their content is unknown.
    var lostDatagrams: Bool { fastPaths.evictedDatagrams > 0 }

    /// Returns the number of fragmented datagrams from one host to another that were not complete so far.
    func incompleteDatagrams(from source: IPAddress, to destination: IPAddress) -> Int {
        fastPaths.incompleteDatagrams(from: source, to: destination)
    }

    /// Whether packets may be missing since `start` from something that has not ended.
    func sawDrops(since start: Timestamp) -> Bool {
        guard !lacksInterface else { return true }
        guard let latestDrop else { return false }
        return start.seconds(since: latestDrop) < Self.secondsOfDoubt
    }

    /// The seconds after a drop in which data may be missing: packets in the kernel's buffer may be older than those
    /// dropped.
    private static let secondsOfDoubt = 10.0
}
