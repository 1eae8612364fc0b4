internal import WeirPackets

/// Compares one direction of a flow at both places: the packets of the first place of the path with those of the last.
struct UniflowComparison {
    /// The time before and after a reported drop in which a capture may have missed packets, in nanoseconds.
    private static let dropSpan: Int64 = 1_000_000_000
    /// A margin for the time that both captures cover, in nanoseconds.
    private static let margin: Int64 = 1_000_000

    private let first: PacketTrace
    private let last: PacketTrace
    /// The packets at the first place of the path, and at the last.
    private let sent: [TracedPacket]
    private let received: [TracedPacket]
    private let pairs: [(sent: Int, received: Int)]
    private let rewritten: [(sent: Int, received: Int)]
    private let onlySent: [Int]
    private let onlyReceived: [Int]
    private let resegmented: Int
    private let resegmentedSent: Set<Int>
    private let step: Int64
    /// How much less and how much more than usual a packet takes, in nanoseconds.
    private let less: Int64
    private let more: Int64
    private let clock: ClockRelation
    private let limits: ComparisonLimits
    private var path: UniflowPath

    /// Returns what the captures show of a uniflow.
    static func path(
        _ uniflow: UniflowPair, _ matching: CopyMatching, _ a: PacketTrace, _ b: PacketTrace,
        _ direction: PathDirection,
        _ evidence: DirectionEvidence, _ clock: ClockRelation, _ limits: ComparisonLimits
    ) -> UniflowPath {
        var comparison = Self(uniflow, matching, a, b, direction, evidence, clock, limits)
        comparison.placeMissing()
        comparison.placeUnmatched()
        comparison.measureOrder()
        comparison.measureDelay()
        comparison.followRetransmissions()
        comparison.path.placed.sort { ($0.time ?? 0, $0.sequence ?? 0) < ($1.time ?? 0, $1.sequence ?? 0) }
        return comparison.path
    }

    private init(
        _ uniflow: UniflowPair, _ matching: CopyMatching, _ a: PacketTrace, _ b: PacketTrace,
        _ direction: PathDirection,
        _ evidence: DirectionEvidence, _ clock: ClockRelation, _ limits: ComparisonLimits
    ) {
        let isForward = direction == .aToB
        (first, last) = isForward ? (a, b) : (b, a)
        let (packetsA, packetsB) = (a.uniflows[uniflow.a].packets, b.uniflows[uniflow.b].packets)
        (sent, received) = isForward ? (packetsA, packetsB) : (packetsB, packetsA)
        pairs = matching.pairs.map { isForward ? ($0.a, $0.b) : ($0.b, $0.a) }.sorted { $0.0 < $1.0 }
        rewritten = matching.rewritten.map { isForward ? ($0.a, $0.b) : ($0.b, $0.a) }
        (onlySent, onlyReceived) =
            isForward ? (matching.onlyA, matching.onlyB) : (matching.onlyB, matching.onlyA)
        resegmentedSent = Set(isForward ? matching.resegmentedA : matching.resegmentedB)
        resegmented = matching.resegmentedA.count + matching.resegmentedB.count
        step = isForward ? matching.usualStep : 0 &- matching.usualStep
        (less, more) = isForward ? (matching.less, matching.more) : (matching.more, matching.less)
        self.clock = clock
        self.limits = limits
        path = UniflowPath(
            uniflow: uniflow, a: a.uniflows[uniflow.a].key, b: b.uniflows[uniflow.b].key, direction: direction,
            evidence: evidence)
        path.packetsA = packetsA.count { $0.isComparable }
        path.packetsB = packetsB.count { $0.isComparable }
        path.matched = pairs.count + rewritten.count
        path.resegmented = resegmented
        path.comparable = pairs.count + rewritten.count + resegmentedSent.count
        noteChanges()
    }

    private var isForward: Bool { path.direction == .aToB }

    // MARK: - Time

    /// Returns when a packet of the first place would be captured at the last, in the last capture's time.
    private func arrival(_ time: Int64) -> Int64 { time &+ step &+ drifted(time) }

    /// Returns when a packet of the last place would have been captured at the first.
    private func departure(_ time: Int64) -> Int64 { time &- step &- drifted(time) }

    /// The clock drift between the middle of the uniflow, at which the usual step holds, and a time.
    private func drifted(_ time: Int64) -> Int64 {
        guard clock.rate != 0, let start = sent.first?.time, let end = sent.last?.time else { return 0 }
        let middle = start &+ (end &- start) / 2
        return Int64(max(-1e15, min(1e15, (isForward ? clock.rate : -clock.rate) * Double(time &- middle))))
    }

    /// Whether the last capture surely ran when a packet would have arrived.
    private func coversArrival(_ time: Int64) -> Bool { covers(last, time &- less, time &+ more) }

