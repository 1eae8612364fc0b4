public import WeirPackets

/// Reads packets that each stand alone, and of which a capture holds very many: media.
///
/// What it learns it tells through `StoryOutlet`, where something changes; most packets only move its figures. One object
/// lives for each flow that carries such packets, as datagrams or inside another protocol's messages.
public protocol PacketReader: AnyObject {
    /// Whether a datagram may be one of its packets, by a glance: another may show what else the flow carries.
    func accepts(_ datagram: RawSpan) -> Bool
    /// Reads a packet, or what the capture holds of it.
    func read(_ packet: RawSpan, _ arrival: PacketArrival)
    /// Counts a packet that the capture holds again.
    func readAgain(_ packet: RawSpan, _ direction: Direction)
    /// The flow has ended, or belongs to others from now on; tells what is still to be told.
    func finish(at frame: FrameInfo)
}

extension PacketReader {
    /// By default every datagram of its flow.
    public func accepts(_ datagram: RawSpan) -> Bool { true }
}

/// How a packet came.
public struct PacketArrival: Sendable {
    /// When and where.
    public var at: EventContext
    /// Octets of the packet on the wire.
    public var wireLength: Int
    /// Whether it came in several IP fragments.
    public var isFragmented = false
    /// What tells packets apart that one connection carries, such as the channel of RFC 2326 §10.12; nil for a datagram.
    public var channel: Int?
    /// Whether a relay carried it inside its own messages: then the flow's ends are not those of the packet.
    public var isRelayed: Bool

    /// Creates the description of a packet.
    public init(at: EventContext, wireLength: Int, channel: Int? = nil, isRelayed: Bool = false) {
        self.isRelayed = isRelayed
        self.at = at
        self.wireLength = wireLength
        self.channel = channel
    }
}

/// A datagram that was kept until it was known whose it is.
public struct KeptDatagram: Sendable {
    /// Its octets.
    public var octets: [UInt8]
    /// Who sent it.
    public var direction: Direction
    /// The frame that brought it.
    public var frame: FrameInfo

    /// Keeps a datagram.
    public init(octets: [UInt8], direction: Direction, frame: FrameInfo) {
        self.octets = octets
        self.direction = direction
        self.frame = frame
    }
}

/// Recognises a protocol of which a single datagram proves nothing, over several datagrams of a flow.
public protocol Recogniser {
    /// Whether its dissector takes only what it recognises; else `probe` is asked of single datagrams, too.
    static var isAlone: Bool { get }
    /// The name that a flow gets which it recognises, when its dissector's says more than what came.
    static var protocolName: String? { get }
    /// Begins undecided. Of a flow whose first datagram was looked at and refused before, with `isFirstRefused`.
    init(isFirstRefused: Bool)
    /// Looks at the next datagram: `no` says that this direction does not carry the protocol.
    mutating func observe(
        _ datagram: RawSpan, wireLength: Int, _ direction: Direction, _ frame: FrameInfo
    ) -> ProbeAnswer
    /// Takes note of a datagram that the capture holds again.
    mutating func observeAgain(_ datagram: RawSpan, _ direction: Direction)
    /// Whether it keeps anything that a later answer may need.
    var isEmpty: Bool { get }
    /// The flow is the protocol's, as the datagram that came `at` shows: hands what was kept to the reader.
    func replay(on flow: FlowState, to reader: any PacketReader, at: EventContext)
    /// The datagrams that a dissector is to read, in order, once one takes the flow.
    var kept: [KeptDatagram] { get }
    /// Whether what it keeps is the protocol's beyond doubt: its dissector reads it when the flow ends, if nothing came that
    /// would have told more.
    var isCertain: Bool { get }
}

extension Recogniser {
    /// By default a single datagram tells nothing.
    public static var isAlone: Bool { true }
    /// By default the dissector's.
    public static var protocolName: String? { nil }
    /// By default nothing but what `replay` hands on.
    public var kept: [KeptDatagram] { [] }
    /// By default it waits for more.
    public var isCertain: Bool { false }
    /// By default it takes no note.
    public mutating func observeAgain(_ datagram: RawSpan, _ direction: Direction) {}
    /// By default there is nothing for a reader of packets.
    public func replay(on flow: FlowState, to reader: any PacketReader, at: EventContext) {}
}
