public import WeirPackets

/// The bounds that only media streams need.
public struct RTPLimits: LimitSet {
    /// Packets after which a missing sequence number counts as lost.
    public var reorderPackets = 64
    /// Milliseconds after which a missing sequence number counts as lost.
    public var reorderMilliseconds = 500.0

    /// Sources of a flow of which one packet was seen, and which wait for a second one.
    public var probation = 16
    /// Sources, and kinds of feedback, that a description announces for one medium and that are compared with its packets.
    public var announced = 64
    /// Open streams of one source that RTCP may mean: of more nobody could tell which.
    public var sources = 256
    /// Paths that one stream takes at once.
    public var paths = 4
    /// Holes in the numbers of one stream whose places are remembered until they are told.
    public var openHoles = 64
    /// Numbers of one stream that were sent again and are remembered until their gap is told, and as many behind it.
    public var repairs = 1_024
    /// Requests of receivers that wait for their answer, and answers remembered, of one stream.
    public var requests = 256
    /// The latest sender reports of one stream that reception reports are matched with: a receiver names the last one it got.
    public var senderReports = 64
    /// Sender reports of one source before its first packet.
    public var earlyReports = 8
    /// Keys of SRTP that the packets of one stream are verified with: each packet is tried with all of them until one fits.
    public var keys = 8
    /// Octets of one picture that are kept until it can be written to a file.
    public var pictureOctets = 16 * 1024 * 1024
    /// The same for the pictures of all streams together.
    public var pictureTotalOctets = 64 * 1024 * 1024

    /// The defaults.
    public init() {}
}
