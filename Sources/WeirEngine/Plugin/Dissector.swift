public import WeirPackets

/// Parses the bytes of a flow into messages.
///
/// There is one value per flow. It tracks the state of the connection (what was negotiated, partial messages), and is
/// independent of other flows, clocks and output. Bytes arrive in order; missing bytes are reported by `gap`.
public protocol Dissector {
    /// The protocol's name, carriers and usual ports.
    static var descriptor: DissectorDescriptor { get }

    /// Returns whether these first bytes belong to the protocol. Stateless; ports are only a hint.
    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer

    /// The bytes that `probe` may recognize at the start of a flow: unless the first byte of one side is among them, or
    /// the flow starts late, its answer is `no`, and it is not asked.
    ///
    /// - Parameter isUsual: Whether the port of one endpoint is a usual one.
    static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets

    /// Returns the number of bytes per direction that `probe` may need for a decision; larger for protocols with late
    /// evidence.
    static func probeOctets(_ limits: Limits) -> Int

    /// Creates a dissector for a flow.
    init(flow: FlowContext)

    /// Parses messages from `bytes`: the unconsumed bytes of one direction, in order, or one complete datagram.
    ///
    /// - Returns: The number of bytes consumed. 0 means that more bytes are needed, which is not an error; if the
    ///   length of the next message is known, pass it to `outlet.need`. The value is ignored for datagrams.
    /// - Throws: `DissectionError` if the message at the start of `bytes` is malformed. The driver reports it, and
    ///   continues at the next message start that `resynchronize` finds.
    mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int

    /// Returns the offset in `bytes` of a possible message start at or after `start`, or nil if there is none. Called
    /// after a gap, after a malformed message, and if the capture starts in mid-stream.
    func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int?

    /// Handles bytes missing from the capture in one direction; discards partial state of that direction.
    mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet)

    /// Handles out-of-order capture: a side has acknowledged bytes that had not been captured, so that messages can no
    /// longer be paired by order.
    mutating func disordered()

    /// Parses an incomplete message that the capture does not complete, because it is truncated by the snap length or a
    /// gap, or because the flow ended. In case of a gap, `gap` is called next.
    mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet)

    /// Whether `read` itself finds the next message after a gap or a late start.
    static var findsStarts: Bool { get }

    /// Whether the next unconsumed byte of a direction starts a message, without state from the previous one; a fast
    /// path may then consume messages without the dissector.
    func isBetweenMessages(_ direction: Direction) -> Bool

    /// The story of connections with this protocol, or nil if it depends on the message.
    static var sessionType: Session.Type? { get }

    /// Whether the messages of a carrier form a continuous stream. If not, `read` gets one complete message at a time,
    /// like datagrams.
    static var readsAcrossMessages: Bool { get }

    /// Whether the dissector emits the enclosing messages of those that it reads, from `outlet.enclosing`; otherwise
    /// the driver does.
    static var emitsEnclosing: Bool { get }

    /// Whether a client has the same conversation with a server on other connections: once recognized on one, messages
    /// on the others prove less. See `FlowContext.isKnownServer`.
    static var recognizesServer: Bool { get }

    /// Whether most connections of the dissector contain nothing worth reporting; the flow is then named with the first
    /// message.
    static var isQuiet: Bool { get }

    /// The fast path of its connections, or nil if the dissector reads everything.
    static var fastPath: (any FastPath.Type)? { get }

    /// Whether an opening that ended before `probe` was certain is still dissected at the usual ports.
    static func reportsIncomplete(_ opening: borrowing FirstBytes) -> Bool

    /// Whether a recognized opening shows that client and server are the other way round: the first datagram of a flow is that of
    /// the server if the client's was not captured.
    static func isReversed(_ opening: borrowing FirstBytes) -> Bool

    /// The recognizer for protocols that need several datagrams, or nil if `probe` suffices.
    static var recognizer: (any Recognizer.Type)? { get }

    /// Takes over a flow from a recognizer, whose buffered datagrams follow.
    mutating func take(over recognizer: any Recognizer)

    /// Returns the packet reader for independent packets without messages, or nil if the dissector reads them itself.
    static func packetReader(_ flow: FlowState, _ outlet: SessionOutlet) -> (any PacketReader)?

    /// Emits remaining messages at the end of the flow.
    mutating func finish(_ outlet: Outlet)
}

