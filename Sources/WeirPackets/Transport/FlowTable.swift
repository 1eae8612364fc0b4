/// Finds the flow of each packet, and ends flows that were idle, closed or too many.
///
/// Open addressing: slots of 32 bits point into a dense array of flows; a removed flow's slot is closed by shifting its
/// followers back, and its place in the array is used again. The hash is seeded at random, so that nobody can write a
/// capture that makes every flow collide; nothing that the table answers depends on the seed.
///
/// The table never forgets a flow by itself. What ended comes back as an index (`Lookup.ended`, `idle`); the caller
/// reports it and calls `remove`.
public struct FlowTable: Sendable {
    /// Why a flow ended.
    public enum EndReason: UInt8, Sendable {
        /// No packet for longer than `Limits.tcpIdleSeconds`, `tcpSilentSeconds` or `udpIdleSeconds`, or closed and lingered.
        case idle
        /// Another connection began between the same endpoints and ports.
        case portReuse
        /// `Limits.flows` was reached, and this had shown nothing but its opening, or was among the flows idle longest.
        case limit
    }

    /// The flow of a packet.
    public struct Lookup: Sendable {
        /// Index of the flow in the table: valid until `remove`.
        public let index: Int
        /// Which way the packet went.
        public let direction: Direction
        /// Whether the packet is the flow's first.
        public let isNew: Bool
        /// Index of a flow that ended because of this packet: report it, then `remove` it.
        public let ended: Int?
        /// Why `ended` ended.
        public let endReason: EndReason
        /// When the flow's packet before this one came; of the first one its own time.
        let latest: Timestamp
    }

    /// Seconds that a closed TCP flow stays, for late acknowledgements and retransmitted FINs.
    public static let lingerSeconds = 5.0

    private var slots: [UInt32]
    private var flows: [Flow] = []
    private var free: [UInt32] = []
    private var hand = 0
    /// Flows that are held, the one held longest first, as index and id; some of them are held no more.
    private var held: [(index: UInt32, id: Int)] = []
    private var heldStart = 0
    private var heldCount = 0
    private let heldLimit: Int
    /// No flow can have been idle for too long before this time, in nanoseconds.
    private var deadline = Int64.max
    private var lastID = 0
    private let seed: UInt64
    private let limit: Int
    private let tcpIdle: Int64
    private let tcpSilent: Int64
    private let tcpOpening: Int64
    private let udpIdle: Int64
    private let linger: Int64

    /// Flows in the table.
    public private(set) var count = 0
    /// Whether there is no memory for more: then a further flow takes the place of another, however few there are.
    package var isFull = false
    /// Flows seen so far, the ended ones too: the id of the latest.
    public var total: Int { lastID }

    /// Creates an empty table. `seed` is for tests alone.
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
    }

    private static func nanoseconds(_ seconds: Double) -> Int64 {
        Int64(max(0, min(seconds, 1_000_000_000)) * 1_000_000_000)
    }

    /// The flow at an index that the table gave out.
    public subscript(index: Int) -> Flow {
        @inline(__always) get { flows[index] }
        @inline(__always) _modify { yield &flows[index] }
    }

    /// Finds the flow of a packet, or begins one. `segment` is the TCP header, nil for UDP.
    ///
    /// Nothing is counted yet: the packet may turn out to be recorded twice. Call `count(…)` for those that are not.
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

    /// The flow of a packet that an error quotes, if there is one; nothing is begun, and nothing kept open.
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
        return Lookup(
            index: index, direction: direction, isNew: false, ended: nil, endReason: .idle, latest: latest)
    }

    /// Ends a flow, and begins another one with the same key.
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

    /// Notes that the connection was closed: the flow ends `lingerSeconds` after its last packet.
    public mutating func close(_ index: Int) {
        flows[index].isClosed = true
        deadline = min(deadline, flows[index].endTime.nanoseconds.after(linger))
    }

    /// The connection was made after all.
    package mutating func reopen(_ index: Int) { flows[index].isClosed = false }

    /// A moment before which no flow can have been idle for too long; nil when there is no flow. Exact right after
    /// `idle(at:)`, and too early once packets have come.
    public var nextDeadline: Timestamp? {
        count == 0 ? nil : Timestamp(nanoseconds: deadline)
    }

    /// The flows that have been idle for too long at `time`, in the order of their first packets. The caller reports
    /// them and calls `remove`.
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

    /// Takes an ended flow out of the table. Its index means nothing afterwards.
    public mutating func remove(_ index: Int) {
        guard flows[index].id != 0 else { return }
        if flows[index].isLinked { unlink(index) }
        flows[index].id = 0
        free.append(UInt32(truncatingIfNeeded: index))
    }

    /// The flows that are left, in the order of their first packets.
    public func remaining() -> [Int] {
        flows.indices.filter { flows[$0].id != 0 && flows[$0].isLinked }.sorted { flows[$0].id < flows[$1].id }
    }

    @inline(__always)
    private func isIdle(_ index: Int, at time: Timestamp) -> Bool {
        time.nanoseconds > flows[index].endTime.nanoseconds.after(allowed(index))
    }

    /// Nanoseconds without a packet after which a flow ends.
    @inline(__always)
    private func allowed(_ index: Int) -> Int64 {
        if flows[index].isClosed { return linger }
        guard flows[index].transport == .tcp else { return udpIdle }
        if flows[index].path.kind == .embryonic { return tcpOpening }
        return flows[index].octets.total == 0 ? tcpSilent : tcpIdle
    }

    /// Makes a flow give way, if it is not this one: report it, then `remove` it.
    package mutating func evict(but index: Int = -1) -> Int? {
        guard let evicted = oldestHeld() ?? idlest(), evicted != index else { return nil }
        unlink(evicted)
        return evicted
    }

    /// Among the next few flows under the clock hand the one idle longest: near enough, and cheap under a flood.
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

    /// Takes a flow out of the slots, and moves back those behind it that are not in their own slot.
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
            // It may move when its own slot is not after the hole, on the way round from the hole to here.
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
    /// Notes that a flow has shown nothing but its opening, seen at `time` in `frame`. Such flows are the first to give way.
    ///
    /// - Returns: the flow that has been held longest, when there are more than `Limits.openings`: report it, then
    ///   `remove` it.
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

    /// A flow has shown more than its opening.
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
    /// So many nanoseconds later, or the end of all time: captures hold times of any year.
    @inline(__always)
    fileprivate func after(_ nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}
