import WeirPackets

/// The header of a chunk: basic header, message header, extended timestamp (RTMP §5.3.1).
struct RTMPChunkHeader: Sendable, Hashable {
    /// The field that says "look at the extended timestamp" (RTMP §5.3.1.3).
    static let extendedMark: UInt32 = 0xFF_FFFF
    /// Octets of the longest header: 3 + 11 + 4.
    static let longest = 18
    /// Servers count message streams from 1: behind a hole a higher number that was not seen before is none.
    static let likelyMessageStreams: UInt32 = 0xFFFF
    /// The lowest chunk stream that some servers refuse: they have room for 32.
    static let firstHighStream = 32

    /// Which of the four message headers follows the basic header (RTMP §5.3.1.2).
    var format: UInt8
    /// Chunk stream id, 2 to 65599 (RTMP §5.3.1.1).
    var chunkStreamID: Int
    /// Octets of the basic header: 1, 2 or 3.
    var basicOctets: Int
    /// Octets of the header; a type 3 header can have four more.
    var octets: Int
    /// Type 0: the timestamp, types 1 and 2: the delta, in milliseconds; from the extended field if that is there. 0 for
    /// type 3.
    var time: UInt32 = 0
    /// Whether an extended timestamp is there. A type 3 header cannot know: it depends on the chunk before.
    var isExtended = false
    /// Types 0 and 1: octets of the whole message; else 0.
    var messageLength = 0
    /// Types 0 and 1: the message's type; else 0.
    var typeID: UInt8 = 0
    /// Type 0: message stream id, the only little-endian number of the protocol (RTMP §5.3.1.2.5); else 0.
    var messageStreamID: UInt32 = 0

    /// Whether the header says how long the message is, and of which type.
    var describesMessage: Bool { format < 2 }

    /// Reads the header at `start`, of type 3 without an extended timestamp; nil when not all of it is there.
    init?(_ bytes: RawSpan, at start: Int) {
        guard let first = bytes.byte(at: start) else { return nil }
        format = first >> 6
        switch first & 0x3F {
        case 0:
            guard let second = bytes.byte(at: start &+ 1) else { return nil }
            chunkStreamID = 64 &+ Int(second)
            basicOctets = 2
        case 1:
            // The third octet counts 256 (RTMP §5.3.1.1): little-endian, which the figure does not show.
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

    /// How many octets the header at `start` has, as far as those that are there tell.
    static func octets(_ bytes: RawSpan, at start: Int) -> Int {
        guard let first = bytes.byte(at: start) else { return 1 }
        let basic = first & 0x3F == 0 ? 2 : first & 0x3F == 1 ? 3 : 1
        let message = [11, 7, 3, 0][Int(first >> 6)]
        guard message > 0, bytes.byteCount &- start >= basic &+ 3 else { return basic &+ message }
        return basic &+ message &+ (uint24(bytes, start &+ basic) == extendedMark ? 4 : 0)
    }

    /// Three octets, big-endian; 0 when they are not there.
    private static func uint24(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
        UInt32(bytes.byte(at: offset) ?? 0) << 16 | UInt32(bytes.uint16(at: offset &+ 1) ?? 0)
    }

    /// Octets of the shortest basic header that can hold the id (RTMP §5.3.1.1).
    static func shortestBasic(_ chunkStreamID: Int) -> Int {
        chunkStreamID < 64 ? 1 : chunkStreamID < 320 ? 2 : 3
    }
}
