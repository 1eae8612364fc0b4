public import WeirPackets

/// Limits specific to STUN, ICE and related protocols.
public struct WebRTCLimits: LimitSet {
    /// Pending STUN transactions, per flow and per session.
    public var transactions = 256
    /// TURN channels per flow.
    public var channels = 64
    /// Peers behind a relay whose DTLS is dissected, per flow.
    public var relayedPeers = 16
    /// Data channels whose messages are counted, per DTLS connection that is decrypted.
    public var dataChannels = 256
    /// Peers with requested permissions, and pending requests, per flow.
    public var permissions = 256
    /// TURN servers per session, each with its own flow.
    public var allocations = 64
    /// Candidate pairs per session.
    public var pairs = 256
    /// Candidates per agent.
    public var candidates = 128
    /// Names per session that identify further messages: flows, username fragments, names in signaling.
    public var names = 1_024
    /// Credential generations per agent.
    public var generations = 32
    /// Clients whose mapped addresses are kept for a call that may start later.
    public var gathered = 4_096

    /// Creates the default limits.
    public init() {}
}
