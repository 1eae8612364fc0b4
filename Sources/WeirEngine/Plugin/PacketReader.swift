public import WeirPackets

/// Reads independent packets, such as media, of which a capture may contain very many.
///
/// It emits events through `SessionOutlet` when something changes; most packets only update statistics. There is one
/// object per flow that carries such packets, as datagrams or inside another protocol's messages.
public protocol PacketReader: AnyObject {
    /// Whether a datagram may be one of its packets, by a quick check; others may reveal a second protocol on the flow.
    func accepts(_ datagram: RawSpan) -> Bool
    /// Reads a packet, which may be truncated.
    func read(_ packet: RawSpan, _ arrival: PacketArrival)
    /// Counts a capture duplicate of a packet.
    func readAgain(_ packet: RawSpan, _ direction: Direction)
    /// Emits remaining events when the flow ends or is reassigned.
    func finish(at frame: FrameInfo)
}

extension PacketReader {
    /// The default: every datagram.
    public func accepts(_ datagram: RawSpan) -> Bool { true }
}

/// The circumstances of a packet's arrival.
public struct PacketArrival: Sendable {
    /// When and where it was captured.
    public var at: EventContext
    /// The original length of the packet in bytes.
    public var wireLength: Int
    /// Whether it arrived in several IP fragments.
    public var isFragmented = false
    /// The channel that distinguishes packets on one connection, such as that of RFC 2326 §10.12; nil for a datagram.
    public var channel: Int?
    /// Whether it was encapsulated in a relay's messages, so that the flow's endpoints are not those of the packet.
    public var isRelayed: Bool

    /// Creates an arrival.
    public init(at: EventContext, wireLength: Int, channel: Int? = nil, isRelayed: Bool = false) {
        self.isRelayed = isRelayed
        self.at = at
        self.wireLength = wireLength
        self.channel = channel
    }
}

/// A datagram buffered until its protocol is known.
public struct KeptDatagram: Sendable {
    /// The bytes.
    public var octets: [UInt8]
    /// The direction.
    public var direction: Direction
    /// The frame.
    public var frame: FrameInfo

    /// Creates a buffered datagram.
    public init(octets: [UInt8], direction: Direction, frame: FrameInfo) {
        self.octets = octets
        self.direction = direction
        self.frame = frame
    }
}

/// Recognizes a protocol from several datagrams of a flow, where a single one proves nothing.
public protocol Recognizer: AnyObject {
    /// Whether the dissector only takes flows that the recognizer identifies; otherwise `probe` also checks single
    /// datagrams.
    static var isAlone: Bool { get }
    /// The protocol name for recognized flows, if the dissector's name is too specific.
    static var protocolName: String? { get }
    /// Whether a new recognizer may answer a datagram with anything but `no`, or remember it.
    static func mayBegin(_ datagram: RawSpan) -> Bool
    /// Creates an undecided recognizer. `isFirstRefused` is whether the flow's first datagram was already rejected.
    init(isFirstRefused: Bool)
    /// Checks the next datagram; `no` means that this direction does not carry the protocol.
    func observe(
        _ datagram: RawSpan, wireLength: Int, _ direction: Direction, _ frame: FrameInfo
    ) -> ProbeAnswer
    /// Records a capture duplicate of a datagram.
    func observeAgain(_ datagram: RawSpan, _ direction: Direction)
    /// Whether it has no state that a later result may depend on.
    var isEmpty: Bool { get }
    /// Passes the buffered datagrams to the packet reader after the datagram captured at `at` identified the protocol.
    func replay(on flow: FlowState, to reader: any PacketReader, at: EventContext)
    /// The buffered datagrams for the dissector, in order.
    var kept: [KeptDatagram] { get }
    /// Whether the buffered datagrams certainly belong to the protocol. The dissector then reads them at the end of the
    /// flow even if no further evidence arrived.
    var isCertain: Bool { get }
}

extension Recognizer {
    /// The default: single datagrams are not probed.
    public static var isAlone: Bool { true }
    /// The default: the dissector's name.
    public static var protocolName: String? { nil }
    /// The default: any datagram.
    public static func mayBegin(_ datagram: RawSpan) -> Bool { true }
    /// The default: none, except what `replay` passes on.
    public var kept: [KeptDatagram] { [] }
    /// The default: false.
    public var isCertain: Bool { false }
    /// The default implementation does nothing.
    public func observeAgain(_ datagram: RawSpan, _ direction: Direction) {}
    /// The default implementation does nothing.
    public func replay(on flow: FlowState, to reader: any PacketReader, at: EventContext) {}
}
