/// Which packet of one uniflow is which packet of the other, transmission by transmission.
struct CopyMatching {
    /// The matched packets, as indices, in the order of the first uniflow.
    private(set) var pairs: [(a: Int, b: Int)] = []
    /// Packets with the same place in their stream whose content was changed so much that they have another identity.
    private(set) var rewritten: [(a: Int, b: Int)] = []
    /// Octets of these segments are in the other capture, in segments of another size.
    private(set) var resegmentedA: [Int] = []
    private(set) var resegmentedB: [Int] = []
    /// Packets without a counterpart.
    private(set) var onlyA: [Int] = []
    private(set) var onlyB: [Int] = []
    /// The median of B's time less A's, in nanoseconds, and how much less and more it is at most.
    private(set) var usualStep: Int64 = 0
    private(set) var less: Int64 = 0
    private(set) var more: Int64 = 0
    private var spread: Int64 { max(less, more) }

    private let a: [TracedPacket]
    private let b: [TracedPacket]
    private let shift: UInt32

    init(_ a: [TracedPacket], _ b: [TracedPacket], shift: UInt32) {
        (self.a, self.b, self.shift) = (a, b, shift)
        matchCopies()
        measure()
        matchRewritten()
        matchResegmented()
    }

    /// Returns the identity in terms of the second capture.
    private func key(_ packet: TracedPacket) -> UInt64 {
        packet.kind != .segment || shift == 0
            ? packet.key
            : TracedPacket.segmentKey(sequence: packet.sequence &+ shift, length: packet.length, flags: packet.flags)
    }

    private mutating func matchCopies() {
        var copies: [UInt64: [Int]] = [:]
        for (index, packet) in b.enumerated() where packet.isComparable {
            copies[packet.key, default: []].append(index)
        }
        var groups: [UInt64: [Int]] = [:]
        var order: [UInt64] = []
        for (index, packet) in a.enumerated() where packet.isComparable {
            let key = key(packet)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(index)
        }
        // Unambiguous packets first: they show the usual step.
        var ambiguous: [(a: [Int], b: [Int])] = []
        for key in order {
            let (first, second) = (groups[key] ?? [], copies[key] ?? [])
            if let one = first.first, let other = second.first, first.count == 1, second.count == 1 {
                pairs.append((one, other))
            } else if !second.isEmpty {
                ambiguous.append((first, second))
            } else {
                onlyA += first
            }
            copies[key] = []
        }
        for index in b.indices where b[index].isComparable && !(copies[b[index].key] ?? []).isEmpty {
            onlyB.append(index)
        }
        measure()
        for (first, second) in ambiguous { match(first, second) }
        pairs.sort { $0 < $1 }
        onlyA.sort()
        onlyB.sort()
    }

    /// Matches several transmissions with one identity: first those that agree in identification and timestamp, then
    /// those nearest to the usual step.
    private mutating func match(_ first: [Int], _ second: [Int]) {
        guard max(first.count, second.count) <= Self.mostCopies else {
            matchInOrder(first, second)
            return
        }
        var restA: [Int] = []
        var restB = second
        for index in first {
            if let place = restB.firstIndex(where: { b[$0].isSameCopy(as: a[index]) }) {
                pairs.append((index, restB.remove(at: place)))
            } else {
                restA.append(index)
            }
        }
        while !restA.isEmpty, !restB.isEmpty {
            var best = (a: 0, b: 0, distance: UInt64.max)
            for (x, one) in restA.enumerated() {
                for (y, other) in restB.enumerated() {
                    let distance = (b[other].time &- a[one].time &- usualStep).magnitude
                    if distance < best.distance { best = (x, y, distance) }
                }
            }
            pairs.append((restA.remove(at: best.a), restB.remove(at: best.b)))
        }
        onlyA += restA
        onlyB += restB
    }

    /// Copies of one packet that are all compared with each other.
    private static let mostCopies = 16
    /// How far from the usual step one of many equal packets may be captured, in nanoseconds.
    private static let manyCopiesSpan: Int64 = 50_000_000

    /// Matches many equal packets, such as keep-alives, in the order captured.
    private mutating func matchInOrder(_ first: [Int], _ second: [Int]) {
        let span = max(spread, Self.manyCopiesSpan)
        var (x, y) = (0, 0)
        while x < first.count, y < second.count {
            let distance = b[second[y]].time &- a[first[x]].time &- usualStep
            if distance > span {
                onlyA.append(first[x])
                x += 1
            } else if distance < 0 &- span {
                onlyB.append(second[y])
                y += 1
            } else {
                pairs.append((first[x], second[y]))
                (x, y) = (x + 1, y + 1)
            }
        }
        onlyA += first[x...]
        onlyB += second[y...]
    }

