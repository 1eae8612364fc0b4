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

/// Where the bytes that a dissector reads begin, and what brought those of them that have waited.
struct BytePosition: Sendable {
    /// Offset in the frame at hand; nil when they began in an earlier one.
    var inFrame: Int?
    /// The frame that holds the first octet.
    var firstFrame: Int
    /// The segments that brought what waited; empty when all of it came with the frame at hand.
    var segments: [WaitingSegment] = []
    /// Position in the stream of the first octet.
    var start = 0
    /// Position in the stream of the first octet that came with the frame at hand.
    var fresh = 0

    /// The place of something that ends before `offset`: that of the segment that brought its last octet.
    func moment(of range: Range<Int>, _ now: EventContext) -> EventContext {
        guard !segments.isEmpty, range.upperBound > 0, start &+ range.upperBound <= fresh,
            let segment = segment(of: start &+ range.upperBound &- 1)
        else { return now }
        var moment = now
        moment.frame = segment.frame
        moment.time = segment.time
        return moment
    }

    /// The same place, as it is for what stands from `offset` on.
    func advanced(by offset: Int) -> Self {
        var place = self
        place.inFrame = inFrame.map { $0 &+ offset }
        place.start = start &+ offset
        guard !segments.isEmpty else { return place }
        if place.start < fresh, let segment = segment(of: place.start) { place.firstFrame = segment.origin }
        return place
    }

    /// The frame of the octet at `offset`, if that is known better than by the first one's.
    func origin(of offset: Int) -> Int {
        guard !segments.isEmpty, start &+ offset < fresh else { return firstFrame }
        return segment(of: start &+ offset)?.origin ?? firstFrame
    }

    /// The parts of a range that different segments brought, in order.
    func pieces(of range: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var from = range.lowerBound
        for boundary in segments.map(\.start) + [fresh] {
            let end = boundary &- start
            guard end > from, end < range.upperBound else { continue }
            pieces.append(from..<end)
            from = end
        }
        pieces.append(from..<range.upperBound)
        return pieces
    }

    private func segment(of position: Int) -> WaitingSegment? { segments.last { $0.start <= position } }
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
        let origin = position?.origin(of: max(0, range.lowerBound))
        if let first = event.message.firstFrame ?? origin, first != at.frame, first > 0 {
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
