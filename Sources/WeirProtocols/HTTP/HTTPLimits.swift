import WeirPackets

/// Limits specific to HTTP.
package struct HTTPLimits: LimitSet {
    /// Number of consecutive exchanges unrelated to streaming after which a connection is ignored.
    package var idleExchanges = 16
    /// Bytes of an unrelated body after which a connection is ignored.
    package var idleOctets = 64 * 1024

    /// Creates the default limits.
    package init() {}
}
