public import WeirPackets

/// Limits specific to session descriptions.
public struct SDPLimits: LimitSet {
    /// Maximum number of lines in a session description.
    public var descriptionLines = 2_048

    /// Creates the default limits.
    public init() {}
}
