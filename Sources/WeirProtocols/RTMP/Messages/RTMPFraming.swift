/// How a message travelled: what its chunks' headers say beside the message itself (RTMP §5.3.1).
public struct RTMPFraming: Sendable, Hashable {
    /// What type 3 chunks do about the extended timestamp (RTMP §5.3.1.3: it is there when the latest chunk of another
    /// type had one). Old librtmp, among others, leaves it out.
    public enum ExtendedHabit: String, Sendable, Hashable {
        /// They repeat it.
        case repeated
        /// They leave it out.
        case omitted
    }

    /// A message that was given up because another one began on its chunk stream.
    public struct Unfinished: Sendable, Hashable {
        /// Octets of it that came.
        public var received: Int
        /// Octets that were announced.
        public var length: Int
    }

    /// Type of the chunk that began the message, 0 to 3 (RTMP §5.3.1.2).
    public var format: UInt8 = 0
    /// Octets of that chunk's basic header.
    public var basicOctets = 1
    /// Whether it is the first message that this side sent on the chunk stream.
    public var isFirstOnChunkStream = false
    /// The time as that chunk has it, in milliseconds: type 0 the timestamp, types 1 and 2 a delta; type 3 the delta
    /// that it repeats.
    public var timeField: UInt32 = 0
    /// Whether that chunk has an extended timestamp; for type 3, whether the one that it refers to had.
    public var isExtended = false
    /// What the message's type 3 chunks did about it; nil when there were none, or nothing to repeat.
    public var extendedHabit: ExtendedHabit?
    /// Milliseconds since the message before it on this chunk stream, in serial number arithmetic (RTMP §4); nil for the
    /// first, or when one of the two times is not known.
    public var step: Int32?
    /// Timestamp of that message; nil likewise.
    public var timestampBefore: UInt32?
    /// Chunks in the middle of the message that are not of type 3 (RTMP §5.3.1.2.4: SHOULD).
    public var oddContinuations = 0
    /// The message before it on this chunk stream, if this one began before that was complete.
    public var unfinished: Unfinished?
    /// The message came in a chunk that is longer than the sender has said its chunks are (RTMP §5.4.1).
    public var exceedsChunkSize = false
    /// Size of the sender's chunks when the message ended.
    public var chunkSize = 128
    /// Octets of the message with the headers of its chunks.
    public var wireOctets = 0
    /// Octets that this side has sent from the beginning of the connection, handshake included, to the end of the
    /// message; of a capture that begins late, from its beginning.
    public var position: UInt64 = 0
    /// Whether the timestamp is known: not when the capture missed the chunk that it counts from.
    public var isTimestampKnown = true
    /// Whether the message stream id is known: not when the capture missed the chunk that says it.
    public var isMessageStreamKnown = true
    /// What the sender should have waited for, when the capture shows it to come later (RTMP §5.2.1).
    package var hurriesAhead: RTMPHandshakePart.Awaited?
    /// Where the message begins was found out, after octets that the capture lacks: what seems wrong in it may be misread.
    public var isInferred = false
    /// Octets in front of the message that could not be read, after a gap, or at a late start.
    public var passedOver = 0
    /// The message came inside an aggregate message (RTMP §7.1.6).
    public var isInAggregate = false

    /// A basic header that is longer than it need be (RTMP §5.3.1.1: SHOULD).
    public func isBasicHeaderLong(_ chunkStreamID: Int) -> Bool {
        basicOctets > RTMPChunkHeader.shortestBasic(chunkStreamID)
    }
    /// The chunk stream did not begin with a chunk of type 0 (RTMP §5.3.1.2.1).
    public var beginsWithoutType0: Bool { isFirstOnChunkStream && format != 0 }
    /// A delta, not a new timestamp, took the time back (RTMP §5.3.1.2.1).
    public var goesBackByDelta: Bool { format != 0 && (step ?? 0) < 0 || hasNegativeDelta }
    /// The delta is a negative number that was cut to 24 bits, or one of 32 bits: nobody means a step of more than four
    /// and a half hours, or 24 days; unless it begins there, and a step back would lead before the beginning of time.
    public var hasNegativeDelta: Bool {
        guard format == 1 || format == 2, timeField >= (isExtended ? 1 << 31 : 0xFF_0000) else { return false }
        let back = isExtended ? 0 &- timeField : 0x100_0000 &- timeField
        return timestampBefore.map { $0 >= back } ?? true
    }
    /// A timestamp of 24 bits went on behind 16777215 with 0, without the extended field (RTMP §5.3.1.2.1).
    public var wrapsAt24Bits: Bool {
        guard format == 0, !isExtended, let step else { return false }
        return step < -0xFF_0000 && step >= -0x100_0000
    }
    /// The extended field holds what would have fit into 24 bits (RTMP §5.3.1.3).
    public var isExtendedNeedlessly: Bool { isExtended && timeField < RTMPChunkHeader.extendedMark }
    /// Whether its chunks are in any way other than the specification wants them.
    package var isOdd: Bool {
        unfinished != nil || hurriesAhead != nil || oddContinuations > 0 || extendedHabit == .omitted
            || beginsWithoutType0 || goesBackByDelta || wrapsAt24Bits || passedOver > 0 || exceedsChunkSize
    }
}
