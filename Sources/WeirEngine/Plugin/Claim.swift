public import WeirPackets

/// What makes flows and messages part of a story: where media is to come, or a name that both sides say.
public enum ClaimKey: Hashable, Sendable {
    /// One end of a flow; its packets come from or go to it.
    case endpoint(Endpoint)
    /// The same, where the other end may be another than was said, behind a translating router (NAT): it counts for a flow
    /// only when nothing else is claimed there for the same peer address.
    case openEnd(Endpoint)
    /// A name in a space of names: a session's id at a server, the cookie of a tunnel.
    case name(space: StaticName, String)

    /// The name of a space of names.
    public struct StaticName: Hashable, Sendable, ExpressibleByStringLiteral {
        let name: String
        /// Takes the name.
        public init(stringLiteral name: String) { self.name = name }
    }
}

/// What a story lays claim to. It holds until the story ends or releases it.
public struct Claim: Sendable {
    /// What is claimed.
    public var key: ClaimKey
    /// The other end of a flow, if that was said too; of an open end only its address counts.
    public var peer: Endpoint?
    /// The dissector that reads the flow.
    public var protocolName: String
    /// The story's own number for what the flow is for: which medium it set up.
    public var purpose: Int
    /// Why the flow is expected, for the timeline.
    public var because: Text
    /// When the claim began: for an open end, flows that began before are something else.
    public var since: Timestamp?

    /// Creates a claim.
    public init(
        _ key: ClaimKey, peer: Endpoint? = nil, protocolName: String = "", purpose: Int = 0, because: Text = Text(""),
        since: Timestamp? = nil
    ) {
        self.key = key
        self.peer = peer
        self.protocolName = protocolName
        self.purpose = purpose
        self.because = because
        self.since = since
    }
}

/// A claim that a flow met, and whose it is.
public struct MetClaim {
    /// The claim.
    public let claim: Claim
    /// The story that laid it.
    public let owner: Session
}
