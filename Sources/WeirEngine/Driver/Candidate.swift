import WeirPackets

/// A dissector that may be probed for a flow. Dissectors that usually use the flow's port are probed first.
struct Candidate {
    let type: any Dissector.Type
    let ports: [UInt16]
    /// The first bytes that it may recognize on other ports, and on its usual ones.
    let octets: FirstOctets
    let usualOctets: FirstOctets

    init(_ type: any Dissector.Type) {
        self.type = type
        ports = type.descriptor.ports
        octets = type.firstOctets(onUsualPort: false)
        usualOctets = type.firstOctets(onUsualPort: true)
    }

    /// Whether the port of either endpoint is usual for the dissector.
    func usesPort(_ state: FlowState) -> Bool { usesPort(state.server.port, state.client.port) }

    func usesPort(_ server: UInt16, _ client: UInt16) -> Bool {
        for port in ports where port == server || port == client { return true }
        return false
    }
}

/// The dissectors of one transport, in the order in which they are probed.
struct Candidates: Sequence {
    /// The positions of candidates: those on one of their usual ports, then the others.
    struct Positions: Sequence, IteratorProtocol {
        fileprivate var usual: UInt64
        fileprivate var other: UInt64
        fileprivate var rest: Range<Int>

        var isEmpty: Bool { usual == 0 && other == 0 && rest.isEmpty }

        mutating func next() -> Int? {
            if usual != 0 { return Self.removeFirst(&usual) }
            return other != 0 ? Self.removeFirst(&other) : rest.popFirst()
        }

        private static func removeFirst(_ bits: inout UInt64) -> Int {
            defer { bits &= bits &- 1 }
            return bits.trailingZeroBitCount
        }
    }

    private let all: [Candidate]
    /// The candidates that may recognize a first byte, for each byte, as bits by position: on one of their usual ports, and on
    /// other ports.
    private let usual: [UInt64]
    private let other: [UInt64]
    /// The candidates for which a port is usual, in the order of the ports.
    private let ports: [(port: UInt16, candidates: UInt64)]
    /// A bit for each value of the lower twelve bits of a port, set if a port with these is usual: few others have the same.
    private let usualPorts: [UInt64]
    /// The candidates without a bit, which are always probed.
    private let rest: Range<Int>

    init(_ types: [any Dissector.Type]) {
        all = types.map { Candidate($0) }
        rest = Swift.min(UInt64.bitWidth, all.count)..<all.count
        var (usual, other) = ([UInt64](repeating: 0, count: 256), [UInt64](repeating: 0, count: 256))
        var ports: [Int: UInt64] = [:]
        for (position, candidate) in all.prefix(UInt64.bitWidth).enumerated() {
            candidate.usualOctets.forEach { usual[Int($0)] |= 1 << UInt64(position) }
            candidate.octets.forEach { other[Int($0)] |= 1 << UInt64(position) }
            for port in candidate.ports { ports[Int(port), default: 0] |= 1 << UInt64(position) }
        }
        (self.usual, self.other) = (usual, other)
        self.ports = ports.map { (UInt16(truncatingIfNeeded: $0.key), $0.value) }.sorted { $0.port < $1.port }
        var usualPorts = [UInt64](repeating: 0, count: 64)
        for port in ports.keys { usualPorts[port >> 6 & 63] |= 1 << UInt64(port & 63) }
        self.usualPorts = usualPorts
    }

    subscript(position: Int) -> Candidate { all[position] }

    func makeIterator() -> IndexingIterator<[Candidate]> { all.makeIterator() }

    /// Returns the candidates for which a port is usual.
    private func candidates(on port: UInt16) -> UInt64 {
        guard usualPorts[Int(port >> 6 & 63)] >> UInt64(port & 63) & 1 != 0 else { return 0 }
        var range = ports.indices
        while !range.isEmpty {
            let middle = range.lowerBound &+ range.count / 2
            if ports[middle].port == port { return ports[middle].candidates }
            range = ports[middle].port < port ? middle &+ 1..<range.upperBound : range.lowerBound..<middle
        }
        return 0
    }

    /// Whether no dissector may recognize a first byte on ports that are usual for none.
    func knowNone(_ octet: UInt8?, _ one: UInt16, _ another: UInt16) -> Bool {
        guard let octet, other[Int(octet)] == 0, rest.isEmpty else { return false }
        return candidates(on: one) | candidates(on: another) == 0
    }

    /// Returns the positions of the dissectors to probe for a flow, by the first bytes of its sides.
    func positions(for state: FlowState, client: UInt8?, server: UInt8?) -> Positions {
        guard state.startsLate else {
            return positions(state.server.port, state.client.port, client: client, server: server)
        }
        // What starts late may begin with any byte.
        let onPorts = candidates(on: state.server.port) | candidates(on: state.client.port)
        let bits = UInt64.max >> UInt64(UInt64.bitWidth &- rest.lowerBound)
        return Positions(usual: onPorts, other: bits & ~onPorts, rest: rest)
    }

    /// Returns the positions of the dissectors to probe for a flow on these ports that does not start late.
    func positions(_ one: UInt16, _ another: UInt16, client: UInt8?, server: UInt8?) -> Positions {
        let onPorts = candidates(on: one) | candidates(on: another)
        var positions = Positions(usual: 0, other: 0, rest: rest)
        func add(_ octet: UInt8) {
            positions.usual |= usual[Int(octet)] & onPorts
            positions.other |= other[Int(octet)] & ~onPorts
        }
        if let client { add(client) }
        if let server { add(server) }
        return positions
    }
}