    /// Whether the first capture surely ran when a packet was sent.
    private func coversDeparture(_ time: Int64) -> Bool { covers(first, time &- more, time &+ less) }

    private func covers(_ trace: PacketTrace, _ start: Int64, _ end: Int64) -> Bool {
        guard let coverage = trace.coverage else { return false }
        let tolerance = Self.margin &+ clock.resolution
        return start &- tolerance >= coverage.lowerBound && end &+ tolerance <= coverage.upperBound
    }

    private func mayHaveDropped(_ trace: PacketTrace, _ time: Int64) -> Bool {
        trace.drops.contains { ($0 &- time).magnitude <= (Self.dropSpan &+ max(less, more)).magnitude }
    }

    // MARK: - Placing

    private mutating func place(_ place: PlacedPacket.Place, _ packet: TracedPacket, isSent: Bool, time: Int64) {
        var placed = PlacedPacket(place: place)
        let isInA = isSent == isForward
        if isInA { placed.frameA = Int(packet.frame) } else { placed.frameB = Int(packet.frame) }
        placed.time = isInA ? packet.time : time
        placed.source = packet.kind == .rtp ? packet.source : nil
        placed.sequence = packet.kind == .datagram ? nil : packet.sequence
        placed.length = Int(packet.length)
        add(placed)
    }

    private mutating func add(_ placed: PlacedPacket) {
        path.counts[placed.place, default: 0] += 1
        if path.count(placed.place) <= limits.listed { path.placed.append(placed) }
    }

    /// Places packets that were captured at one place only.
    private mutating func placeUnmatched() {
        guard !pairs.isEmpty else {
            path.outside += onlySent.count + onlyReceived.count
            return
        }
        for index in onlySent {
            let packet = sent[index]
            let time = arrival(packet.time)
            guard coversArrival(time) else {
                path.outside += 1
                continue
            }
            path.comparable += 1
            place(mayHaveDropped(last, time) ? .captureDrop : .between, packet, isSent: true, time: time)
        }
        var known = Set(pairs.map { received[$0.received].key })
        known.formUnion(rewritten.map { received[$0.received].key })
        for index in onlyReceived {
            let packet = received[index]
            let time = departure(packet.time)
            if known.contains(packet.key) {
                place(.duplicated, packet, isSent: false, time: time)
            } else if coversDeparture(time) {
                place(mayHaveDropped(first, time) ? .captureDrop : .onlyLater, packet, isSent: false, time: time)
            } else {
                path.outside += 1
            }
        }
    }

    /// Places RTP packets that neither capture contains.
    private mutating func placeMissing() {
        let sources = Dictionary(grouping: sent.lazy.filter { $0.kind == .rtp }, by: \.source)
        let arrived = Dictionary(grouping: received.lazy.filter { $0.kind == .rtp }, by: \.source)
        for (source, packets) in sources.sorted(by: { $0.key < $1.key }) {
            let numbers = SequenceNumbers(packets)
            let later = SequenceNumbers(arrived[source] ?? [])
            for gap in numbers.gaps {
                for number in gap.numbers where !later.contains(UInt16(truncatingIfNeeded: number)) {
                    guard !mayHaveDropped(first, gap.time) else { continue }
                    var placed = PlacedPacket(place: .before)
                    placed.time = isForward ? gap.time : arrival(gap.time)
                    placed.source = source
                    placed.sequence = UInt32(UInt16(truncatingIfNeeded: number))
                    add(placed)
                }
            }
        }
    }

    private mutating func noteChanges() {
        for pair in pairs {
            let (one, other) = (sent[pair.sent], received[pair.received])
            guard one.content != other.content, !one.isCut, !other.isCut else { continue }
            note(one, other)
        }
        for pair in rewritten { note(sent[pair.sent], received[pair.received]) }
    }

    private mutating func note(_ one: TracedPacket, _ other: TracedPacket) {
        path.changedPayloads += 1
        let frames = isForward ? (Int(one.frame), Int(other.frame)) : (Int(other.frame), Int(one.frame))
        if path.firstChanged.map({ frames.0 < $0.a }) ?? true { path.firstChanged = frames }
    }

    // MARK: - Measuring

    /// Counts packets that arrive after one sent later (RFC 4737 §3).
    private mutating func measureOrder() {
        var highest = -1
        var passed: [Int] = []
        for position in pairs.indices.sorted(by: { pairs[$0].received < pairs[$1].received }) {
            if position < highest {
                path.reordered += 1
                path.reorderedBy = max(path.reorderedBy, passed.count - passed.partitioningIndex { $0 > position })
            } else {
                highest = position
                passed.append(position)
            }
        }
    }

