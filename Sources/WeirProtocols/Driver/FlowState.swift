import WeirEngine
import WeirPackets

/// What the analyzer keeps of an open flow beside its counts.
final class FlowState {
    /// What the flow's payload is.
    enum Role {
        /// Not known yet: its opening is still looked at.
        case undecided
        /// A dissector reads it.
        case dissected
        /// RTP or RTCP datagrams.
        case media
        /// Nothing that is dissected here.
        case opaque
    }

    /// The flow's number in the report.
    let id: Int
    /// TCP or UDP.
    let transport: TransportProtocol
    private(set) var client: Endpoint
    private(set) var server: Endpoint
    /// Whether the capture missed the flow's beginning, or it belonged to a session that had to make room for others.
    private(set) var startsLate: Bool
    private let shared: SharedLimits
    /// Whether client and server are the other way round than in the flow table: who sends media first need not be the
    /// client of the session that set it up.
    private(set) var isTurned = false
    /// Place of the flow in the table.
    let index: Int
    /// Number of its TCP connection; -1 for UDP.
    var connection: Int32 = -1
    var role = Role.undecided
    var dissector: (any Dissector)?
    /// What the dissector knows of both sides, if messages in chunks may be read without it.
    var chunks: RTMPSides?
    /// Names of the protocols found on the flow, above the transport.
    var protocolNames: [String] = []
    /// Whether RTCP is one of these.
    var hasReports = false
    var isCut = false

    /// Only streams that somebody reads have it.
    private var clientSide: StreamSide?
    private var serverSide: StreamSide?
    /// The completed handshake, not yet shown: it is when the flow turns out to be something known.
    var connected: Moment?
    /// Octets that the capture lacks of the time in which it was not known what the flow is, likewise.
    var lostEarly: (moment: Moment, octets: Int)?
    var connectionAttempts = 0
    /// Octets of the opening, of both sides, at which it is looked through again: looking costs more the longer it is.
    var nextLook = 0
    var isClosed = false

    var session: Session?
    /// The conversation that this flow carries together with others.
    var joined: JoinedConversation?

    /// Which medium the flow was set up for.
    var link: MediaLink?
    /// Why it is believed to be media.
    var because: Text?
    var streams: [MediaEntry] = []
    /// The frame at hand while what came before it is told, now that it is known to be media.
    var recognisedFrame: Int?
    /// Streams of which it is not known yet whether they go on with what another source began.
    var successions: [Succession] = []
    /// What tells these apart, at the same places.
    var keys: [MediaKey] = []
    var heuristics: (RTPHeuristic, RTPHeuristic)?
    /// RTCP datagrams that came while it was not yet known that the flow is media.
    var earlyReports: [EarlyReport] = []
    /// Packets that the capture held twice in that time: their sources.
    var earlyDuplicates: [(ssrc: UInt32, direction: Direction)] = []
    /// Whether its media was set up to be encrypted.
    var isEncrypted = false
    /// RTCP datagrams that were seen to be encrypted, and others.
    private var reports = (secure: 0, clear: 0)
    /// Directions of which it is known that they carry no RTP.
    var isNoRTP = (false, false)
    /// Datagrams looked at while undecided.
    var looks = 0
    /// State of the announcements when the flow was last looked up in vain.
    var lookedUp = -1

    init(_ flow: Flow, index: Int, startsLate: Bool, shared: SharedLimits) {
        id = flow.id
        transport = flow.transport
        client = flow.client
        server = flow.server
        self.startsLate = startsLate
        self.shared = shared
        self.index = index
    }

    /// What a dissector may know of the flow.
    var context: FlowContext {
        FlowContext(
            id: id, transport: transport, client: client, server: server, startsLate: startsLate,
            limits: shared.limits, messageBudget: shared.messageBudget)
    }

    // Made when something is to be read.

    var fromClient: StreamSide {
        if let clientSide { return clientSide }
        let made = StreamSide()
        clientSide = made
        return made
    }
    var fromServer: StreamSide {
        if let serverSide { return serverSide }
        let made = StreamSide()
        serverSide = made
        return made
    }