extension Dissector {
    /// The default: any byte.
    public static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { .all }

    /// The default: the usual limit.
    public static func probeOctets(_ limits: Limits) -> Int { limits.probeOctets }

    /// The default: the endpoint that sent the first datagram is the client.
    public static func isReversed(_ opening: borrowing FirstBytes) -> Bool { false }

    /// The default: any byte may be a message start, which is right for datagrams.
    public func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        start < bytes.byteCount ? start : nil
    }

    /// The default implementation does nothing.
    public mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {}

    /// The default implementation does nothing.
    public mutating func disordered() {}

    /// The default implementation ignores incomplete messages.
    public mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {}

    /// The default: the driver finds message starts with `resynchronize`.
    public static var findsStarts: Bool { false }

    /// The default: the dissector reads everything.
    public func isBetweenMessages(_ direction: Direction) -> Bool { false }

    /// The default: none.
    public static var sessionType: Session.Type? { nil }

    /// The default: none.
    public static var fastPath: (any FastPath.Type)? { nil }

    /// The default: messages are independent.
    public static var readsAcrossMessages: Bool { false }

    /// The default: false.
    public static var recognizesServer: Bool { false }

    /// The default: the driver emits them first.
    public static var emitsEnclosing: Bool { false }

    /// The default: false.
    public static var isQuiet: Bool { false }

    /// The default: false.
    public static func reportsIncomplete(_ opening: borrowing FirstBytes) -> Bool { false }

    /// The default: none.
    public static var recognizer: (any Recognizer.Type)? { nil }

    /// The default implementation does nothing; the buffered datagrams suffice.
    public mutating func take(over recognizer: any Recognizer) {}

    /// The default: none.
    public static func packetReader(_ flow: FlowState, _ outlet: SessionOutlet) -> (any PacketReader)? { nil }

    /// The default implementation does nothing.
    public mutating func finish(_ outlet: Outlet) {}
}

/// The carrier of a protocol.
public enum Carrier: String, Sendable, Hashable {
    /// A TCP stream.
    case tcp
    /// UDP datagrams.
    case udp
    /// Complete messages of another protocol, such as WebSocket, probed until one is recognized. `probe` gets only the
    /// last message, as the client's or server's; with `readsAcrossMessages` all buffered messages of both sides.
    case message
    /// A part of another protocol's message, such as a body, that declares its protocol.
    case payload
}

/// The description of a dissector.
public struct DissectorDescriptor: Sendable {
    /// The lowercase name used in the timeline, in rule ids and with `--protocol`.
    public var name: String
    /// The carriers.
    public var carriers: [Carrier]
    /// The usual ports, which only break ties.
    public var ports: [UInt16]
    /// How the protocol is recognized, in one line, for `weir dissectors`.
    public var recognition: String

    /// Creates a descriptor.
    public init(name: String, carriers: [Carrier], ports: [UInt16] = [], recognition: String) {
        self.name = name
        self.carriers = carriers
        self.ports = ports
        self.recognition = recognition
    }
}

/// The flow information available to a dissector.
public struct FlowContext: Sendable {
    /// The flow id in the report.
    public var id: Int
    /// TCP or UDP.
    public var transport: TransportProtocol
    /// The endpoint that opened the flow, as far as known.
    public var client: Endpoint
    /// The other endpoint.
    public var server: Endpoint
    /// Whether the flow started before the capture, so that its first bytes may be in the middle of a message.
    public var startsLate: Bool
    /// Whether no data of one side has been captured so far.
    public var isOneSided = false
    /// What the contexts of all flows have in common; one reference, since a context is created for each probe.
    @usableFromInline let shared: SharedContext
    /// What few flows have; one reference, too.
    private var extras: FlowContextExtras?
    /// The carrier of the messages, or nil if the flow itself is.
    public var carriage: Carriage? {
        get { extras?.carriage }
        set { extras = FlowContextExtras(newValue, layer, preface) }
    }
    /// The name of the protocol that decodes the flow's stream, such as TLS with its secrets; nil if none does.
    public var layer: String? {
        get { extras?.layer }
        set { extras = FlowContextExtras(carriage, newValue, preface) }
    }
    /// Whether an encrypted connection of unknown purpose is reported, too.
    public var showsEncrypted = false
    /// Whether a dissector was recognized for the messages of another connection of the same client and server.
    public var isKnownServer = false
    /// The preceding messages: those that negotiated the protocol, or those that enclose the probed message.
    public var preface: [any Message] {
        get { extras?.preface ?? [] }
        set { extras = FlowContextExtras(carriage, layer, newValue) }
    }

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
            shared: SharedContext(limits, showsPackets: showsPackets, messageBudget: messageBudget))
    }

    // Inlined, since the new context is copied and destroyed otherwise.
    @inline(__always)
    init(
        id: Int, transport: TransportProtocol, client: Endpoint, server: Endpoint, startsLate: Bool,
        shared: SharedContext, layer: String? = nil, showsEncrypted: Bool = false, isKnownServer: Bool = false
    ) {
        self.id = id
        self.transport = transport
        self.client = client
        self.server = server
        self.startsLate = startsLate
        self.shared = shared
        extras = layer.map { FlowContextExtras(nil, $0, []) }
        self.showsEncrypted = showsEncrypted
        self.isKnownServer = isKnownServer
    }
}

