/// Maps packets to flows, and ends flows that are idle, closed or in excess.
///
/// Open addressing: 32-bit slots point into a dense array of flows. Removal shifts the following entries back, and the
/// place in the array is reused. The hash is randomly seeded, so that no capture can be crafted to make all flows
/// collide; no result depends on the seed.
///
/// The table never removes a flow by itself. An ended flow is returned as an index (`Lookup.ended`, `idle`); the caller
/// reports it and calls `remove`.
public struct FlowTable: Sendable {
    /// How long a closed TCP flow lingers for late acknowledgments and retransmitted FINs, in seconds.
    public static let lingerSeconds = 5.0

    private var slots: [UInt32]
    @usableFromInline var flows: [Flow] = []
    private var free: [UInt32] = []
    private var hand = 0
    /// Embryonic flows as index and ID, oldest first; some entries are stale.
    private var held: [(index: UInt32, id: Int)] = []
    private var heldStart = 0
    private var heldCount = 0
    private let heldLimit: Int
    /// A lower bound of the time at which any flow times out, in nanoseconds.
    private var deadline = Int64.max
    private var lastID = 0
    private let seed: UInt64
    private let limit: Int
    private let tcpIdle: Int64
    private let tcpSilent: Int64
    private let tcpOpening: Int64
    private let udpIdle: Int64
    private let linger: Int64
    /// The shortest of these timeouts.
    private let shortest: Int64

    /// The number of flows in the table.
    public private(set) var count = 0
    /// Whether the memory limit is reached: each new flow then evicts another, however few there are.
    package var isFull = false
    /// The number of flows so far, including ended ones; the ID of the latest.
    public var total: Int { lastID }

    /// Creates an empty table. `seed` is for tests only.
    public init(limits: Limits = Limits(), seed: UInt64 = .random(in: .min ... .max)) {
        slots = [UInt32](repeating: 0, count: 64)
        self.seed = seed
        limit = max(1, min(limits.flows, 1 << 28))
        heldLimit = max(1, limits.openings)
        tcpIdle = Self.nanoseconds(limits.tcpIdleSeconds)
        tcpSilent = Self.nanoseconds(min(limits.tcpSilentSeconds, limits.tcpIdleSeconds))
        tcpOpening = Self.nanoseconds(min(limits.tcpOpeningSeconds, limits.tcpSilentSeconds, limits.tcpIdleSeconds))
        udpIdle = Self.nanoseconds(limits.udpIdleSeconds)
        linger = Self.nanoseconds(min(Self.lingerSeconds, limits.tcpIdleSeconds))
        shortest = min(linger, tcpOpening, udpIdle)
    }

    private static func nanoseconds(_ seconds: Double) -> Int64 {
        Int64(max(0, min(seconds, 1_000_000_000)) * 1_000_000_000)
    }

    /// The flow at an index returned by the table. Inlined elsewhere, so that a member is accessed without a copy.
    @inlinable
    public subscript(index: Int) -> Flow {
        @inline(__always) get { flows[index] }
        @inline(__always) _modify { yield &flows[index] }
    }

    /// Returns the flow of a packet, creating it if necessary. `segment` is the TCP header, or nil for UDP.
    ///
    /// The packet is not counted yet, since it may be a capture duplicate. Call `count(…)` for those that are not.
    public mutating func find(
        source: Endpoint,
        destination: Endpoint,
        context: UInt32 = 0,
        segment: TCPSegment?,
        time: Timestamp
    ) -> Lookup {
        let (key, sourceIsFirst) = FlowKey.canonical(
            source: source, destination: destination, transport: segment == nil ? .udp : .tcp, context: context)
        let hash = key.hash(seed: seed)
        if let index = index(of: key, hash) {
            return found(index, sourceIsFirst: sourceIsFirst, segment: segment, time: time)
        }
        let evicted = count >= limit || isFull ? evict() : nil
        return begin(
            Flow(key: key, hash: hash, sourceIsFirst: sourceIsFirst, segment: segment, time: time),
            sourceIsFirst: sourceIsFirst, segment: segment, ended: evicted, because: .limit)
    }

    /// Returns the flow of a packet that neither starts nor ends one, as most packets; otherwise nil, and `find` returns
    /// the flow. The caller refreshes it. Mutating, since the table would be copied otherwise.
    @inline(__always)
    mutating func known(
        from source: Endpoint, to destination: Endpoint, _ transport: TransportProtocol, context: UInt32,
        _ flags: TCPFlags, at time: Timestamp
    ) -> (index: Int, direction: Direction, latest: Timestamp)? {
        let (key, sourceIsFirst) = FlowKey.canonical(
            source: source, destination: destination, transport: transport, context: context)
        guard !flags.contains(.syn), let index = index(of: key, key.hash(seed: seed)) else { return nil }
        let latest = flows[index].endTime
        let direction: Direction = sourceIsFirst == flows[index].clientIsFirst ? .clientToServer : .serverToClient
        guard time.nanoseconds <= latest.nanoseconds.after(shortest) || !isIdle(index, at: time),
            transport == .udp || flows[index].knowsSequence(direction)
        else { return nil }
        return (index, direction, latest)
    }

