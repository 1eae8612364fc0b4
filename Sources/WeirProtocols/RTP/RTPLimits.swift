public import WeirPackets

/// Limits specific to media streams.
public struct RTPLimits: LimitSet {
    /// Packets after which a missing sequence number counts as lost.
    public var reorderPackets = 64
    /// Milliseconds after which a missing sequence number counts as lost.
    public var reorderMilliseconds = 500.0

    /// Sources per flow with a single packet so far, waiting for a second one.
    public var probation = 16
    /// Sources, and feedback types, announced per media description that packets are compared with.
    public var announced = 64
    /// Open streams per source that RTCP is matched against; with more, the match is ambiguous.
    public var sources = 256
    /// Concurrent paths per stream.
    public var paths = 4
    /// Flows per RIST session.
    public var ristFlows = 64
    /// Sequence gaps per stream whose positions are kept until they are reported.
    public var openGaps = 64
    /// Retransmitted sequence numbers per stream kept until their gap is reported, and as many after it.
    public var repairs = 1_024
    /// Pending receiver requests, and responses kept, per stream.
    public var requests = 256
    /// The latest sender reports per stream that reception reports are matched with (a receiver names the last one
    /// received).
    public var senderReports = 64
    /// Sender reports kept per source before its first packet.
    public var earlyReports = 8
    /// SRTP keys tried per stream; each packet is verified against all of them until one matches.
    public var keys = 8
    /// SRTP keys tried per flow for RTCP, whose datagrams come from all sources.
    public var reportKeys = 32
    /// Rollovers of the sequence number that are assumed before a capture, when the rollover counter of SRTP is
    /// searched for.
    public var rollovers = 32
    /// Octets of one picture buffered until it can be written to a file.
    public var pictureOctets = 16 * 1024 * 1024
    /// Octets of pictures buffered over all streams.
    public var pictureTotalOctets = 64 * 1024 * 1024

    /// Creates the default limits.
    public init() {}
}
