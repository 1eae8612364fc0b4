import WeirPackets

/// The bounds that only signaling needs.
package struct SignalingLimits: LimitSet {
    /// Octets of an opening, for each direction, in which a session description or a candidate is looked for before a
    /// connection that carries JSON is taken for something else.
    package var openingOctets = 64 * 1024
    /// Octets before the first JSON text that may be a header: magic words, a length, a type.
    package var headerOctets = 24
    /// Messages that are told of one list of them; and descriptions and candidates that are told of one message.
    package var contents = 128
    /// Texts put into strings of each other.
    package var wrappings = 4
    /// Secrets of one connection that are looked for where later messages repeat them.
    package var secrets = 64

    /// The defaults.
    package init() {}
}
