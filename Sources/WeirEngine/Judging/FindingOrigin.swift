import WeirPackets

/// The parts of an event that a finding needs; copying the whole event is expensive.
struct FindingOrigin {
    let event: Int
    let frame: Int
    let time: Timestamp
    let flow: Int
    let stream: Int?
    let direction: Direction
    /// Whether the message is truncated, or was inferred rather than captured.
    let isIncomplete: Bool
    private let range: Range<Int>?

    init(_ event: Event) {
        self.event = event.id
        frame = event.frame
        time = event.time
        flow = event.flow
        stream = event.stream
        direction = event.direction
        isIncomplete = event.isCut || event.isInferred
        range = event.byteRange
    }

    /// Converts a byte range of the message to a byte range of the frame.
    func octets(_ part: Range<Int>?) -> Range<Int>? {
        guard let range, let part, part.upperBound <= range.count else { return range }
        return range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
    }
}
