public import WeirPackets

/// The bounds that only media streams need.
public struct RTPLimits: LimitSet {
    /// Packets after which a missing sequence number counts as lost.
    public var reorderPackets = 64
    /// Milliseconds after which a missing sequence number counts as lost.
    public var reorderMilliseconds = 500.0

    /// The defaults.
    public init() {}
}
