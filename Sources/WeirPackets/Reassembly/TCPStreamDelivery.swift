// In-order delivery.

extension TCPStream {
    /// Whether `deliver` has nothing to return; cheap.
    @inline(__always)
    var isQuiet: Bool { fresh.isEmpty && waiting.isEmpty && fin == nil && !isFinished }

    /// Whether the stream has started, and nothing of it is awaited, buffered or left to deliver.
    @inline(__always)
    var isInOrder: Bool {
        isStarted && waiting.isEmpty && fin == nil && fresh.isEmpty && !windowIsZero && acknowledged <= next
            && !isFinished
    }

    /// Delivers the next octets in place, of a stream that is in order.
    @inline(__always)
    mutating func takeNext(_ count: Int, _ time: Timestamp) {
        notePayload(time)
        hasDelivered = true
        nextSequence = nextSequence &+ UInt32(truncatingIfNeeded: count)
        next = next &+ count
        furthest = next
    }

    /// Returns the part of the latest payload to read in place, if that is all there is to deliver.
    @inline(__always)
    mutating func takeFresh() -> Range<Int>? {
        guard !fresh.isEmpty, fresh.start == next, waiting.isEmpty, fin == nil, !isFinished else { return nil }
        hasDelivered = true
        let range = fresh.take()
        advance(to: next &+ range.count)
        return range
    }

    /// The frame of the next octets: `.max` for the current payload, 0 for a hole, which precedes whatever follows it.
    /// If the receiver acknowledged octets before they were captured, they precede everything held back for them: the
    /// capture has the two in the wrong order.
    @inline(__always)
    var nextFrame: Int {
        if !fresh.isEmpty, fresh.start == next { return acknowledged > next &+ 1 ? -1 : .max }
        return waiting.start == next ? waiting.firstFrame ?? 0 : 0
    }

    /// Returns the next part of the stream, or nil while it is awaited. If `isHeld`, octets stay buffered.
    mutating func deliver(isHeld: Bool, _ budget: inout OctetBudget) -> Delivery.Content? {
        guard isStarted else { return nil }
        let target: Int
        if !fresh.isEmpty {
            target = min(fresh.start, waiting.start ?? fresh.start)
        } else if let start = waiting.start {
            target = start
        } else {
            return trailingGap()
        }
        let isOver = waiting.cost > budget.perOwner || budget.isExceeded
        if target > next {
            if target > wait.lostBefore, !isFinished {
                guard isOver else { return nil }
                budget.noteForced()
            }
            return giveUp(to: target, shownBy: waiting.start == target ? waiting.firstPlace : nil)
        }
        let isFresh = !fresh.isEmpty && fresh.start == next
        // The current payload cannot be read later.
        guard !isHeld || isFresh || isFinished || isOver else { return nil }
        hasDelivered = true
        if isFresh {
            let range = fresh.take()
            advance(to: next &+ range.count)
            return .fresh(range)
        }
        guard let piece = waiting.popFirst(budget: &budget) else { return nil }
        if piece.missing > 0 { return giveUp(to: piece.end, shownBy: .init(frame: piece.frame, time: piece.time)) }
        advance(to: piece.end)
        return .buffered(piece.bytes, frame: piece.frame, time: piece.time)
    }

    /// Returns the gap before the FIN, or before acknowledged octets at the end of the capture, when nothing is
    /// buffered.
    mutating func trailingGap() -> Delivery.Content? {
        if let fin, fin.position > next, fin.position < wait.lostBefore || isFinished {
            return giveUp(to: fin.position, shownBy: fin.place)
        }
        // One octet may be the sequence number of a FIN that was not captured.
        if isFinished, fin == nil, acknowledged > next &+ 1 { return giveUp(to: acknowledged, shownBy: nil) }
        return nil
    }

    mutating func giveUp(to position: Int, shownBy place: Delivery.Place?) -> Delivery.Content {
        let octets = position &- next
        lastGap = next..<position
        counts.missingOctets &+= octets
        hasDelivered = true
        advance(to: position)
        return .gap(octets: octets, place: place)
    }

    /// Marks the end of the stream: missing octets are given up.
    mutating func finish() {
        isFinished = true
        fresh.clear()
    }

    /// Drops the buffered octets.
    mutating func discard(_ budget: inout OctetBudget) {
        waiting.removeAll(budget: &budget)
        fresh.clear()
    }
}
