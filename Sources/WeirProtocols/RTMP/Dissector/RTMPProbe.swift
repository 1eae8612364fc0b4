import WeirEngine
import WeirPackets

/// Recognises RTMP, on any port: by the handshake (RTMP §5.2), and at a late start by chunks.
///
/// The version, 3, is weak evidence: other protocols begin with it, TPKT among them. What follows has to fit as well.
enum RTMPProbe {
    /// Octets of C0 and C1.
    static let first = 1_537
    private static let both = RTMPHandshake.octets

    static func answer(client: RawSpan, server: RawSpan, isUsualPort: Bool) -> ProbeAnswer {
        for bytes in [client.byte(at: 0), server.byte(at: 0)] {
            if let bytes, bytes != 3, !RTMPHandshakePart.encryptedVersions.contains(bytes) {
                // A version that nobody speaks is still a handshake on the usual port, when the rest fits.
                guard isUsualPort, bytes < 32, bytes > 0 else { return .no }
            }
        }
        if client.byteCount == 0 {
            // The capture holds only the server's side.
            guard server.byteCount >= first else { return .needMore }
            if server.byte(at: 0) == 3, server.uint32(at: 5) == 0, isVaried(server) { return .yes }
            return isSigned(server, .server) ? .yes : beginsMessages(server)
        }
        guard client.byteCount >= first else {
            // A server that was asked for nothing it knows hangs up, or says no more than its version.
            return .needMore
        }
        if isSigned(client, .player) { return .yes }
        let isAnswered = server.byteCount >= first
        guard client.byte(at: 0) == 3 else {
            let isAlike = isUsualPort && client.uint32(at: 5) == 0 && isVaried(client)
            return isAlike ? .yes : client.byteCount > both ? .no : .needMore
        }
        guard isVaried(client) || isAnswered else { return client.byteCount > both ? .no : .needMore }
        if client.uint32(at: 5) == 0 { return .yes }
        if isAnswered, client.byteCount == first || isVersion(client) { return .yes }
        // The client has said its first part, and waits for the answer.
        if server.byteCount == 0, client.byteCount == first, isVersion(client) { return .yes }
        return beginsMessages(client)
    }

    /// Whether what came of an opening that ended early looks like a handshake: answered, or with the zero field or a version
    /// behind the time. Any line of text may begin with the octet 3.
    static func mayBeginHandshake(client: RawSpan, server: RawSpan) -> Bool {
        let (one, isAnswered) = client.byteCount > 0 ? (client, server.byteCount > 0) : (server, false)
        guard !isAnswered, one.byteCount >= 9 else { return true }
        return one.uint32(at: 5) == 0 || isVersion(one) || (one.byteCount >= first && isSigned(one, .player))
    }

    /// Whether a side whose beginning may be missing begins with C0 and C1, or S0 and S1.
    static func beginsHandshake(_ bytes: RawSpan, isClient: Bool, isCut: Bool) -> ProbeAnswer {
        guard let version = bytes.byte(at: 0) else { return .needMore }
        guard version == 3 || RTMPHandshakePart.encryptedVersions.contains(version) else { return .no }
        if case .credible = walk(bytes).verdict { return .no }
        guard bytes.byteCount >= first else {
            // Cut by the snap length: the zero field or a version has to do.
            return isCut ? bytes.uint32(at: 5) == 0 || isVersion(bytes) ? .yes : .no : .needMore
        }
        return bytes.uint32(at: 5) == 0 || isVersion(bytes) || isSigned(bytes, isClient ? .player : .server)
            ? .yes : .no
    }

    /// Whether chunks are in the first octets of a connection whose beginning the capture does not hold.
    static func midstream(_ opening: borrowing FirstBytes, isUsualPort isUsual: Bool) -> ProbeAnswer {
        let client = midstream(opening.client, opening.clientStarts, isUsual, opening.flow.limits)
        if case .yes = client { return .yes }
        let server = midstream(opening.server, opening.serverStarts, isUsual, opening.flow.limits)
        if case .no = server { return client }
        return server
    }

