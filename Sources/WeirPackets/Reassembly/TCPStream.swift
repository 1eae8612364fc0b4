/// One direction of a TCP connection: puts what its sender sent in order.
///
/// Octets have positions: 0 is the first after the SYN, or the first that the capture holds when it begins later. A
/// position never wraps; sequence numbers are read as the position nearest to what is expected next.
struct TCPStream: Sendable {
    /// Packets of the connection, after the acknowledgement of what is missing, for which the capture may still
    /// bring it: merged captures and the device `any` are not always in order.
    static let gracePackets: UInt32 = 8
    /// Nanoseconds after which they are not waited for.
    static let graceNanoseconds: Int64 = 50_000_000
    /// The same when the receiver has said something since: it may be the answer, which others wait for.
    static let answeredGraceNanoseconds: Int64 = 5_000_000
    /// Octets before the first seen that a stream may still move back to while nothing was handed on.
    static let lateStartOctets = 1 << 20
    /// Octets that may stand before their SYN in the file: few, since another connection may begin with any number.
    static let lateSYNOctets = 1 << 16
    /// A larger window cannot be offered (65535 << 14, RFC 7323): acknowledgements further ahead are nonsense.
    static let largestWindow = 1 << 30

    // What every segment needs stands at the front.

    /// Position of the next octet to hand on, and its sequence number.
    var next = 0
    var nextSequence: UInt32 = 0
    var graceCount: UInt32 = 0
    /// Position that the receiver has acknowledged up to.
    var acknowledged = Int.min
    /// Position behind the furthest octet seen.
    var furthest = Int.min
    var isStarted = false
    /// Whether the SYN was seen, so that position 0 is the connection's first octet.
    var hasSYN = false
    var hasDelivered = false
    var startedEmpty = false
    var isFinished = false
    var windowIsZero = false
    var finPosition: Int?
    /// Whether octets were acknowledged that had not come here, and were waited for in vain: the capture lacks them, or has
    /// them behind what answers them.
    var isOvertaken = false
    /// Fewer octets hold no message of anybody: a reset counts a FIN, too, and not all count well.
    static let shortestMessage = 8
    /// Whether the number of the sender's RST says that it has sent more than came here.
    var isBrokenOffLater = false
    /// The part of the latest payload that can be handed on in place.
    var freshCount = 0
    var freshStart = 0
    var freshOffset = 0
    var waiting = OutOfOrderBuffer()

    /// The last acknowledgement as on the wire, until the stream begins.
    var lastAcknowledgement: UInt32?
    /// The first one.
    var firstAcknowledgement: UInt32?
    /// Position of the first octet seen: 0, or before it when a late start was moved back.
    var firstPosition = 0
    /// Holes before this position are given up.
    var lostBefore = Int.min
    var graceMark = 0
    var graceTime = Timestamp(nanoseconds: 0)
    var isAnswered = false
    var lastGap = 0..<0
    /// What brought the FIN.
    var finPlace: Delivery.Place?
    /// What its sender had got of the other side's octets then.
    var finAcknowledgment: UInt32?
    /// Position that the sender's own segments without octets speak from.
    var spokenFrom = Int.min

    /// Position at which the receiver has reported a hole while octets behind it waited: it has not got what is there.
    var repeated = Int.min
    /// Nanoseconds after which octets that come behind later ones were not overtaken on the way: less than any first timeout
    /// of a sender (RFC 6298 §2.4), and more than networks hold packets back.
    private static let overtaken: Int64 = 50_000_000
    /// More nanoseconds are a clock that was set.
    private static let longestHole: Int64 = 120_000_000_000
    /// When the octets came that had waited for the last ones sent again of which the first copy never came here.
    var heldSince = Timestamp(nanoseconds: 0)
    /// Position behind the furthest octet that was sent again.
    var resentBefore = Int.min

    var retransmittedOctets = 0
    var missingOctets = 0
    var outOfOrderSegments = 0
    var keepAlives = 0
    var zeroWindowProbes = 0

    // MARK: Numbers

    /// The position of a sequence number. It lies at most 2^30 octets behind what is expected, or less than 3 * 2^30
    /// ahead: behind is at most a window, ahead is whatever the capture lost.
    @inline(__always)
    func position(_ sequence: UInt32) -> Int {
        let ahead = Int(sequence &- nextSequence)
        return next &+ (ahead < 3 << 30 ? ahead : ahead &- 1 << 32)
    }

    /// Begins the stream at the first octet's sequence number, or says that it began elsewhere.
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

    /// Whether a SYN is of this connection though octets that follow it were handed on before: it stands behind them in the
    /// file. What lies between is behind as well, or missing.
    mutating func isBehindItsOctets(_ first: Int) -> Bool {
        guard !hasSYN, first < firstPosition, firstPosition &- first <= Self.lateSYNOctets else { return false }
        if lastGap.isEmpty { lastGap = first..<firstPosition }
        isOvertaken = true
        return true
    }

    /// Begins at another first octet, if nothing was handed on yet: the SYN taken before was not the one that counted.
    mutating func beginAgain(_ sequence: UInt32) {
        guard !hasDelivered, waiting.isEmpty else { return }
        acknowledged = .min
        start(sequence)
    }

    mutating func start(_ sequence: UInt32) {
        isStarted = true
        nextSequence = sequence
        if let lastAcknowledgement { noteAcknowledgement(lastAcknowledgement) }
        if lacksAcknowledged { isOvertaken = true }
    }

    @inline(__always)
    mutating func advance(to position: Int) {
        nextSequence = nextSequence &+ UInt32(truncatingIfNeeded: position &- next)
        next = position
    }

