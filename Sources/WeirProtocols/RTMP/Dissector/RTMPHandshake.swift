import WeirEngine
import WeirPackets

/// The handshake of a connection: the parts of both sides as their octets arrive (RTMP §5.2).
struct RTMPHandshake {
    /// The size of all three parts of a side, in octets.
    static let octets = 3_073
    private static let mostMistakes = 4

    /// The handshake state of one side.
    private struct Side {
        /// Octets of the handshake so far, captured or not.
        var passed = 0
        /// The start of the current part, up to its first gap.
        var kept: [UInt8] = []
        var hasUnfilledGap = false
        var firstFrame: Int?
        /// Where the latest octets were read.
        var place: ReadingPlace?
        var prematureOf: RTMPHandshakePart.Awaited?
        var version: UInt8?
        /// C1 or S1, until both sides have answered.
        var first: [UInt8] = []
        var digest: HandshakeDigest?
        /// The number of parts received in place of its answer that were not answers.
        var mistaken = 0
        /// The octets at the end of its answer that belong to the first chunk.
        var early = 0
    }

    private var client = Side()
    private var server = Side()
    /// Whether only one side was captured, so the order of both sides is unknown.
    let isOneSided: Bool

    init(isOneSided: Bool = false) { self.isOneSided = isOneSided }

    /// Skips the handshake of a side, as the capture starts later.
    mutating func skip(isClient: Bool) {
        if isClient { client.passed = Self.octets } else { server.passed = Self.octets }
    }

    /// Whether the handshake of this side is incomplete.
    @inline(__always)
    func isOpen(isClient: Bool) -> Bool { passed(isClient) < Self.octets }

    /// Whether this side has not sent anything yet.
    func isUntouched(isClient: Bool) -> Bool { passed(isClient) == 0 }

    /// The octets of the handshake of a side so far. Its side is not copied.
    @inline(__always)
    private func passed(_ isClient: Bool) -> Int { isClient ? client.passed : server.passed }

    /// Whether the capture contains the version selected by the server.
    var isServerVersionKnown: Bool { server.version != nil }

    /// The RTMPE version selected by the server, or requested by the client if the server's is not in the capture.
    var encryption: UInt8? {
        guard let version = server.version ?? client.version else { return nil }
        return RTMPHandshakePart.encryptedVersions.contains(version) ? version : nil
    }

    /// Reads octets of one side and emits the parts they complete; returns the number consumed.
    mutating func read(_ bytes: RawSpan, from origin: Int, isClient: Bool, _ outlet: Outlet) -> Int {
        var offset = origin
        if offset < bytes.byteCount, isOpen(isClient: isClient) { change(isClient) { $0.place = outlet.place } }
        while offset < bytes.byteCount, isOpen(isClient: isClient) {
            let (packet, passed) = part(isClient)
            if passed == 0 { begin(packet, outlet.frame(at: offset)) }
            let start = packet.isAnswer ? chunkStart(bytes, offset, passed, isClient) : nil
            let some = start.map { $0 &- offset } ?? min(packet.octets &- passed, bytes.byteCount &- offset)
            change(isClient) { side in
                if !side.hasUnfilledGap { bytes.clamped(offset, offset &+ some).append(to: &side.kept) }
                side.passed &+= some
            }
            offset &+= some
            if start != nil {
                end(packet, after: passed &+ some, outlet)
                continue
            }
            guard passed &+ some == packet.octets else { continue }
            let isWhole = isClient ? !client.hasUnfilledGap : !server.hasUnfilledGap
            show(packet, offset &- (isWhole ? packet.octets : some)..<offset, outlet)
            // The first chunk starts within an answer that is too short.
            let early = isClient ? client.early : server.early
            if early > 0, early <= offset &- origin, packet.isAnswer { offset &-= early }
        }
        return offset &- origin
    }

    /// Skips octets that are not in the capture; returns how many belonged to the handshake.
    mutating func gap(_ missing: Int, isClient: Bool, _ outlet: Outlet) -> Int {
        var left = missing
        while left > 0, isOpen(isClient: isClient) {
            let (packet, passed) = part(isClient)
            if passed == 0 { begin(packet, nil) }
            let some = min(packet.octets &- passed, left)
            change(isClient) { side in
                side.hasUnfilledGap = true
                side.passed &+= some
            }
            left &-= some
            if passed &+ some == packet.octets { show(packet, 0..<0, outlet) }
        }
        return missing &- left
    }

    /// Emits incomplete parts at the end of the connection, each where its latest octets were read.
    mutating func finish(_ outlet: Outlet) {
        for isClient in [true, false] where isOpen(isClient: isClient) && part(isClient).passed > 0 {
            show(part(isClient).packet, 0..<0, outlet, at: isClient ? client.place : server.place)
            skip(isClient: isClient)
        }
    }