    /// Returns the time of the latest packet of a flow that goes on at `time`, or nil if the flow with this ID has ended
    /// or may be idle.
    @inline(__always)
    func latest(of index: Int, id: Int, at time: Timestamp) -> Timestamp? {
        guard index < flows.count, flows[index].id == id, flows[index].isLinked else { return nil }
        let latest = flows[index].endTime
        return time.nanoseconds <= latest.nanoseconds.after(shortest) ? latest : nil
    }

    /// Returns the flow of a packet quoted in an error message, if there is one, without creating or refreshing it.
    package func index(from source: Endpoint, to destination: Endpoint, _ transport: TransportProtocol, context: UInt32)
        -> Int?
    {
        let (key, _) = FlowKey.canonical(
            source: source, destination: destination, transport: transport, context: context)
        return index(of: key, key.hash(seed: seed))
    }

    @inline(__always)
    private func index(of key: FlowKey, _ hash: UInt32) -> Int? {
        let mask = slots.count &- 1
        var slot = Int(hash) & mask
        while true {
            let entry = slots[slot]
            guard entry != 0 else { return nil }
            let index = Int(entry) &- 1
            if flows[index].hash == hash, flows[index].key == key { return index }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    private mutating func found(
        _ index: Int,
        sourceIsFirst: Bool,
        segment: TCPSegment?,
        time: Timestamp
    ) -> Lookup {
        let direction: Direction = sourceIsFirst == flows[index].clientIsFirst ? .clientToServer : .serverToClient
        if isIdle(index, at: time) {
            return replace(index, sourceIsFirst: sourceIsFirst, segment: segment, time: time, because: .idle)
        }
        if let segment, segment.flags.contains(.syn), flows[index].isReopened(by: segment, direction) {
            return replace(index, sourceIsFirst: sourceIsFirst, segment: segment, time: time, because: .portReuse)
        }
        let latest = flows[index].endTime
        flows[index].touch(segment, direction, time)
        return Lookup(index, direction, latest: latest)
    }

    /// Ends a flow, and starts another one with the same key.
    private mutating func replace(
        _ index: Int,
        sourceIsFirst: Bool,
        segment: TCPSegment?,
        time: Timestamp,
        because reason: EndReason
    ) -> Lookup {
        let key = flows[index].key
        let hash = flows[index].hash
        unlink(index)
        return begin(
            Flow(key: key, hash: hash, sourceIsFirst: sourceIsFirst, segment: segment, time: time),
            sourceIsFirst: sourceIsFirst, segment: segment, ended: index, because: reason)
    }

    private mutating func begin(
        _ newFlow: Flow,
        sourceIsFirst: Bool,
        segment: TCPSegment?,
        ended: Int?,
        because reason: EndReason
    ) -> Lookup {
        var flow = newFlow
        lastID &+= 1
        flow.id = lastID
        let direction: Direction = sourceIsFirst == flow.clientIsFirst ? .clientToServer : .serverToClient
        if let segment { flow.noteSequence(of: segment, direction) }
        if (count &+ 1) &* 2 > slots.count { grow() }
        let index: Int
        if let place = free.popLast() {
            index = Int(place)
            flows[index] = flow
        } else {
            index = flows.count
            flows.append(flow)
        }
        link(index)
        count &+= 1
        deadline = min(deadline, flow.endTime.nanoseconds.after(allowed(index)))
        return Lookup(
            index: index, direction: direction, isNew: true, ended: ended, endReason: reason,
            latest: flows[index].endTime)
    }

    /// Counts a packet of the flow and the octets of its transport payload.
    @inline(__always)
    public mutating func count(_ index: Int, _ direction: Direction, octets: Int) {
        flows[index].count(direction, octets: octets)
    }

    /// Marks the connection as closed: the flow ends `lingerSeconds` after its last packet.
    public mutating func close(_ index: Int) {
        flows[index].isClosed = true
        deadline = min(deadline, flows[index].endTime.nanoseconds.after(linger))
    }

    /// Marks a flow as open again: a connection attempt reported as failed later succeeded.
    package mutating func reopen(_ index: Int) { flows[index].isClosed = false }

    /// A lower bound of the time at which any flow times out, or nil if there are no flows. Exact right after
    /// `idle(at:)`, and possibly too early once packets have arrived.
    public var nextDeadline: Timestamp? {
        count == 0 ? nil : Timestamp(nanoseconds: deadline)
    }

    /// Returns the flows that have timed out at `time`, in the order of their first packets. The caller reports them
    /// and calls `remove`.
    public mutating func idle(at time: Timestamp) -> [Int] {
        var idle: [Int] = []
        deadline = Int64.max
        for index in flows.indices where flows[index].id != 0 && flows[index].isLinked {
            if isIdle(index, at: time) {
                idle.append(index)
            } else {
                deadline = min(deadline, flows[index].endTime.nanoseconds.after(allowed(index)))
            }
        }
        return idle.sorted { flows[$0].id < flows[$1].id }
    }

    /// Removes an ended flow. Its index is invalid afterwards.
    public mutating func remove(_ index: Int) {
        guard flows[index].id != 0 else { return }
        if flows[index].isLinked { unlink(index) }
        flows[index].id = 0
        free.append(UInt32(truncatingIfNeeded: index))
    }

    /// Returns the remaining flows, in the order of their first packets.
    public func remaining() -> [Int] {
        flows.indices.filter { flows[$0].id != 0 && flows[$0].isLinked }.sorted { flows[$0].id < flows[$1].id }
    }

    @inline(__always)
    private func isIdle(_ index: Int, at time: Timestamp) -> Bool {
        time.nanoseconds > flows[index].endTime.nanoseconds.after(allowed(index))
    }

    /// Returns the idle timeout of a flow, in nanoseconds.
    @inline(__always)
    private func allowed(_ index: Int) -> Int64 {
        if flows[index].isClosed { return linger }
        guard flows[index].transport == .tcp else { return udpIdle }
        if flows[index].path.kind == .embryonic { return tcpOpening }
        return flows[index].octets.total == 0 ? tcpSilent : tcpIdle
    }

    /// Evicts a flow other than `index`, if there is one: report it, then `remove` it.
    package mutating func evict(but index: Int = -1) -> Int? {
        guard let evicted = oldestHeld() ?? idlest(), evicted != index else { return nil }
        unlink(evicted)
        return evicted
    }

    /// Returns the flow idle longest among the next few in clock order: a good approximation, and cheap during a flood.
    private mutating func idlest() -> Int? {
        var best: Int?
        var examined = 0
        for _ in 0..<flows.count {
            if examined == 16 { break }
            hand &+= 1
            if hand >= flows.count { hand = 0 }
            guard flows[hand].id != 0, flows[hand].isLinked else { continue }
            examined &+= 1
            guard let candidate = best, flows[candidate].endTime <= flows[hand].endTime else {
                best = hand
                continue
            }
        }
        return best
    }

    private mutating func link(_ index: Int) {
        let mask = slots.count &- 1
        var slot = Int(flows[index].hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: index &+ 1)
    }

    /// Removes a flow from the slots, and moves back the entries after it that are not in their home slot.
    private mutating func unlink(_ index: Int) {
        let mask = slots.count &- 1
        var hole = Int(flows[index].hash) & mask
        while slots[hole] != UInt32(truncatingIfNeeded: index &+ 1) { hole = (hole &+ 1) & mask }
        var slot = hole
        while true {
            slot = (slot &+ 1) & mask
            let entry = slots[slot]
            guard entry != 0 else { break }
            let home = Int(flows[Int(entry) &- 1].hash) & mask
            //  An entry may move if its home slot does not lie between the hole and the entry, cyclically.
            if (slot &- home) & mask >= (slot &- hole) & mask {
                slots[hole] = entry
                hole = slot
            }
        }
        slots[hole] = 0
        if flows[index].path.kind == .embryonic { heldCount &-= 1 }
        flows[index].isLinked = false
        count &-= 1
    }

    private mutating func grow() {
        let doubled = slots.count &* 2
        slots = [UInt32](repeating: 0, count: doubled)
        for index in flows.indices where flows[index].id != 0 && flows[index].isLinked { link(index) }
    }
}

// MARK: - Openings

extension FlowTable {
    /// Marks a flow as embryonic, with its first packet seen at `time` in `frame`. Such flows are evicted first.
    ///
    /// - Returns: The oldest embryonic flow if there are more than `Limits.openings`: report it, then `remove` it.
    package mutating func hold(_ index: Int, openedAt time: Timestamp, frame: Int) -> Int? {
        let oldest = heldCount >= heldLimit ? oldestHeld() : nil
        if let oldest { unlink(oldest) }
        flows[index].path.turn(to: .embryonic)
        flows[index].path.openingTime = time
        flows[index].path.openingFrame = UInt32(truncatingIfNeeded: frame)
        heldCount &+= 1
        if held.count > 2 &* heldCount &+ 1_024 {
            held = held.filter { isHeld($0) }
            heldStart = 0
        }
        held.append((UInt32(truncatingIfNeeded: index), flows[index].id))
        deadline = min(deadline, flows[index].endTime.nanoseconds.after(allowed(index)))
        return oldest
    }

    /// Marks a flow as no longer embryonic.
    package mutating func release(_ index: Int) {
        guard flows[index].path.kind == .embryonic else { return }
        if flows[index].isLinked { heldCount &-= 1 }
        flows[index].path.turn(to: .open)
    }

    private func isHeld(_ entry: (index: UInt32, id: Int)) -> Bool {
        let index = Int(entry.index)
        return flows[index].id == entry.id && flows[index].isLinked && flows[index].path.kind == .embryonic
    }

    private mutating func oldestHeld() -> Int? {
        while heldStart < held.count {
            if isHeld(held[heldStart]) { return Int(held[heldStart].index) }
            heldStart &+= 1
        }
        return nil
    }
}

extension Int64 {
    /// Returns the sum, saturating at the maximum: captures contain timestamps of any year.
    @inline(__always)
    fileprivate func after(_ nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}
