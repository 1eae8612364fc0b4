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
    func isOpen(isClient: Bool) -> Bool { (isClient ? client : server).passed < Self.octets }

    /// Whether this side has not sent anything yet.
    func isUntouched(isClient: Bool) -> Bool { (isClient ? client : server).passed == 0 }

    /// Whether the capture contains the version selected by the server.
    var isServerVersionKnown: Bool { server.version != nil }

    /// The RTMPE version selected by the server, or requested by the client if the server's is not in the capture.
    var encryption: UInt8? {
        guard let version = server.version ?? client.version else { return nil }
        return RTMPHandshakePart.encryptedVersions.contains(version) ? version : nil
    }

    /// Reads octets of one side and emits the parts they complete; returns the number consumed.
    mutating func read(_ bytes: RawSpan, from start: Int, isClient: Bool, _ outlet: Outlet) -> Int {
        var offset = start
        while offset < bytes.byteCount, isOpen(isClient: isClient) {
            let (packet, passed) = part(isClient)
            if passed == 0 { begin(packet, outlet.frame(at: offset)) }
            let some = min(packet.octets &- passed, bytes.byteCount &- offset)
            change(isClient) { side in
                if !side.hasUnfilledGap { bytes.clamped(offset, offset &+ some).append(to: &side.kept) }
                side.passed &+= some
                side.place = outlet.place
            }
            offset &+= some
            guard passed &+ some == packet.octets else { continue }
            let isWhole = !(isClient ? client : server).hasUnfilledGap
            show(packet, offset &- (isWhole ? packet.octets : some)..<offset, outlet)
            // The first chunk starts within an answer that is too short.
            let early = (isClient ? client : server).early
            if early > 0, early <= offset &- start, packet.isAnswer { offset &-= early }
        }
        return offset &- start
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
            show(part(isClient).packet, 0..<0, outlet, at: (isClient ? client : server).place)
            skip(isClient: isClient)
        }
    }

    /// Reopens the answer of a side that sent its first part again in place of the answer, if it repeats that where
    /// chunks are due.
    mutating func reopen(_ bytes: RawSpan, at start: Int, isClient: Bool) {
        let side = isClient ? client : server
        guard side.mistaken > 0, side.mistaken < Self.mostMistakes, side.passed == Self.octets,
            let header = RTMPChunkHeader(bytes, at: start), header.typeID == 0
        else { return }
        for (index, octet) in side.first.prefix(8).enumerated() where bytes.byte(at: start &+ index) != octet { return }
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
        let passed = (isClient ? client : server).passed
        switch passed {
        case 0: return (isClient ? .c0 : .s0, 0)
        case ..<1_537: return (isClient ? .c1 : .s1, passed &- 1)
        default: return (isClient ? .c2 : .s2, passed &- 1_537)
        }
    }

    private mutating func begin(_ packet: RTMPHandshakePart.Packet, _ frame: Int?) {
        let peer = (packet.isClients ? server : client).passed
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
        _ packet: RTMPHandshakePart.Packet, _ range: Range<Int>, _ outlet: Outlet, at place: ReadingPlace? = nil
    ) {
        let (own, peer) = packet.isClients ? (client, server) : (server, client)
        var part = RTMPHandshakePart(packet, own.kept.rawSpan, passed: self.part(packet.isClients, own.passed))
        part.firstFrame = own.firstFrame
        part.prematureOf = own.prematureOf
        let isWhole = own.kept.count == packet.octets
        if packet.octets == 1 { change(packet.isClients) { $0.version = part.version } }
        if packet.isFirst, isWhole {
            let digest = HandshakeDigest(part: own.kept, signer: packet.isClients ? .player : .server)
            part.scheme = digest.map { $0.place == .first ? .digest0 : .digest1 } ?? .simple
            part.filling = digest == nil ? HandshakeFilling(own.kept[8...]) : nil
            change(packet.isClients) { side in
                side.first = side.kept
                side.digest = digest
            }
        }
        if packet.isAnswer, isWhole { part.compare(own.kept, peer: peer.first, peer.digest, own: own.first) }
        change(packet.isClients) { $0.early = part.missing ?? 0 }
        if let place { outlet.message(EnclosingMessage(part, range, at: place)) } else { outlet.message(part, range) }
        if part.answer == .ownFirstPart { change(packet.isClients) { $0.mistaken &+= 1 } }
        guard !isOpen(isClient: true), !isOpen(isClient: false), part.answer != .ownFirstPart else { return }
        for isClient in [true, false] {
            change(isClient) { side in (side.first, side.kept) = ([], []) }
        }
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

extension RTMPHandshakePart {
    /// The number of octets in which a repeated C1 may differ from the first: uninitialized memory may change.
    private static let similarOctets = 1_528 / 4

    /// Compares a C2 or S2 with the peer's first part, whose digest may be known, and with the sender's own.
    mutating func compare(_ part: [UInt8], peer: [UInt8], _ digest: HandshakeDigest?, own: [UInt8]) {
        let isClients = packet.isClients
        if peer.count == part.count {
            peerTime = peer.rawSpan.uint32(at: 0)
            peerSecondField = peer.rawSpan.uint32(at: 4)
            if part[8...] == peer[8...] {
                answer = .echo
                scheme = .simple
                return
            }
        }
        if let digest, digest.isAnswered(by: part, signer: isClients ? .player : .server) {
            answer = .digest
            scheme = digest.place == .first ? .digest0 : .digest1
            return
        }
        // Both first parts are required: some servers send the client's C1 as S1, and some clients repeat their own C1.
        guard peer.count == part.count, own.count == part.count else { return }
        if isAnother(part, own, peer: peer) {
            answer = .ownFirstPart
        } else {
            let (first, count) = Self.differences(part, peer)
            answer = .other(firstDifference: first, differing: count)
            shortPeer = Self.shortness(part, peer)
            if shortPeer != nil { return }
            if count > Self.similarOctets {
                shift = Self.shift(part, peer)
            } else {
                missing = Self.missing(part, first)
            }
        }
    }

    /// The maximum number of octets by which an answer is recognized as too short.
    private static let mostMissing = 64

    /// Returns the number of octets from the first difference to the end of an echo if a chunk starts there.
    private static func missing(_ part: [UInt8], _ first: Int) -> Int? {
        guard part.count - first <= mostMissing, let header = part[first...].first, 2...8 ~= header else { return nil }
        guard let chunk = RTMPChunkHeader(part.rawSpan, at: first) else { return part.count - first }
        return chunk.messageStreamID == 0 && (1...6 ~= chunk.typeID || chunk.typeID == 17 || chunk.typeID == 20)
            ? part.count - first : nil
    }

    /// Whether this repeats the sender's first part: almost the same octets, or for a client, which has to echo the
    /// server, its own time and second field followed by mostly different octets.
    private func isAnother(_ part: [UInt8], _ own: [UInt8], peer: [UInt8]) -> Bool {
        if Self.differences(part, own).count <= Self.similarOctets { return true }
        guard packet == .c2, part[..<8] == own[..<8] else { return false }
        return Self.differences(part, peer).count > part.count / 2 && !part[8...].allSatisfy { $0 == 0 }
    }

    /// Octets compared to find an echo at another position.
    private static let sampleOctets = 32

    /// Returns by how many octets an echo is ahead of its position: a part before it was that much shorter. Negative if
    /// that was longer; nil if there is no echo.
    private static func shift(_ part: [UInt8], _ peer: [UInt8]) -> Int? { shift(part, peer, at: part.count / 2) }

    /// Returns by how many octets the peer's part is too short if its end is displaced in the echo, and its start is not.
    private static func shortness(_ part: [UInt8], _ peer: [UInt8]) -> Int? {
        guard part.count == peer.count, part.count > 8 + 2 * sampleOctets,
            part[8..<8 + sampleOctets].elementsEqual(peer[8..<8 + sampleOctets])
        else { return nil }
        return shift(part, peer, at: part.count - sampleOctets - sampleOctets / 2).flatMap { $0 < 0 ? -$0 : nil }
    }

    private static func shift(_ part: [UInt8], _ peer: [UInt8], at place: Int) -> Int? {
        let sample = part[place..<place + sampleOctets]
        // Octets that repeat are found anywhere.
        guard Set(sample).count > sampleOctets / 2 else { return nil }
        return (8..<max(8, peer.count - sampleOctets)).first { peer[$0..<$0 + sampleOctets].elementsEqual(sample) }
            .flatMap { $0 == place ? nil : $0 - place }
    }

    /// Compares the random octets: the first that differs, and the number of differences.
    private static func differences(_ one: [UInt8], _ other: [UInt8]) -> (first: Int, count: Int) {
        var (first, count) = (0, 0)
        for index in 8..<max(8, min(one.count, other.count)) where one[index] != other[index] {
            if count == 0 { first = index }
            count &+= 1
        }
        return (first, count)
    }
}