    func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }

    /// Nobody will read the streams: what was kept of them is let go.
    func forgetSides() {
        clientSide = nil
        serverSide = nil
    }

    /// The session was ended to make room for others: what comes now is the middle of another one.
    func loseSession() {
        session = nil
        joined?.session = nil
        startsLate = true
    }

    /// Whether the flow's RTCP is encrypted: one packet alone may look as if it were in the clear by chance.
    var hasSecureReports: Bool { isEncrypted || reports.secure > 1 && reports.secure > 4 &* reports.clear }

    /// Notes what an RTCP datagram was taken for.
    func noteReport(isEncrypted: Bool) {
        if isEncrypted { reports.secure &+= 1 } else { reports.clear &+= 1 }
    }

    /// The session whose media the flow carried is over, and its ports were given to another: nothing is known of it now.
    func forgetMedia() {
        role = .undecided
        link = nil
        isEncrypted = false
        because = nil
        streams = []
        keys = []
        successions = []
        heuristics = nil
        lookedUp = -1
    }

    /// Makes the other side the client.
    func turn() {
        isTurned.toggle()
        swap(&client, &server)
    }

    /// Name of the protocol that is read on the flow.
    var protocolName: String {
        dissector.map { type(of: $0).descriptor.name } ?? protocolNames.last ?? "tcp"
    }

    func addProtocol(_ name: String) {
        if !protocolNames.contains(name) { protocolNames.append(name) }
    }

    @inline(__always)
    func moment(_ direction: Direction, frame: Int, time: Timestamp) -> Moment {
        let isForward = direction == .clientToServer
        return Moment(
            frame: frame, time: time, flow: id, direction: direction,
            source: isForward ? client : server,
            destination: isForward ? server : client)
    }
}

/// The limits, once for all flows.
final class SharedLimits {
    let limits: Limits
    /// What dissectors keep of unfinished messages.
    let messageBudget: SharedOctetBudget

    init(_ limits: Limits) {
        self.limits = limits
        messageBudget = SharedOctetBudget(total: limits.messageTotalOctets)
    }
}

/// An RTCP datagram that is kept until it is known what the flow carries.
struct EarlyReport {
    /// Most that are kept of a flow, and the octets of the longest.
    static let most = 16
    static let longest = 512

    var octets: [UInt8]
    var direction: Direction
    var info: FrameInfo
}

/// A segment of an opening: where it begins in what waits, and what brought it.
struct OpeningSegment {
    /// Most that are told apart; the octets of further ones count to the last.
    static let most = 64

    var start: Int
    var frame: Int
    var time: Timestamp
}

/// One direction of a stream, on its way to a dissector.
final class StreamSide {
    var buffer = StreamBuffer()
    /// Octets of the stream that were handed to the dissector and used, or passed over.
    var consumed = 0
    /// The frame that brought the first octet that waits.
    var waitingFrame = 0
    /// The segments in what waits, while it is not known what a flow is whose beginning was missed.
    var segments: [OpeningSegment] = []
    /// Octets that the snap length cut off segments, and that have not yet shown as a gap.
    var cutOctets = 0
    /// Whether a message start has to be found first: after a gap, a broken message, or a late start.
    var isLost = false
    /// Whether interleaved frames may be cut off where the unused octets begin, without the dissector.
    var passesFrames = false
    /// Whether some were since the dissector read last.
    var isAhead = false
}

/// A conversation that several flows carry together, such as RTSP tunnelled over two HTTP connections.
final class JoinedConversation {
    let key: String
    var dissector: any Dissector
    let fromClient = StreamSide()
    let fromServer = StreamSide()
    let outlet = Outlet()
    var session: Session?
    /// The flows that take part, in order.
    var flows: [FlowState] = []
    /// The methods of the requests that opened its halves, where each half is a connection.
    private var halves: Set<String> = []

    /// Takes note of the request that opens a half of a tunnel; says whether the other half (RTSP in HTTP: GET and POST)
    /// is still to come.
    func lacksHalf(with method: String) -> Bool {
        if method == "GET" || method == "POST" { halves.insert(method) }
        return halves.count < 2
    }

    init(key: String, dissector: any Dissector) {
        self.key = key
        self.dissector = dissector
    }
}
