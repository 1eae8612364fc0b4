public import WeirPackets

/// Where a dissector puts what it found; the driver empties it after each call.
///
/// Ranges are offsets in the bytes that were handed to `read` in this call.
public final class Outlet {
    /// One thing a dissector said.
    public enum Item {
        /// A message, and the bytes it was read from.
        case message(any Message, Range<Int>)
        /// A message that was read before.
        case earlier(EnclosingMessage)
        /// These bytes are a packet for the reader of packets of this flow.
        case packet(Packet)
        /// These bytes are a payload for the dissector of this name; it belongs to the message before it.
        case payload(protocolName: String, Range<Int>)
        /// A conversation for the dissector of this name begins on the flow, which does not know its key yet.
        case tunnel(protocolName: String)
        /// The flow carries a part of the conversation of this name; one half of it, if each has a connection of its own.
        case join(key: String, protocolName: String, half: String?)
        /// Bytes of such a conversation, such as one tunnelled over two HTTP connections: `direction` is the side of it that
        /// they belong to, and `range` the octets at hand that they were made of.
        case stream(key: String, protocolName: String, direction: Direction, bytes: [UInt8], range: Range<Int>?)
        /// So many bytes of such a conversation are missing from the capture.
        case streamGap(key: String, protocolName: String, direction: Direction, octets: Int)
        /// A whole message of a conversation that the flow's own messages carry, for whoever recognises it.
        case carried(CarriedMessage)
        /// About so many octets of such a conversation are missing from the capture.
        case carriedGap(Direction, octets: Int)
        /// The flow speaks another protocol from here on, in both directions, as these messages agreed.
        case become(protocolName: String, agreement: [any Message])
        /// Nothing on the flow is for this dissector.
        case leave
        /// The dissector reads nothing more of the flow, whatever comes.
        case stopped
        /// A tolerated oddity.
        case remark(Remark)
    }

    /// A packet in the bytes that were read.
    public struct Packet {
        /// The dissector that knows who reads it.
        public var protocolName: String
        /// What tells packets apart that one connection carries.
        public var channel: Int?
        /// Where it is.
        public var range: Range<Int>
        /// Octets of it on the wire.
        public var wireLength: Int
        /// Whether a relay carried it inside its own messages.
        public var isRelayed = false
        /// The frame around it as a message of its own, and where that is, when all packets are shown.
        public var frame: (message: any Message, range: Range<Int>)?
    }

    /// What was said since the driver last emptied the outlet, in order.
    public private(set) var items: [Item] = []
    /// Octets that the next message takes in all, if the dissector knows; 0 if not.
    public private(set) var needed = 0

    /// Octets of the datagram at hand that the wire had behind those that the capture holds.
    public package(set) var octetsCut = 0
    /// Where the bytes come from that are being read; nil when there are none.
    public internal(set) var place: ReadingPlace?
    /// Where octets were read that end before an offset: what waited came with an earlier segment than the latest.
    public func place(endingAt offset: Int) -> ReadingPlace? {
        guard let place, let position = place.position else { return place }
        return ReadingPlace(moment: position.moment(of: 0..<offset, place.moment), position: position)
    }
    /// The messages around the one that is being read, where another protocol carries it.
    public internal(set) var enclosing: [EnclosingMessage] = []

    /// The frame that brought the first of the bytes being read, and the one that brought those from `waiting` on.
    private var frames = (first: 0, last: 0)
    /// How many of the bytes being read have waited for more.
    private var waiting = 0

    /// Creates an empty outlet.
    public init() {}

    /// The frame that brought the octet at `offset` of the bytes being read; nil when that is not known. Of octets that
    /// have waited for more it is the frame of the first of them.
    @inline(__always)
    public func frame(at offset: Int) -> Int? {
        let frame = offset < waiting ? frames.first : frames.last
        return frame > 0 ? frame : nil
    }

    /// The driver's word on where the bytes come from that it hands to `read` next.
    @inline(__always)
    package func place(first: Int, waiting: Int, last: Int) {
        frames = (first, last)
        self.waiting = waiting
    }

    /// Says that a message was read from `range`.
    public func message(_ message: some Message, _ range: Range<Int>) {
        items.append(.message(message, range))
    }

    /// Tells a message that was read before, or that carries what is read now, at its own place.
    public func message(_ message: EnclosingMessage) {
        items.append(.earlier(message))
    }

