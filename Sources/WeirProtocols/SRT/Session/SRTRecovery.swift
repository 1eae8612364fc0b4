import WeirEngine
import WeirPackets

/// Loss and repair in one direction of a connection: what is missing at the point of capture, what the receiver asks for,
/// and what came in time to be played.
struct SRTRecovery {
    /// A number of times, in nanoseconds.
    struct Times {
        private(set) var count = 0
        private var sum: Int64 = 0
        private(set) var longest: Int64 = 0

        mutating func add(_ time: Int64) {
            count &+= 1
            sum = sum &+ time
            longest = max(longest, time)
        }

        /// The mean and longest time in milliseconds, or nil if there is none.
        var milliseconds: (mean: Double, longest: Double)? {
            count > 0 ? (Double(sum) / Double(count) / 1_000_000, Double(longest) / 1_000_000) : nil
        }
    }

    /// A packet that a later one overtook.
    private struct Missing {
        var time: Timestamp
        /// Whether the receiver reported it lost.
        var isReported = false
    }

    /// Packets that a later one overtook or that are missing at the point of capture.
    private(set) var lost = 0
    /// Of these, those that arrived later, and those that the receiver acknowledged without reporting them lost, so
    /// that they are missing from the capture only.
    private(set) var recovered = 0
    private(set) var uncaptured = 0
    /// Of the missing packets, those that the receiver reported lost and acknowledged when they were too late to play
    /// (TLPKTDROP, §4.6).
    private(set) var skipped = 0
    private(set) var firstSkipped: Int?
    /// Packets that arrived behind later ones without being retransmitted: they took longer, and are not lost.
    private(set) var reordered = 0
    /// Some of the latest of them: retransmissions of these are not needed.
    private var reorderedNumbers: Set<UInt32> = []
    /// Some of the latest packets that a retransmission filled, and that may still arrive.
    private var recoveredNumbers: Set<UInt32> = []
    /// Whether retransmissions are marked as such; those of old versions are not (§3.1).
    var marksRetransmissions = true
    /// Retransmissions.
    private(set) var retransmitted = 0
    /// Packets whose first retransmission was later than the latency after the first sending: too late to play.
    private(set) var late = 0
    private(set) var firstLate: Int?
    /// Loss reports of the receiver, and the packets in them.
    private(set) var reports = 0
    private(set) var reported = 0
    /// Drop requests of the sender, and the packets in them.
    private(set) var dropRequests = 0
    private(set) var dropped = 0
    /// Times from a loss report to the retransmission.
    private(set) var service = Times()
    /// Times from the packet that showed a loss to its repair.
    private(set) var repair = Times()
    /// Times from the first sending to the retransmission.
    private(set) var delay = Times()
    /// Whether a limit was reached.
    private(set) var isLimited = false

    private let most: Int
    private var missing: [UInt32: Missing] = [:]
    /// The missing packets in order, from `oldest` on; some may have arrived.
    private var order: [UInt32] = []
    private var oldest = 0
    private var requested: [UInt32: Timestamp] = [:]
    /// Packets of which a retransmission was judged; what follows it is a repetition.
    private var judged: Set<UInt32> = []
    /// Requested packets that may still be recorded; grows with the data, so that reports alone cost nothing.
    private var requestable: Int
    /// The latest range of a drop request.
    private var latestDrop: (first: UInt32, last: UInt32)?

    /// Requests recorded per data packet.
    private static let requestsPerPacket = 16

    init(_ limits: SRTLimits) {
        most = limits.missingPackets
        requestable = most
    }

    /// Records packets that were skipped.
    mutating func skip(_ count: Int, before sequence: UInt32, at time: Timestamp) {
        lost &+= count
        if count > most { isLimited = true }
        while oldest < order.count, missing[order[oldest]] == nil { oldest &+= 1 }
        compact()
        for back in stride(from: min(count, most), to: 0, by: -1) {
            guard missing.count < most, order.count &- oldest < most else {
                isLimited = true
                return
            }
            let number = (sequence &- UInt32(truncatingIfNeeded: back)) & 0x7FFF_FFFF
            missing[number] = Missing(time: time)
            order.append(number)
        }
    }

    /// Records a packet that is not ahead of all others.
    mutating func arrive(_ sequence: UInt32, isRetransmitted: Bool, at time: Timestamp) {
        guard let skipped = missing.removeValue(forKey: sequence) else {
            // It arrives by itself after its retransmission, so that it was not lost.
            guard !isRetransmitted, marksRetransmissions, recoveredNumbers.remove(sequence) != nil else { return }
            recovered &-= 1
            return reorder(sequence)
        }
        guard isRetransmitted || skipped.isReported && !marksRetransmissions else {
            return reorder(sequence)
        }
        recovered &+= 1
        if recoveredNumbers.count >= most { recoveredNumbers.removeAll(keepingCapacity: true) }
        recoveredNumbers.insert(sequence)
        repair.add(time.nanoseconds &- skipped.time.nanoseconds)
    }

    private mutating func reorder(_ sequence: UInt32) {
        lost &-= 1
        reordered &+= 1
        if reorderedNumbers.count >= most { reorderedNumbers.removeAll(keepingCapacity: true) }
        reorderedNumbers.insert(sequence)
    }

