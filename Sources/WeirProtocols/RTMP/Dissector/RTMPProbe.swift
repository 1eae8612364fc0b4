import WeirEngine
import WeirPackets

/// Recognizes RTMP on any port: by the handshake (RTMP §5.2), and at a late start by chunks.
///
/// Version 3 is weak evidence, since other protocols such as TPKT start with it; the rest has to match as well.
enum RTMPProbe {
    /// The size of C0 and C1, in octets.
    static let first = 1_537
    private static let both = RTMPHandshake.octets

    /// Returns the versions that `answer` does not rule out.
    static func firstOctets(_ isUsualPort: Bool) -> FirstOctets {
        var octets = isUsualPort ? FirstOctets(1...31) : FirstOctets(3...3)
        for version in RTMPHandshakePart.encryptedVersions { octets.insert(version) }
        return octets
    }

    static func answer(client: RawSpan, server: RawSpan, isUsualPort: Bool) -> ProbeAnswer {
        for bytes in [client.byte(at: 0), server.byte(at: 0)] {
            if let bytes, bytes != 3, !RTMPHandshakePart.encryptedVersions.contains(bytes) {
                // On the usual port an unused version still counts as a handshake if the rest matches.
                guard isUsualPort, bytes < 32, bytes > 0 else { return .no }
            }
        }
        if client.byteCount == 0 {
            // Only the server's side was captured.
            guard server.byteCount >= first else { return .needMore }
            if server.byte(at: 0) == 3, server.uint32(at: 5) == 0, isVaried(server) { return .yes }
            return isSigned(server, .server) ? .yes : beginsMessages(server)
        }
        guard client.byteCount >= first else {
            // A server disconnects on unknown content, or sends only its version.
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
        // The client has sent its first part and waits for the answer.
        if server.byteCount == 0, client.byteCount == first, isVersion(client) { return .yes }
        return beginsMessages(client)
    }

    /// Whether an opening that ended early looks like a handshake: it was answered, or a zero field or version follows
    /// the time. Other protocols may start with the octet 3 by chance.
    static func mayBeginHandshake(client: RawSpan, server: RawSpan) -> Bool {
        let (one, isAnswered) = client.byteCount > 0 ? (client, server.byteCount > 0) : (server, false)
        guard !isAnswered, one.byteCount >= 9 else { return true }
        return one.uint32(at: 5) == 0 || isVersion(one) || (one.byteCount >= first && isSigned(one, .player))
    }

    /// Whether a side whose start may be missing starts with C0 and C1, or S0 and S1.
    static func beginsHandshake(_ bytes: RawSpan, isClient: Bool, isCut: Bool) -> ProbeAnswer {
        guard let version = bytes.byte(at: 0) else { return .needMore }
        guard version == 3 || RTMPHandshakePart.encryptedVersions.contains(version) else { return .no }
        if case .credible = walk(bytes).verdict { return .no }
        guard bytes.byteCount >= first else {
            // Truncated by the snap length: the zero field or a version is sufficient.
            return isCut ? bytes.uint32(at: 5) == 0 || isVersion(bytes) ? .yes : .no : .needMore
        }
        return bytes.uint32(at: 5) == 0 || isVersion(bytes) || isSigned(bytes, isClient ? .player : .server)
            ? .yes : .no
    }

    /// Whether the first octets of a connection contain chunks if the capture starts late.
    static func midstream(_ opening: borrowing FirstBytes, isUsualPort isUsual: Bool) -> ProbeAnswer {
        let client = midstream(opening.client, opening.clientStarts, isUsual, opening.flow.limits)
        if case .yes = client { return .yes }
        let server = midstream(opening.server, opening.serverStarts, isUsual, opening.flow.limits)
        if case .no = server { return client }
        return server
    }

    /// Probes one side for chunks: anywhere on the usual port, otherwise only at segment starts and with stronger
    /// evidence.
    private static func midstream(
        _ bytes: RawSpan, _ starts: [Int], _ isUsualPort: Bool, _ limits: Limits
    ) -> ProbeAnswer {
        guard bytes.byteCount > 0, isUsualPort || !isTLS(bytes) else { return .no }
        let most = isUsualPort ? limits.lateUsualProbeOctets : limits.lateProbeOctets
        let isAll = bytes.byteCount > most
        // Nothing to examine yet.
        guard !starts.isEmpty else { return isAll ? .no : .needMore }
        for offset in isUsualPort ? Array(0..<min(bytes.byteCount, most)) : starts where offset < bytes.byteCount {
            // Offsets within a segment are numerous, and files contain zeros and counters.
            let isStart = starts.contains(offset)
            let walk = walk(bytes, at: offset, enough: isUsualPort && isStart ? 44 : 64)
            if case .credible = walk.verdict { return .yes }
            guard isUsualPort, case .short = walk.verdict, walk.bits >= (isStart ? 24 : 44) else { continue }
            if isAll || offset == 0 { return .yes }
        }
        return isAll ? .no : .needMore
    }

    /// Whether a TLS record starts here: most connections captured midway are TLS.
    private static func isTLS(_ bytes: RawSpan) -> Bool {
        guard let type = bytes.byte(at: 0), bytes.byte(at: 1) == 3, let minor = bytes.byte(at: 2) else { return false }
        return (20...23).contains(type) && minor <= 4
    }

    private static func walk(_ bytes: RawSpan, at offset: Int = 0, enough: Int = 44) -> RTMPChunkWalk {
        let reader = RTMPChunkReader(isClient: true, limits: LimitsReference(Limits()))
        var best = RTMPChunkWalk(bytes, at: offset, chunkSize: .max, reader, enough: enough)
        // The evidence of the first header alone does not depend on the chunk size.
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
        // Octets 4 to 7 are zero in most parts without a digest.
        guard bytes.uint32(at: 5) != 0 else { return false }
        return HandshakeDigest(part: bytes.clamped(1, first).array(), signer: signer) != nil
    }

    /// Whether the octets after the time and zero field are not all equal: with one exception, clients send random
    /// octets, and a file of zeros is not a handshake.
    private static func isVaried(_ bytes: RawSpan) -> Bool {
        guard let sample = bytes.byte(at: 9) else { return false }
        for offset in 10..<min(bytes.byteCount, first) where bytes.byte(at: offset) != sample { return true }
        return false
    }

    /// Whether the field is a Flash Player version such as 9.0.124.2.
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
