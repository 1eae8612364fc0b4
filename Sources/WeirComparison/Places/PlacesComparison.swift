internal import WeirEngine
internal import WeirPackets
internal import WeirProtocols

/// Two captures of the same traffic, taken at two places.
package struct PlacesComparison: Sendable {
    /// A flow that both captures contain.
    package struct Flow: Sendable {
        /// Its directions.
        package var paths: [UniflowPath]
        /// What was changed between the places, by direction.
        package var changes: [[MiddleboxChange]]
        /// Its messages.
        package var messages: MessageComparison
        /// The protocols found in it.
        package var protocols: [String]
        /// The sessions that it belongs to, in each capture.
        package var sessionA: Int?
        package var sessionB: Int?
    }

    /// A flow that only one capture contains.
    package struct Unmatched: Sendable {
        /// The endpoints of its first packet.
        package var uniflow: PacketTrace.UniflowKey
        /// Its packets.
        package var packets: Int
    }

    /// The files.
    package var fileA: String
    package var fileB: String
    /// The flows that both contain.
    package var flows: [Flow] = []
    /// The flows that only one contains.
    package var onlyA: [Unmatched] = []
    package var onlyB: [Unmatched] = []
    /// How the clocks relate.
    package var clock = ClockRelation()
    /// What limits the figures from the stamps of each capture.
    package var stampsA = StampQuality()
    package var stampsB = StampQuality()
    /// Packets and events left out because of limits.
    package var unstored = 0

    /// All directions of all flows.
    package var paths: [UniflowPath] { flows.flatMap(\.paths) }

    /// Returns the packets at a place, of all flows.
    package func count(_ place: PlacedPacket.Place) -> Int { paths.reduce(0) { $0 + $1.count(place) } }

    /// Whether the captures show that anything happened between the places, or at one of them.
    package var isDifferent: Bool {
        paths.contains { path in
            path.reordered > 0
                || [.between, .onlyLater, .duplicated, .captureDrop].contains { path.count($0) > 0 }
        }
            || flows.contains { flow in
                flow.changes.contains { $0.contains(where: \.isUnusual) } || !flow.messages.isSame
            } || !onlyA.isEmpty || !onlyB.isEmpty || (clock.basis == .none && flows.isEmpty)
    }

    /// Compares two captures.
    package init(_ a: ComparedCapture, _ b: ComparedCapture, _ limits: ComparisonLimits = ComparisonLimits()) {
        (fileA, fileB) = (a.file, b.file)
        (stampsA, stampsB) = (a.trace.stamps, b.trace.stamps)
        unstored = a.trace.unstored + b.trace.unstored + a.run.unstored + b.run.unstored
        let pairs = UniflowPairing(a.trace, b.trace).pairs(isStrict: false)
        var matched: [UniflowPair: CopyMatching] = [:]
        for uniflow in pairs.flatMap(\.uniflows) {
            matched[uniflow] = CopyMatching(
                a.trace.uniflows[uniflow.a].packets, b.trace.uniflows[uniflow.b].packets, shift: uniflow.shift)
        }
        let directions = DirectionFinder(a.trace, b.trace).directions(pairs, matched)
        clock = Self.clock(a.trace, b.trace, pairs.flatMap(\.uniflows), matched, directions)
        let views = (
            a: ReceiverView(a.run, start: a.trace.coverage?.lowerBound ?? 0),
            b: ReceiverView(b.run, start: b.trace.coverage?.lowerBound ?? 0)
        )
        let messages = MessageMatching(a, b, clock, limits)
        for pair in pairs {
            var flow = Flow(
                paths: [], changes: [], messages: messages.comparison(of: pair), protocols: messages.protocols(of: pair)
            )
            (flow.sessionA, flow.sessionB) = messages.sessions(of: pair)
            for uniflow in pair.uniflows {
                guard let matching = matched[uniflow], let direction = directions[uniflow] else { continue }
                var path = UniflowComparison.path(
                    uniflow, matching, a.trace, b.trace, direction.direction, direction.evidence, clock, limits)
                let last = direction.direction == .aToB ? b.trace.uniflows[uniflow.b] : a.trace.uniflows[uniflow.a]
                path.addBehind(direction.direction == .aToB ? [views.b, views.a] : [views.a, views.b], last.packets)
                flow.changes.append(MiddleboxChanges.of(path, matching, a.trace, b.trace))
                flow.paths.append(path)
            }
            flows.append(flow)
        }
        addUnmatched(a.trace, b.trace, pairs)
    }

    /// Whether two captures contain the same traffic: then they are of two places, not of two runs.
    package static func fits(_ a: ComparedCapture, _ b: ComparedCapture) -> Bool {
        !UniflowPairing(a.trace, b.trace).pairs(isStrict: true).isEmpty
    }

    private static func clock(
        _ a: PacketTrace, _ b: PacketTrace, _ uniflows: [UniflowPair], _ matched: [UniflowPair: CopyMatching],
        _ directions: [UniflowPair: (direction: PathDirection, evidence: DirectionEvidence)]
    ) -> ClockRelation {
        var samples: [PathDirection: [ClockEstimate.Sample]] = [:]
        for uniflow in uniflows {
            guard let matching = matched[uniflow], let known = directions[uniflow], known.evidence != .assumed else {
                continue
            }
            let (first, second) = (a.uniflows[uniflow.a].packets, b.uniflows[uniflow.b].packets)
            samples[known.direction, default: []] += matching.pairs.map {
                (first[$0.a].time, second[$0.b].time &- first[$0.a].time)
            }
        }
        return ClockEstimate.relation(
            forward: samples[.aToB] ?? [], backward: samples[.bToA] ?? [],
            resolution: max(a.stamps.resolution, b.stamps.resolution))
    }

    /// Lists flows that one capture lacks, although it ran while the other contains them.
    private mutating func addUnmatched(_ a: PacketTrace, _ b: PacketTrace, _ pairs: [FlowPair]) {
        guard clock.basis != .none else { return }
        let (knownA, knownB) = (
            Set(pairs.flatMap { $0.uniflows.map(\.a) }), Set(pairs.flatMap { $0.uniflows.map(\.b) })
        )
        let shift = clock.timeOfB(clock.reference) &- clock.reference
        onlyA = Self.unmatched(a, known: knownA, other: b, shift: shift)
        onlyB = Self.unmatched(b, known: knownB, other: a, shift: 0 &- shift)
    }

    /// The time that must be covered around a packet, in nanoseconds.
    private static let margin: Int64 = 500_000_000

    private static func unmatched(
        _ trace: PacketTrace, known: Set<Int>, other: PacketTrace, shift: Int64
    ) -> [Unmatched] {
        guard let coverage = other.coverage else { return [] }
        return trace.uniflows.enumerated().compactMap { index, uniflow in
            guard !known.contains(index) else { return nil }
            let packets = uniflow.packets.count {
                UniflowPairing.identifies($0) && $0.time &+ shift &- margin >= coverage.lowerBound
                    && $0.time &+ shift &+ margin <= coverage.upperBound
            }
            return packets > 0 ? Unmatched(uniflow: uniflow.key, packets: packets) : nil
        }
    }
}

extension UniflowPath {
    /// Adds what receivers report about packets that passed both places.
    fileprivate mutating func addBehind(_ views: [ReceiverView], _ packets: [TracedPacket]) {
        let sources = Dictionary(grouping: packets.lazy.filter { $0.kind == .rtp }, by: \.source)
        for (source, packets) in sources.sorted(by: { $0.key < $1.key }) {
            guard let lost = views.lazy.compactMap({ $0.lostBehind(source, packets) }).first, lost > 0 else { continue }
            counts[.behind, default: 0] += lost
        }
    }
}