    /// Reopens the answer of a side that sent its first part again in place of the answer, if it repeats that where
    /// chunks are due.
    mutating func reopen(_ bytes: RawSpan, at start: Int, isClient: Bool) {
        let mistaken = isClient ? client.mistaken : server.mistaken
        guard mistaken > 0, mistaken < Self.mostMistakes, passed(isClient) == Self.octets,
            let header = RTMPChunkHeader(bytes, at: start), header.typeID == 0
        else { return }
        let first = first(isClient: isClient).prefix(8)
        for (index, octet) in first.enumerated() where bytes.byte(at: start &+ index) != octet { return }
        change(isClient) { $0.passed = 1_537 }
    }

    /// Returns the part that this side should still await before it sends anything else, or nil if there is none.
    func awaited(isClient: Bool) -> RTMPHandshakePart.Awaited? {
        guard !isOneSided, isOpen(isClient: !isClient) else { return nil }
        return isClient ? .s2 : .c2
    }

    private mutating func change(_ isClient: Bool, _ body: (inout Side) -> Void) {
        if isClient { body(&client) } else { body(&server) }
    }

    /// Returns the current part and the number of its octets received.
    private func part(_ isClient: Bool) -> (packet: RTMPHandshakePart.Packet, passed: Int) {
        let passed = passed(isClient)
        switch passed {
        case 0: return (isClient ? .c0 : .s0, 0)
        case ..<1_537: return (isClient ? .c1 : .s1, passed &- 1)
        default: return (isClient ? .c2 : .s2, passed &- 1_537)
        }
    }

    /// Returns C1 or S1 of a side, while it is needed.
    func first(isClient: Bool) -> [UInt8] { isClient ? client.first : server.first }

    /// Ends an answer that is too short, as the first chunk follows.
    private mutating func end(_ packet: RTMPHandshakePart.Packet, after passed: Int, _ outlet: Outlet) {
        show(packet, 0..<0, outlet, short: packet.octets &- passed)
        skip(isClient: packet.isClients)
        if !isOpen(isClient: true), !isOpen(isClient: false) { forget() }
    }

    /// Releases the parts of both sides.
    private mutating func forget() {
        for isClient in [true, false] {
            change(isClient) { side in (side.first, side.kept) = ([], []) }
        }
    }

    private mutating func begin(_ packet: RTMPHandshakePart.Packet, _ frame: Int?) {
        let peer = passed(!packet.isClients)
        var awaited: RTMPHandshakePart.Awaited?
        switch packet {
        case .s0, .s1: awaited = peer < 1 ? .c0 : nil
        case .c2: awaited = peer < 1_537 ? .s1 : nil
        case .s2: awaited = peer < 1_537 ? .c1 : nil
        case .c0, .c1: break
        }
        if isOneSided { awaited = nil }
        change(packet.isClients) { side in
            side.kept.removeAll(keepingCapacity: true)
            side.hasUnfilledGap = false
            side.firstFrame = frame
            side.prematureOf = awaited
        }
    }

    private mutating func show(
        _ packet: RTMPHandshakePart.Packet, _ range: Range<Int>, _ outlet: Outlet, at place: ReadingPlace? = nil,
        short: Int? = nil
    ) {
        let isClients = packet.isClients
        // The sides are not copied: each has many references.
        let kept = isClients ? client.kept : server.kept
        var part = RTMPHandshakePart(packet, kept.rawSpan, passed: self.part(isClients, passed(isClients)))
        part.firstFrame = isClients ? client.firstFrame : server.firstFrame
        part.prematureOf = isClients ? client.prematureOf : server.prematureOf
        let isWhole = kept.count == packet.octets
        if packet.octets == 1 { change(isClients) { $0.version = part.version } }
        if packet.isFirst, isWhole {
            let digest =
                HandshakeDigest.mayHaveDigest(kept)
                ? HandshakeDigest(part: kept, signer: isClients ? .player : .server) : nil
            part.scheme = digest.map { $0.place == .first ? .digest0 : .digest1 } ?? .simple
            part.filling = digest == nil ? HandshakeFilling(kept.rawSpan.clamped(8)) : nil
            change(isClients) { side in
                side.first = kept
                side.digest = digest
            }
        }
        let peer = first(isClient: !isClients)
        if packet.isAnswer, isWhole {
            let digest = isClients ? server.digest : client.digest
            part.compare(kept, peer: peer, digest, own: first(isClient: isClients))
        }
        if let short { part.shorten(by: short, kept, peer: peer) }
        change(isClients) { $0.early = short == nil ? part.missing ?? 0 : 0 }
        if let place { outlet.message(EnclosingMessage(part, range, at: place)) } else { outlet.message(part, range) }
        if part.answer == .ownFirstPart { change(isClients) { $0.mistaken &+= 1 } }
        guard !isOpen(isClient: true), !isOpen(isClient: false), part.answer != .ownFirstPart else { return }
        forget()
    }

    /// Returns the number of octets of the completed or current part, given those of the whole handshake.
    private func part(_ isClient: Bool, _ passed: Int) -> Int {
        switch passed {
        case ..<2: passed
        case ..<1_538: passed &- 1
        default: passed &- 1_537
        }
    }
}
