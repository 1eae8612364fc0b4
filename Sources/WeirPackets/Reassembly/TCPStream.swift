/// One direction of a TCP connection: reassembles the octets in order.
///
/// Octets have positions: 0 is the first one after the SYN, or the first one captured if the capture starts later.
/// Positions never wrap; a sequence number maps to the position nearest to the next expected one.
struct TCPStream: Sendable {
    /// How far before the first octet seen the start of a stream may still move while nothing was delivered, in octets.
    static let lateStartOctets = 1 << 20
    /// How many octets may precede their SYN in the file: few, since another connection may start with any number.
    static let lateSYNOctets = 1 << 16
    /// A larger step back, in nanoseconds, is a clock change, not reordering in the file.
    static let longestShuffle: Int64 = 1_000_000_000
    /// The largest possible window (65535 << 14, RFC 7323); acknowledgments further ahead are invalid.
    static let largestWindow = 1 << 30

    /// The FIN of the sender, which ends its octets.
    struct FIN: Sendable {
        /// The position after the last octet.
        let position: Int
        /// The segment.
        let place: Delivery.Place
        /// Its acknowledgment number.
        let acknowledgment: UInt32?
    }

    // The fields that every segment needs come first.

    /// The position of the next octet to deliver, and its sequence number.
    var next = 0
    var nextSequence: UInt32 = 0
    /// The position acknowledged by the receiver.
    var acknowledged = Int.min
    /// The position after the furthest octet seen.
    var furthest = Int.min
    /// The latest time of a segment with payload, not counting those before a change of the clock.
    private(set) var payloadTime = Timestamp(nanoseconds: .min)
    var isStarted = false
    /// Whether the SYN was captured, so that position 0 is the first octet of the connection.
    var hasSYN = false
    var hasDelivered = false
    var startedEmpty = false
    var isFinished = false
    var windowIsZero = false
    /// Whether the wait for acknowledged octets timed out: they were not captured, or follow their response in the
    /// file.
    var isOutOfOrderInCapture = false
    /// Fewer octets do not form a message of any protocol: the sequence number of a RST may include a FIN, and some are
    /// inaccurate.
    static let shortestMessage = 8
    /// Whether the sequence number of the sender's RST shows that it sent octets that were not captured.
    var isBrokenOffLater = false
    var fin: FIN?
    var fresh = FreshOctets()
    var wait = WaitForAcknowledged()
    var waiting = OutOfOrderBuffer()

    /// The latest acknowledgment number, until the stream starts.
    var lastAcknowledgement: UInt32?
    /// The first acknowledgment number.
    var firstAcknowledgement: UInt32?
    /// The position of the first octet seen: 0, or negative after a late start was moved back.
    var firstPosition = 0
    var lastGap = 0..<0
    /// The furthest position in a segment without payload of the sender.
    var spokenFrom = Int.min
    var resent = ResentOctets()
    var counts = TCPStreamCounts()

    /// Records the time of a segment with payload. If the file goes back by more than reordering does, the clock was set.
    @inline(__always)
    mutating func notePayload(_ time: Timestamp) {
        let behind = payloadTime.nanoseconds &- time.nanoseconds
        if time > payloadTime || behind >= Self.longestShuffle { payloadTime = time }
    }

    // MARK: Numbers

    /// Returns the position of a sequence number. It lies at most 2^30 octets behind the next expected one, or less
    /// than 3 * 2^30 ahead: behind by at most a window, ahead by whatever was not captured.
    @inline(__always)
    func position(_ sequence: UInt32) -> Int {
        let ahead = Int(sequence &- nextSequence)
        return next &+ (ahead < 3 << 30 ? ahead : ahead &- 1 << 32)
    }

    /// Starts the stream at the first sequence number, or returns whether it matches the start of the stream.
    mutating func begin(synSequence: UInt32) -> Bool {
        let first = synSequence &+ 1
        if !isStarted {
            start(first)
        } else if !hasSYN, !hasDelivered, waiting.isEmpty {
            start(first)
        } else if position(first) != firstPosition {
            return isBehindItsOctets(position(first))
        }
        hasSYN = true
        return true
    }

    /// Whether a SYN belongs to this connection although octets after it were delivered already: it follows them in the
    /// file. The octets in between follow as well, or are missing.
    mutating func isBehindItsOctets(_ first: Int) -> Bool {
        guard !hasSYN, first < firstPosition, firstPosition &- first <= Self.lateSYNOctets else { return false }
        if lastGap.isEmpty { lastGap = first..<firstPosition }
        isOutOfOrderInCapture = true
        return true
    }

