import WeirPackets

/// The origin of the bytes that a dissector reads, including buffered ones.
struct BytePosition: Sendable {
    /// The offset in the current frame, or nil if they start in an earlier one.
    var inFrame: Int?
    /// The frame of the first byte.
    var firstFrame: Int
    /// The segments of buffered bytes; empty if all are from the current frame.
    var segments: [WaitingSegment] = []
    /// The stream position of the first byte.
    var start = 0
    /// The stream position of the first byte from the current frame.
    var fresh = 0

    /// Returns the context of a range: that of the segment with its last byte.
    func moment(of range: Range<Int>, _ now: EventContext) -> EventContext {
        guard !segments.isEmpty, range.upperBound > 0, start &+ range.upperBound <= fresh,
            let segment = segment(of: start &+ range.upperBound &- 1)
        else { return now }
        var moment = now
        moment.frame = segment.frame
        moment.time = segment.time
        return moment
    }

    /// Returns the position advanced by `offset` bytes.
    func advanced(by offset: Int) -> Self {
        var place = self
        place.inFrame = inFrame.map { $0 &+ offset }
        place.start = start &+ offset
        guard !segments.isEmpty else { return place }
        if place.start < fresh, let segment = segment(of: place.start) { place.firstFrame = segment.origin }
        return place
    }

    /// Returns the frame of the byte at `offset`, or that of the first byte if unknown.
    func origin(of offset: Int) -> Int {
        guard !segments.isEmpty, start &+ offset < fresh else { return firstFrame }
        return segment(of: start &+ offset)?.origin ?? firstFrame
    }

    /// Returns the parts of a range by segment, in order.
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

/// The origin of a message: flow, byte range and remarks.
public struct MessageContext {
    /// The flow.
    public let flow: FlowState
    /// When and where it was captured.
    public let at: EventContext
    /// Its range in the bytes that the dissector read last.
    public let range: Range<Int>
    /// Remarks on anomalies.
    public let remarks: [Remark]
    /// The origin of the bytes that the dissector read, or nil if unknown.
    let position: BytePosition?

    /// Stores the message's position and remarks in its event.
    func locate(_ event: inout Event) {
        event.remarks = remarks
        let origin = position?.origin(of: max(0, range.lowerBound))
        if let first = event.message.firstFrame ?? origin, first != at.frame, first > 0 {
            event.firstFrame = first
        }
        // A range may start before the bytes read last, in the same frame.
        if event.firstFrame == nil || event.message.firstFrame == nil, let start = position?.inFrame,
            start + range.lowerBound >= 0
        {
            event.byteRange = start + range.lowerBound..<start + range.upperBound
        }
    }
}
