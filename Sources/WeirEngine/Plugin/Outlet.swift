public import WeirPackets

/// Where a dissector puts what it found; the driver empties it after each call.
///
/// Ranges are offsets in the bytes that were handed to `read` in this call.
public final class Outlet {
    /// One thing a dissector said.
    public enum Item {
        /// A message, and the bytes it was read from.
        case message(any Message, Range<Int>)
        /// These bytes are an interleaved media packet (RTP or RTCP) on a channel (RFC 2326 §10.12); on the wire it had
        /// `wireLength` octets.
        case media(channel: Int, Range<Int>, wireLength: Int)
        /// These bytes are a payload for the dissector of this name; it belongs to the message before it.
        case payload(protocolName: String, Range<Int>)
        /// Bytes of a conversation that several flows carry together, such as RTSP tunnelled over two HTTP
        /// connections: `key` names the conversation, `direction` the side of it that these bytes belong to.
        case joined(key: String, protocolName: String, direction: Direction, bytes: [UInt8])
        /// So many bytes of such a conversation are missing from the capture.
        case joinedGap(key: String, protocolName: String, direction: Direction, octets: Int)
        /// A flow will come, because of the message before this.
        case expectation(Expectation)
        /// A tolerated oddity.
        case remark(Remark)
    }

    /// What was said since the driver last emptied the outlet, in order.
    public private(set) var items: [Item] = []
    /// Octets that the next message takes in all, if the dissector knows; 0 if not.
    public private(set) var needed = 0

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

    /// Says that `range` is an interleaved media packet on `channel`; `wireLength` octets long on the wire when the
    /// capture holds less of it.
    @inline(__always)
    public func media(channel: Int, _ range: Range<Int>, wireLength: Int = 0) {
        items.append(.media(channel: channel, range, wireLength: max(wireLength, range.count)))
    }

    /// Hands `range` to the dissector called `protocolName`.
    public func payload(_ protocolName: String, _ range: Range<Int>) {
        items.append(.payload(protocolName: protocolName, range))
    }

    /// Hands decoded bytes to a conversation that several flows carry together.
    public func joined(key: String, protocolName: String, direction: Direction, bytes: [UInt8]) {
        items.append(.joined(key: key, protocolName: protocolName, direction: direction, bytes: bytes))
    }

    /// Says that bytes of a conversation that several flows carry together are missing from the capture.
    public func joinedGap(key: String, protocolName: String, direction: Direction, octets: Int) {
        items.append(.joinedGap(key: key, protocolName: protocolName, direction: direction, octets: octets))
    }

    /// Announces a flow.
    public func expect(_ expectation: Expectation) {
        items.append(.expectation(expectation))
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

    /// Takes what was said, leaving the outlet empty but its memory allocated.
    package func drain(_ body: (borrowing Item) -> Void) {
        for index in items.indices { body(items[index]) }
        clear()
    }

    /// Forgets everything said, keeping the memory.
    package func clear() {
        if !items.isEmpty { items.removeAll(keepingCapacity: true) }
        needed = 0
    }
}

/// The announcement of a flow: where media will come from, and why that is believed.
public struct Expectation: Sendable {
    /// Name of the dissector to use, `rtp` for RTP and RTCP.
    public var protocolName: String
    /// One end of the flow; its packets come from or go to it.
    public var endpoint: Endpoint
    /// The other end, if it was announced too.
    public var peer: Endpoint?
    /// Why the flow is expected, for the timeline.
    public var because: Text

    /// Creates an announcement.
    public init(protocolName: String, endpoint: Endpoint, peer: Endpoint? = nil, because: Text) {
        self.protocolName = protocolName
        self.endpoint = endpoint
        self.peer = peer
        self.because = because
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

    /// Creates a remark.
    public init(_ text: Text, reference: String = "", range: Range<Int>? = nil) {
        self.text = text
        self.reference = reference
        self.range = range
    }
}
