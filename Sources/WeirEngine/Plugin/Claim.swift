public import WeirPackets

/// The key by which flows and messages are assigned to a story: where media is expected, or a name that both sides use.
public enum ClaimKey: Hashable, Sendable {
    /// An endpoint of a flow, as source or destination.
    case endpoint(Endpoint)
    /// An endpoint whose peer may differ from the signaled one because of NAT. It matches a flow only if no other claim
    /// exists for the same endpoint and peer address.
    case openEnd(Endpoint)
    /// A name in a namespace, such as a session id at a server or a tunnel cookie.
    case name(space: StaticName, String)
    /// A media source that was announced between two hosts, by its SSRC (RFC 3550 §3).
    case source(UInt32, sender: IPAddress, receiver: IPAddress)

    /// The endpoint, if it is one of flows from or to any other.
    var endpoint: Endpoint? { if case .endpoint(let end) = self { end } else { nil } }
    /// The endpoint, if it is an open one.
    var openEnd: Endpoint? { if case .openEnd(let end) = self { end } else { nil } }

    /// The name of a namespace.
    public struct StaticName: Hashable, Sendable, ExpressibleByStringLiteral {
        let name: String
        /// Creates a namespace.
        public init(stringLiteral name: String) { self.name = name }
    }
}

/// A story's claim to flows or messages, valid until the story ends or releases it.
public struct Claim: Sendable {
    /// The key.
    public var key: ClaimKey
    /// The other endpoint of the flow, if signaled; for an open endpoint only its address is compared.
    public var peer: Endpoint?
    /// The name of the dissector for the flow.
    public var protocolName: String
    /// The story's number for the purpose of the flow, such as the index of the media it set up.
    public var purpose: Int
    /// Why the flow is expected, for the timeline.
    public var because: Text
    /// The start time of the claim; for an open endpoint, earlier flows do not match.
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

/// A claim that a flow matched, and its owner. An object: claims have several references, and are passed around.
public final class MatchedClaim {
    /// The claim.
    public let claim: Claim
    /// The session that made the claim.
    public let owner: Session
    /// The claimed endpoint, if it is an open one.
    let openEnd: Endpoint?
    /// The index of the claim among those of its owner.
    var index = 0

    init(claim: Claim, owner: Session) {
        self.claim = claim
        self.owner = owner
        openEnd = claim.key.openEnd
    }
}
