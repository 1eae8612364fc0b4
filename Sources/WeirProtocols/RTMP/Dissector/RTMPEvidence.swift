import WeirPackets

extension RTMPChunkWalk {
    /// The state of a chunk stream that is relevant as evidence.
    struct Memory {
        var length: Int
        var typeID: UInt8
        var messageStreamID: UInt32?
        var timestamp: UInt32?
    }

    /// Returns how unlikely it is that random octets look like this message header, in bits, or nil if it cannot be
    /// one.
    ///
    /// The figures are logarithms of the share of values that occur in practice: 13 of 256 types exist (4 bits),
    /// message stream IDs are small (24 bits), deltas are short (13 bits below two seconds), and so on.
    static func evidence(
        _ header: RTMPChunkHeader, _ memory: Memory?, _ bytes: RawSpan, payload: Int
    ) -> Int? {
        let typeID = header.describesMessage ? header.typeID : memory?.typeID ?? 0
        let length = header.describesMessage ? header.messageLength : memory?.length ?? 0
        guard var bits = header.evidence(typeID: typeID, length: length) else { return nil }
        if !header.describesMessage { bits = 0 }
        if let memory { bits &+= memory.typeID == typeID ? 8 : 3 }
        switch header.format {
        case 0:
            if memory?.messageStreamID == header.messageStreamID {
                bits &+= 28
            } else if header.messageStreamID <= 0xFF {
                bits &+= 22
            } else if header.messageStreamID <= RTMPChunkHeader.likelyMessageStreams {
                bits &+= 12
            } else {
                return nil
            }
            if let before = memory?.timestamp, header.time &- before < 120_000 { bits &+= 5 }
        case 1, 2:
            if header.isExtended { return nil }
            switch header.time {
            case ..<2_000: bits &+= 13
            case ..<65_536: bits &+= 8
            default: return nil
            }
        default: break
        }
        guard let content = evidence(typeID: typeID, length: length, bytes, payload) else { return nil }
        return bits &+ content
    }

    /// Returns the evidence of the first available octets of the payload, or nil if no such payload starts like that.
    private static func evidence(typeID: UInt8, length: Int, _ bytes: RawSpan, _ start: Int) -> Int? {
        guard let first = bytes.byte(at: start) else { return 0 }
        let second = bytes.byte(at: start &+ 1)
        switch typeID {
        case 8:
            // AAC: followed by 0 or 1 (FLV 10.1 §E.4.2.1). Formats 12 and 13 are unused.
            if first >> 4 == 10 { return (second ?? 0) < 2 ? 8 : nil }
            if first >> 4 == 9 { return enhanced(bytes, start, packetType: first & 0x0F) }
            // MP3 starts with eleven set bits.
            if first >> 4 == 2, let second { return second == 0xFF ? 9 : nil }
            return first >> 4 == 12 || first >> 4 == 13 ? nil : 1
        case 9:
            if first & 0x80 != 0 { return enhanced(bytes, start, packetType: first & 0x0F) }
            guard (1...5).contains(first >> 4), (2...12).contains(first & 0x0F) else { return nil }
            // AVC and HEVC: followed by 0, 1 or 2 (FLV 10.1 §E.4.3.1).
            let hasType = (first & 0x0F == 7 || first & 0x0F == 12) && first >> 4 != 5
            return hasType ? (second ?? 0) < 3 ? 9 : nil : 2
        case 15, 17, 18, 20: return name(bytes, start, second)
        case 1:
            // The first bit of a chunk size is 0, and no chunk is empty (RTMP §5.4.1).
            guard let size = bytes.uint32(at: start) else { return 0 }
            return (1...0x7FFF_FFFF).contains(size) ? 0 : nil
        default: return 0
        }
    }

    /// Enhanced RTMP: a FourCC identifies the codec, unless modifiers or several tracks come first (E-RTMP v2 "Enhanced
    /// Audio", "Enhanced Video").
    private static func enhanced(_ bytes: RawSpan, _ start: Int, packetType: UInt8) -> Int? {
        guard packetType < 5, let code = bytes.uint32(at: start &+ 1) else { return packetType < 8 ? 1 : nil }
        return codes.contains(code) ? 28 : nil
    }

    private static let codes = Set(
        ["avc1", "hvc1", "vvc1", "vp08", "vp09", "av01", "ac-3", "ec-3", "Opus", ".mp3", "fLaC", "mp4a"]
            .compactMap { FourCC($0)?.code })

    /// Commands and data start with a name, an AMF0 string of printable characters; in types 15 and 17 a zero may
    /// precede it.
    private static func name(_ bytes: RawSpan, _ start: Int, _ second: UInt8?) -> Int? {
        let marker = bytes.byte(at: start) == 0 ? start &+ 1 : start
        guard let octet = bytes.byte(at: marker) else { return 0 }
        guard octet == 2 else { return nil }
        guard let length = bytes.uint16(at: marker &+ 1) else { return 8 }
        guard (1...64).contains(length) else { return nil }
        for index in 0..<Int(length) {
            guard let octet = bytes.byte(at: marker &+ 3 &+ index) else { break }
            guard (0x21...0x7E).contains(octet) else { return nil }
        }
        return 24
    }
}

extension RTMPChunkHeader {
    /// Whether messages of its type have such lengths and message streams.
    var isUsual: Bool { !describesMessage || evidence(typeID: typeID, length: messageLength) != nil }

    /// Returns the evidence of type and length, and of the chunk stream and message stream of control messages (RTMP
    /// §5.4).
    fileprivate func evidence(typeID: UInt8, length: Int) -> Int? {
        switch typeID {
        case 1, 2, 3, 5, 6:
            guard length == (typeID == 6 ? 5 : 4), format != 0 || messageStreamID == 0 else { return nil }
            return 24 &+ (chunkStreamID == 2 ? 8 : 0)
        case 4:
            guard (2...14).contains(length), format != 0 || messageStreamID == 0 else { return nil }
            return 20 &+ (chunkStreamID == 2 ? 8 : 0)
        case 8, 9, 22:
            guard length > 0, length < 1 << 22, format != 0 || messageStreamID != 0 else { return nil }
            return 4 &+ (length < 1 << 17 ? 3 : 0)
        case 15...20: return length > 3 && length < 1 << 18 ? 6 : nil
        default: return nil
        }
    }
}
