public import WeirPackets

/// Turns the bytes of one conversation into messages.
///
/// One value lives for each flow. It knows the connection (what was negotiated on it, how far a message has come) and
/// nothing of other flows, clocks or printing. Bytes arrive in order; what is missing arrives as `gap`.
public protocol Dissector {
    /// What the protocol is called, what carries it, where it is usually found.
    static var descriptor: DissectorDescriptor { get }

    /// Whether these opening bytes are this protocol. It keeps nothing; ports are a hint only.
    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer

    /// Octets of an opening, for each direction, that `probe` may have to see before it can tell: more than usual where
    /// what tells a protocol comes late.
    static func probeOctets(_ limits: Limits) -> Int

    /// Begins dissecting a flow.
    init(flow: FlowContext)

    /// Reads messages from `bytes`: the unused bytes of one direction so far, in order, or one whole datagram.
    ///
    /// - Returns: how many octets were used. 0 means "need more", which is not an error; if the length of the next
    ///   message is known, say it with `outlet.need`. For a datagram the answer is not looked at.
    /// - Throws: `DissectionError` when the message at the start of `bytes` is broken: the driver reports it, and goes
    ///   on at the next message start that `resynchronise` finds.
    mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int

    /// The offset in `bytes` at which a message of this protocol may begin, looking from `start` on; nil when there is
    /// none. Asked after a gap, after a broken message, and when the capture begins in mid-stream.
    func resynchronise(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int?

    /// `octets` octets of one direction are missing from the capture: forget what was begun on that side.
    mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet)

    /// One side is known to have spoken of octets of the other that had not come here: what is read next need not answer what
    /// was read last.
    mutating func disordered()

    /// These bytes of one direction wait for more, and the capture holds no more of the message: the snap length cut it,
    /// octets are missing behind it, or the flow ended. Read what is there; `gap` follows where there is a gap.
    mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet)

    /// Whether `read` itself finds the next message after a gap, and at a late start.
    static var findsStarts: Bool { get }

    /// Whether the next unused octet of a side begins a message, and nothing is kept of the one before: then a fast path
    /// may take messages there without the dissector.
    func isBetweenMessages(_ direction: Direction) -> Bool

    /// The story that connections with this protocol tell; nil when only their messages know.
    static var story: Session.Type? { get }

    /// Whether messages of another protocol carry its octets as a stream, which goes on from one message to the next. If
    /// not, `read` gets one whole message at a time, as it gets datagrams.
    static var readsAcrossMessages: Bool { get }

    /// Whether it tells the messages around those that it reads itself: then they are `outlet.enclosing`, and nobody else
    /// tells them.
    static var tellsEnclosing: Bool { get }

    /// Whether it takes connections of which most say nothing worth telling: the flow gets its name with the first message.
    static var isQuiet: Bool { get }

    /// What takes packets of its connections where they need no message; nil when all are read.
    static var fastPath: (any FastPath.Type)? { get }

    /// Whether an opening that ended before it told for certain is still to be read, at the usual ports.
    static func tellsUnfinished(_ opening: borrowing FirstBytes) -> Bool

    /// What recognises the protocol where a single datagram proves nothing; nil when `probe` does.
    static var recogniser: (any Recogniser.Type)? { get }

    /// A flow turned out to be its own; `recogniser` has kept datagrams of it, which come next.
    mutating func take(over recogniser: any Recogniser)

    /// What reads its packets, if each stands alone and needs no message; nil when the dissector itself reads.
    static func packetReader(_ flow: FlowState, _ outlet: StoryOutlet) -> (any PacketReader)?

    /// The flow has ended; say what is still to be said.
    mutating func finish(_ outlet: Outlet)
}

extension Dissector {
    /// By default what is usual.
    public static func probeOctets(_ limits: Limits) -> Int { limits.probeOctets }

    /// By default any octet may be a start: right for datagrams, where every datagram is one.
    public func resynchronise(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        start < bytes.byteCount ? start : nil
    }

    /// By default nothing is kept for a side, so there is nothing to forget.
    public mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {}

    /// By default nothing is paired by its order.
    public mutating func disordered() {}

    /// By default an unfinished message is not read.
    public mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {}

    /// By default the driver looks for starts, with `resynchronise`.
    public static var findsStarts: Bool { false }

    /// By default the dissector reads everything.
    public func isBetweenMessages(_ direction: Direction) -> Bool { false }

    /// By default there is none.
    public static var story: Session.Type? { nil }

    /// By default there is none.
    public static var fastPath: (any FastPath.Type)? { nil }

    /// By default each message stands alone.
    public static var readsAcrossMessages: Bool { false }

    /// By default they are told before it reads.
    public static var tellsEnclosing: Bool { false }

    /// By default what it takes is its own.
    public static var isQuiet: Bool { false }

    /// By default it is not.
    public static func tellsUnfinished(_ opening: borrowing FirstBytes) -> Bool { false }

    /// By default one opening is enough.
    public static var recogniser: (any Recogniser.Type)? { nil }

    /// By default the datagrams say all.
    public mutating func take(over recogniser: any Recogniser) {}

    /// By default the dissector reads.
    public static func packetReader(_ flow: FlowState, _ outlet: StoryOutlet) -> (any PacketReader)? { nil }

    /// By default there is nothing left to say.
    public mutating func finish(_ outlet: Outlet) {}
}

