import WeirEngine
import WeirPackets

/// The handshake of a connection: both sides' parts, as their octets come (RTMP §5.2).
struct RTMPHandshake {
    /// Octets of all three parts of a side.
    static let octets = 3_073
    private static let mostMistakes = 4

    /// What one side has sent.
    private struct Side {
        /// Octets of the handshake that came, in the capture or not.
        var passed = 0
        /// The beginning of the part at hand, up to its first hole.
        var kept: [UInt8] = []
        var hasHole = false
        var firstFrame: Int?
        var hurriesAhead: RTMPHandshakePart.Awaited?
        var version: UInt8?
        /// C1 or S1, until both sides have answered.
        var first: [UInt8] = []
        var digest: HandshakeDigest?
        /// How many parts in the place of its answer were none.
        var mistaken = 0
    }

    private var client = Side()
    private var server = Side()
    /// The capture holds one side only: when the other one spoke is not known.
    let isOneSided: Bool

    init(isOneSided: Bool = false) { self.isOneSided = isOneSided }

    /// Neither side is expected to say it: the capture begins later.
    mutating func skip(isClient: Bool) {
        if isClient { client.passed = Self.octets } else { server.passed = Self.octets }
    }

    /// Whether this side has not yet said all of it.
    @inline(__always)
    func isOpen(isClient: Bool) -> Bool { (isClient ? client : server).passed < Self.octets }

    /// Whether this side has said nothing yet.
    func isUntouched(isClient: Bool) -> Bool { (isClient ? client : server).passed == 0 }

    /// Whether the capture holds the version that the server chose.
    var isServerVersionKnown: Bool { server.version != nil }

    /// The version of RTMPE that the server chose, or if it is not in the capture, the client asked for.
    var encryption: UInt8? {
        guard let version = server.version ?? client.version else { return nil }
        return RTMPHandshakePart.encryptedVersions.contains(version) ? version : nil
    }

    /// Takes octets of one side; returns how many, and shows the parts that they complete.
    mutating func read(_ bytes: RawSpan, from start: Int, isClient: Bool, _ outlet: Outlet) -> Int {
        var offset = start
        while offset < bytes.byteCount, isOpen(isClient: isClient) {
            let (packet, passed) = part(isClient)
            if passed == 0 { begin(packet, outlet.frame(at: offset)) }
            let some = min(packet.octets &- passed, bytes.byteCount &- offset)
            change(isClient) { side in
                if !side.hasHole { bytes.clamped(offset, offset &+ some).append(to: &side.kept) }
                side.passed &+= some
            }
            offset &+= some
            guard passed &+ some == packet.octets else { continue }
            let isWhole = !(isClient ? client : server).hasHole
            show(packet, offset &- (isWhole ? packet.octets : some)..<offset, outlet)
        }
        return offset &- start
    }

    /// Passes over octets that the capture does not hold; returns how many belonged to the handshake.
    mutating func gap(_ missing: Int, isClient: Bool, _ outlet: Outlet) -> Int {
        var left = missing
        while left > 0, isOpen(isClient: isClient) {
            let (packet, passed) = part(isClient)
            if passed == 0 { begin(packet, nil) }
            let some = min(packet.octets &- passed, left)
            change(isClient) { side in
                side.hasHole = true
                side.passed &+= some
            }
            left &-= some
            if passed &+ some == packet.octets { show(packet, 0..<0, outlet) }
        }
        return missing &- left
    }

    /// The connection has ended: shows the parts that were begun.
    mutating func finish(_ outlet: Outlet) {
        for isClient in [true, false] where isOpen(isClient: isClient) && part(isClient).passed > 0 {
            show(part(isClient).packet, 0..<0, outlet)
            skip(isClient: isClient)
        }
    }

    /// A side that has sent its first part where its answer was due may do so again, where chunks are due: then that part
    /// is read in the answer's place once more.
    mutating func reopen(_ bytes: RawSpan, at start: Int, isClient: Bool) {
        let side = isClient ? client : server
        guard side.mistaken > 0, side.mistaken < Self.mostMistakes, side.passed == Self.octets,
            let header = RTMPChunkHeader(bytes, at: start), header.typeID == 0
        else { return }
        for (index, octet) in side.first.prefix(8).enumerated() where bytes.byte(at: start &+ index) != octet { return }
        change(isClient) { $0.passed = 1_537 }
    }

    /// What this side should still wait for before it says anything else; nil when nothing is missing.
    func awaited(isClient: Bool) -> RTMPHandshakePart.Awaited? {
        guard !isOneSided, isOpen(isClient: !isClient) else { return nil }
        return isClient ? .s2 : .c2
    }

    private mutating func change(_ isClient: Bool, _ body: (inout Side) -> Void) {
        if isClient { body(&client) } else { body(&server) }
    }

    /// The part at hand, and how many of its octets came.
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
            side.hasHole = false
            side.firstFrame = frame
            side.hurriesAhead = awaited
        }
    }

    private mutating func show(_ packet: RTMPHandshakePart.Packet, _ range: Range<Int>, _ outlet: Outlet) {
        let (own, peer) = packet.isClients ? (client, server) : (server, client)
        var part = RTMPHandshakePart(packet, own.kept.rawSpan, passed: self.part(packet.isClients, own.passed))
        part.firstFrame = own.firstFrame
        part.hurriesAhead = own.hurriesAhead
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
        outlet.message(part, range)
        if part.answer == .ownFirstPart { change(packet.isClients) { $0.mistaken &+= 1 } }
        guard !isOpen(isClient: true), !isOpen(isClient: false), part.answer != .ownFirstPart else { return }
        for isClient in [true, false] {
            change(isClient) { side in (side.first, side.kept) = ([], []) }
        }
    }

    /// Octets of the part that was completed or is at hand, when so many of the whole handshake came.
    private func part(_ isClient: Bool, _ passed: Int) -> Int {
        switch passed {
        case ..<2: passed
        case ..<1_538: passed &- 1
        default: passed &- 1_537
        }
    }
}

extension RTMPHandshakePart {
    /// Octets of a second C1 that may differ from the first: memory that was not cleared has changed at its beginning.
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
        // Without both first parts it cannot be told: some servers send the client's C1 as their S1, and some clients their own C1
        // once more.
        guard peer.count == part.count, own.count == part.count else { return }
        if isAnother(part, own, peer: peer) {
            answer = .ownFirstPart
        } else {
            let (first, count) = Self.differences(part, peer)
            answer = .other(firstDifference: first, differing: count)
        }
    }

    /// Whether this is the sender's first part once more: nearly the same octets, or in a client, whose answer has to
    /// repeat what the server sent, its own time and second field again, and behind them mostly something else.
    private func isAnother(_ part: [UInt8], _ own: [UInt8], peer: [UInt8]) -> Bool {
        if Self.differences(part, own).count <= Self.similarOctets { return true }
        guard packet == .c2, part[..<8] == own[..<8] else { return false }
        return Self.differences(part, peer).count > part.count / 2 && !part[8...].allSatisfy { $0 == 0 }
    }

    /// Of the random octets: the first that differs, and how many do.
    private static func differences(_ one: [UInt8], _ other: [UInt8]) -> (first: Int, count: Int) {
        var (first, count) = (0, 0)
        for index in 8..<max(8, min(one.count, other.count)) where one[index] != other[index] {
            if count == 0 { first = index }
            count &+= 1
        }
        return (first, count)
    }
}
