import WeirPackets

/// The bounds that only JSON needs.
package struct JSONLimits: LimitSet {
    /// Values in each other.
    package var depth = 64
    /// Values of one text.
    package var values = 32_768
    /// Flaws of one text that are told apart.
    package var flaws = 32

    /// The defaults.
    package init() {}
}
