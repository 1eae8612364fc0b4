public import WeirPackets

/// The bounds that only session descriptions need.
public struct SDPLimits: LimitSet {
    /// Lines of one session description.
    public var descriptionLines = 2_048

    /// The defaults.
    public init() {}
}
