import WeirPackets

/// The bounds that only HTTP needs.
package struct HTTPLimits: LimitSet {
    /// Exchanges in a row without anything of streaming after which a connection is read no more.
    package var idleExchanges = 16
    /// Octets of a body that cannot be of interest after which the same holds.
    package var idleOctets = 64 * 1024

    /// The defaults.
    package init() {}
}