    private static let mostIntervals = 60

    private mutating func measureDelay() {
        guard pairs.count > 1, let start = sent.first?.time else { return }
        let delays: [(time: Int64, delay: Double)] = pairs.map {
            let (one, other) = (sent[$0.sent], received[$0.received])
            return (one.time, isForward ? clock.delay(one.time, other.time) : 0 - clock.delay(other.time, one.time))
        }
        guard let least = delays.lazy.map(\.delay).min() else { return }
        let above = delays.map { ($0.delay - least) / 1e6 }.sorted()
        let end = delays.lazy.map(\.time).max() ?? start
        let width = max(1e9, Double(end &- start) / Double(Self.mostIntervals))
        var sums: [Int: (total: Double, max: Double, count: Int)] = [:]
        for delay in delays {
            let place = Int(max(0, Double(delay.time &- start)) / width)
            let known = sums[place] ?? (0, 0, 0)
            let value = (delay.delay - least) / 1e6
            sums[place] = (known.total + value, max(known.max, value), known.count + 1)
        }
        path.delay = PathDelay(
            least: clock.uncertainty.map { (max(0, least / 1e6), Double($0) / 1e6) },
            mean: above.reduce(0, +) / Double(above.count),
            percentile95: above[min(above.count - 1, Int((Double(above.count) * 0.95).rounded(.down)))],
            max: above.last ?? 0,
            intervals: sums.sorted { $0.key < $1.key }.map { place, sum in
                PathDelay.Interval(
                    offset: Double(place) * width / 1e9, mean: sum.total / Double(sum.count), max: sum.max,
                    packets: sum.count)
            })
    }

    /// The segments before a retransmission among which its first copy is looked for.
    private static let mostEarlier = 4_096

    /// Finds what became of the first copies of retransmitted octets.
    private mutating func followRetransmissions() {
        guard path.a.transport == .tcp else { return }
        var found = Retransmissions()
        let arrived = Set(pairs.map(\.sent)).union(resegmentedSent)
        var seen: [(start: UInt32, end: UInt32, index: Int)] = []
        var highest: (end: UInt32, timestamp: UInt32)?
        for (index, packet) in sent.enumerated() where packet.kind == .segment && packet.length > 0 {
            defer {
                seen.append((packet.sequence, packet.end, index))
                if highest.map({ Int32(bitPattern: packet.end &- $0.end) > 0 }) ?? true {
                    highest = (packet.end, packet.timestamp)
                }
            }
            guard let top = highest, Int32(bitPattern: packet.sequence &- top.end) < 0 else { continue }
            let earlier = seen.suffix(Self.mostEarlier).last {
                Int32(bitPattern: $0.start &- packet.sequence) <= 0
                    && Int32(bitPattern: $0.end &- packet.sequence) > 0
            }
            if let earlier {
                if arrived.contains(earlier.index) {
                    found.passed += 1
                } else if coversArrival(arrival(sent[earlier.index].time)) {
                    found.between += 1
                } else {
                    found.unknown += 1
                }
            } else if packet.timestamp != 0, Int32(bitPattern: packet.timestamp &- top.timestamp) > 0 {
                // It fills a hole, and was sent after what follows the hole.
                found.before += 1
            } else if packet.timestamp == 0 {
                found.unknown += 1
            }
        }
        path.retransmissions = found
    }
}

/// The RTP sequence numbers of a source in a uniflow, unwrapped.
struct SequenceNumbers {
    /// The largest gap that is loss rather than a restart (RFC 3550 §A.1).
    private static let most = 3_000

    /// Missing numbers, and the time of the packet after them.
    struct Gap {
        var numbers: Range<Int>
        var time: Int64
    }

    private var known: Set<Int> = []
    private var onWire: Set<UInt16> = []
    private(set) var gaps: [Gap] = []

    /// Reads the RTP packets of one source.
    init(_ packets: [TracedPacket]) {
        var highest: Int?
        for packet in packets {
            let number = UInt16(truncatingIfNeeded: packet.sequence)
            onWire.insert(number)
            guard let top = highest else {
                highest = Int(number)
                known.insert(Int(number))
                continue
            }
            let step = Int(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: top)))
            known.insert(top + step)
            if step > 1, step < Self.most { gaps.append(Gap(numbers: top + 1..<top + step, time: packet.time)) }
            if step > 0 { highest = top + step }
        }
        // Packets that arrived later fill gaps.
        let all = known
        gaps = gaps.flatMap { gap in
            gap.numbers.filter { !all.contains($0) }.map { Gap(numbers: $0..<$0 + 1, time: gap.time) }
        }
    }

    func contains(_ number: UInt16) -> Bool { onWire.contains(number) }
}
