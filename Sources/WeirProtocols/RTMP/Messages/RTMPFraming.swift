/// How a message was transported, from its chunk headers (RTMP §5.3.1).
public struct RTMPFraming: Sendable, Hashable {
    /// How type 3 chunks treat the extended timestamp (RTMP §5.3.1.3: present if the latest chunk of another type had
    /// one). Old librtmp, among others, omits it.
    public enum ExtendedHabit: String, Sendable, Hashable {
        /// They repeat it.
        case repeated
        /// They omit it.
        case omitted
    }

    /// A message left incomplete because another one started on its chunk stream.
    public struct Unfinished: Sendable, Hashable {
        /// Octets received.
        public var received: Int
        /// Octets announced.
        public var length: Int
    }

    /// The type of the first chunk of the message, 0 to 3 (RTMP §5.3.1.2).
    public var format: UInt8 = 0
    /// The size of the basic header of the first chunk, in octets.
    public var basicOctets = 1
    /// Whether it is the first message of this side on the chunk stream.
    public var isFirstOnChunkStream = false
    /// The time field of the first chunk, in milliseconds: the timestamp for type 0, the delta for types 1 and 2, the
    /// repeated delta for type 3.
    public var timeField: UInt32 = 0
    /// Whether the first chunk has an extended timestamp; for type 3, whether the chunk it refers to had one.
    public var isExtended = false
    /// How the type 3 chunks of the message treated it, or nil if there were none or nothing to repeat.
    public var extendedHabit: ExtendedHabit?
    /// Milliseconds since the previous message on this chunk stream, in serial number arithmetic (RTMP §4), or nil for
    /// the first message and if one of the timestamps is unknown.
    public var step: Int32?
    /// The timestamp of the previous message, or nil in the same cases.
    public var timestampBefore: UInt32?
    /// The number of continuation chunks other than type 3 (RTMP §5.3.1.2.4: SHOULD).
    public var oddContinuations = 0
    /// The previous message on this chunk stream, if it was incomplete when this one started.
    public var unfinished: Unfinished?
    /// Whether a chunk of the message exceeded the announced chunk size (RTMP §5.4.1).
    public var exceedsChunkSize = false
    /// The sender's chunk size at the end of the message.
    public var chunkSize = 128
    /// The size of the message including its chunk headers, in octets.
    public var wireOctets = 0
    /// Octets sent by this side from the start of the connection, including the handshake, or from the start of a late
    /// capture, to the end of the message.
    public var position: UInt64 = 0
    /// Whether the timestamp is known. It is not if the chunk it is relative to was not captured.
    public var isTimestampKnown = true
    /// Whether the message stream ID is known. It is not if the chunk that contains it was not captured.
    public var isMessageStreamKnown = true
    /// The handshake part that the sender should have awaited, if the capture shows that it was sent later (RTMP
    /// §5.2.1).
    package var prematureOf: RTMPHandshakePart.Awaited?
    /// Whether the start of the message was inferred after missing octets, so that apparent errors may be misparsing.
    public var isInferred = false
    /// The number of losses of messages of this side before it, modulo 2^16; between two messages that differ in it,
    /// any number may be missing.
    public var losses: UInt16 = 0
    /// Octets before the message that could not be parsed, after a gap or at a late start.
    public var passedOver = 0
    /// Whether the message was part of an aggregate message (RTMP §7.1.6).
    public var isInAggregate = false

    /// Returns whether the basic header is longer than required (RTMP §5.3.1.1: SHOULD).
    public func isBasicHeaderLong(_ chunkStreamID: Int) -> Bool {
        basicOctets > RTMPChunkHeader.shortestBasic(chunkStreamID)
    }
    /// Whether the chunk stream did not start with a type 0 chunk (RTMP §5.3.1.2.1).
    public var beginsWithoutType0: Bool { isFirstOnChunkStream && format != 0 }
    /// Whether a delta rather than a new timestamp moved the time back (RTMP §5.3.1.2.1).
    public var goesBackByDelta: Bool { format != 0 && (step ?? 0) < 0 || hasNegativeDelta }
    /// The lowest delta that is taken for a negative number truncated to 24 bits.
    static let leastNegativeDelta: UInt32 = 0xFF_0000
    /// Whether the timestamp is the first one after negative deltas: the step back only undoes these.
    var endsDisplacement = false
    /// Whether the delta is a negative number truncated to 24 bits, or one of 32 bits: a step of more than four and a
    /// half hours, or 24 days, is not plausible, except at the start, where a step back would lead below 0.
    public var hasNegativeDelta: Bool {
        guard format == 1 || format == 2, timeField >= (isExtended ? 1 << 31 : Self.leastNegativeDelta) else {
            return false
        }
        let back = isExtended ? 0 &- timeField : 0x100_0000 &- timeField
        return timestampBefore.map { $0 >= back } ?? true
    }
    /// Whether a 24-bit timestamp continued from 16777215 at 0, without the extended field (RTMP §5.3.1.2.1).
    public var wrapsAt24Bits: Bool {
        guard format == 0, !isExtended, !endsDisplacement, let step else { return false }
        return step < -0xFF_0000 && step >= -0x100_0000
    }
    /// Whether the extended field contains a value that fits into 24 bits (RTMP §5.3.1.3).
    public var isExtendedNeedlessly: Bool { isExtended && timeField < RTMPChunkHeader.extendedMark }
    /// Whether its chunks deviate from the specification in any way.
    package var isOdd: Bool {
        unfinished != nil || prematureOf != nil || oddContinuations > 0 || extendedHabit == .omitted
            || beginsWithoutType0 || goesBackByDelta || wrapsAt24Bits || passedOver > 0 || exceedsChunkSize
    }
}
