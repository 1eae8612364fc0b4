internal import WeirPackets

/// Recognises the handshake (RTMP §5.2), on any port.
///
/// The version, 3, is weak evidence: other protocols begin with it, TPKT among them. What follows has to fit as well.
enum RTMPProbe {
    private static let first = 1_537
    private static let both = 3_073

    static func answer(client: RawSpan, server: RawSpan) -> ProbeAnswer {
        for bytes in [client.byte(at: 0), server.byte(at: 0)] { if let bytes, bytes != 3 { return .no } }
        if client.byteCount == 0 {
            // The capture holds only the server's side.
            guard server.byteCount >= first else { return .needMore }
            return server.uint32(at: 5) == 0 && isVaried(server) ? .yes : beginsMessages(server)
        }
        guard client.byteCount >= first else { return .needMore }
        guard isVaried(client) || server.byteCount >= first else { return client.byteCount > both ? .no : .needMore }
        if client.uint32(at: 5) == 0 { return .yes }
        if server.byteCount >= first, client.byteCount == first || isVersion(client) { return .yes }
        // The client has said its first part, and waits for the answer.
        if server.byteCount == 0, client.byteCount == first, isVersion(client) { return .yes }
        return beginsMessages(client)
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
        return RTMPResynchronisation.isFullHeader(bytes, at: both) ? .yes : .no
    }
}
