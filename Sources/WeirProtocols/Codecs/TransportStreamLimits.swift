public import WeirPackets

/// Limits for MPEG transport streams.
public struct TransportStreamLimits: LimitSet {
    /// The number of tracked PIDs.
    public var identifiers = 128
    /// The number of tracked programs, and of tables assembled at once.
    public var programs = 32
    /// Elementary streams per program.
    public var elements = 32

    /// Creates the default limits.
    public init() {}
}
