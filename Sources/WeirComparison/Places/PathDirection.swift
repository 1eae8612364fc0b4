internal import WeirPackets

/// The direction in which packets pass the two places.
package enum PathDirection: String, Sendable {
    /// First where A was captured, then where B was.
    case aToB
    /// First where B was captured.
    case bToA

    /// The opposite direction.
    var opposite: Self { self == .aToB ? .bToA : .aToB }
}

/// Why a direction is known.
package enum DirectionEvidence: String, Sendable {
    /// The time to live is less where the packets pass later.
    case hopLimit
    /// Both directions of the flow were captured: whatever the clocks, the packets of one arrive later than those of the
    /// other.
    case times
    /// The direction of other flows from the same address.
    case address
    /// Packets are missing at one place only.
    case loss
    /// Nothing shows it: the first capture is taken to be nearer to the sender.
    case assumed
}

/// Finds the direction of each uniflow.
struct DirectionFinder {
    /// Intervals in which times are compared, so that clock drift between them does not matter.
    private static let intervals = 16

    private let a: PacketTrace
    private let b: PacketTrace

    init(_ a: PacketTrace, _ b: PacketTrace) { (self.a, self.b) = (a, b) }

    /// Returns the direction of each uniflow of the flows.
    func directions(
        _ flows: [FlowPair], _ matched: [UniflowPair: CopyMatching]
    ) -> [UniflowPair: (direction: PathDirection, evidence: DirectionEvidence)] {
        var found: [UniflowPair: (direction: PathDirection, evidence: DirectionEvidence)] = [:]
        for flow in flows {
            for uniflow in flow.uniflows {
                guard let matching = matched[uniflow], let direction = hopLimits(uniflow, matching) else { continue }
                found[uniflow] = (direction, .hopLimit)
            }
            guard let one = flow.uniflows.first, let other = flow.uniflows.dropFirst().first else { continue }
            // A hop limit that is less at one place in both directions was not changed by a router between them.
            if let known = found[one]?.direction, found[other]?.direction == known {
                (found[one], found[other]) = (nil, nil)
            }
            guard found[one] == nil, found[other] == nil, let first = matched[one], let second = matched[other],
                let direction = times((one, first), (other, second))
            else { continue }
            found[one] = (direction, .times)
            found[other] = (direction.opposite, .times)
        }
        // The opposite direction of a flow needs no evidence of its own.
        for flow in flows {
            guard let one = flow.uniflows.first, let other = flow.uniflows.dropFirst().first else { continue }
            if let known = found[one], found[other] == nil { found[other] = (known.direction.opposite, known.evidence) }
            if let known = found[other], found[one] == nil { found[one] = (known.direction.opposite, known.evidence) }
        }
        addByAddress(flows, &found)
        for flow in flows {
            for uniflow in flow.uniflows where found[uniflow] == nil {
                found[uniflow] = matched[uniflow].flatMap { missing(uniflow, $0) }.map { ($0, .loss) }
            }
            guard let one = flow.uniflows.first else { continue }
            let other = flow.uniflows.dropFirst().first
            let known = found[one] ?? other.flatMap { found[$0] }.map { ($0.direction.opposite, $0.evidence) }
            let copied =
                matched[one].flatMap { Self.copied($0) }
                ?? other.flatMap { matched[$0] }.flatMap { Self.copied($0)?.opposite }
            found[one] = known ?? (copied ?? .aToB, .assumed)
            if let other, found[other] == nil, let known = found[one] {
                found[other] = (known.direction.opposite, known.evidence)
            }
        }
        return found
    }

    /// Returns the direction if packets are missing at one place only. A copy of a packet that both have is not missing at the other:
    /// it was duplicated on the way.
    private func missing(_ uniflow: UniflowPair, _ matching: CopyMatching) -> PathDirection? {
        let (packetsA, packetsB) = (a.uniflows[uniflow.a].packets, b.uniflows[uniflow.b].packets)
        let known = Set(matching.pairs.map { packetsA[$0.a].key })
        let isMissingInB = matching.onlyA.contains { !known.contains(packetsA[$0].key) }
        let isMissingInA = matching.onlyB.contains { !known.contains(packetsB[$0].key) }
        guard isMissingInA != isMissingInB else { return nil }
        return isMissingInB ? .aToB : .bToA
    }

