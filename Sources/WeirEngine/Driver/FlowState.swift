public import WeirPackets

/// What is known of an open flow beside its counts.
public final class FlowState {
    /// What the flow's payload is.
    enum Role {
        /// Not known yet: its opening is still looked at.
        case undecided
        /// A dissector reads it.
        case dissected
        /// Datagrams of which each stands alone: a packet reader reads them.
        case packets
        /// Nothing that is dissected here.
        case ignored
    }

    /// The flow's number in the report.
    public let id: Int
    /// TCP or UDP.
    public let transport: TransportProtocol
    /// The side that opened the flow, or is believed to have.
    public private(set) var client: Endpoint
    /// The other side.
    public private(set) var server: Endpoint
    /// Whether the capture missed the flow's beginning, or it belonged to a session that had to make room for others.
    public private(set) var startsLate: Bool
    /// The session that the flow belongs to; the first one, if it carries several.
    public internal(set) var session: Session?
    /// The claim that the flow met.
    public internal(set) var claim: MetClaim?
    /// Why it is believed to be what it is; nil when it shows.
    public var because: Text?

    private let shared: SharedLimits
    /// Whether client and server are the other way round than in the flow table: who sends media first need not be the
    /// client of the session that set it up.
    private(set) var isTurned = false
    /// Place of the flow in the table.
    let index: Int
    /// Number of its TCP connection; -1 for UDP.
    var connection: Int32 = -1
    var role = Role.undecided
    /// What reads the streams.
    var reader: StreamReader?
    /// What reads packets, by the name of their protocol: nearly always one.
    var packetReaders: [(name: String, reader: any PacketReader)] = []
    /// Names of the protocols found on the flow, above the transport.
    private(set) var protocolNames: [String] = []
    var isCut = false
    /// Whether octets of its connection are missing from the capture that the snap length did not cut.
    var hasGap = false
    /// How its connection ended, while nobody knows yet what it carries: a FIN of each side at most, and the end.
    var untoldEnds: [(end: ConnectionEnd, moment: EventContext)] = []
    /// Whether the capture lost it before its end.
    private(set) var isForsaken = false
    /// The FIN of each side, as the file has them.
    private(set) var finishes: [(direction: Direction, frame: Int)] = []
    /// Whether one side spoke of octets of the other that had not come here.
    var isDisordered = false
    /// Whether the file has a segment of the connection behind one that was captured later: it is not in order.
    var isShuffled = false
    /// Whether the capture lacks octets of it.
    package var lacksOctets: Bool { isCut || hasGap }
    /// Whether a limit kept something of it from being followed.
    private(set) var isLimited = false

    /// Only streams that somebody reads have it.
    private var clientSide: StreamSide?
    private var serverSide: StreamSide?
    /// The completed handshake, not yet shown: it is when the flow turns out to be something known.
    var connected: EventContext?
    /// Octets that the capture lacks of the time in which it was not known what the flow is, likewise.
    var lostEarly: (at: EventContext, octets: Int)?
    /// Whether octets are missing that came before any session of the flow.
    var lacksOpening = false
    var connectionAttempts = 0
    /// What TCP did that held the connection up.
    var delays = TCPDelays()
    /// Octets of the opening, of both sides, at which it is looked through again: looking costs more the longer it is.
    var nextLook = 0
    /// Octets that must wait before the dissectors are asked again.
    var nextProbe = 0
    var isClosed = false

    /// Further sessions that the flow carries.
    private(set) var others: [Session] = []
    /// The conversation that this flow carries together with others.
    var joined: Conversation?
    /// The conversation that travels whole inside this flow's messages.
    var carried: CarriedConversation?
    /// Packets that were refused, by the end that they went to; of flows that no session set up.
    package private(set) var refusals: [FlowRefusal] = []
    /// Whether it has said nothing yet that is worth telling, which may never come.
    private(set) var isQuiet = false
    /// Whether another dissector has begun to read it, which has not seen yet what the other side has said.
    var handsOver = false
    /// Whether its dissector gave it up.
    var isGivenUp = false

    var recognisers: [any Recogniser] = []
    /// Directions of which it is known that nobody recognises them.
    var isRefused = (client: false, server: false)
    /// Datagrams looked at while undecided.
    var probes = 0
    /// State of the claims when the flow was last looked up in vain.
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
    public var context: FlowContext {
        var context = FlowContext(
            id: id, transport: transport, client: client, server: server, startsLate: startsLate,
            limits: shared.reference, messageBudget: shared.messageBudget, showsPackets: shared.showsPackets)
        context.keepsMedia = shared.keepsMedia
        context.expansionBudget = shared.expansionBudget
        return context
    }

    /// The dissector that reads the flow's streams or datagrams.
    public var dissector: (any Dissector)? { reader?.dissector }

    // Made when something is to be read.

    package var fromClient: StreamSide {
        if let clientSide { return clientSide }
        let made = StreamSide()
        clientSide = made
        return made
    }
    package var fromServer: StreamSide {
        if let serverSide { return serverSide }
        let made = StreamSide()
        serverSide = made
        return made
    }

