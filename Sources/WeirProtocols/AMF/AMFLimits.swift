public import WeirPackets

/// The bounds that only AMF values need.
public struct AMFLimits: LimitSet {
    /// How deep the AMF values of one message may be nested.
    public var depth = 32
    /// AMF values of one message, members of objects and arrays included.
    public var values = 16_384
    /// Octets of text in the AMF values of one message, strings repeated by reference included.
    public var textOctets = 4 * 1024 * 1024
    /// Flaws of the AMF values of one message that are kept.
    public var flaws = 64

    /// The defaults.
    public init() {}
}
