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

    /// Whether what a relay or its client sends begins there: a message, alone or in channel data, or a chain of these.
    static func isPlain(_ bytes: RawSpan, at place: Int) -> Bool {
        isMessage(bytes, at: place) || isRelayed(bytes, at: place)
            || isChannel(bytes, at: place) && isMessage(bytes, at: place &+ 4)
                && bytes.uint16(at: place &+ 2).map { Int($0) } == bytes.uint16(at: place &+ 6).map { Int($0) &+ 20 }
    }

    /// Whether the number of a channel stands there (RFC 8656 §12).
    private static func isChannel(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.byte(at: place).map { 0x40...0x4F ~= $0 } ?? false
    }

    /// Frames that show a relay's connection when they follow each other to the last octet at hand, or behind it.
    private static let fewestRelayed = 3

    /// Whether a chain of what a relay and its client send begins there: messages of STUN, and channel data, padded to four
    /// octets (RFC 8656 §12.5), in which what peers exchange begins.
    static func isRelayed(_ bytes: RawSpan, at place: Int) -> Bool {
        var offset = place
        for _ in 0..<fewestRelayed {
            guard let length = bytes.uint16(at: offset &+ 2) else { return false }
            if isMessage(bytes, at: offset) {
                offset &+= 20 &+ Int(length)
            } else if isChannel(bytes, at: offset), length > 0, let inner = bytes.byte(at: offset &+ 4),
                inner < 4 || 20...63 ~= inner || 128...191 ~= inner
            {
                offset &+= (4 &+ Int(length) &+ 3) & ~3
            } else {
                return false
            }
        }
        return offset <= bytes.byteCount
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
