import WeirEngine
public import WeirPackets

/// A user-defined description of a signaling format that cannot be inferred: port, framing, and names of members.
public struct SignalingProfile: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The server's port, or nil for any connection.
    package var port: UInt16?
    /// The framing, or nil to infer it.
    package var framing: SignalingFraming?
    /// The members of the envelope.
    package var names = SignalingNames()
    /// Seconds without a message after which a peer is considered gone, or nil if not defined.
    package var heartbeatTimeout: Double?
    /// Whether a peer must log in before sending anything else.
    package var needsLogin = false
    /// IDs that mean no peer.
    package var nobody: Set<String> = []

    /// Creates a profile with defaults.
    package init(name: String) {
        self.name = name
    }

    /// Whether the profile applies to a flow.
    func covers(_ flow: FlowContext) -> Bool { port.map { $0 == flow.server.port } ?? true }
}

/// User settings for signaling, passed to dissectors with the limits.
public struct SignalingSettings: LimitSet {
    /// The profile, or nil if there is none.
    public var profile: SignalingProfile?

    /// Creates settings without a profile.
    public init() {}
}
