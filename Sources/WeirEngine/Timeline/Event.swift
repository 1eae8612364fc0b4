public import WeirPackets

/// An event of the timeline: a message, when and where it was captured, and what it is linked to.
public struct Event: Sendable {
    /// The number in the timeline, from 1.
    public var id: Int
    /// The frame that completed the message.
    public var frame: Int
    /// The frame that contains the first byte of the message, if different.
    public var firstFrame: Int?
    /// The capture time of `frame`.
    public var time: Timestamp
    /// Nanoseconds since the first packet of the capture.
    public var offset: Int64
    /// The flow id.
    public var flow: Int
    /// The direction in the flow.
    public var direction: Direction
    /// The sender.
    public var source: Endpoint
    /// The receiver.
    public var destination: Endpoint
    /// The message.
    public var message: any Message
    /// A note that replaces that of the message, with information from the session.
    public var note: Text?
    /// For a response: the request that it answers.
    public var answers: Exchange?
    /// The session id.
    public var session: Int?
    /// The media stream id.
    public var stream: Int?
    /// The phase of the session.
    public var phase: Phase?
    /// The byte range of the message in `frame`, if it is contained in one frame.
    public var byteRange: Range<Int>?
    /// Whether the capture contains only part of the message.
    public var isCut = false
    /// Whether the message start was guessed after a gap, so that it may be misread.
    public var isInferred = false
    /// How the octets of the message were decrypted; nil if they were not encrypted.
    public var decryption: Decryption?
    /// The protocol out of whose decrypted octets the message was read, such as `tls`.
    public var decrypted: String? { decryption?.protocolName }
    /// The container of the message, such as a compound datagram, for the rules of its protocol.
    package var whole: (any Sendable & AnyObject)?
    /// Tolerated anomalies.
    public var remarks: [Remark] = []

    /// Whether it is one of very many frames without anomalies, shown only because all are requested.
    package var isOneOfMany = false

    /// Whether it answers a request.
    public var isAnswer: Bool { if case .some = answers { true } else { false } }

    /// A request that was answered. An object: events are copied often, and their requests have several references.
    public final class Exchange: Sendable {
        /// The event id of the request.
        public let requestEvent: Int
        /// The request.
        public let request: any Message
        /// Nanoseconds from the request to the response.
        public let latency: Int64
        /// How request and response were matched.
        public let pairing: Pairing

        /// Creates an exchange.
        public init(requestEvent: Int, request: any Message, latency: Int64, pairing: Pairing) {
            self.requestEvent = requestEvent
            self.request = request
            self.latency = latency
            self.pairing = pairing
        }
    }

    /// How a response was matched to its request.
    public enum Pairing: Sendable, Hashable {
        /// By the sequence number or transaction id in both.
        case number
        /// By order, because the number is missing or wrong in the response.
        case order
        /// By the stream that both refer to.
        case stream
    }
}

extension Event {
    /// The event without its message, or nil if its record has members that do not depend on the message.
    package var routine: RoutineEvent? {
        guard case .none = note, remarks.isEmpty, !isAnswer, decryption == nil else { return nil }
        return RoutineEvent(
            type: Self.type(of: message), id: id, frame: frame, firstFrame: firstFrame, time: time, offset: offset,
            flow: flow, direction: direction, source: source, destination: destination, session: session,
            stream: stream)
    }

    /// Opening the existential here avoids a copy of the message.
    @usableFromInline
    static func type<M: Message>(of message: borrowing M) -> ObjectIdentifier { ObjectIdentifier(M.self) }
}