    /// Restarts at another initial sequence number if nothing was delivered yet: the previous SYN was not accepted.
    mutating func beginAgain(_ sequence: UInt32) {
        guard !hasDelivered, waiting.isEmpty else { return }
        acknowledged = .min
        start(sequence)
    }

    mutating func start(_ sequence: UInt32) {
        isStarted = true
        nextSequence = sequence
        if let lastAcknowledgement { noteAcknowledgement(lastAcknowledgement) }
        if lacksAcknowledged { isOutOfOrderInCapture = true }
    }

    @inline(__always)
    mutating func advance(to position: Int) {
        nextSequence = nextSequence &+ UInt32(truncatingIfNeeded: position &- next)
        next = position
    }

    // MARK: What the sender sends

    /// Processes a segment without RST. `missing` octets after the payload were on the wire but not captured. If
    /// `isHeld`, octets are buffered until those of the other side that they may respond to are available.
    @inline(__always)
    mutating func take(
        _ segment: TCPSegment,
        payload: RawSpan,
        missing: Int,
        isHeld: Bool,
        time: Timestamp,
        frame: Int,
        budget: inout OctetBudget
    ) -> Acceptance {
        let isSYN = segment.flags.contains(.syn)
        let isFIN = segment.flags.contains(.fin)
        let sequence = isSYN ? segment.sequence.value &+ 1 : segment.sequence.value
        // Octets of an earlier payload that the caller did not read are no longer available: they become a hole.
        fresh.clear()
        let count = payload.byteCount
        if isStarted, sequence == nextSequence, count > 0, missing == 0, waiting.isEmpty, !isFIN, fin == nil,
            !windowIsZero, !isHeld
        {
            fresh.set(next, offset: 0, count: count)
            let end = next &+ count
            if end <= furthest {
                counts.outOfOrderSegments &+= 1
                return .outOfOrder
            }
            furthest = end
            return []
        }
        // A pure acknowledgment.
        if count == 0, missing == 0, isStarted, sequence == nextSequence, !isFIN { return [] }
        return takeSlowly(
            sequence, payload: payload, missing: missing, isHeld: isHeld, isBare: !isSYN && !isFIN, isFIN: isFIN,
            acknowledgment: segment.flags.contains(.ack) ? segment.acknowledgment.value : nil, time: time, frame: frame,
            budget: &budget)
    }

    mutating func takeSlowly(
        _ sequence: UInt32,
        payload: RawSpan,
        missing: Int,
        isHeld: Bool,
        isBare: Bool,
        isFIN: Bool,
        acknowledgment: UInt32?,
        time: Timestamp,
        frame: Int,
        budget: inout OctetBudget
    ) -> Acceptance {
        let length = payload.byteCount &+ missing
        var result: Acceptance = []
        if !isStarted {
            if length == 1, isBare, lastAcknowledgement == sequence &+ 1 {
                // The capture starts with a keep-alive: its octet is not new.
                start(sequence &+ 1)
            } else {
                start(sequence)
                startedEmpty = length == 0 && isBare
            }
        }
        var first = position(sequence)
        if length <= 1, isBare, first == next &- 1, length == 0 || acknowledged >= next {
            if windowIsZero {
                counts.zeroWindowProbes &+= 1
                return .zeroWindowProbe
            }
            counts.keepAlives &+= 1
            return .keepAlive
        }
        if length > 0, !hasDelivered, !hasSYN { moveStart(to: first, sequence) }
        first = position(sequence)
        if length == 0, !isFIN { spokenFrom = max(spokenFrom, first) }
        let end = first &+ length
        if length > 0 {
            if missing > 0 { result.insert(.cut) }
            if windowIsZero, length == 1, first == next {
                counts.zeroWindowProbes &+= 1
                result.insert(.zeroWindowProbe)
            }
            // Data after a FIN: the FIN was spoofed, or not accepted.
            if let known = fin, end > known.position { fin = nil }
            returnBufferAtGap(filledBy: first, end)
            if first < next {
                let again = min(end, next) &- first
                resent.note(before: first &+ again)
                if first >= lastGap.lowerBound, first < lastGap.upperBound {
                    result.insert(.late)
                } else {
                    counts.retransmittedOctets &+= again
                    result.insert(.retransmission)
                }
                first &+= again
            }
            if first < end {
                waitAgain(before: first)
                let offset = length &- (end &- first)
                result.formUnion(
                    place(
                        payload, at: first, offset: offset, missing: missing, isHeld: isHeld,
                        acknowledgment: acknowledgment, time: time, frame: frame, budget: &budget))
            }
        }
        if isFIN, fin == nil, end >= furthest {
            fin = FIN(position: end, place: .init(frame: frame, time: time), acknowledgment: acknowledgment)
            result.insert(.finished)
        }
        return result
    }

