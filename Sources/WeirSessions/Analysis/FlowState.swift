import WeirDissectors
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

    private(set) var context: FlowContext
    /// Whether client and server are the other way round than in the flow table: who sends media first need not be the
    /// client of the session that set it up.
    private(set) var isTurned = false
    /// Place of the flow in the table.
    let index: Int
    /// The protocols below the payload.
    let stack: ProtocolStack
    var role = Role.undecided
    var dissector: (any Dissector)?
    /// Names of the protocols found on the flow, above the transport.
    var protocolNames: [String] = []
    var captureDuplicates = 0
    var isCut = false

    var tcp = TCPConnection()
    let fromClient = StreamSide()
    let fromServer = StreamSide()
    /// The completed handshake, not yet shown: it is when the flow turns out to be something known.
    var connected: Moment?
    var connectionAttempts = 0
    var isClosed = false

    var session: Session?
    /// The conversation that this flow carries together with others.
    var joined: JoinedConversation?

    /// Which medium the flow was set up for.
    var link: MediaLink?
    /// Why it is believed to be media.
    var because: Text?
    var streams: [MediaEntry] = []
    /// The stream of the latest packet of each direction.
    var latest: (MediaEntry?, MediaEntry?) = (nil, nil)
    var heuristics: (RTPHeuristic, RTPHeuristic)?
    /// Directions of which it is known that they carry no RTP.
    var isNoRTP = (false, false)
    /// Datagrams looked at while undecided.
    var looks = 0
    /// State of the announcements when the flow was last looked up in vain.
    var lookedUp = -1

    init(context: FlowContext, index: Int, stack: ProtocolStack) {
        self.context = context
        self.index = index
        self.stack = stack
    }

    func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }

    /// Makes the other side the client.
    func turn() {
        isTurned.toggle()
        let client = context.client
        context.client = context.server
        context.server = client
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
            frame: frame, time: time, flow: context.id, direction: direction,
            source: isForward ? context.client : context.server,
            destination: isForward ? context.server : context.client)
    }
}

/// One direction of a stream, on its way to a dissector.
final class StreamSide {
    var buffer = StreamBuffer()
    /// Octets of the stream that were handed to the dissector and used, or passed over.
    var consumed = 0
    /// The frame that brought the first octet that waits.
    var waitingFrame = 0
    /// Octets that the snap length cut off segments, and that have not yet shown as a gap.
    var cutOctets = 0
    /// Whether a message start has to be found first: after a gap, a broken message, or a late start.
    var isLost = false
}

/// A conversation that several flows carry together, such as RTSP tunnelled over two HTTP connections.
final class JoinedConversation {
    let key: String
    var dissector: any Dissector
    let fromClient = StreamSide()
    let fromServer = StreamSide()
    let outlet = Outlet()
    var session: RTSPSession?
    /// The flows that take part, in order.
    var flows: [FlowState] = []

    init(key: String, dissector: any Dissector) {
        self.key = key
        self.dissector = dissector
    }
}
