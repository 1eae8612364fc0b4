public import WeirPackets

/// Receives the output of a dissector; the driver processes it after each call.
///
/// Ranges are offsets in the bytes passed to `read` in this call.
public final class Outlet {
    /// An output item.
    public enum Item {
        /// A message, and the range it was read from.
        case message(any Message, Range<Int>)
        /// A message that was read earlier, or that encloses what is being read.
        case earlier(EnclosingMessage)
        /// A packet for the flow's packet reader.
        case packet(Packet)
        /// A payload for the named dissector; it belongs to the preceding message.
        case payload(protocolName: String, Range<Int>)
        /// The start of a conversation for the named dissector whose key is not yet known.
        case tunnel(protocolName: String)
        /// The flow carries a part of the conversation with this key, or one half if each half has its own connection.
        case join(key: String, protocolName: String, half: String?)
        /// Bytes of such a conversation, such as one tunneled over two HTTP connections. `direction` is the direction
        /// in the conversation, `range` the bytes from which they were decoded.
        case stream(key: String, protocolName: String, direction: Direction, bytes: [UInt8], range: Range<Int>?)
        /// Bytes of such a conversation are missing from the capture.
        case streamGap(key: String, protocolName: String, direction: Direction, octets: Int)
        /// A complete message of a conversation carried by the flow's messages, for the dissector that recognizes it.
        case carried(CarriedMessage)
        /// The approximate number of bytes of such a conversation that are missing from the capture.
        case carriedGap(Direction, octets: Int)
        /// The dissector decodes the flow: what it passes on as content is dissected as the flow's stream.
        case layer(isShown: Bool)
        /// The source of the secrets with which it decodes, such as a file name.
        case layerSource(String)
        /// Decoded bytes of the flow's stream. The range is the source of the bytes.
        case content(bytes: [UInt8], Direction, Range<Int>)
        /// Bytes of the decoded stream are missing; `octets` is their approximate number.
        case contentGap(Direction, octets: Int)
        /// The buffered bytes of the other direction can be read now.
        case resume
        /// The flow uses another protocol from here on, in both directions, as negotiated by these messages.
        case become(protocolName: String, agreement: [any Message])
        /// The dissector does not apply to this flow.
        case leave
        /// The dissector cannot read any more of the flow.
        case stopped
        /// A tolerated anomaly.
        case remark(Remark)
    }

    /// A packet in the bytes that were read.
    public struct Packet {
        /// The name of the dissector that provides its packet reader.
        public var protocolName: String
        /// The channel that distinguishes packets on one connection.
        public var channel: Int?
        /// Its range.
        public var range: Range<Int>
        /// Its original length in bytes.
        public var wireLength: Int
        /// Whether it was encapsulated in a relay's messages.
        public var isRelayed = false
        /// The framing around it as a message, with its range, if all packets are shown.
        public var frame: (message: any Message, range: Range<Int>)?
    }

    /// The items since the driver last cleared the outlet, in order.
    public var items: [Item] { list.current }
    /// Whether there is any.
    package var hasItems: Bool { !list.current.isEmpty }
    private var list = Lent<[Item]>([])
    /// The total length of the next message in bytes, or 0 if unknown.
    public var needed: Int { neededOctets }
    private var neededOctets = 0

    /// The bytes of the current datagram that were truncated by the capture.
    public package(set) var octetsCut = 0
    /// The origin of the bytes being read, or nil if there are none.
    public internal(set) var place: ReadingPlace?
    /// Returns the origin of bytes that end at an offset; buffered bytes are from earlier segments.
    public func place(endingAt offset: Int) -> ReadingPlace? {
        guard let place, let position = place.position else { return place }
        return ReadingPlace(moment: position.moment(of: 0..<offset, place.moment), position: position)
    }
    /// The messages that enclose the one being read, if it is carried by another protocol.
    public internal(set) var enclosing: [EnclosingMessage] = []

    /// The carrier of the message being read, or nil if the flow itself is.
    public internal(set) var carriage: Carriage?

    /// The frames of the first byte being read, and of the bytes from `waiting` on.
    private var frames = (first: 0, last: 0)
    /// How many of the bytes being read were buffered.
    private var waiting = 0

    /// Creates an empty outlet.
    public init() {}

    /// Returns the frame of the byte at `offset`, or nil if unknown. For buffered bytes it is the frame of the first of
    /// them.
    @inline(__always)
    public func frame(at offset: Int) -> Int? {
        let frame = offset < waiting ? frames.first : frames.last
        return frame > 0 ? frame : nil
    }

    /// Sets the origin of the bytes passed to `read` next.
    @inline(__always)
    package func place(first: Int, waiting: Int, last: Int) {
        frames = (first, last)
        self.waiting = waiting
    }

    private func add(_ item: Item) {
        var taken = list.take()
        taken.append(item)
        list.put(consume taken)
    }

    /// Emits a message read from `range`.
    public func message(_ message: some Message, _ range: Range<Int>) {
        add(.message(message, range))
    }

    /// Emits a message that was read earlier, or that encloses what is being read, at its own position.
    public func message(_ message: EnclosingMessage) {
        add(.earlier(message))
    }

