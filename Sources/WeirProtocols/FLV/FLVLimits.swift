public import WeirPackets

/// The bounds that only audio and video messages need.
public struct FLVLimits: LimitSet {
    /// Tracks that are read of one message of enhanced RTMP.
    public var messageTracks = 256

    /// The defaults.
    public init() {}
}