    package func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }

    /// Octets of a side that were used; of the conversation, if the flow carries one together with others.
    package func octetsUsed(_ direction: Direction) -> Int { spoken(direction).consumed }

    /// Octets that a side has said, those that wait included. Not for the side that is being read.
    package func octetsSaid(_ direction: Direction) -> Int {
        let side = spoken(direction)
        return side.consumed &+ side.buffer.count
    }

    private func spoken(_ direction: Direction) -> StreamSide {
        if let joined { return joined.reader.side(direction) }
        if case .stream(let reader)? = carried?.reading { return reader.side(direction) }
        return side(direction)
    }

    /// Nobody will read the streams: what was kept of them is let go.
    func forgetSides() {
        clientSide = nil
        serverSide = nil
    }

    /// All sessions that the flow carries.
    var sessions: [Session] { session.map { others.isEmpty ? [$0] : [$0] + others } ?? [] }

    /// The session that began last of those that the flow carries.
    package var latestSession: Session? { others.last ?? session }

    /// Takes note of a session that the flow carries.
    func join(_ session: Session) {
        if self.session == nil { self.session = session } else { others.append(session) }
    }

    /// The session was ended to make room for others: what comes now is the middle of another one.
    func lose(_ lost: Session) {
        others.removeAll { $0 === lost }
        guard session === lost else { return }
        session = others.isEmpty ? nil : others.removeFirst()
        if joined?.session === lost { joined?.session = nil }
        startsLate = true
        isLimited = true
    }

    /// A limit kept something of the flow from being followed, and so of all that belongs to it.
    func noteLimit() {
        isLimited = true
        for session in sessions { session.noteLimit() }
        claim?.owner.noteLimit()
    }

    /// The host of an end says that nobody takes packets there.
    func noteRefusal(_ refusal: FlowRefusal) {
        if let index = refusals.firstIndex(where: { $0.destination == refusal.destination }) {
            refusals[index].note(refusal.first)
        } else if refusal.destination == client || refusal.destination == server {
            refusals.append(refusal)
        }
    }

    /// The refusals that were not told yet; they are now.
    func takeRefusals() -> [FlowRefusal] {
        let untold = refusals.filter { !$0.isTold }
        for index in refusals.indices { refusals[index].isTold = true }
        return untold
    }

    /// A side said that it sends no more.
    func noteFinish(_ moment: EventContext) {
        guard !finishes.contains(where: { $0.direction == moment.direction }) else { return }
        finishes.append((moment.direction, moment.frame))
    }

    /// The capture lacks octets of the flow's beginning.
    func beginLate() { startsLate = true }

    /// The capture lacks the flow's end, though it goes on.
    func noteForsaken() {
        isForsaken = true
        for session in sessions { session.completeness.lacksOctets = true }
    }

    /// The session whose packets the flow carried is over, and its ports were given to another: nothing is known of it now.
    func forgetPackets() {
        role = .undecided
        claim = nil
        because = nil
        packetReaders = []
        recognisers = []
        lookedUp = -1
    }

    /// Makes the other side the client.
    public func swapRoles() {
        isTurned.toggle()
        swap(&client, &server)
    }

    /// Name of the protocol that is read on the flow.
    var protocolName: String {
        reader.map { type(of: $0.dissector).descriptor.name } ?? protocolNames.last ?? "tcp"
    }

    /// Takes note of a protocol that was found on the flow.
    public func addProtocol(_ name: String) {
        if !protocolNames.contains(name) { protocolNames.append(name) }
    }

    /// A dissector took it of which most connections say nothing worth telling.
    func listen() { isQuiet = true }

    /// There is something to tell: the flow is named after its dissector.
    func speak() {
        isQuiet = false
        if let reader { addProtocol(type(of: reader.dissector).descriptor.name) }
    }

    /// From now on each datagram stands alone, and is read by a reader of packets of the protocol of this name.
    func read(packetsBy reader: any PacketReader, named name: String) {
        role = .packets
        packetReaders = [(name, reader)]
    }

    /// The reader of packets of a protocol, if there was one already.
    func packetReader(_ name: String) -> (any PacketReader)? {
        for known in packetReaders where known.name == name { return known.reader }
        return nil
    }

    /// What reads the packets that the flow's own messages carry, or its datagrams.
    public var packets: (any PacketReader)? { packetReaders.first?.reader }

    /// Where something happened on the flow.
    public func place(_ direction: Direction, _ frame: FrameInfo) -> EventContext {
        moment(direction, frame: frame.number, time: frame.time)
    }

    @inline(__always)
    func moment(_ direction: Direction, frame: Int, time: Timestamp) -> EventContext {
        let isForward = direction == .clientToServer
        return EventContext(
            frame: frame, time: time, flow: id, direction: direction,
            source: isForward ? client : server,
            destination: isForward ? server : client)
    }
}

/// The limits, once for all flows.
final class SharedLimits {
    let reference: LimitsReference
    let showsPackets: Bool
    let keepsMedia: Bool
    /// What dissectors keep of unfinished messages.
    let messageBudget: SharedOctetBudget
    /// What may come of compressed messages, beyond the usual.
    let expansionBudget: SharedOctetBudget

    init(_ options: AnalyzerOptions) {
        reference = LimitsReference(options.limits)
        showsPackets = options.packets
        keepsMedia = options.keepsMedia
        messageBudget = SharedOctetBudget(total: options.limits.messageTotalOctets)
        expansionBudget = SharedOctetBudget(total: options.limits.expansionOctets)
    }
}

/// How a connection ends.
enum ConnectionEnd {
    /// A side sends no more.
    case finished
    /// Both sides have.
    case closed
    /// A side refused it.
    case refused
    /// A side has broken it off, perhaps with octets before that the capture lacks.
    case reset(lacksOctets: Bool)
}