    /// Emits a packet. `wireLength` is its original length in bytes, if it was truncated.
    @inline(__always)
    public func packet(
        _ protocolName: String, channel: Int?, _ range: Range<Int>, wireLength: Int = 0, isRelayed: Bool = false,
        frame: (message: any Message, range: Range<Int>)? = nil
    ) {
        add(
            .packet(
                Packet(
                    protocolName: protocolName, channel: channel, range: range,
                    wireLength: max(wireLength, range.count), isRelayed: isRelayed, frame: frame)))
    }

    /// Passes a range to the named dissector.
    public func payload(_ protocolName: String, _ range: Range<Int>) {
        add(.payload(protocolName: protocolName, range))
    }

    /// Starts a conversation whose key is not yet known.
    public func tunnel(_ protocolName: String) {
        add(.tunnel(protocolName: protocolName))
    }

    /// Joins the flow to a conversation; `half` names its half if each has its own connection. An empty key means that
    /// it was not captured, and is determined by the other half of the same client and server.
    public func join(key: String, protocolName: String, half: String? = nil) {
        add(.join(key: key, protocolName: protocolName, half: half))
    }

    /// Passes decoded bytes to a conversation that may span several flows. `range` is the source of the bytes, which
    /// determines their time. For buffered bytes from different segments, see `pieces`.
    public func stream(
        key: String, protocolName: String, direction: Direction, bytes: [UInt8], range: Range<Int>? = nil
    ) {
        add(
            .stream(key: key, protocolName: protocolName, direction: direction, bytes: bytes, range: range))
    }

    /// Returns the parts of `range` by segment, in order; usually one.
    public func pieces(of range: Range<Int>) -> [Range<Int>] {
        guard let position = place?.position, !position.segments.isEmpty else { return [range] }
        return position.pieces(of: range)
    }

    /// Passes on a complete message of a conversation carried by the flow's messages, for the dissector that recognizes
    /// this message or an earlier one.
    public func carried(_ message: CarriedMessage) {
        add(.carried(message))
    }

    /// Reports the approximate number of bytes of that conversation missing in one direction.
    public func carriedGap(_ direction: Direction, octets: Int) {
        add(.carriedGap(direction, octets: octets))
    }

    /// Switches the flow to another protocol, negotiated by these messages; unconsumed bytes are passed to the named
    /// dissector.
    public func become(_ protocolName: String, agreement: [any Message]) {
        add(.become(protocolName: protocolName, agreement: agreement))
    }

    /// Makes the dissector a layer, such as TLS with its secrets: the stream that it decodes is dissected as if it were
    /// the flow's own. Its messages are emitted with the first message of that stream; without one, only if `isShown`.
    public func layer(isShown: Bool) {
        add(.layer(isShown: isShown))
    }

    /// Sets the source of the secrets with which the layer decodes, for the session.
    public func layer(source: String) {
        add(.layerSource(source))
    }

    /// Passes on decoded bytes; see `layer`. `range` is the source of the bytes, which determines their time.
    public func content(_ bytes: [UInt8], _ direction: Direction, from range: Range<Int>) {
        add(.content(bytes: bytes, direction, range))
    }

    /// Reports missing bytes of the decoded stream.
    public func contentGap(_ direction: Direction, octets: Int) {
        add(.contentGap(direction, octets: octets))
    }

    /// Has the buffered bytes of the other direction read again, which `read` could not consume before.
    public func resume() {
        add(.resume)
    }

    /// Gives up the flow, which contains nothing worth reporting.
    public func leave() {
        add(.leave)
    }

    /// Stops reading the flow, although it may continue; its sessions are reported up to here.
    public func stop() {
        add(.stopped)
    }

    /// Reports missing bytes of a conversation that may span several flows.
    public func streamGap(key: String, protocolName: String, direction: Direction, octets: Int) {
        add(.streamGap(key: key, protocolName: protocolName, direction: direction, octets: octets))
    }

    /// Emits a remark on a tolerated anomaly.
    public func remark(_ remark: Remark) {
        add(.remark(remark))
    }

    /// Sets the total length of the next message, from the start of the unconsumed bytes.
    @inline(__always)
    public func need(_ octets: Int) {
        neededOctets = octets
    }

    /// Removes all items, and sets that all bytes passed to `read` next are of one frame.
    package func begin(at frame: Int) {
        clear()
        place(first: frame, waiting: 0, last: frame)
    }

    /// Removes all items, keeping the capacity.
    package func clear() {
        neededOctets = 0
        guard hasItems else { return }
        var taken = list.take()
        taken.removeAll(keepingCapacity: true)
        list.put(consume taken)
    }
}

/// A tolerated anomaly: the bytes are usable although they violate the specification.
public struct Remark: Sendable {
    /// The description: a string catalog key with arguments.
    public var text: Text
    /// The specification and clause, such as `RFC 2326 §4`, or empty.
    public var reference: String
    /// The bytes concerned, relative to those passed to `read`.
    public var range: Range<Int>?
    /// Whether it only explains why the event is shown at its position.
    public var isEvidence: Bool

    /// Creates a remark.
    public init(_ text: Text, reference: String = "", range: Range<Int>? = nil, isEvidence: Bool = false) {
        self.isEvidence = isEvidence
        self.text = text
        self.reference = reference
        self.range = range
    }
}
