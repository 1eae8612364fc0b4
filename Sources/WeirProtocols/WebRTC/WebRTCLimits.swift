public import WeirPackets

/// The bounds that only STUN, ICE and what travels beside them need.
public struct WebRTCLimits: LimitSet {
    /// Transactions of STUN that wait for their answers, in one flow; and of one session.
    public var transactions = 256
    /// Channels of a relay that are known in one flow.
    public var channels = 64
    /// Peers behind a relay whose DTLS is read, in one flow.
    public var relayedPeers = 16
    /// Peers that a relay was asked to let pass, and requests for that, of one flow.
    public var permissions = 256
    /// TURN servers, each on a flow of its own, of one session.
    public var allocations = 64
    /// Pairs of candidates of one session.
    public var pairs = 256
    /// Candidates of one agent.
    public var candidates = 128
    /// Names by which further steps of one session are known: its flows, fragments of its agents, what signaling calls it.
    public var names = 1_024
    /// Generations of one agent, each with its fragment and password.
    public var generations = 32
    /// Clients whose addresses, as servers told them, are remembered for a call that may begin.
    public var gathered = 4_096

    /// The defaults.
    public init() {}
}
