import WeirPackets

/// Tests for the start of a message or packet at any position of a connection.
enum PeerFrames {
    /// Whether a STUN message starts at the position, by its magic cookie (RFC 8489 §5).
    static func isMessage(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.uint32(at: place &+ 4) == STUNMessage.cookie && bytes.byte(at: place).map { $0 < 4 } ?? false
    }

    /// Whether a length is at the position, followed by a STUN message of that length (RFC 4571 §2).
    static func isFramedMessage(_ bytes: RawSpan, at place: Int) -> Bool {
        guard isMessage(bytes, at: place &+ 2), let length = bytes.uint16(at: place),
            let body = bytes.uint16(at: place &+ 4)
        else { return false }
        return Int(length) == 20 &+ Int(body)
    }

    /// Whether a length is at the position, followed by a packet between peers: STUN, DTLS, or media.
    static func isFrame(_ bytes: RawSpan, at place: Int) -> Bool {
        if isFramedMessage(bytes, at: place) || isFramedRecord(bytes, at: place) { return true }
        if case .proven = RTPFrameWalk.chain(bytes, at: place) { return true }
        return false
    }

    /// Whether traffic between a client and a relay starts at the position: a message, alone or in channel data, or a
    /// chain of these.
    static func isPlain(_ bytes: RawSpan, at place: Int) -> Bool {
        isMessage(bytes, at: place) || isRelayed(bytes, at: place)
            || isChannel(bytes, at: place) && isMessage(bytes, at: place &+ 4)
                && bytes.uint16(at: place &+ 2).map { Int($0) } == bytes.uint16(at: place &+ 6).map { Int($0) &+ 20 }
    }

    /// Whether a channel number is at the position (RFC 8656 §12).
    private static func isChannel(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.byte(at: place).map { 0x40...0x4F ~= $0 } ?? false
    }

    /// The minimum number of consecutive frames, up to or beyond the last available octet, that identify a relay
    /// connection.
    private static let fewestRelayed = 3

    /// Whether a chain of frames between a client and a relay starts at the position: STUN messages, and channel data,
    /// padded to four octets (RFC 8656 §12.5), that contains the start of a packet between peers.
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

    /// Whether the first DTLS record fits the length before it.
    private static func isFramedRecord(_ bytes: RawSpan, at place: Int) -> Bool {
        guard let length = bytes.uint16(at: place), let type = bytes.byte(at: place &+ 2), 20...26 ~= type,
            let version = bytes.uint16(at: place &+ 3), version == 0xFEFF || version == 0xFEFD,
            let record = bytes.uint16(at: place &+ 13)
        else { return false }
        return Int(record) &+ 13 <= Int(length)
    }
}
