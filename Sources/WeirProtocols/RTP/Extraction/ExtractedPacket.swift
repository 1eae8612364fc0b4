/// A packet of media in the order of its numbers.
struct ExtractedPacket: Sendable {
    var sequence: UInt16
    var timestamp: UInt32
    var marker: Bool
    var payload: [UInt8]
    /// Numbers that are missing before it.
    var missingBefore = 0
    /// Whether the capture lacks some of its payload.
    var isCut = false
    /// Whether it is of another format: its number is not missing, and that is all.
    var isOther = false
}

/// Puts packets into the order of their numbers: one that is missing is waited for until a few tens of later ones have come.
struct PacketQueue {
    /// Packets that wait for an earlier one, at most.
    static let window = 64

    private var waiting: [ExtractedPacket] = []
    private var next: UInt16?

    /// Takes a packet, and hands on those that are next.
    mutating func take(_ packet: ExtractedPacket, _ use: (ExtractedPacket) -> Void) {
        guard let expected = next else { return begin(with: packet, use) }
        let ahead = Int16(bitPattern: packet.sequence &- expected)
        // Behind what was handed on: a duplicate, or too late; far behind or ahead: the source counts anew.
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

    /// The first packets wait: one that was overtaken by the first that came is before it.
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

    /// Nothing more comes.
    mutating func finish(_ use: (ExtractedPacket) -> Void) {
        start(use)
        while !waiting.isEmpty { skip(use) }
    }

    /// Gives up what is missing before the first that waits.
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
