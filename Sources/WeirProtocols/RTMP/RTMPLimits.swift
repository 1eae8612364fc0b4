public import WeirPackets

/// The bounds that only RTMP connections need.
public struct RTMPLimits: LimitSet {
    /// Chunk streams that one side of an RTMP connection may use at once.
    public var chunkStreams = 256
    /// Messages that are read of one RTMP aggregate message.
    public var aggregatedMessages = 4_096
    /// Names of RTMP streams that are remembered for one connection, to be hidden wherever they occur.
    public var streamNames = 64
    /// Statuses that are kept of one RTMP message stream; what comes later is shown, but rules do not look back at it.
    public var statusesPerStream = 32
    /// Octets of the longest RTMP command that is kept until its answer comes.
    public var commandOctets = 16 * 1024
    /// RTMP media messages with something odd in their chunks that are shown of one session; further ones are only
    /// counted.
    public var oddMessages = 64
    /// Octets that are waited for to see whether a chunk is longer than announced.
    public var unannouncedOctets = 128 * 1024

    /// The defaults.
    public init() {}
}
