package import WeirPackets

/// The state of one direction of a stream.
package final class StreamSide {
    private var stored = Lent(StreamState())
    /// Bytes removed by the snap length that have not yet appeared as a gap.
    var cutOctets = 0
    /// The frame that delivered the latest bytes.
    private var latestPlace: Delivery.Place?

    package init() {}

    /// The buffered bytes.
    package var buffer: StreamBuffer {
        get { stored.current.buffer }
        _modify {
            var place = stored.take()
            defer { stored.put(place) }
            yield &place.buffer
        }
    }
    /// The number of buffered bytes; asked of `buffer`, it would be copied.
    package var bufferedOctets: Int { stored.current.buffer.count }
    /// The number of bytes received: consumed and buffered ones.
    package var received: Int { stored.current.consumed &+ stored.current.buffer.count }
    /// The number of stream bytes consumed by the dissector or skipped.
    package var consumed: Int {
        get { stored.current.consumed }
        set { update { $0.consumed = newValue } }
    }
    /// The frame of the first buffered byte.
    var waitingFrame: Int { stored.current.waitingFrame }
    /// Whether the next message start must be found: after a gap, a malformed message or a late start.
    var isLost: Bool {
        get { stored.current.isLost }
        set { update { $0.isLost = newValue } }
    }
    /// Whether bytes bypassed the dissector since its last read.
    var isAhead: Bool {
        get { stored.current.isAhead }
        set { update { $0.isAhead = newValue } }
    }
    /// The segments of the buffered bytes.
    var segments: [WaitingSegment] {
        // A copy, so that the access is short, and no other one has to be checked at run time.
        let segments = stored.current.segments
        return segments.all
    }
    /// The start of each segment in the buffered bytes.
    var starts: [Int] {
        let consumed = consumed
        return segments.map { max(0, $0.start - consumed) }
    }
    /// The state needed before reading.
    var reading: Reading { stored.current.reading }

    @inline(__always)
    private func update<Result>(_ body: (inout StreamState) -> Result) -> Result {
        var place = stored.take()
        let result = body(&place)
        stored.put(consume place)
        return result
    }

    /// Returns the frame to which the next bytes or gap are attributed: `arrival`, or a later frame that has already
    /// delivered bytes of this direction.
    func place(of arrival: Delivery.Place) -> Delivery.Place {
        if let latestPlace, latestPlace.frame > arrival.frame { return latestPlace }
        latestPlace = arrival
        return arrival
    }

    /// Records that the next bytes begin in `frame`; buffered bytes keep their frame.
    ///
    /// Not inlined: the compiler would merge this access with the next one, which is then checked at run time, as are all
    /// others.
    @inline(never)
    func begin(in frame: Int) {
        update { $0.begin(in: frame) }
    }

    /// Records consumed bytes. `isBetweenMessages` is whether the dissector is between messages.
    func advance(by used: Int, isBetweenMessages: Bool) {
        update { $0.advance(by: used, isBetweenMessages: isBetweenMessages) }
    }

    /// Records that the next message start must be found: by the driver if `isLost`, else by the dissector.
    func lose(by used: Int = 0, isLost: Bool) {
        update { $0.lose(by: used, isLost: isLost) }
    }

    /// Returns and clears the segments after the buffer was emptied.
    func takeSegments() -> [WaitingSegment] {
        update { place in
            defer { place.segments.removeAll() }
            return place.segments.all
        }
    }
}

// MARK: - Borrowing the buffer

// The buffer is moved out for modification and moved back, so that exclusivity is checked once and not at each step.

extension StreamSide {
    /// Moves out the buffer, and returns the stream position of the next bytes.
    func borrowBuffer() -> (waiting: StreamBuffer, end: Int) { update { $0.borrowBuffer() } }

    /// Returns the buffer borrowed by `borrowBuffer` after a segment was offered.
    func returnBuffer(_ borrowed: consuming StreamBuffer, _ offered: WaitingSegment) {
        var place = stored.take()
        place.returnBuffer(borrowed, offered)
        stored.put(consume place)
    }

    /// Moves out the state for a fast path, with which it reads whole messages until `returnState`. Returns an empty state
    /// if the dissector is within a message.
    package func borrowState() -> StreamState { update { $0.borrowed() } }

    /// Returns the state borrowed by a fast path.
    package func returnState(_ borrowed: consuming StreamState) {
        _ = stored.take()
        stored.put(borrowed)
    }
}

/// The position, buffer and segments of a direction. A single value, since a segment changes most of it and exclusivity
/// is then checked once per step.
package struct StreamState {
    fileprivate(set) var consumed = 0
    fileprivate(set) var waitingFrame = 0
    fileprivate(set) var isLost = false
    /// Whether a fast path may consume bytes from here without the dissector.
    package private(set) var isBetweenMessages = false
    fileprivate(set) var isAhead = false
    /// The buffered bytes.
    package var buffer = StreamBuffer()
    fileprivate var segments = WaitingSegments()

    /// Creates the state at the start of a stream.
    package init() {}

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

    mutating func borrowBuffer() -> (waiting: StreamBuffer, end: Int) {
        let end = consumed &+ buffer.count
        var borrowed = StreamBuffer()
        swap(&borrowed, &buffer)
        return (borrowed, end)
    }

    mutating func borrowed() -> StreamState {
        guard isBetweenMessages else { return StreamState() }
        var borrowed = StreamState()
        swap(&borrowed, &self)
        return borrowed
    }

    mutating func returnBuffer(_ borrowed: consuming StreamBuffer, _ segment: WaitingSegment) {
        buffer = borrowed
        if consumed >= segment.start { waitingFrame = segment.origin }
        note(segment)
    }

    /// Records what a fast path read of a segment.
    ///
    /// - Parameters:
    ///   - waited: The bytes buffered before.
    ///   - used: The bytes consumed, of the buffer and the segment.
    package mutating func advance(waited: Int, used: Int, frame: Int, time: Timestamp) {
        let start = consumed &+ waited
        consumed &+= used
        isAhead = true
        if waited == 0 || used > 0 { waitingFrame = frame }
        note(WaitingSegment(start: start, origin: frame, frame: frame, time: time))
    }

    /// Records the segment of the latest bytes, if some of them are buffered.
    private mutating func note(_ segment: WaitingSegment) {
        if !buffer.isEmpty {
            segments.join(segment, consumed: consumed)
        } else {
            segments.removeAll()
        }
    }
}

extension StreamSide {
    /// The state needed before reading a direction.
    struct Reading {
        let consumed: Int
        let waitingFrame: Int
        let isLost: Bool
    }
}
