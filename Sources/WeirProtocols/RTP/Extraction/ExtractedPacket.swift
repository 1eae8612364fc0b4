/// A media packet in sequence number order.
struct ExtractedPacket: Sendable {
    var sequence: UInt16
    var timestamp: UInt32
    var marker: Bool
    var payload: [UInt8]
    /// Sequence numbers missing before it.
    var missingBefore = 0
    /// Whether its payload was only partly captured.
    var isCut = false
    /// Whether it has another format; it only marks its sequence number as received.
    var isOther = false
}

/// Reorders packets by sequence number; waits for a missing one until a few tens of later ones were received.
struct PacketQueue {
    /// Maximum packets waiting for an earlier one.
    static let window = 64

    private var waiting: [ExtractedPacket] = []
    private var next: UInt16?

    /// Adds a packet and emits those that are next in order.
    mutating func take(_ packet: ExtractedPacket, _ use: (ExtractedPacket) -> Void) {
        guard let expected = next else { return begin(with: packet, use) }
        let ahead = Int16(bitPattern: packet.sequence &- expected)
        // Before the last emitted: a duplicate, or too late. Far before or ahead: the source restarted its numbering.
        if ahead < 0, ahead > -1_000 { return }
        if ahead < 0 || ahead > 3_000 {
            finish(use)
            next = packet.sequence
            return take(packet, use)
        }
        guard ahead > 0 else {
            hand(packet, use)
            drain(use)
            return
        }
        guard !waiting.contains(where: { $0.sequence == packet.sequence }) else { return }
        let place = waiting.firstIndex { Int16(bitPattern: $0.sequence &- expected) > ahead } ?? waiting.count
        waiting.insert(packet, at: place)
        if waiting.count > Self.window { skip(use) }
    }

    /// Buffers the first packets: packets reordered with the first one belong before it.
    private mutating func begin(with packet: ExtractedPacket, _ use: (ExtractedPacket) -> Void) {
        let first = waiting.first?.sequence ?? packet.sequence
        let ahead = Int16(bitPattern: packet.sequence &- first)
        guard ahead > -1_000, ahead <= 3_000 else {
            finish(use)
            return take(packet, use)
        }
        guard !waiting.contains(where: { $0.sequence == packet.sequence }) else { return }
        let place = waiting.firstIndex { Int16(bitPattern: $0.sequence &- first) > ahead } ?? waiting.count
        waiting.insert(packet, at: place)
        if waiting.count > Self.window { start(use) }
    }

    private mutating func start(_ use: (ExtractedPacket) -> Void) {
        guard next == nil, let first = waiting.first else { return }
        next = first.sequence
        drain(use)
    }

    /// Emits the remaining packets at the end of the stream.
    mutating func finish(_ use: (ExtractedPacket) -> Void) {
        start(use)
        while !waiting.isEmpty { skip(use) }
    }

    /// Gives up on the packets missing before the first waiting one.
    private mutating func skip(_ use: (ExtractedPacket) -> Void) {
        guard var first = waiting.first, let expected = next else { return }
        waiting.removeFirst()
        first.missingBefore = Int(first.sequence &- expected)
        hand(first, use)
        drain(use)
    }

    private mutating func hand(_ packet: ExtractedPacket, _ use: (ExtractedPacket) -> Void) {
        next = packet.sequence &+ 1
        use(packet)
    }

    private mutating func drain(_ use: (ExtractedPacket) -> Void) {
        while let first = waiting.first, first.sequence == next {
            waiting.removeFirst()
            hand(first, use)
        }
    }
}
