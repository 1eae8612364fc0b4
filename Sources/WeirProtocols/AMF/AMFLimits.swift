public import WeirPackets

/// Limits for AMF values.
public struct AMFLimits: LimitSet {
    /// The nesting depth of the AMF values of a message.
    public var depth = 32
    /// AMF values per message, including members of objects and arrays.
    public var values = 16_384
    /// Octets of text in the AMF values of a message, including strings repeated by reference.
    public var textOctets = 4 * 1024 * 1024
    /// Flaws kept of the AMF values of a message.
    public var flaws = 64

    /// Creates the default limits.
    public init() {}
}