/// What carries a protocol.
public enum Carrier: String, Sendable, Hashable {
    /// A TCP stream.
    case tcp
    /// UDP datagrams.
    case udp
    /// Whole messages of another protocol, such as WebSocket's, looked at until one is recognised. `probe` gets the last
    /// message alone, as the client's or the server's; with `readsAcrossMessages` all that were kept of both sides.
    case message
    /// A part of another protocol's message, such as a body, that says whose it is.
    case payload
}

/// What a dissector says of itself.
public struct DissectorDescriptor: Sendable {
    /// Name used in the timeline, in rule ids and with `--protocol`, in lower case.
    public var name: String
    /// What carries it.
    public var carriers: [Carrier]
    /// Ports it is usually found on; they only break ties.
    public var ports: [UInt16]
    /// How it is recognised, in one line, for `weir dissectors`.
    public var recognition: String

    /// Creates a descriptor.
    public init(name: String, carriers: [Carrier], ports: [UInt16] = [], recognition: String) {
        self.name = name
        self.carriers = carriers
        self.ports = ports
        self.recognition = recognition
    }
}

/// What a dissector may know of the flow it reads.
public struct FlowContext: Sendable {
    /// The flow's number in the report.
    public var id: Int
    /// TCP or UDP.
    public var transport: TransportProtocol
    /// The side that opened the flow, or is believed to have.
    public var client: Endpoint
    /// The other side.
    public var server: Endpoint
    /// Whether the capture missed the flow's beginning, so that its first bytes may be the middle of a message.
    public var startsLate: Bool
    /// Whether the capture holds nothing of one of the sides, as far as it has been read.
    public var isOneSided = false
    /// The bounds to keep, to be kept themselves by who needs them for long.
    public let limitsReference: LimitsReference
    /// The bounds to keep.
    public var limits: Limits { limitsReference.values }
    /// Octets of unfinished messages that the dissectors of all flows together may keep, for those that put messages
    /// together themselves.
    public var messageBudget: SharedOctetBudget
    /// Octets that may come of compressed messages of all flows together, beyond what such text usually becomes.
    package var expansionBudget: SharedOctetBudget
    /// Whether every packet is to be an event.
    public var showsPackets: Bool
    /// Whether media in messages is to be kept, for who writes it into files.
    package var keepsMedia = false
    /// What carries the messages, where they travel whole inside those of another protocol; nil where the flow itself does.
    public var carriage: Carriage?
    /// The messages that led here: those that agreed on the protocol, or those around the message that is looked at.
    public var preface: [any Message] = []

    /// Creates a context.
    public init(
        id: Int,
        transport: TransportProtocol,
        client: Endpoint,
        server: Endpoint,
        startsLate: Bool = false,
        limits: Limits = Limits(),
        messageBudget: SharedOctetBudget? = nil,
        showsPackets: Bool = false
    ) {
        self.init(
            id: id, transport: transport, client: client, server: server, startsLate: startsLate,
            limits: LimitsReference(limits),
            messageBudget: messageBudget ?? SharedOctetBudget(total: limits.messageTotalOctets),
            showsPackets: showsPackets)
    }

    init(
        id: Int, transport: TransportProtocol, client: Endpoint, server: Endpoint, startsLate: Bool,
        limits: LimitsReference, messageBudget: SharedOctetBudget, showsPackets: Bool
    ) {
        self.showsPackets = showsPackets
        self.id = id
        self.transport = transport
        self.client = client
        self.server = server
        self.startsLate = startsLate
        limitsReference = limits
        self.messageBudget = messageBudget
        expansionBudget = SharedOctetBudget(total: limits.values.expansionOctets)
    }
}

/// The first bytes of both sides of a flow, for `probe`.
public struct FirstBytes: ~Escapable {
    /// What the client sent first; empty when nothing was seen of it. For UDP: its first datagram.
    public let client: RawSpan
    /// What the server sent first, likewise.
    public let server: RawSpan
    /// Endpoints, and whether the beginning was missed.
    public let flow: FlowContext
    /// When the beginning was missed: where segments began in `client`. Empty when it is not yet
    /// worth the while to look for what is hard to find.
    package var clientStarts: [Int] = []
    /// Likewise in `server`.
    package var serverStarts: [Int] = []

    /// Creates an opening.
    @_lifetime(copy client, copy server)
    public init(client: RawSpan, server: RawSpan, flow: FlowContext) {
        self.client = client
        self.server = server
        self.flow = flow
    }

    /// Whether the server's port, or the client's, is one of `ports`.
    public func usesPort(_ ports: [UInt16]) -> Bool {
        ports.contains(flow.server.port) || ports.contains(flow.client.port)
    }
}

/// The answer of a probe.
public enum ProbeAnswer: Sendable {
    /// This is the protocol.
    case yes
    /// This is not the protocol, whatever follows.
    case no
    /// This is encryption in which nothing says what it carries: nobody reads it, and the summary counts the flow.
    case hidden
    /// It may be; more bytes will tell.
    case needMore
}

/// A message is broken: what is wrong, and at which octet of the bytes that were handed to `read`.
public struct DissectionError: Error, Sendable {
    /// What is wrong, in words.
    public var reason: String
    /// Offset in the bytes handed to `read`.
    public var offset: Int

    /// Creates an error.
    public init(_ reason: String, offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }
}