    // MARK: What the sender sends

    /// Takes a segment that is no RST. `missing` octets behind the payload were on the wire but not captured. What
    /// `isHeld` is kept until the other side's octets are there that it may answer.
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
        // What a caller left unread of an earlier payload cannot be read any more: it stays a hole.
        freshCount = 0
        let count = payload.byteCount
        if isStarted, sequence == nextSequence, count > 0, missing == 0, waiting.isEmpty, !isFIN, finPosition == nil,
            !windowIsZero, !isHeld
        {
            freshStart = next
            freshOffset = 0
            freshCount = count
            let end = next &+ count
            if end <= furthest {
                outOfOrderSegments &+= 1
                return .outOfOrder
            }
            furthest = end
            return []
        }
        // A bare acknowledgement.
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
                // The capture begins with a keep-alive: its octet is not new.
                start(sequence &+ 1)
            } else {
                start(sequence)
                startedEmpty = length == 0 && isBare
            }
        }
        var first = position(sequence)
        if length <= 1, isBare, first == next &- 1, length == 0 || acknowledged >= next {
            if windowIsZero {
                zeroWindowProbes &+= 1
                return .zeroWindowProbe
            }
            keepAlives &+= 1
            return .keepAlive
        }
        if length > 0, !hasDelivered, !hasSYN { moveStart(to: first, sequence) }
        first = position(sequence)
        if length == 0, !isFIN { spokenFrom = max(spokenFrom, first) }
        let end = first &+ length
        if length > 0 {
            if missing > 0 { result.insert(.cut) }
            if windowIsZero, length == 1, first == next {
                zeroWindowProbes &+= 1
                result.insert(.zeroWindowProbe)
            }
            if let finPosition, end > finPosition {
                // Data behind a FIN: the FIN was not the sender's, or not accepted.
                self.finPosition = nil
            }
            takeBackGap(filledBy: first, end)
            if first < next {
                let again = min(end, next) &- first
                resentBefore = max(resentBefore, first &+ again)
                if first >= lastGap.lowerBound, first < lastGap.upperBound {
                    result.insert(.late)
                } else {
                    retransmittedOctets &+= again
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
        if isFIN, finPosition == nil, end >= furthest {
            finPosition = end
            finPlace = .init(frame: frame, time: time)
            finAcknowledgment = acknowledgment
            result.insert(.finished)
        }
        return result
    }

    /// All octets of a hole come that was given up, and behind which nothing was handed on: they can still be read in their place.
    mutating func takeBackGap(filledBy first: Int, _ end: Int) {
        guard !lastGap.isEmpty, lastGap.upperBound == next, first == lastGap.lowerBound, end >= next, waiting.isEmpty
        else { return }
        missingOctets &-= lastGap.count
        nextSequence = nextSequence &- UInt32(truncatingIfNeeded: lastGap.count)
        next = first
        lastGap = 0..<0
    }

    /// Octets come that were acknowledged long ago and not waited for any more: the file has the two sides apart. What is missing
    /// before these may come yet, as it might have if their acknowledgement stood behind them.
    mutating func waitAgain(before first: Int) {
        guard first > next, first < lostBefore else { return }
        lostBefore = next
        graceCount = 0
    }

    /// Moves the stream's beginning while nothing was handed on: to a segment just before the first one seen, or
    /// past the octet that a keep-alive without data pretended to precede.
    mutating func moveStart(to first: Int, _ sequence: UInt32) {
        let isEarlier = first < next && next &- first <= Self.lateStartOctets
        let isPastKeepAlive = startedEmpty && first == next &+ 1 && waiting.isEmpty
        guard isEarlier || isPastKeepAlive else { return }
        next = first
        nextSequence = sequence
        firstPosition = first
        startedEmpty = false
    }

    /// Puts new octets into the stream: in place if they are next, or behind holes that are given up; else as copies.
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
            let neighbour = waiting.piece(atOrAfter: from)
            if let neighbour, neighbour.start <= from {
                let until = min(end, neighbour.end)
                let again = payload.clamped(offset &+ (from &- position), offset &+ (min(until, captured) &- position))
                retransmittedOctets &+= until &- from
                resentBefore = max(resentBefore, until)
                result.insert(.retransmission)
                if !neighbour.holds(again, at: from) { result.insert(.overlapDiffers) }
                from = until
                continue
            }
            isNew = true
            let limit = min(end, neighbour?.start ?? end)
            let until = from < captured ? min(limit, captured) : limit
            let start = offset &+ (from &- position)
            if from >= captured {
                waiting.insert(
                    .init(
                        start: from, bytes: [], missing: until &- from, frame: frame, time: time,
                        acknowledgment: acknowledgment), budget: &budget)
            } else if freshCount == 0, !isHeld, from <= max(next, lostBefore) {
                freshStart = from
                freshOffset = start
                freshCount = until &- from
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
                retransmittedOctets &+= min(end, waiting.start ?? end) &- position
                resentBefore = max(resentBefore, end)
                result.insert(.resentUnseen)
            } else {
                outOfOrderSegments &+= 1
                result.insert(.outOfOrder)
            }
        }
        furthest = max(furthest, end)
        return result
    }

    /// Whether octets that fill a hole were sent again, though their first copy never came here: the receiver has told that it
    /// lacks them, and those behind them came long before.
    mutating func isSentAgain(_ position: Int, _ time: Timestamp) -> Bool {
        guard position == next, repeated == position, let behind = waiting.firstPlace else { return false }
        let held = time.nanoseconds &- behind.time.nanoseconds
        guard held >= Self.overtaken, held <= Self.longestHole else { return false }
        heldSince = behind.time
        return true
    }
}
