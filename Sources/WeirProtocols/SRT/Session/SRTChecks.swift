import WeirEngine
import WeirPackets

/// What the packets of a connection show about conformance, for the rules. Data and acknowledgements are events with
/// `--packets` only, so that rules cannot observe them as steps.
struct SRTChecks {
    /// What is judged.
    enum Kind: UInt8, CaseIterable {
        case firstSequence, keyFlags, timestamp, message, position, lightACK, ackACK, nakAhead, nakServed, requested
        case keepAlive, afterShutdown, socket
    }

    /// The violations of one kind.
    struct Fault {
        var count: Int
        /// The first of them.
        var frame: Int
        var time: Timestamp
    }

    /// What one side sent.
    private struct Side {
        /// The socket IDs of its handshakes, of which there are several if connections share the ports.
        var sockets: [UInt32] = []
        var firstSequence: UInt32?
        var data: (sequence: UInt32, message: UInt32, position: UInt8, timestamp: UInt32)?
        var latest: EventContext?
        var fullACKs = 0
        var ackACKs = 0
        var retransmissions: (count: Int, first: EventContext?) = (0, nil)
        var naks: (count: Int, first: EventContext?) = (0, nil)
        /// The last report about packets behind the highest captured one, which may be missing from the capture.
        var early: (ranges: [(first: UInt32, last: UInt32)], place: EventContext)?
        var drops = 0
        var shutdown: Timestamp?
    }

    /// Socket IDs stored per side.
    private static let mostSockets = 8
    /// Seconds without a packet after which more than one keep-alive is missing; one is due each second (§3.2.3).
    private static let longestSilence = 3.5
    /// Seconds in which data may follow a shutdown on another path.
    private static let overtaking = 0.5
    /// Seconds after which a NAK should have been served.
    private static let patience = 2.0
    /// Packets from which on a missing answer is no accident.
    private static let enough = 4

    private var sides = (client: Side(), server: Side())
    private var faults: [Kind: Fault] = [:]
    /// A bit for each kind that was judged.
    private var judged: UInt32 = 0

    private subscript(_ direction: Direction) -> Side {
        _read { yield direction == .clientToServer ? sides.client : sides.server }
        _modify {
            if direction == .clientToServer { yield &sides.client } else { yield &sides.server }
        }
    }

    /// Whether there was anything to judge.
    func isJudged(_ kind: Kind) -> Bool { judged >> UInt32(kind.rawValue) & 1 == 1 }
    /// The violations, or nil if there is none.
    func fault(_ kind: Kind) -> Fault? { faults[kind] }

    private mutating func judge(_ kind: Kind, _ isMet: Bool, at place: EventContext) {
        judged |= 1 << UInt32(kind.rawValue)
        guard !isMet else { return }
        faults[kind, default: Fault(count: 0, frame: place.frame, time: place.time)].count &+= 1
    }

    /// Whether several connections share the ports: their packets cannot be told apart by the flow.
    private var isShared: Bool { sides.client.sockets.count > 1 || sides.server.sockets.count > 1 }

    /// Records a packet.
    mutating func take(_ packet: SRTPacket, at place: EventContext) {
        let side = place.direction
        if case .handshake(let handshake) = packet.content { return take(handshake, side) }
        guard !isShared else { return }
        noteTime(at: place)
        if packet.socket != 0, let socket = self[side.opposite].sockets.first {
            judge(.socket, packet.socket == socket, at: place)
        }
        switch packet.content {
        case .data(let data): take(data, timestamp: packet.timestamp, at: place)
        case .ack(let ack):
            if ack.rate != nil { self[side].fullACKs &+= 1 }
            if ack.roundTrip == nil { judge(.lightACK, ack.number == 0, at: place) }
        case .ackAck: self[side].ackACKs &+= 1
        case .nak(let ranges):
            self[side].naks.count &+= 1
            if self[side].naks.first == nil { self[side].naks.first = place }
            if let highest = self[side.opposite].data?.sequence {
                let isAhead = ranges.contains { SRTPacket.distance($0.last, from: highest) > 0 }
                if isAhead { self[side].early = (ranges, place) } else { judge(.nakAhead, true, at: place) }
            }
        case .dropRequest: self[side].drops &+= 1
        case .shutdown: if self[side].shutdown == nil { self[side].shutdown = place.time }
        default: break
        }
    }

