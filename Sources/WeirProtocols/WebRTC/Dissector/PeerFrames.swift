import WeirPackets

/// What shows that a message or a packet begins at a place of a connection, where nothing marks it.
enum PeerFrames {
    /// Whether a message of STUN begins there, by its cookie (RFC 8489 §5).
    static func isMessage(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.uint32(at: place &+ 4) == STUNMessage.cookie && bytes.byte(at: place).map { $0 < 4 } ?? false
    }

    /// Whether a length stands there, and behind it a message of STUN that is as long (RFC 4571 §2).
    static func isFramedMessage(_ bytes: RawSpan, at place: Int) -> Bool {
        guard isMessage(bytes, at: place &+ 2), let length = bytes.uint16(at: place),
            let body = bytes.uint16(at: place &+ 4)
        else { return false }
        return Int(length) == 20 &+ Int(body)
    }

    /// Whether a length stands there, and behind it a packet that peers exchange: STUN, DTLS, or media.
    static func isFrame(_ bytes: RawSpan, at place: Int) -> Bool {
        if isFramedMessage(bytes, at: place) || isFramedRecord(bytes, at: place) { return true }
        if case .proven = RTPFrameWalk.chain(bytes, at: place) { return true }
        return false
    }

    /// Whether the first record of DTLS fits the length before it.
    private static func isFramedRecord(_ bytes: RawSpan, at place: Int) -> Bool {
        guard let length = bytes.uint16(at: place), let type = bytes.byte(at: place &+ 2), 20...26 ~= type,
            let version = bytes.uint16(at: place &+ 3), version == 0xFEFF || version == 0xFEFD,
            let record = bytes.uint16(at: place &+ 13)
        else { return false }
        return Int(record) &+ 13 <= Int(length)
    }
}
