public import WeirPackets

/// The limits of SRT sessions.
public struct SRTLimits: LimitSet {
    /// Packets held per stream until an earlier one has arrived.
    public var heldPackets = 1_024
    /// Octets held per stream for the same reason.
    public var heldOctets = 1 << 20
    /// Missing or requested packets tracked per stream.
    public var missingPackets = 8_192

    /// The default flow window of a receiver in packets, beyond which packets cannot be in flight.
    static let window = 8_192

    /// Creates the default limits.
    public init() {}
}
