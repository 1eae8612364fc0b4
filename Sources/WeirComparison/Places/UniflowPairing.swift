internal import WeirPackets

/// A direction of a flow that both captures contain.
package struct UniflowPair: Sendable, Hashable {
    /// The index of the uniflow in the first capture, and in the second.
    package var a: Int
    package var b: Int
    /// How much larger TCP sequence numbers are in the second capture: not 0 if a middlebox rewrites them.
    package var shift: UInt32 = 0
}

/// Flows that both captures contain.
package struct FlowPair: Sendable {
    /// The direction of its first packet, and the opposite one if both captures contain it.
    package var uniflows: [UniflowPair]
    /// The packets that identified it.
    package var votes: Int
}

/// Finds flows of one capture in another by their content: the same TCP sequence space, the same RTP source and
/// sequence numbers, the same datagrams. Addresses and ports may be translated.
struct UniflowPairing {
    /// Packets that must agree before a flow counts as the same; fewer if it has fewer.
    private static let needed = 3
    /// The least payload that identifies a packet, in octets.
    private static let identifying: UInt32 = 8
    /// The least payload that identifies a segment whose sequence number was rewritten.
    private static let rewritten: UInt32 = 16

    private let a: PacketTrace
    private let b: PacketTrace

    init(_ a: PacketTrace, _ b: PacketTrace) { (self.a, self.b) = (a, b) }

    /// Returns the flows that both captures contain.
    ///
    /// - Parameter isStrict: Whether connections with rewritten sequence numbers are left out: two runs of one program
    ///   may exchange the same octets, but not in the same sequence space.
    func pairs(isStrict: Bool) -> [FlowPair] {
        var taken = Taken()
        var pairs = assign(votes(Self.strictKey), &taken)
        if !isStrict {
            pairs += assign(votes(Self.contentKey, except: taken), &taken)
            // Equal datagrams in several flows, such as those that open ports, tell flows apart only by their addresses.
            pairs += assign(votes(Self.strictKey, except: taken, isShared: true), &taken)
        }
        return pairs
    }

    private struct Taken {
        var a: Set<Int> = []
        var b: Set<Int> = []
    }

    /// Returns what identifies a packet with its sequence number, or nil if it is too small to tell.
    private static func strictKey(_ packet: TracedPacket) -> UInt64? {
        switch packet.kind {
        case .rtp: packet.key
        case .datagram: packet.length >= identifying ? packet.key : nil
        case .segment:
            packet.length > 0 || packet.flags.contains(.syn)
                ? ContentHash.add(UInt64(packet.sequence), to: packet.length > 0 ? packet.content : packet.key) : nil
        case .acknowledgment: nil
        }
    }

    /// Returns what identifies a segment without its sequence number.
    private static func contentKey(_ packet: TracedPacket) -> UInt64? {
        packet.kind == .segment && packet.length >= rewritten ? packet.content : nil
    }

    private struct Vote: Hashable {
        var a: Int
        var b: Int
    }

    /// Counts the packets that uniflows have in common.
    ///
    /// - Parameter isShared: Whether what several uniflows contain counts for those with equal addresses and ports;
    ///   otherwise it identifies none of them.
    private func votes(
        _ key: (TracedPacket) -> UInt64?, except taken: Taken = Taken(), isShared: Bool = false
    ) -> [Vote: Int] {
        var owners: [UInt64: Int] = [:]
        for (uniflow, content) in b.uniflows.enumerated() where !taken.b.contains(uniflow) {
            for packet in content.packets {
                guard let key = key(packet).map({ isShared ? Self.joined($0, content.key) : $0 }) else { continue }
                if let owner = owners[key], owner != uniflow { owners[key] = -1 } else { owners[key] = uniflow }
            }
        }
        var votes: [Vote: Int] = [:]
        for (uniflow, content) in a.uniflows.enumerated() where !taken.a.contains(uniflow) {
            var seen: Set<UInt64> = []
            for packet in content.packets {
                guard let key = key(packet).map({ isShared ? Self.joined($0, content.key) : $0 }),
                    let owner = owners[key], owner >= 0, seen.insert(key).inserted,
                    content.key.transport == b.uniflows[owner].key.transport
                else { continue }
                votes[Vote(a: uniflow, b: owner), default: 0] += 1
            }
        }
        return votes
    }

    private static func joined(_ key: UInt64, _ uniflow: PacketTrace.UniflowKey) -> UInt64 {
        var hash = ContentHash.add(uniflow.source.address.low ^ uniflow.source.address.high, to: key)
        hash = ContentHash.add(uniflow.destination.address.low ^ uniflow.destination.address.high, to: hash)
        return ContentHash.add(UInt64(uniflow.source.port) << 16 | UInt64(uniflow.destination.port), to: hash)
    }

    /// Whether a packet can identify its flow.
    static func identifies(_ packet: TracedPacket) -> Bool { strictKey(packet) != nil }

    /// Assigns flows to each other, the most certain first.
    private func assign(_ votes: [Vote: Int], _ taken: inout Taken) -> [FlowPair] {
        let certain = votes.map { vote, count in
            let back = a.reverse(of: vote.a).flatMap { a in b.reverse(of: vote.b).map { Vote(a: a, b: $0) } }
            return (vote: vote, count: count + (back.flatMap { votes[$0] } ?? 0), back: back)
        }.sorted { ($1.count, $0.vote.a, $0.vote.b) < ($0.count, $1.vote.a, $1.vote.b) }
        var pairs: [FlowPair] = []
        for (vote, count, back) in certain {
            guard isEnough(count, vote), !taken.a.contains(vote.a), !taken.b.contains(vote.b) else { continue }
            taken.a.insert(vote.a)
            taken.b.insert(vote.b)
            var uniflows = [vote]
            if let back, taken.a.insert(back.a).inserted, taken.b.insert(back.b).inserted { uniflows.append(back) }
            pairs.append(
                FlowPair(uniflows: uniflows.map { UniflowPair(a: $0.a, b: $0.b, shift: shift($0)) }, votes: count))
        }
        return pairs.sorted { ($0.uniflows.first?.a ?? 0) < ($1.uniflows.first?.a ?? 0) }.map { pair in
            var pair = pair
            pair.uniflows.sort { $0.a < $1.a }
            return pair
        }
    }

    private func isEnough(_ count: Int, _ vote: Vote) -> Bool {
        let most = min(
            a.uniflows[vote.a].packets.count { $0.isComparable }, b.uniflows[vote.b].packets.count { $0.isComparable })
        return count >= Self.needed || count * 2 >= most
    }

    /// Returns how much larger the sequence numbers of a connection are in the second capture.
    private func shift(_ vote: Vote) -> UInt32 {
        guard a.uniflows[vote.a].key.transport == .tcp else { return 0 }
        var known: [UInt64: UInt32] = [:]
        for packet in b.uniflows[vote.b].packets {
            if let key = Self.contentKey(packet) ?? Self.strictKey(packet), known[key] == nil {
                known[key] = packet.sequence
            }
        }
        var counts: [UInt32: Int] = [:]
        for packet in a.uniflows[vote.a].packets {
            guard let key = Self.contentKey(packet) ?? Self.strictKey(packet), let other = known[key] else { continue }
            counts[other &- packet.sequence, default: 0] += 1
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }
}
