internal import WeirPackets

/// The header of a chunk: basic header, message header, extended timestamp (RTMP §5.3.1).
struct RTMPChunkHeader: Sendable, Hashable {
    /// The field that says "look at the extended timestamp" (RTMP §5.3.1.3).
    static let extendedMark: UInt32 = 0xFF_FFFF

    /// Which of the four message headers follows the basic header (RTMP §5.3.1.2).
    var format: UInt8
    /// Chunk stream id, 2 to 65599 (RTMP §5.3.1.1).
    var chunkStreamID: Int
    /// Octets of the basic header: 1, 2 or 3.
    var basicOctets: Int
    /// Type 0: the timestamp, types 1 and 2: the delta, in milliseconds; from the extended field if that is there.
    var time: UInt32?
    /// Whether an extended timestamp is there. A type 3 header cannot know: it depends on the chunk before.
    var isExtended = false
    /// Types 0 and 1: octets of the whole message.
    var messageLength: Int?
    /// Types 0 and 1: the message's type.
    var typeID: UInt8?
    /// Type 0: message stream id, the only little-endian number of the protocol (RTMP §5.3.1.2.5).
    var messageStreamID: UInt32?

    /// Reads a header from the start of `reader`, for type 3 without an extended timestamp.
    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader) throws(DecodeError) {
        let first = try reader.uint8()
        format = first >> 6
        switch first & 0x3F {
        case 0:
            chunkStreamID = 64 &+ Int(try reader.uint8())
            basicOctets = 2
        case 1:
            // The third octet counts 256 (RTMP §5.3.1.1): little-endian, though the text does not say so.
            chunkStreamID = 64 &+ Int(try reader.uint16LittleEndian())
            basicOctets = 3
        case let id:
            chunkStreamID = Int(id)
            basicOctets = 1
        }
        guard format < 3 else { return }
        let field = try reader.uint24()
        if format < 2 {
            messageLength = Int(try reader.uint24())
            typeID = try reader.uint8()
        }
        if format == 0 { messageStreamID = try reader.uint32LittleEndian() }
        isExtended = field == Self.extendedMark
        time = isExtended ? try reader.uint32() : field
    }
}
