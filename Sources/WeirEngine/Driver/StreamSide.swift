package import WeirPackets

/// One direction of a stream, on its way to a dissector.
package final class StreamSide {
    private var place = Place()
    /// Octets that the snap length cut off segments, and that have not yet shown as a gap.
    var cutOctets = 0
    /// What brought the octets that were handed on last.
    private var latestPlace: Delivery.Place?

    package init() {}

    /// What waits.
    package var buffer: StreamBuffer {
        _read { yield place.buffer }
        _modify { yield &place.buffer }
    }
    /// Octets of the stream that were handed to the dissector and used, or passed over.
    package var consumed: Int {
        get { place.consumed }
        set { place.consumed = newValue }
    }
    /// The frame that brought the first octet that waits.
    var waitingFrame: Int { place.waitingFrame }
    /// Whether a message start has to be found first: after a gap, a broken message, or a late start.
    var isLost: Bool {
        get { place.isLost }
        set { place.isLost = newValue }
    }
    /// Whether octets were taken without the dissector since it read last.
    var isAhead: Bool {
        get { place.isAhead }
        set { place.isAhead = newValue }
    }
    /// The segments that brought what waits.
    var segments: [WaitingSegment] { place.segments }
    /// Where the segments begin in what waits.
    var starts: [Int] {
        let consumed = place.consumed
        return place.segments.map { max(0, $0.start - consumed) }
    }
    /// What has to be known of it before it is read.
    var reading: Reading { place.reading }

    /// Where the octets are told that come next, which `arrival` brought, or behind which it shows a hole: those that waited
    /// for others are complete with the segment that brought these.
    func place(of arrival: Delivery.Place) -> Delivery.Place {
        if let latestPlace, latestPlace.frame > arrival.frame { return latestPlace }
        latestPlace = arrival
        return arrival
    }

    /// What comes next begins in `frame`; so does what waits, if nothing did.
    func begin(in frame: Int) {
        place.begin(in: frame)
    }

    /// The dissector has used so many octets. `isBetween` says whether it is between messages.
    func advance(by used: Int, isBetweenMessages: Bool) {
        place.advance(by: used, isBetweenMessages: isBetweenMessages)
    }

    /// The next message start has to be found: by the driver if `isLost`, else by the dissector.
    func lose(by used: Int = 0, isLost: Bool) {
        place.lose(by: used, isLost: isLost)
    }

    /// Nothing waits any more: hands over what brought it.
    func takeSegments() -> [WaitingSegment] {
        defer { place.segments = [] }
        return place.segments
    }
}

// MARK: - What waits, lent

// Who changes what waits borrows it and gives it back: what is done with it is checked once then, not at each step.

extension StreamSide {
    /// Lends what waits, and says where in the stream the octets begin that come next.
    func lend() -> (waiting: StreamBuffer, end: Int) { place.lend() }

    /// Takes back what was lent, to which a segment was offered.
    func takeBack(_ lent: consuming StreamBuffer, _ offered: WaitingSegment) {
        place.takeBack(lent, offered)
    }

    /// Lends what waits to a fast path; nil when the dissector has to read on.
    package func lendBetweenMessages() -> StreamBuffer? { place.lendBetweenMessages() }

    /// Takes back what was lent to a fast path.
    ///
    /// - Parameters:
    ///   - waited: octets that waited when it was lent.
    ///   - used: octets that were used, of those that waited and of the segment.
    package func takeBack(_ lent: consuming StreamBuffer, waited: Int, used: Int, frame: Int, time: Timestamp) {
        place.takeBack(lent, waited: waited, used: used, frame: frame, time: time)
    }
}

/// Where a side is, what waits, and what brought it. A segment changes most of it: it is one value, whose use is checked
/// once for each step.
private struct Place {
    var consumed = 0
    var waitingFrame = 0
    var isLost = false
    /// Whether a fast path may take octets where the unused ones begin, without the dissector.
    var isBetweenMessages = false
    var isAhead = false
    var buffer = StreamBuffer()
    var segments: [WaitingSegment] = []

    var reading: StreamSide.Reading {
        StreamSide.Reading(consumed: consumed, waitingFrame: waitingFrame, isLost: isLost)
    }

    mutating func begin(in frame: Int) {
        if buffer.isEmpty { waitingFrame = frame }
    }

    mutating func advance(by used: Int, isBetweenMessages: Bool) {
        consumed &+= used
        self.isBetweenMessages = isBetweenMessages
        isAhead = false
    }

    mutating func lose(by used: Int, isLost: Bool) {
        consumed &+= used
        self.isLost = isLost
        isBetweenMessages = false
        isAhead = false
    }

    mutating func lend() -> (waiting: StreamBuffer, end: Int) {
        let end = consumed &+ buffer.count
        return (lendAll(), end)
    }

    mutating func lendBetweenMessages() -> StreamBuffer? {
        isBetweenMessages ? lendAll() : nil
    }

    private mutating func lendAll() -> StreamBuffer {
        var lent = StreamBuffer()
        swap(&lent, &buffer)
        return lent
    }

    mutating func takeBack(_ lent: consuming StreamBuffer, _ segment: WaitingSegment) {
        buffer = lent
        if consumed >= segment.start { waitingFrame = segment.origin }
        note(segment)
    }

    mutating func takeBack(_ lent: consuming StreamBuffer, waited: Int, used: Int, frame: Int, time: Timestamp) {
        buffer = lent
        let start = consumed &+ waited
        consumed &+= used
        isAhead = true
        if waited == 0 || used > 0 { waitingFrame = frame }
        note(WaitingSegment(start: start, origin: frame, frame: frame, time: time))
    }

    /// Takes note of what brought the octets that came last, if some of them wait.
    private mutating func note(_ segment: WaitingSegment) {
        if !buffer.isEmpty {
            segment.join(&segments, consumed: consumed)
        } else if !segments.isEmpty {
            segments.removeAll()
        }
    }
}

extension StreamSide {
    /// What has to be known of a side before it is read.
    struct Reading {
        let consumed: Int
        let waitingFrame: Int
        let isLost: Bool
    }
}