    /// Returns the direction in which extra copies of packets come later: rather were packets duplicated than copies lost.
    private static func copied(_ matching: CopyMatching) -> PathDirection? {
        guard matching.onlyA.isEmpty != matching.onlyB.isEmpty else { return nil }
        return matching.onlyA.isEmpty ? .aToB : .bToA
    }

    /// Compares the hop limits of the matched packets.
    private func hopLimits(_ uniflow: UniflowPair, _ matching: CopyMatching) -> PathDirection? {
        var (fewer, more) = (0, 0)
        for pair in matching.pairs {
            let (one, other) = (
                a.uniflows[uniflow.a].packets[pair.a].hopLimit, b.uniflows[uniflow.b].packets[pair.b].hopLimit
            )
            if other < one { fewer += 1 } else if other > one { more += 1 }
        }
        guard fewer + more > 0, max(fewer, more) * 10 >= matching.pairs.count * 9 else { return nil }
        return fewer > more ? .aToB : .bToA
    }

    /// Compares the time steps of both directions of a flow: the difference is the round-trip time between the places.
    private func times(_ one: (UniflowPair, CopyMatching), _ other: (UniflowPair, CopyMatching)) -> PathDirection? {
        let (first, second) = (steps(one.0, one.1), steps(other.0, other.1))
        guard let start = (first + second).map(\.time).min(), let end = (first + second).map(\.time).max() else {
            return nil
        }
        let width = max(1, (end &- start) / Int64(Self.intervals) &+ 1)
        func ranges(_ steps: [(time: Int64, step: Int64)]) -> [Int64: (least: Int64, most: Int64)] {
            var ranges: [Int64: (least: Int64, most: Int64)] = [:]
            for step in steps {
                let known = ranges[(step.time &- start) / width] ?? (step.step, step.step)
                ranges[(step.time &- start) / width] = (min(known.least, step.step), max(known.most, step.step))
            }
            return ranges
        }
        let (forward, backward) = (ranges(first), ranges(second))
        var (late, early) = (0, 0)
        for (interval, range) in forward {
            guard let back = backward[interval] else { continue }
            if range.least > back.most { late += 1 }
            if back.least > range.most { early += 1 }
        }
        if late == early {
            // No interval contains both directions, or none decides: the whole time, if the clocks allow it.
            guard let least = first.map(\.step).min(), let most = first.map(\.step).max(),
                let backLeast = second.map(\.step).min(), let backMost = second.map(\.step).max()
            else { return nil }
            if least > backMost { return .aToB }
            return backLeast > most ? .bToA : nil
        }
        return late > early ? .aToB : .bToA
    }

    private func steps(_ uniflow: UniflowPair, _ matching: CopyMatching) -> [(time: Int64, step: Int64)] {
        let (first, second) = (a.uniflows[uniflow.a].packets, b.uniflows[uniflow.b].packets)
        return matching.pairs.map { (first[$0.a].time, second[$0.b].time &- first[$0.a].time) }
    }

    /// Takes the direction of other flows from the same address, or to it.
    private func addByAddress(
        _ flows: [FlowPair], _ found: inout [UniflowPair: (direction: PathDirection, evidence: DirectionEvidence)]
    ) {
        var votes: [IPAddress: Int] = [:]
        for (uniflow, known) in found {
            let key = a.uniflows[uniflow.a].key
            let weight = known.direction == .aToB ? 1 : -1
            votes[key.source.address, default: 0] += weight
            votes[key.destination.address, default: 0] -= weight
        }
        for uniflow in flows.flatMap(\.uniflows) where found[uniflow] == nil {
            let key = a.uniflows[uniflow.a].key
            let vote =
                (votes[key.source.address] ?? 0)
                - (votes[key.destination.address] ?? 0)
            if vote != 0 { found[uniflow] = (vote > 0 ? .aToB : .bToA, .address) }
        }
    }
}
