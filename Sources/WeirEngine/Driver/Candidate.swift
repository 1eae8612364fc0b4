import WeirPackets

/// A dissector that may be probed for a flow. Dissectors that usually use the flow's port are probed first.
struct Candidate {
    let type: any Dissector.Type
    let ports: [UInt16]
    /// The first bytes that it may recognize on other ports, and on its usual ones.
    private let octets: FirstOctets
    private let usualOctets: FirstOctets

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

    func mayRecognize(_ octet: UInt8, onUsualPort isUsual: Bool) -> Bool {
        isUsual ? usualOctets.contains(octet) : octets.contains(octet)
    }
}

/// The dissectors of one transport, in the order in which they are probed.
struct Candidates: Sequence {
    private let all: [Candidate]
    /// The positions of those that may recognize a first byte, for each byte, on ports that are usual for none.
    private let positions: [[Int]]
    private let ports: [UInt16]

    init(_ types: [any Dissector.Type]) {
        let all = types.map { Candidate($0) }
        self.all = all
        ports = all.flatMap(\.ports)
        positions = (UInt8.min ... .max).map { octet in
            all.indices.filter { all[$0].mayRecognize(octet, onUsualPort: false) }
        }
    }

    subscript(position: Int) -> Candidate { all[position] }

    func makeIterator() -> IndexingIterator<[Candidate]> { all.makeIterator() }

    /// Whether no dissector may recognize a first byte on ports that are usual for none.
    func knowNone(_ octet: UInt8?, _ one: UInt16, _ other: UInt16) -> Bool {
        guard let octet else { return false }
        return positions[Int(octet)].isEmpty && !ports.contains { $0 == one || $0 == other }
    }

    /// Returns the positions of the dissectors to probe for a flow, by the first bytes of its sides.
    func positions(for state: FlowState, client: UInt8?, server: UInt8?) -> [Int] {
        let (serverPort, clientPort) = (state.server.port, state.client.port)
        // What starts late may begin with any byte.
        if !state.startsLate, let octet = client ?? server, client == nil || server == nil || client == server,
            !ports.contains(where: { $0 == serverPort || $0 == clientPort })
        {
            return positions[Int(octet)]
        }
        var chosen: [Int] = []
        chosen.reserveCapacity(all.count)
        for isUsual in [true, false] {
            for (position, candidate) in all.enumerated()
            where candidate.usesPort(serverPort, clientPort) == isUsual {
                func mayRecognize(_ octet: UInt8?) -> Bool {
                    octet.map { candidate.mayRecognize($0, onUsualPort: isUsual) } ?? false
                }
                guard state.startsLate || mayRecognize(client) || mayRecognize(server) else { continue }
                chosen.append(position)
            }
        }
        return chosen
    }
}
