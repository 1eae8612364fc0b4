public import WeirPackets

/// Limits for audio and video messages.
public struct FLVLimits: LimitSet {
    /// Tracks parsed per enhanced RTMP message.
    public var messageTracks = 256

    /// Creates the default limits.
    public init() {}
}
