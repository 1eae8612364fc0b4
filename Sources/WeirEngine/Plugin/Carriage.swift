public import WeirPackets

/// What carries a conversation whose messages travel whole inside those of another protocol: WebSocket's, bodies of HTTP.
public struct Carriage: Sendable, Hashable {
    /// The protocol that carries it, as in the report's `protocol`.
    public var protocolName: String
    /// What the carrier says that it carries: a media type, the name of a subprotocol; nil when it says nothing.
    public var contentType: String?

    /// Creates the description of a carrier.
    public init(protocolName: String, contentType: String? = nil) {
        self.protocolName = protocolName
        self.contentType = contentType
    }
}

/// A whole message of a conversation that another protocol carries.
public struct CarriedMessage: Sendable {
    /// What carries it.
    public var carriage: Carriage
    /// Which side of the conversation said it.
    public var direction: Direction
    /// The message, with all taken off that belongs to the carrier: masking, compression, fragments.
    public var octets: [UInt8]
    /// The messages around it, in order, which are told when it is known whose it is; none when they are told anyway.
    public var enclosing: [EnclosingMessage]
    /// The frame that brought the first octet of the message around it; nil when that is not known.
    public var firstFrame: Int?
    /// Where it was read, when that is over: a body that ends with the connection.
    public var place: ReadingPlace?
    /// Where the same number of octets stands among those handed to `read`, one for one; nil when it stands nowhere.
    public var range: Range<Int>?

    /// Creates a message.
    public init(
        _ octets: [UInt8], _ direction: Direction, in carriage: Carriage, enclosing: [EnclosingMessage] = [],
        firstFrame: Int? = nil, range: Range<Int>? = nil
    ) {
        self.enclosing = enclosing
        self.octets = octets
        self.direction = direction
        self.carriage = carriage
        self.firstFrame = firstFrame
        self.range = range
    }
}

/// A message of a carrier, and where it was.
public struct EnclosingMessage: Sendable {
    /// The message.
    public var message: any Message
    /// Its octets, in those that were read at its place.
    public var range: Range<Int>
    /// Where it was read, as the outlet said then; nil: where the octets come from that are read now.
    public var place: ReadingPlace?

    /// Creates the description of a message.
    public init(_ message: any Message, _ range: Range<Int>, at place: ReadingPlace? = nil) {
        self.message = message
        self.range = range
        self.place = place
    }
}

/// Where octets come from that a dissector reads: to be kept by those that tell of them only later.
public struct ReadingPlace: Sendable {
    let moment: EventContext
    let position: BytePosition?
}
