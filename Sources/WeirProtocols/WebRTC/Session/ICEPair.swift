import WeirEngine
import WeirPackets

/// A candidate pair with checks, DTLS or media (RFC 8445 §6.1.2): a flow, or a peer behind a relay on it.
struct ICEPair {
    /// Statistics of the checks in one direction.
    struct Checks: Sendable {
        /// The number of requests, without retransmissions.
        var sent = 0
        /// The number of retransmitted requests.
        var repeated = 0
        /// The numbers of success and error responses.
        var succeeded = 0
        var refused = 0
        /// The number of responses with wrong message integrity.
        var unauthenticated = 0
        /// Error responses: the code, and the first frame with it.
        var errors: [(code: Int, frame: Int)] = []
        /// The first and the latest request.
        var first: Moment?
        var last: Moment?
        /// The first and the latest success response.
        var firstSuccess: Moment?
        var lastSuccess: Moment?
        /// The minimum round-trip time, in nanoseconds.
        var roundTrip: Int64?
        /// The mapped address in the responses.
        var mapped: Endpoint?
        /// Whether the sender has the controlling role.
        var isControlling: Bool?
        /// The latest username fragments, of the receiver and of the sender.
        var fragments: (receiver: String, sender: String)?
    }

    /// A frame with its time and event.
    struct Moment: Sendable {
        /// The frame number.
        var frame: Int
        /// The time.
        var time: Timestamp
        /// The event.
        var event: Int
    }

    /// The flow of the pair.
    let flow: Int
    /// The endpoints of the flow.
    let client: Endpoint
    let server: Endpoint
    /// The capture interface of the flow.
    var interface = 0
    /// Whether the transport is TCP.
    let isTCP: Bool
    /// Whether the pair is relayed, and the peer behind the relay, if its messages contain it.
    let isRelayed: Bool
    let peer: Endpoint?
    /// The direction in which the relay's client sends; in a capture that starts late, it may be the flow's server.
    let relayClient: Direction
    /// The relayed address.
    var relayAddress: Endpoint?
    /// The peer behind the relay, by the mapped address in responses to its checks.
    var mappedPeer: Endpoint?
    /// Checks from the client of the flow, and from its server.
    var fromClient = Checks()
    var fromServer = Checks()
    /// When a nominating check first succeeded, and last.
    var nominated: Moment?
    var nominatedLast: Moment?
    /// The first nominating check.
    var nominating: Moment?
    /// Whether checks before the nomination, or their responses, may not have been captured: there is a response
    /// without a check, or a nominating check without a response that a later one has.
    var lacksChecks = false
    /// Error responses of both directions.
    var errors: [(code: Int, frame: Int)] {
        (fromClient.errors + fromServer.errors).sorted { $0.frame < $1.frame }
    }
    /// A check with wrong message integrity.
    var integrityFault: Moment?
    /// A response with wrong message integrity.
    var responseFault: Moment?
    /// A check with correct message integrity.
    var integrityProof: Moment?
    /// The component ID: the last octet of the checks' priority is 256 minus it (RFC 8445 §5.1.2.1).
    var component: UInt8?
    /// The endpoints that are unreachable according to ICMP.
    var refusedEnds: Set<Endpoint> = []
    /// Whether DTLS messages were seen on the pair.
    var carriesDTLS = false
    /// Fragmented datagrams from the client and from the server of which the capture does not contain all fragments.
    var incomplete = (fromClient: 0, fromServer: 0)

    /// The checks of one direction.
    subscript(direction: Direction) -> Checks {
        get { direction == .clientToServer ? fromClient : fromServer }
        set { if direction == .clientToServer { fromClient = newValue } else { fromServer = newValue } }
    }

    /// Whether checks succeeded in at least one direction.
    var works: Bool { fromClient.succeeded > 0 || fromServer.succeeded > 0 }

    /// Whether packets of both ends were captured: checks of both, or a response.
    var isTwoSided: Bool {
        works || carriesDTLS || !refusedEnds.isEmpty || responseFault != nil || fromClient.refused > 0
            || fromServer.refused > 0 || fromClient.sent > 0 && fromServer.sent > 0
    }

    /// The username fragments of both agents in the latest checks.
    var names: Set<String>? { (fromClient.fragments ?? fromServer.fragments).map { [$0.receiver, $0.sender] } }

    /// The end that sends in a direction, as the other agent sees it: on a relayed pair the relayed address, and the
    /// peer behind it; nil if these are not known.
    func end(_ direction: Direction) -> Endpoint? {
        guard isRelayed else { return direction == .clientToServer ? client : server }
        return direction == relayClient ? relayAddress : peer ?? mappedPeer
    }

    /// The endpoint of the relay.
    private var relay: Endpoint { relayClient == .clientToServer ? server : client }

    /// Returns the name of the end that sends in a direction, as text.
    func name(_ direction: Direction) -> Text {
        if let end = end(direction) { return Text("webrtc.end.untold", .string(end.description)) }
        return Text(
            direction == relayClient ? "webrtc.end.ofRelay" : "webrtc.end.behindRelay", .string(relay.description))
    }

    /// Records the mapped address in a response to a check (RFC 8445 §7.3.1.3): on a relayed pair that of the relay or
    /// of the peer.
    mutating func recordObserved(mapped: Endpoint, of direction: Direction) {
        self[direction].mapped = mapped
        guard isRelayed else { return }
        if direction == relayClient { relayAddress = relayAddress ?? mapped } else { mappedPeer = mapped }
    }
}
