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

    // Borrowed: an initializer otherwise takes a copy, with eight references.
    init(_ event: borrowing Event) {
        self.event = event.id
        frame = event.frame
        time = event.time
        flow = event.flow
        stream = event.stream
        direction = event.direction
        let isInferred = event.isInferred
        isIncomplete = event.isCut || isInferred
        range = event.byteRange
    }

    init(_ step: BriefStep, _ origin: BriefOrigin) {
        event = origin.event
        frame = step.place.frame
        time = step.place.time
        flow = step.place.flow
        stream = origin.stream
        direction = step.place.direction
        isIncomplete = false
        range = nil
    }

    /// Converts a byte range of the message to a byte range of the frame.
    func octets(_ part: Range<Int>?) -> Range<Int>? {
        guard let range, let part, part.upperBound <= range.count else { return range }
        return range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
    }
}
