import WeirPackets

/// The payload of a capture's TCP connections, independent of segmentation.
package struct Conversation: Sendable {
    /// Consecutive octets of one direction.
    package struct Turn: Sendable {
        /// The index in `connections`.
        package var connection: Int
        /// The direction.
        package var direction: Direction
        /// The payload.
        package var octets: [UInt8]
    }

    /// Client and server of each connection.
    package private(set) var connections: [(client: Endpoint, server: Endpoint)] = []
    /// All turns, in order.
    package private(set) var turns: [Turn] = []
    /// Octets that could not be put in order: 0 for a capture without loss.
    package private(set) var leftOver = 0

    private struct Side {
        var next: UInt32
        /// Segments received out of order, by sequence number.
        var early: [UInt32: [UInt8]] = [:]
    }

    /// Reassembles the streams of a capture, independently of the engine: the first copy of each octet, by sequence
    /// numbers relative to the SYN.
    package init(_ frames: [KeptFrame]) {
        var decoder = PacketDecoder()
        var sides: [[Direction: Side]] = []
        for frame in frames {
            frame.use { borrowed in
                guard case .transport(let unit) = decoder.decode(borrowed), unit.transport == .tcp else { return }
                let payload = Array(frame.octets[unit.payload])
                let isSYN = unit.tcp.flags.contains(.syn)
                if isSYN, !unit.tcp.flags.contains(.ack) {
                    connections.append((unit.source, unit.destination))
                    sides.append([:])
                }
                guard
                    let connection = connections.lastIndex(where: {
                        ($0.client == unit.source && $0.server == unit.destination)
                            || ($0.server == unit.source && $0.client == unit.destination)
                    })
                else { return }
                let direction: Direction =
                    connections[connection].client == unit.source ? .clientToServer : .serverToClient
                if isSYN { sides[connection][direction] = Side(next: unit.tcp.sequence.value &+ 1) }
                guard !payload.isEmpty, var side = sides[connection][direction] else { return }
                side.early[unit.tcp.sequence.value] = payload
                while let sequence = side.early.keys.first(where: { side.next &- $0 < 1 << 20 }),
                    let octets = side.early.removeValue(forKey: sequence)
                {
                    let fresh = octets.dropFirst(Int(side.next &- sequence))
                    side.next &+= UInt32(fresh.count)
                    append(Array(fresh), connection, direction)
                }
                sides[connection][direction] = side
            }
        }
        leftOver = sides.flatMap { $0.values.flatMap { $0.early.values.map(\.count) } }.reduce(0, +)
    }

    /// Returns the start of the conversation, at most `octets` octets.
    package func prefix(_ octets: Int) -> Conversation {
        var result = self
        result.turns = []
        var rest = octets
        for var turn in turns where rest > 0 {
            turn.octets = Array(turn.octets.prefix(rest))
            rest -= turn.octets.count
            result.turns.append(turn)
        }
        return result
    }

    /// Returns all octets of one direction of a connection.
    package func stream(_ connection: Int, _ direction: Direction) -> [UInt8] {
        turns.filter { $0.connection == connection && $0.direction == direction }.flatMap(\.octets)
    }

    private mutating func append(_ octets: [UInt8], _ connection: Int, _ direction: Direction) {
        guard !octets.isEmpty else { return }
        if let last = turns.indices.last, turns[last].connection == connection, turns[last].direction == direction {
            turns[last].octets += octets
        } else {
            turns.append(Turn(connection: connection, direction: direction, octets: octets))
        }
    }
}