    /// Says that `range` is a packet, `wireLength` octets long on the wire when the capture holds less of it.
    @inline(__always)
    public func packet(
        _ protocolName: String, channel: Int?, _ range: Range<Int>, wireLength: Int = 0, isRelayed: Bool = false,
        frame: (message: any Message, range: Range<Int>)? = nil
    ) {
        items.append(
            .packet(
                Packet(
                    protocolName: protocolName, channel: channel, range: range,
                    wireLength: max(wireLength, range.count), isRelayed: isRelayed, frame: frame)))
    }

    /// Hands `range` to the dissector called `protocolName`.
    public func payload(_ protocolName: String, _ range: Range<Int>) {
        items.append(.payload(protocolName: protocolName, range))
    }

    /// Says that a conversation begins whose key is not known yet.
    public func tunnel(_ protocolName: String) {
        items.append(.tunnel(protocolName: protocolName))
    }

    /// Says that the flow carries a part of a conversation; `half` names it if each of two has a connection of its own. An empty
    /// key is one that the capture lacks: then the other half of the same client and server says it.
    public func join(key: String, protocolName: String, half: String? = nil) {
        items.append(.join(key: key, protocolName: protocolName, half: half))
    }

    /// Hands decoded bytes to a conversation that several flows may carry together. `range` is what they were made of: what
    /// they say is told where that came. Octets that waited may have come at different times: see `pieces`.
    public func stream(
        key: String, protocolName: String, direction: Direction, bytes: [UInt8], range: Range<Int>? = nil
    ) {
        items.append(
            .stream(key: key, protocolName: protocolName, direction: direction, bytes: bytes, range: range))
    }

    /// The parts of `range` that different segments brought, in order; mostly one.
    public func pieces(of range: Range<Int>) -> [Range<Int>] {
        guard let position = place?.position, !position.segments.isEmpty else { return [range] }
        return position.pieces(of: range)
    }

    /// Hands on a whole message of a conversation that the flow's messages carry. It goes to the dissector that recognises
    /// it, or one of those before it.
    public func carried(_ message: CarriedMessage) {
        items.append(.carried(message))
    }

    /// Says that about so many octets of one side of that conversation are missing from the capture.
    public func carriedGap(_ direction: Direction, octets: Int) {
        items.append(.carriedGap(direction, octets: octets))
    }

    /// Says that both sides agreed, in these messages, to speak another protocol on the flow: what is not used yet is for
    /// the dissector called `protocolName`.
    public func become(_ protocolName: String, agreement: [any Message]) {
        items.append(.become(protocolName: protocolName, agreement: agreement))
    }

    /// Gives the flow up: it carries nothing that is worth telling.
    public func leave() {
        items.append(.leave)
    }

    /// Says that nothing more can be read of the flow, though it may go on: its sessions are told only so far.
    public func stop() {
        items.append(.stopped)
    }

    /// Says that bytes of such a conversation are missing from the capture.
    public func streamGap(key: String, protocolName: String, direction: Direction, octets: Int) {
        items.append(.streamGap(key: key, protocolName: protocolName, direction: direction, octets: octets))
    }

    /// Remarks on a tolerated oddity.
    public func remark(_ remark: Remark) {
        items.append(.remark(remark))
    }

    /// Says how many octets, from the start of the unused bytes, the next message takes in all.
    @inline(__always)
    public func need(_ octets: Int) {
        needed = octets
    }

    /// Forgets everything said, keeping the memory.
    package func clear() {
        if !items.isEmpty { items.removeAll(keepingCapacity: true) }
        needed = 0
    }
}

/// A tolerated oddity: the bytes could be used, but not because they followed the specification.
public struct Remark: Sendable {
    /// What is odd: a key of the string catalogue with its arguments.
    public var text: Text
    /// Specification and clause, such as `RFC 2326 §4`; empty when there is none.
    public var reference: String
    /// The bytes in question, in those handed to `read`.
    public var range: Range<Int>?
    /// Whether it only says why the step belongs where it is shown.
    public var isEvidence: Bool

    /// Creates a remark.
    public init(_ text: Text, reference: String = "", range: Range<Int>? = nil, isEvidence: Bool = false) {
        self.isEvidence = isEvidence
        self.text = text
        self.reference = reference
        self.range = range
    }
}
