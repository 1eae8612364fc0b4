public import WeirPackets

/// Limits for RTMP connections.
public struct RTMPLimits: LimitSet {
    /// Chunk streams per side of a connection.
    public var chunkStreams = 256
    /// Messages parsed per aggregate message.
    public var aggregatedMessages = 4_096
    /// Stream names stored per connection, to be masked wherever they occur.
    public var streamNames = 64
    /// Statuses stored per message stream; later ones are shown, but not available to rules.
    public var statusesPerStream = 32
    /// The size of the longest command stored until it is answered, in octets.
    public var commandOctets = 16 * 1024
    /// Media messages with irregular chunks shown per session; further ones are only counted.
    public var oddMessages = 64
    /// Octets awaited to determine whether a chunk is longer than announced.
    public var unannouncedOctets = 128 * 1024

    /// Creates the default limits.
    public init() {}
}
