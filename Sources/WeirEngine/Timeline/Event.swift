public import WeirPackets

/// One step of the timeline: a message, when and where it was seen, and what it is linked to.
public struct Event: Sendable {
    /// Number in the timeline, from 1.
    public var id: Int
    /// The frame whose arrival completed the message.
    public var frame: Int
    /// The frame that holds the message's first octet, when it is another one.
    public var firstFrame: Int?
    /// When `frame` was captured.
    public var time: Timestamp
    /// Nanoseconds since the first packet of the capture.
    public var offset: Int64
    /// The flow that carried it.
    public var flow: Int
    /// Which way it went.
    public var direction: Direction
    /// Who sent it.
    public var source: Endpoint
    /// To whom.
    public var destination: Endpoint
    /// What was said.
    public var message: any Message
    /// A note that replaces the message's own, when the session knows more than the message does.
    public var note: Text?
    /// For an answer: the request it answers.
    public var answers: Exchange?
    /// The session it belongs to.
    public var session: Int?
    /// The media stream it is about.
    public var stream: Int?
    /// The phase of the session that it is part of.
    public var phase: Phase?
    /// Where the message lies in `frame`: offset and length, known when it lies in one frame.
    public var byteRange: Range<Int>?
    /// Whether the capture holds only a part of the message.
    public var isCut = false
    /// Whether where the message begins was only found out, after octets that the capture lacks: it may be misread.
    public var isInferred = false
    /// What the message is a part of, such as the datagram that carried several: for the rules of its protocol.
    package var whole: (any Sendable & AnyObject)?
    /// Tolerated oddities.
    public var remarks: [Remark] = []

    /// It is one frame of very many, with nothing odd about it, and shown only because all of them are to be.
    package var isOneOfMany = false

    /// Whether it answers a request.
    public var isAnswer: Bool { if case .some = answers { true } else { false } }

    /// An answered request.
    public struct Exchange: Sendable {
        /// The request's event.
        public var requestEvent: Int
        /// The request.
        public var request: any Message
        /// Nanoseconds from the request to the answer.
        public var latency: Int64
        /// How the two were matched.
        public var pairing: Pairing

        /// Holds what is known.
        public init(
            requestEvent: Int,
            request: any Message,
            latency: Int64,
            pairing: Pairing
        ) {
            self.requestEvent = requestEvent
            self.request = request
            self.latency = latency
            self.pairing = pairing
        }
    }

    /// How an answer was matched with its request.
    public enum Pairing: Sendable, Hashable {
        /// By the number that both carry.
        case number
        /// By order, since the number is missing or wrong in the answer.
        case order
        /// By the stream that both are about.
        case stream
    }
}
