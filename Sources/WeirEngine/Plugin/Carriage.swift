public import WeirPackets

/// The carrier of a conversation whose messages are contained whole in those of another protocol, such as WebSocket
/// messages or HTTP bodies.
public struct Carriage: Sendable, Hashable {
    /// The carrier's protocol name, as in the report's `protocol`.
    public var protocolName: String
    /// The content type declared by the carrier, a media type or subprotocol name, or nil if it declares none.
    public var contentType: String?
    /// The path of the request, also for its response, or nil if the carrier has none or the request is not known.
    public var path: String?

    /// Creates a carrier description.
    public init(protocolName: String, contentType: String? = nil, path: String? = nil) {
        self.protocolName = protocolName
        self.contentType = contentType
        self.path = path
    }
}

/// A complete message of a conversation carried by another protocol.
public struct CarriedMessage: Sendable {
    /// The carrier.
    public var carriage: Carriage
    /// The direction in the conversation.
    public var direction: Direction
    /// The message, after unmasking, decompression and defragmentation by the carrier.
    public var octets: [UInt8]
    /// The enclosing messages, in order, which are emitted once the protocol is recognized; empty if they are emitted
    /// anyway.
    public var enclosing: [EnclosingMessage]
    /// The frame of the first byte of the enclosing message, or nil if unknown.
    public var firstFrame: Int?
    /// Where it was read, if in the past, such as a body that ends with the connection.
    public var place: ReadingPlace?
    /// The byte range passed to `read` that is identical to `octets`, or nil if there is none.
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

/// A carrier message and its position.
public struct EnclosingMessage: Sendable {
    /// The message.
    public var message: any Message
    /// The byte range of the message at its place.
    public var range: Range<Int>
    /// Where it was read, as recorded by the outlet then, or nil for the bytes being read now.
    public var place: ReadingPlace?

    /// Creates an enclosing message.
    public init(_ message: any Message, _ range: Range<Int>, at place: ReadingPlace? = nil) {
        self.message = message
        self.range = range
        self.place = place
    }
}

/// The origin of bytes being read, for dissectors that emit messages from them later.
public struct ReadingPlace: Sendable {
    let moment: EventContext
    let position: BytePosition?
}