/// What few flows have in their contexts.
private final class FlowContextExtras: Sendable {
    let carriage: Carriage?
    let layer: String?
    let preface: [any Message]

    init(_ carriage: Carriage?, _ layer: String?, _ preface: [any Message]) {
        self.carriage = carriage
        self.layer = layer
        self.preface = preface
    }
}

extension FlowContext {
    /// The limits, as a reference for long-term storage.
    @inlinable public var limitsReference: LimitsReference {
        @inline(__always) get { shared.limits }
    }
    /// The limits.
    @inlinable public var limits: Limits {
        @inline(__always) _read { yield shared.limits.values }
    }
    /// The budget of incomplete messages in the dissectors of all flows, for those that reassemble messages themselves.
    public var messageBudget: SharedOctetBudget { shared.messageBudget }
    /// The budget for decompressed messages of all flows, beyond the usual size.
    package var expansionBudget: SharedOctetBudget { shared.expansionBudget }
    /// Values shared by the dissectors of all flows.
    package var sharedValues: SharedValues { shared.values }
    /// Whether every packet results in an event.
    public var showsPackets: Bool { shared.showsPackets }
    /// Whether media in messages is kept, for extraction to files.
    package var keepsMedia: Bool { shared.keepsMedia }
}

/// The first bytes of both sides of a flow, for `probe`.
public struct FirstBytes: ~Escapable {
    /// The client's first bytes, or its first UDP datagram; empty if none were captured.
    public let client: RawSpan
    /// The server's first bytes or datagram.
    public let server: RawSpan
    /// The flow.
    public let flow: FlowContext
    /// The segment starts in `client` and `server` for a late start; empty if a thorough search is not yet due.
    package var starts: [[Int]] = []
    /// The segment starts in `client`.
    package var clientStarts: [Int] { starts.first ?? [] }
    /// The segment starts in `server`.
    package var serverStarts: [Int] { starts.last ?? [] }
    /// Whether nothing more will be captured, or what follows does not matter.
    package var isLast = false

    /// Creates the first bytes.
    @_lifetime(copy client, copy server)
    public init(client: RawSpan, server: RawSpan, flow: FlowContext) {
        self.client = client
        self.server = server
        self.flow = flow
    }

    /// Whether the port of either endpoint is in `ports`.
    public func usesPort(_ ports: [UInt16]) -> Bool {
        ports.contains(flow.server.port) || ports.contains(flow.client.port)
    }
}

/// The result of a probe.
public enum ProbeAnswer: Sendable {
    /// The bytes belong to the protocol.
    case yes
    /// The bytes do not belong to the protocol, whatever follows.
    case no
    /// The bytes are encrypted with an unknown protocol inside; the flow is ignored, and counted in the summary.
    case hidden
    /// Undecided; more bytes are needed.
    case needMore
    /// Undecided, and not because of the bytes: the next segment is probed, whatever its size.
    case wait
}

/// A malformed message.
public struct DissectionError: Error, Sendable {
    /// The problem, in words.
    public var reason: String
    /// The offset in the bytes passed to `read`.
    public var offset: Int

    /// Creates an error.
    public init(_ reason: String, offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }
}