    private mutating func take(_ handshake: SRTHandshake, _ side: Direction) {
        guard handshake.kind == .conclusion else { return }
        guard !self[side].sockets.contains(handshake.socket), self[side].sockets.count < Self.mostSockets else {
            return
        }
        self[side].sockets.append(handshake.socket)
        self[side].firstSequence = handshake.firstSequence
    }

    /// Judges the time since the previous packet of the side, if packets of the other show that the capture ran.
    private mutating func noteTime(at place: EventContext) {
        let side = place.direction
        if let latest = self[side].latest, let other = self[side.opposite].latest, self[side].shutdown == nil {
            judge(.keepAlive, other.time.seconds(since: latest.time) < Self.longestSilence, at: place)
        }
        self[side].latest = place
    }

    private mutating func take(_ data: SRTPacket.Payload, timestamp: UInt32, at place: EventContext) {
        let side = place.direction
        judge(.keyFlags, data.key != 3, at: place)
        if let shutdown = self[side].shutdown {
            judge(.afterShutdown, place.time.seconds(since: shutdown) < Self.overtaking, at: place)
        }
        if data.isRetransmitted {
            self[side].retransmissions.count &+= 1
            if self[side].retransmissions.first == nil { self[side].retransmissions.first = place }
        }
        guard let last = self[side].data else {
            if let first = self[side].firstSequence {
                // Packets before the first may be lost or late, but not more than a window of them.
                judge(.firstSequence, 0...SRTLimits.window ~= SRTPacket.distance(data.sequence, from: first), at: place)
            }
            return self[side].data = (data.sequence, data.message, data.position, timestamp)
        }
        let steps = SRTPacket.distance(data.sequence, from: last.sequence)
        guard steps > 0 else { return }
        if !data.isRetransmitted {
            judgeEarlyReport(of: data.sequence, by: side.opposite)
            judge(.timestamp, Int32(bitPattern: timestamp &- last.timestamp) >= 0, at: place)
        }
        if steps == 1 { judge(data, after: last.message, last.position, at: place) }
        self[side].data = (data.sequence, data.message, data.position, timestamp)
    }

    /// Judges the last report about packets that had not been captured, when a packet is sent for the first time: only then it is
    /// certain that the report was early, and that no packet is missing from the capture.
    private mutating func judgeEarlyReport(of sequence: UInt32, by receiver: Direction) {
        guard let early = self[receiver].early,
            early.ranges.contains(where: {
                SRTPacket.distance(sequence, from: $0.first) >= 0 && SRTPacket.distance($0.last, from: sequence) >= 0
            })
        else { return }
        judge(.nakAhead, false, at: early.place)
        self[receiver].early = nil
    }

    /// Judges message number and position of a packet that follows another without a gap (§4.2.1).
    private mutating func judge(
        _ data: SRTPacket.Payload, after message: UInt32, _ position: UInt8, at place: EventContext
    ) {
        let isOpen = position & 1 == 0
        judge(.position, isOpen == (data.position & 2 == 0), at: place)
        guard isOpen == (data.position & 2 == 0) else { return }
        // Numbers start again with 0 or 1.
        let follows = isOpen ? data.message == message : (data.message == message &+ 1 || data.message <= 1)
        judge(.message, follows, at: place)
    }

    /// Judges what never came from a side whose packets were captured.
    mutating func finish() {
        guard !isShared else { return }
        for side in [Direction.clientToServer, .serverToClient] {
            let (own, peer) = (self[side], self[side.opposite])
            if own.fullACKs >= Self.enough, let latest = own.latest, peer.latest != nil {
                judge(.ackACK, peer.ackACKs > 0, at: latest)
            }
            if own.naks.count >= Self.enough, let first = own.naks.first, let latest = peer.latest,
                latest.time.seconds(since: first.time) > Self.patience
            {
                judge(.nakServed, peer.retransmissions.count > 0 || peer.drops > 0, at: first)
            }
            if own.retransmissions.count >= Self.enough, let first = own.retransmissions.first, peer.latest != nil {
                judge(.requested, peer.naks.count > 0, at: first)
            }
        }
    }
}
