public import WeirPackets

/// Where and when something happened: the frame at hand, and the flow it belongs to.
public struct EventContext: Sendable {
    /// Number of the frame.
    public var frame: Int
    /// When it was captured.
    public var time: Timestamp
    /// Number of the flow.
    public var flow: Int
    /// Which way it went.
    public var direction: Direction
    /// Who sent it.
    public var source: Endpoint
    /// To whom.
    public var destination: Endpoint

    /// Creates the description of a place.
    public init(
        frame: Int, time: Timestamp, flow: Int, direction: Direction, source: Endpoint, destination: Endpoint
    ) {
        self.frame = frame
        self.time = time
        self.flow = flow
        self.direction = direction
        self.source = source
        self.destination = destination
    }
}

/// Where the bytes that a dissector reads begin.
struct BytePosition: Sendable {
    /// Offset in the frame at hand; nil when they began in an earlier one.
    var inFrame: Int?
    /// The frame that holds the first octet.
    var firstFrame: Int
}

/// How a message came: on which flow, in which octets, and what is odd about them.
public struct MessageContext {
    /// The flow that brought it.
    public let flow: FlowState
    /// Where and when.
    public let at: EventContext
    /// Its octets in those that the dissector read last.
    public let range: Range<Int>
    /// What is odd about them.
    public let remarks: [Remark]
    /// Where the octets begin that the dissector read; nil when that is not known.
    let position: BytePosition?

    /// Puts the message's place into its event.
    func locate(_ event: inout Event) {
        event.remarks = remarks
        if let first = event.message.firstFrame ?? position?.firstFrame, first != at.frame, first > 0 {
            event.firstFrame = first
        }
        // A range can begin before the bytes that were read last, in the same frame.
        if event.firstFrame == nil || event.message.firstFrame == nil, let start = position?.inFrame,
            start + range.lowerBound >= 0
        {
            event.byteRange = start + range.lowerBound..<start + range.upperBound
        }
    }
}
