import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

/// Distributes the flows of a capture to shards, so that no session has flows in two of them.
package struct ShardPlan: Sendable {
    /// The number of shards.
    package let count: Int
    /// The number of groups of flows that belong together.
    package let groups: Int
    /// The share of the largest group in the octets of all flows, from 0 to 1.
    package let largestShare: Double
    /// The latest time of a frame, and the end time recorded in the file if later.
    package let end: Timestamp?
    /// The interfaces, by their index in the capture.
    package let interfaces: [LiveCapture.Interface]
    /// The packets dropped before a frame, by its number.
    package let drops: [Int: Int]

    private let shards: [EndpointPair: Int]
    private let fragmentShard: Int

    /// Returns the shard of a frame. Frames without a flow, such as ARP, are in the first one.
    package func shard(_ decoded: Decoded) -> Int {
        switch decoded {
        case .transport(let unit): shards[EndpointPair(unit.transport, unit.source, unit.destination)] ?? 0
        case .icmp(let message):
            message.quote.flatMap { shards[EndpointPair($0.transport, $0.source, $0.destination)] } ?? 0
        case .fragment: fragmentShard
        case .other, .failed, .cut: 0
        }
    }

    init(
        _ groups: FlowGroups, count: Int, end: Timestamp?, interfaces: [LiveCapture.Interface],
        drops: [Int: Int]
    ) {
        self.count = count
        self.drops = drops
        self.end = end
        self.interfaces = interfaces
        var octets: [Int: Int] = [:]
        for (pair, weight) in groups.weights { octets[groups.root(pair), default: 0] += weight }
        // The largest first, each to the shard with the fewest octets; equal ones in order of their first flow.
        let order = octets.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var loads = [Int](repeating: 0, count: count)
        var places: [Int: Int] = [:]
        for (root, weight) in order {
            let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
            loads[least] += weight
            places[root] = least
        }
        self.groups = order.count
        let total = order.reduce(0) { $0 + $1.value }
        largestShare = total > 0 ? Double(order.first?.value ?? 0) / Double(total) : 0
        shards = Dictionary(uniqueKeysWithValues: groups.weights.keys.map { ($0, places[groups.root($0)] ?? 0) })
        fragmentShard = groups.fragmented.flatMap { places[groups.root($0)] } ?? 0
    }
}

/// Groups of flows that belong together: disjoint sets, merged by union.
struct FlowGroups {
    private(set) var weights: [EndpointPair: Int] = [:]
    /// A flow with fragmented datagrams. Fragments after the first have no ports, so all of them are in one shard.
    private(set) var fragmented: EndpointPair?
    private var numbers: [EndpointPair: Int] = [:]
    private var parents: [Int] = []

    /// Adds a flow, or octets to one.
    mutating func add(_ pair: EndpointPair, octets: Int) {
        weights[pair, default: 0] += octets
        _ = number(pair)
    }

    /// Records a fragmented datagram.
    mutating func noteFragments(_ pair: EndpointPair) {
        add(pair, octets: 0)
        if let fragmented { join(fragmented, pair) }
        fragmented = fragmented ?? pair
    }

    /// Merges the groups of two flows.
    mutating func join(_ one: EndpointPair, _ other: EndpointPair) {
        let (first, second) = (find(number(one)), find(number(other)))
        // The earlier flow names the group.
        parents[max(first, second)] = min(first, second)
    }

    /// The number of the group of a flow.
    func root(_ pair: EndpointPair) -> Int {
        var index = numbers[pair] ?? 0
        while parents[index] != index { index = parents[index] }
        return index
    }

    private mutating func number(_ pair: EndpointPair) -> Int {
        if let known = numbers[pair] { return known }
        let number = parents.count
        numbers[pair] = number
        parents.append(number)
        weights[pair, default: 0] += 0
        return number
    }

    private mutating func find(_ index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }
}