    /// Returns whether a packet is missing, the receiver asked for it, or only its retransmission arrived.
    func awaits(_ sequence: UInt32) -> Bool {
        missing[sequence] != nil || requested[sequence] != nil || recoveredNumbers.contains(sequence)
    }

    /// Records a data packet of any kind, so that as many requests may be recorded.
    mutating func permitRequests() { requestable = min(requestable &+ Self.requestsPerPacket, most) }

    /// Records a retransmission, `delay` nanoseconds after the first sending if that is known.
    mutating func retransmit(_ sequence: UInt32, delay: Int64?, latency: Int?, at place: EventContext) {
        retransmitted &+= 1
        if let asked = requested.removeValue(forKey: sequence) {
            service.add(place.time.nanoseconds &- asked.nanoseconds)
        }
        guard let delay, delay >= 0 else { return }
        self.delay.add(delay)
        guard let latency, !reorderedNumbers.contains(sequence) else { return }
        if judged.count >= most { judged.removeAll(keepingCapacity: true) }
        guard judged.insert(sequence).inserted, delay > Int64(latency) &* 1_000_000 else { return }
        late &+= 1
        if firstLate == nil { firstLate = place.frame }
    }

    /// Records a loss report of the receiver.
    mutating func report(_ ranges: [(first: UInt32, last: UInt32)], at time: Timestamp) {
        reports &+= 1
        for range in ranges {
            let count = SRTPacket.distance(range.last, from: range.first) &+ 1
            guard count > 0 else { continue }
            reported &+= count
            if count > most { isLimited = true }
            for step in 0..<min(count, most) {
                guard requestable > 0, requested.count < most else {
                    isLimited = true
                    return
                }
                requestable &-= 1
                let number = (range.first &+ UInt32(truncatingIfNeeded: step)) & 0x7FFF_FFFF
                if requested[number] == nil { requested[number] = time }
                missing[number]?.isReported = true
            }
        }
    }

    /// The part of the latency after which a packet that was not captured may have been skipped.
    private static let nearlyLate = 0.75

    /// Records an acknowledgement: the receiver waits for nothing before this number. It either received what is
    /// missing, or skipped it when it was too late.
    mutating func acknowledge(before next: UInt32, latency: Int?, at place: EventContext) {
        while oldest < order.count, SRTPacket.distance(order[oldest], from: next) < 0 {
            let number = order[oldest]
            oldest &+= 1
            guard let open = missing[number] else { continue }
            let age = place.time.seconds(since: open.time) * 1_000
            let isLate = latency.map { age >= Double($0) * Self.nearlyLate }
            if open.isReported, isLate == nil { continue }
            missing[number] = nil
            guard open.isReported, isLate == true else {
                uncaptured &+= 1
                continue
            }
            skipped &+= 1
            if firstSkipped == nil { firstSkipped = place.frame }
        }
        compact()
    }

    private mutating func compact() {
        guard oldest > most else { return }
        order.removeFirst(oldest)
        oldest = 0
    }

    /// Records a drop request of the sender, which is repeated if it is lost.
    mutating func drop(first: UInt32, last: UInt32) {
        dropRequests &+= 1
        if let latestDrop, latestDrop == (first, last) { return }
        latestDrop = (first, last)
        dropped &+= max(0, SRTPacket.distance(last, from: first) &+ 1)
    }

    /// Returns the packets that never arrived; those skipped less than `grace` seconds before the end may still arrive.
    func unrecovered(at end: Timestamp, grace: Double) -> Int {
        let open = missing.values.count { end.seconds(since: $0.time) < grace }
        return max(0, lost &- recovered &- uncaptured &- open)
    }
}

/// The sender's clock as its timestamps show it at the point of capture.
struct SRTSenderClock {
    /// Nanoseconds after which the shortest transit is determined anew, since clocks drift.
    private static let window: Int64 = 10_000_000_000

    private var last: UInt32
    /// The latest timestamp without wrapping, in microseconds.
    private var position: Int64
    /// The shortest differences between arrival and timestamp, in this window and the one before.
    private var shortest: (now: Int64, before: Int64)
    private var end: Int64

    init(_ timestamp: UInt32, at time: Timestamp) {
        last = timestamp
        position = Int64(timestamp)
        let transit = time.nanoseconds &- position &* 1_000
        shortest = (transit, transit)
        end = time.nanoseconds &+ Self.window
    }

    /// Returns when a packet was first sent, on the clock of the capture: with the shortest transit of recent packets.
    mutating func sent(_ timestamp: UInt32, isRetransmitted: Bool, at time: Timestamp) -> Timestamp {
        let sent = position &+ Int64(Int32(bitPattern: timestamp &- last))
        if !isRetransmitted {
            (last, position) = (timestamp, sent)
            let transit = time.nanoseconds &- sent &* 1_000
            if time.nanoseconds >= end {
                shortest.before = shortest.now
                shortest.now = transit
                end = time.nanoseconds &+ Self.window
            }
            shortest.now = min(shortest.now, transit)
        }
        return Timestamp(nanoseconds: sent &* 1_000 &+ min(shortest.now, shortest.before))
    }
}