    /// On the usual port chunks may begin anywhere; on another one only where a segment does, and have to be surer.
    private static func midstream(
        _ bytes: RawSpan, _ starts: [Int], _ isUsualPort: Bool, _ limits: Limits
    ) -> ProbeAnswer {
        guard bytes.byteCount > 0, isUsualPort || !isTLS(bytes) else { return .no }
        let most = isUsualPort ? limits.lateUsualProbeOctets : limits.lateProbeOctets
        let isAll = bytes.byteCount > most
        // Nothing to look at this time.
        guard !starts.isEmpty else { return isAll ? .no : .needMore }
        for offset in isUsualPort ? Array(0..<min(bytes.byteCount, most)) : starts where offset < bytes.byteCount {
            // What is not at the beginning of a segment is one of very many places, and files have zeros and counters in them.
            let isStart = starts.contains(offset)
            let walk = walk(bytes, at: offset, enough: isUsualPort && isStart ? 44 : 64)
            if case .credible = walk.verdict { return .yes }
            guard isUsualPort, case .short = walk.verdict, walk.bits >= (isStart ? 24 : 44) else { continue }
            if isAll || offset == 0 { return .yes }
        }
        return isAll ? .no : .needMore
    }

    /// Whether a record of TLS begins: most connections that a capture finds under way are TLS.
    private static func isTLS(_ bytes: RawSpan) -> Bool {
        guard let type = bytes.byte(at: 0), bytes.byte(at: 1) == 3, let minor = bytes.byte(at: 2) else { return false }
        return (20...23).contains(type) && minor <= 4
    }

    private static func walk(_ bytes: RawSpan, at offset: Int = 0, enough: Int = 44) -> RTMPChunkWalk {
        let reader = RTMPChunkReader(isClient: true, limits: LimitsReference(Limits()))
        var best = RTMPChunkWalk(bytes, at: offset, chunkSize: .max, reader, enough: enough)
        // What the first header says does not depend on the size of chunks.
        if case .impossible = best.verdict, best.bits == 0 { return best }
        for size in RTMPChunkWalk.usualSizes {
            if case .credible = best.verdict { break }
            let walk = RTMPChunkWalk(bytes, at: offset, chunkSize: size, reader, enough: enough)
            if case .impossible = walk.verdict { continue }
            if case .impossible = best.verdict { best = walk }
            if walk.bits > best.bits { best = walk }
        }
        return best
    }

    private static func isSigned(_ bytes: RawSpan, _ signer: HandshakeDigest.Signer) -> Bool {
        // Octets 4 to 7 are zero in most that have no digest.
        guard bytes.uint32(at: 5) != 0 else { return false }
        return HandshakeDigest(part: bytes.clamped(1, first).array(), signer: signer) != nil
    }

    /// Whether the octets behind time and zero field are not all one and the same: they are random in real clients, with
    /// one exception, and a file of zeros is no handshake.
    private static func isVaried(_ bytes: RawSpan) -> Bool {
        guard let sample = bytes.byte(at: 9) else { return false }
        for offset in 10..<min(bytes.byteCount, first) where bytes.byte(at: offset) != sample { return true }
        return false
    }

    /// A Flash Player's version, such as 9.0.124.2.
    private static func isVersion(_ bytes: RawSpan) -> Bool {
        guard let major = bytes.byte(at: 5), let minor = bytes.byte(at: 6) else { return false }
        return (5...40).contains(major) && minor < 16
    }

    /// Whether a message of a plausible type follows the handshake.
    private static func beginsMessages(_ bytes: RawSpan) -> ProbeAnswer {
        guard bytes.byteCount >= both &+ 12 else { return .needMore }
        return walk(bytes, at: both, enough: 24).bits >= 24 ? .yes : .no
    }
}
