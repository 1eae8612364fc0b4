public import WeirPackets

/// The bounds that only STUN, ICE and what travels beside them need.
public struct WebRTCLimits: LimitSet {
    /// Transactions of STUN that wait for their answers, in one flow; and of one session.
    public var transactions = 256
    /// Channels of a relay that are known in one flow.
    public var channels = 64
    /// Peers behind a relay whose DTLS is read, in one flow.
    public var relayedPeers = 16
    /// Pairs of candidates of one session.
    public var pairs = 256
    /// Candidates of one agent.
    public var candidates = 128

    /// The defaults.
    public init() {}
}
