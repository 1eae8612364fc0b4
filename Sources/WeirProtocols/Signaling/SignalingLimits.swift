import WeirPackets

/// Limits specific to signaling.
package struct SignalingLimits: LimitSet {
    /// Octets at the start of each direction that are searched for a session description or a candidate before a
    /// connection with JSON is rejected.
    package var openingOctets = 64 * 1024
    /// Octets of a header before the first JSON text: magic, length, type.
    package var headerOctets = 24
    /// Messages reported from one list, and descriptions and candidates reported from one message.
    package var contents = 128
    /// Nesting depth of JSON texts inside strings.
    package var wrappings = 4
    /// Secrets per connection that are masked when later messages repeat them.
    package var secrets = 64

    /// Creates the default limits.
    package init() {}
}
