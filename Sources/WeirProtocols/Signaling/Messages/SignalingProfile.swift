import WeirEngine
public import WeirPackets

/// What the user says of a signaling that cannot be inferred: where it is spoken, how its messages are delimited, and which
/// members of them say what.
public struct SignalingProfile: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The server's port; nil when any connection may carry it.
    package var port: UInt16?
    /// How messages are delimited; nil when that is to be inferred.
    package var framing: SignalingFraming?
    /// Which members say what.
    package var names = SignalingNames()
    /// Seconds after which a peer that says nothing is believed to be gone; nil when nothing was said of it.
    package var heartbeatTimeout: Double?
    /// Whether a peer has to log in before it says anything else.
    package var needsLogin = false
    /// Ids that are nobody's, as the peers write them.
    package var nobody: Set<String> = []

    /// Creates a profile that says nothing but its name.
    package init(name: String) {
        self.name = name
    }

    /// Whether it is meant for a flow.
    func covers(_ flow: FlowContext) -> Bool { port.map { $0 == flow.server.port } ?? true }
}

/// What the user says of signaling: it travels with the limits, which every dissector is handed.
public struct SignalingSettings: LimitSet {
    /// What cannot be inferred; nil when nothing was said.
    public var profile: SignalingProfile?

    /// Nothing was said.
    public init() {}
}
