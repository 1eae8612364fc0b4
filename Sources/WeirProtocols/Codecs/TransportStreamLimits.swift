public import WeirPackets

/// The bounds that only MPEG transport streams need.
public struct TransportStreamLimits: LimitSet {
    /// PIDs that are followed.
    public var identifiers = 128
    /// Programs that are followed, and tables that are put together at once.
    public var programs = 32
    /// Elementary streams of one program.
    public var elements = 32

    /// The defaults.
    public init() {}
}
