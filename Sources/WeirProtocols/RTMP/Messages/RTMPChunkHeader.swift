import WeirPackets

/// A chunk header: basic header, message header, extended timestamp (RTMP §5.3.1).
struct RTMPChunkHeader: Sendable, Hashable {
    /// The value of the timestamp field that indicates an extended timestamp (RTMP §5.3.1.3).
    static let extendedMark: UInt32 = 0xFF_FFFF
    /// The size of the longest header in octets: 3 + 11 + 4.
    static let longest = 18
    /// The largest plausible message stream ID: servers count from 1, so a higher unknown ID after a gap is chance.
    static let likelyMessageStreams: UInt32 = 0xFFFF
    /// The lowest chunk stream ID that some servers refuse, which support 32.
    static let firstHighStream = 32
    /// The lowest chunk stream IDs that take two, and three octets (RTMP §5.3.1.1).
    static let firstLongID = 64
    static let firstLongestID = 320

    /// The type of the message header after the basic header, 0 to 3 (RTMP §5.3.1.2).
    var format: UInt8
    /// The chunk stream ID, 2 to 65599 (RTMP §5.3.1.1).
    var chunkStreamID: Int
    /// The size of the basic header in octets: 1, 2 or 3.
    var basicOctets: Int
    /// The size of the header in octets; a type 3 header may have four more.
    var octets: Int
    /// The timestamp (type 0) or delta (types 1 and 2) in milliseconds, from the extended field if present; 0 for type
    /// 3.
    var time: UInt32 = 0
    /// Whether there is an extended timestamp. For type 3 this depends on the preceding chunk.
    var isExtended = false
    /// The message length in octets for types 0 and 1, otherwise 0.
    var messageLength = 0
    /// The message type for types 0 and 1, otherwise 0.
    var typeID: UInt8 = 0
    /// The message stream ID for type 0, the only little-endian number of the protocol (RTMP §5.3.1.2.5), otherwise 0.
    var messageStreamID: UInt32 = 0

    /// Whether the header contains the message length and type.
    var describesMessage: Bool { format < 2 }

    /// Parses the header at `start`, without the extended timestamp for type 3, or returns nil if it is incomplete.
    init?(_ bytes: RawSpan, at start: Int) {
        guard let first = bytes.byte(at: start) else { return nil }
        format = first >> 6
        switch first & 0x3F {
        case 0:
            guard let second = bytes.byte(at: start &+ 1) else { return nil }
            chunkStreamID = 64 &+ Int(second)
            basicOctets = 2
        case 1:
            // The third octet counts 256 (RTMP §5.3.1.1): little-endian, which the figure there does not show.
            guard let field = bytes.uint16(at: start &+ 1) else { return nil }
            chunkStreamID = 64 &+ Int(field.byteSwapped)
            basicOctets = 3
        case let id:
            chunkStreamID = Int(id)
            basicOctets = 1
        }
        octets = basicOctets
        guard format < 3 else { return }
        let place = start &+ basicOctets
        octets &+= format == 0 ? 11 : format == 1 ? 7 : 3
        guard bytes.byteCount &- start >= octets else { return nil }
        time = Self.uint24(bytes, place)
        if format < 2 {
            messageLength = Int(Self.uint24(bytes, place &+ 3))
            typeID = bytes.byte(at: place &+ 6) ?? 0
        }
        if format == 0 { messageStreamID = bytes.uint32(at: place &+ 7)?.byteSwapped ?? 0 }
        guard time == Self.extendedMark else { return }
        guard let extended = bytes.uint32(at: start &+ octets) else { return nil }
        time = extended
        isExtended = true
        octets &+= 4
    }

    /// Returns the size of the header at `start` in octets, as far as the available octets determine it.
    static func octets(_ bytes: RawSpan, at start: Int) -> Int {
        guard let first = bytes.byte(at: start) else { return 1 }
        let basic = first & 0x3F == 0 ? 2 : first & 0x3F == 1 ? 3 : 1
        let message = [11, 7, 3, 0][Int(first >> 6)]
        guard message > 0, bytes.byteCount &- start >= basic &+ 3 else { return basic &+ message }
        return basic &+ message &+ (uint24(bytes, start &+ basic) == extendedMark ? 4 : 0)
    }

    /// Returns three octets as a big-endian number, or 0 if they are not available.
    private static func uint24(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        UInt32(bytes.byte(at: offset) ?? 0) << 16 | UInt32(bytes.uint16(at: offset &+ 1) ?? 0)
    }

    /// Returns the size of the shortest basic header for the ID, in octets (RTMP §5.3.1.1).
    static func shortestBasic(_ chunkStreamID: Int) -> Int {
        chunkStreamID < 64 ? 1 : chunkStreamID < 320 ? 2 : 3
    }
}