    /// Revokes a gap that is now filled completely if nothing after it was delivered: its octets can still be read in
    /// order.
    mutating func returnBufferAtGap(filledBy first: Int, _ end: Int) {
        guard !lastGap.isEmpty, lastGap.upperBound == next, first == lastGap.lowerBound, end >= next, waiting.isEmpty
        else { return }
        counts.missingOctets &-= lastGap.count
        nextSequence = nextSequence &- UInt32(truncatingIfNeeded: lastGap.count)
        next = first
        lastGap = 0..<0
    }

    /// Resumes waiting if acknowledged octets appear after the wait timed out: the file stores the two directions out
    /// of order. Octets missing before these may still follow, as they might have if the acknowledgment came after
    /// them.
    mutating func waitAgain(before first: Int) {
        guard first > next, first < wait.lostBefore else { return }
        wait.lostBefore = next
        wait.stop()
    }

    /// Moves the start of the stream while nothing was delivered: to a segment just before the first one seen, or past
    /// the octet implied by a keep-alive without data.
    mutating func moveStart(to first: Int, _ sequence: UInt32) {
        let isEarlier = first < next && next &- first <= Self.lateStartOctets
        let isPastKeepAlive = startedEmpty && first == next &+ 1 && waiting.isEmpty
        guard isEarlier || isPastKeepAlive else { return }
        next = first
        nextSequence = sequence
        firstPosition = first
        startedEmpty = false
    }

    /// Adds new octets to the stream: in place if they are next or only given-up holes precede them, otherwise as
    /// copies.
    mutating func place(
        _ payload: RawSpan,
        at position: Int,
        offset: Int,
        missing: Int,
        isHeld: Bool,
        acknowledgment: UInt32?,
        time: Timestamp,
        frame: Int,
        budget: inout OctetBudget
    ) -> Acceptance {
        let captured = position &+ max(0, payload.byteCount &- offset)
        let end = position &+ (payload.byteCount &+ missing &- offset)
        var result: Acceptance = []
        let isResent = isSentAgain(position, time)
        var isNew = false
        var from = position
        while from < end {
            let neighbor = waiting.piece(atOrAfter: from)
            if let neighbor, neighbor.start <= from {
                let until = min(end, neighbor.end)
                let again = payload.clamped(offset &+ (from &- position), offset &+ (min(until, captured) &- position))
                counts.retransmittedOctets &+= until &- from
                resent.note(before: until)
                result.insert(.retransmission)
                if !neighbor.holds(again, at: from) { result.insert(.overlapDiffers) }
                from = until
                continue
            }
            isNew = true
            let limit = min(end, neighbor?.start ?? end)
            let until = from < captured ? min(limit, captured) : limit
            let start = offset &+ (from &- position)
            if from >= captured {
                waiting.insert(
                    .init(
                        start: from, bytes: [], missing: until &- from, frame: frame, time: time,
                        acknowledgment: acknowledgment), budget: &budget)
            } else if fresh.isEmpty, !isHeld, from <= max(next, wait.lostBefore) {
                fresh.set(from, offset: start, count: until &- from)
            } else {
                waiting.insert(
                    .init(
                        start: from, bytes: payload.clamped(start, start &+ (until &- from)).array(), missing: 0,
                        frame: frame, time: time, acknowledgment: acknowledgment), budget: &budget)
            }
            from = until
        }
        if isNew, position < furthest {
            if isResent {
                counts.retransmittedOctets &+= min(end, waiting.start ?? end) &- position
                resent.note(before: end)
                result.insert(.resentUnseen)
            } else {
                counts.outOfOrderSegments &+= 1
                result.insert(.outOfOrder)
            }
        }
        furthest = max(furthest, end)
        return result
    }

    /// Whether octets that fill a hole are a retransmission whose first copy was not captured.
    mutating func isSentAgain(_ position: Int, _ time: Timestamp) -> Bool {
        guard position == next, let behind = waiting.firstPlace else { return false }
        return resent.fills(holeAt: position, time, after: behind.time)
    }
}
