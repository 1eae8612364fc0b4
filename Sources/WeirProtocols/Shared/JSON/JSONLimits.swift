import WeirPackets

/// Limits specific to JSON.
package struct JSONLimits: LimitSet {
    /// Maximum nesting depth.
    package var depth = 64
    /// Maximum number of values in a text.
    package var values = 32_768
    /// Maximum number of flaws reported per text.
    package var flaws = 32

    /// Creates the default limits.
    package init() {}
}
