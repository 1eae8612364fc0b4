import WeirEngine
import WeirPackets

/// A RIST session of the Simple Profile (VSF TR-06-1): RTP to port P of the receiver and RTCP to port P + 1, on one path or
/// several. The client is the sender of media.
final class RISTSession: Session {
    var mediaStreams: [MediaEntry] = []
    /// The endpoints of its flows.
    private var ends: [(one: Endpoint, other: Endpoint)] = []
    /// The number of its flows.
    var flowCount: Int { ends.count }
    /// Whether packets show which side sends media; otherwise the ports suggest it.
    private var hasRoles = false
    /// What the two sides sent in RTCP.
    private(set) var reports: (client: RISTReports, server: RISTReports) = (RISTReports(), RISTReports())
    /// The figures of its streams.
    var figures = RISTFigures()
    /// The first report that a port is closed.
    private(set) var refusal: (endpoint: Endpoint, frame: Int)?

    override class var kind: String { "rist" }

    required init(_ context: SessionContext) {
        super.init(context)
        enter(.media)
    }

    /// Adds the endpoints of a flow of RTCP or media.
    func include(_ one: Endpoint, _ other: Endpoint) {
        // The receiver's port of RTCP is odd, that of the sender is usually ephemeral.
        if ends.isEmpty, !Self.isReports(server), Self.isReports(client) || client.port < server.port { turn() }
        ends.append((one, other))
    }

    private static func isReports(_ end: Endpoint) -> Bool { end.port & 1 == 1 }

    /// Returns the endpoint of RTCP beside one of media, or the reverse.
    static func neighbor(of end: Endpoint) -> Endpoint { Endpoint(address: end.address, port: end.port ^ 1) }

    /// Returns whether a flow has the ports beside a flow of the session, between the same hosts.
    func signals(_ one: Endpoint, _ other: Endpoint) -> Bool {
        ends.contains { known in
            func fits(_ near: Endpoint, _ far: Endpoint) -> Bool {
                near == Self.neighbor(of: known.one) && far.address == known.other.address
                    || near == Self.neighbor(of: known.other) && far.address == known.one.address
            }
            return fits(one, other) || fits(other, one)
        }
    }

    /// Returns whether a flow with a source of the session may be another path of it, and not what a peer relays to or
    /// from a third host. The sender's port is usually the higher one, since it is ephemeral.
    func mayInclude(_ one: Endpoint, _ other: Endpoint) -> Bool {
        if Set([one.address, other.address]) == [client.address, server.address] { return true }
        let (sender, receiver) = one.port > other.port ? (one, other) : (other, one)
        return sender.address != server.address && receiver.address != client.address
    }

    /// Records the sender of media, from the first packet that shows it.
    func note(sender: Endpoint) {
        guard !hasRoles, client.address == sender.address || server.address == sender.address else { return }
        hasRoles = true
        let isServer = client.address == server.address ? server == sender : server.address == sender.address
        if isServer { turn() }
    }

    private func turn() {
        (client, server) = (server, client)
        reports = (reports.server, reports.client)
    }

    /// Records the RTCP packets of a datagram.
    func take(_ compound: RTCPCompound, at place: EventContext) {
        if let isSender = RISTReports.isSender(compound) { note(sender: isSender ? place.source : place.destination) }
        let isClient =
            client.address == server.address ? place.source == client : place.source.address == client.address
        if isClient { reports.client.take(compound, place) } else { reports.server.take(compound, place) }
    }

    /// Records a round trip between the capture point and the side that answered an echo, in milliseconds.
    func note(roundTrip trip: Double, to end: Endpoint) {
        guard trip >= 0 else { return }
        let isClient = client.address == server.address ? end == client : end.address == client.address
        if isClient { reports.client.echoes.note(trip) } else { reports.server.echoes.note(trip) }
    }

    /// Records that nothing is listening on a port of the receiver.
    override func noteUnreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        guard isRefusal else { return nil }
        return ("RIST", refusal == nil)
    }

    override func observe(_ error: ICMPEvent, frame: Int) {
        if refusal == nil { refusal = (error.quotedDestination, frame) }
    }

    override var worksWithoutMedia: Bool { hasReceiver }
    override func facts(_ secrets: SecretPolicy) -> [Field] { figures.fields + roundTripFields }
    override func outcome() -> [Text] { ownOutcome }
    override func causes() -> [Cause] { foundCauses }

    override func finish(at frame: FrameInfo, _ outlet: SessionOutlet) {
        for entry in mediaStreams { outlet.shared(MediaStreams.self).end(entry, at: frame) }
    }

    override func forget() {
        mediaStreams = []
    }
}
