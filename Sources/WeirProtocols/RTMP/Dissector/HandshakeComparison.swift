import WeirPackets

extension RTMPHandshakePart {
    /// The number of octets in which a repeated C1 may differ from the first: uninitialized memory may change.
    private static let similarOctets = 1_528 / 4

    /// Compares a C2 or S2 with the peer's first part, whose digest may be known, and with the sender's own.
    mutating func compare(_ part: [UInt8], peer: [UInt8], _ digest: HandshakeDigest?, own: [UInt8]) {
        let isClients = packet.isClients
        if peer.count == part.count {
            peerTime = peer.rawSpan.uint32(at: 0)
            peerSecondField = peer.rawSpan.uint32(at: 4)
            if part.rawSpan.clamped(8).equals(peer.rawSpan.clamped(8)) {
                answer = .echo
                scheme = .simple
                return
            }
        }
        // The digest of a first part of version 0 was not searched for until now.
        let wasSought = HandshakeDigest.mayHaveDigest(peer)
        let digest = wasSought ? digest : HandshakeDigest(part: peer, signer: isClients ? .server : .player)
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

    /// Records that the first chunk starts `short` octets before the end of an answer: the answer is too short, or the
    /// sender's first part was if the echo is ahead of its position by as much.
    mutating func shorten(by short: Int, _ part: [UInt8], peer: [UInt8]) {
        isUnfinished = false
        let isAhead = part.count > Self.sampleOctets && peer.count == packet.octets && Self.shift(part, peer) == short
        if isAhead { shift = short } else { missing = short }
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
        guard place >= 0, place + sampleOctets <= part.count else { return nil }
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
