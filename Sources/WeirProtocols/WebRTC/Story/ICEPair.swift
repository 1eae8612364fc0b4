import WeirEngine
package import WeirPackets

/// A pair of candidates that checks were sent on, or DTLS and media (RFC 8445 §6.1.2): a flow, or a peer behind a relay
/// on it.
package struct ICEPair {
    /// What the checks of one direction came to.
    package struct Checks: Sendable {
        /// Requests, those sent again not counted.
        package internal(set) var sent = 0
        /// Requests that were sent again.
        package internal(set) var repeated = 0
        /// Those that were granted, and refused.
        package internal(set) var succeeded = 0
        package internal(set) var refused = 0
        /// Refusals: the code, and the first frame with it.
        package internal(set) var errors: [(code: Int, frame: Int)] = []
        /// The first and the last request.
        package internal(set) var first: Moment?
        package internal(set) var last: Moment?
        /// The first and the last answer that grants.
        package internal(set) var firstSuccess: Moment?
        package internal(set) var lastSuccess: Moment?
        /// The shortest time from a request to its answer, in nanoseconds.
        package internal(set) var roundTrip: Int64?
        /// Where the answers say that the requests came from.
        package internal(set) var mapped: Endpoint?
        /// The sender's role: whether it controls.
        package internal(set) var isControlling: Bool?
        /// The latest fragments: of the receiver and of the sender.
        package internal(set) var fragments: (receiver: String, sender: String)?
    }

    /// A frame, and its time and event.
    package struct Moment: Sendable {
        /// The frame.
        package var frame: Int
        /// When.
        package var time: Timestamp
        /// The event.
        package var event: Int
    }

    /// The flow that carries it.
    package let flow: Int
    /// The ends of the flow.
    package let client: Endpoint
    package let server: Endpoint
    /// Whether TCP carries it.
    package let isTCP: Bool
    /// Whether it is one behind a relay, and the peer there, where its messages say it.
    package let isRelayed: Bool
    package let peer: Endpoint?
    /// The direction in which the relay's client sends: where the capture begins late, that may be the flow's server.
    let relayClient: Direction
    /// The address that the relay gave.
    package internal(set) var relayAddress: Endpoint?
    /// The peer behind the relay, as answers to its checks call it.
    var mappedPeer: Endpoint?
    /// Checks from the client of the flow, and from its server.
    package internal(set) var fromClient = Checks()
    package internal(set) var fromServer = Checks()
    /// When a check that nominates was granted first, and last.
    package internal(set) var nominated: Moment?
    package internal(set) var nominatedLast: Moment?
    /// The first check that nominates.
    package internal(set) var nominating: Moment?
    /// Whether the capture may lack checks that came before a nomination was seen, or their answers: one is answered and not
    /// there, or one that nominates is not answered, and a later one is.
    var lacksChecks = false
    /// Refusals of both directions.
    package var errors: [(code: Int, frame: Int)] {
        (fromClient.errors + fromServer.errors).sorted { $0.frame < $1.frame }
    }
    /// A check whose authentication code is wrong.
    package internal(set) var integrityFault: Moment?
    /// A check whose authentication code is right.
    package internal(set) var integrityProof: Moment?
    /// The component that its checks are of: the last octet of their priority is 256 less its number (RFC 8445 §5.1.2.1).
    var component: UInt8?
    /// The ends at which a host says that nobody takes packets.
    var refusedEnds: Set<Endpoint> = []
    /// Whether DTLS messages came on it.
    package internal(set) var carriesDTLS = false

    /// The checks of one direction.
    subscript(direction: Direction) -> Checks {
        get { direction == .clientToServer ? fromClient : fromServer }
        set { if direction == .clientToServer { fromClient = newValue } else { fromServer = newValue } }
    }

    /// Whether checks were granted in at least one direction.
    package var works: Bool { fromClient.succeeded > 0 || fromServer.succeeded > 0 }

    /// Whether anything of both its ends was captured: checks of both, or an answer.
    var isTwoSided: Bool {
        works || carriesDTLS || !refusedEnds.isEmpty || fromClient.refused > 0 || fromServer.refused > 0
            || fromClient.sent > 0 && fromServer.sent > 0
    }

    /// The user name fragments of both agents, as the latest checks have them.
    var names: Set<String>? { (fromClient.fragments ?? fromServer.fragments).map { [$0.receiver, $0.sender] } }

    /// The end that sends in a direction, as the other agent sees it: where a relay carries the pair, its address, and the
    /// peer behind it; nil where the capture does not show which these are.
    package func end(_ direction: Direction) -> Endpoint? {
        guard isRelayed else { return direction == .clientToServer ? client : server }
        return direction == relayClient ? relayAddress : peer ?? mappedPeer
    }

    /// The relay that carries it.
    private var relay: Endpoint { relayClient == .clientToServer ? server : client }

    /// The same in words.
    func name(_ direction: Direction) -> Text {
        if let end = end(direction) { return Text("webrtc.end.untold", .string(end.description)) }
        return Text(
            direction == relayClient ? "webrtc.end.ofRelay" : "webrtc.end.behindRelay", .string(relay.description))
    }

    /// Takes note of where an answer says that a check came from (RFC 8445 §7.3.1.3): behind a relay from its address, or
    /// from the peer.
    mutating func learn(mapped: Endpoint, of direction: Direction) {
        self[direction].mapped = mapped
        guard isRelayed else { return }
        if direction == relayClient { relayAddress = relayAddress ?? mapped } else { mappedPeer = mapped }
    }
}