    private mutating func measure() {
        var steps = pairs.map { b[$0.b].time &- a[$0.a].time }
        guard !steps.isEmpty else { return }
        steps.sort()
        usualStep = steps[steps.count / 2]
        (less, more) = (usualStep &- steps[0], steps[steps.count - 1] &- usualStep)
    }

    // MARK: - Changed packets

    /// Between two matched packets, as many datagrams are missing on one side as on the other are new: they are the
    /// same, rewritten.
    private mutating func matchRewritten() {
        let (lostA, lostB) = (onlyA.filter { a[$0].kind == .datagram }, onlyB.filter { b[$0].kind == .datagram })
        guard !lostA.isEmpty, !lostB.isEmpty else { return }
        // The place of an unmatched packet: the number of matched ones before it.
        let placesB = pairs.map(\.b).sorted()
        func place(_ index: Int, _ matched: [Int]) -> Int { matched.partitioningIndex { $0 > index } }
        let matchedA = pairs.map(\.a)
        let groupsA = Dictionary(grouping: lostA) { place($0, matchedA) }
        let groupsB = Dictionary(grouping: lostB) { place($0, placesB) }
        for (place, first) in groupsA.sorted(by: { $0.key < $1.key }) {
            guard let second = groupsB[place], second.count == first.count else { continue }
            for (one, other) in zip(first, second)
            where (b[other].time &- a[one].time &- usualStep).magnitude <= max(spread, Self.rewrittenSpan).magnitude {
                rewritten.append((one, other))
            }
        }
        let (goneA, goneB) = (Set(rewritten.map(\.a)), Set(rewritten.map(\.b)))
        onlyA.removeAll { goneA.contains($0) }
        onlyB.removeAll { goneB.contains($0) }
    }

    /// How far from the usual step a rewritten datagram may be captured, in nanoseconds.
    private static let rewrittenSpan: Int64 = 20_000_000

    /// Offload and middleboxes join and divide segments: their octets are in the other capture, in other segments.
    private mutating func matchResegmented() {
        let segmentsA = onlyA.filter { a[$0].kind == .segment && a[$0].length > 0 }
        let segmentsB = onlyB.filter { b[$0].kind == .segment && b[$0].length > 0 }
        guard let base = segmentsA.first.map({ a[$0].sequence }), !segmentsB.isEmpty else { return }
        let octetsA = SegmentOctets(a, from: base)
        let octetsB = SegmentOctets(b, from: base &+ shift)
        resegmentedA = segmentsA.filter { octetsB.contain(a[$0], from: base, after: usualStep) }
        resegmentedB = segmentsB.filter { octetsA.contain(b[$0], from: base &+ shift, after: 0 &- usualStep) }
        let (goneA, goneB) = (Set(resegmentedA), Set(resegmentedB))
        onlyA.removeAll { goneA.contains($0) }
        onlyB.removeAll { goneB.contains($0) }
    }
}

/// The segments of a uniflow by sequence number, to find octets in segments of another size.
private struct SegmentOctets {
    /// How far from the usual step the octets may be captured, in nanoseconds: less than the least retransmission
    /// timeout.
    private static let span: UInt64 = 150_000_000

    private struct Span {
        var start: Int
        var end: Int
        var packet: TracedPacket
    }

    private var spans: [Span] = []
    private var longest = 0

    /// Sorts the segments with data by their distance from a sequence number.
    init(_ packets: [TracedPacket], from base: UInt32) {
        spans = packets.filter { $0.kind == .segment && $0.length > 0 }.map {
            let start = Int(Int32(bitPattern: $0.sequence &- base))
            return Span(start: start, end: start + Int($0.length), packet: $0)
        }.sorted { $0.start < $1.start }
        longest = spans.map { $0.end - $0.start }.max() ?? 0
    }

    /// Whether the octets of a segment of the other uniflow were captured here, at about the same time.
    func contain(_ packet: TracedPacket, from base: UInt32, after step: Int64) -> Bool {
        let start = Int(Int32(bitPattern: packet.sequence &- base))
        let end = start + Int(packet.length)
        var reached = start
        for span in spans[spans.partitioningIndex { $0.start > start - longest }...] {
            guard span.start <= reached, reached < end else { break }
            guard span.end > reached, span.packet.timestamp == packet.timestamp,
                (span.packet.time &- packet.time &- step).magnitude <= Self.span
            else { continue }
            reached = span.end
        }
        return reached >= end
    }
}

extension Array {
    /// Returns the index of the first element that satisfies a predicate, which holds for all elements after it.
    func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
