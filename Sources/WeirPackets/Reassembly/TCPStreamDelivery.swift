// What can be handed on.

extension TCPStream {
    /// Whether `deliver` may have something to say; cheap.
    @inline(__always)
    var isQuiet: Bool { freshCount == 0 && waiting.isEmpty && finPosition == nil && !isFinished }

    /// The part of the latest payload to be read in place, when that is all there is to say.
    @inline(__always)
    mutating func takeFresh() -> Range<Int>? {
        guard freshCount > 0, freshStart == next, waiting.isEmpty, finPosition == nil, !isFinished else { return nil }
        hasDelivered = true
        let range = freshOffset..<freshOffset &+ freshCount
        freshCount = 0
        advance(to: next &+ range.count)
        return range
    }

    /// The frame that brought what comes next: the latest for the payload at hand, none for a hole, which was before
    /// whatever lies behind it. What the receiver had acknowledged before it came was before all that waits for it: the
    /// capture has the two in the wrong order.
    var nextFrame: Int {
        if freshCount > 0, freshStart == next { return acknowledged > next &+ 1 ? -1 : .max }
        return waiting.start == next ? waiting.firstFrame ?? 0 : 0
    }

    /// What comes next in the stream, or nil when it has to be waited for; while `isHeld`, octets have to.
    mutating func deliver(isHeld: Bool, _ budget: inout OctetBudget) -> Delivery.Content? {
        guard isStarted else { return nil }
        let target: Int
        if freshCount > 0 {
            target = min(freshStart, waiting.start ?? freshStart)
        } else if let start = waiting.start {
            target = start
        } else {
            return trailingGap()
        }
        let isOver = waiting.cost > budget.perOwner || budget.isExceeded
        if target > next {
            if target > lostBefore, !isFinished {
                guard isOver else { return nil }
                budget.noteForced()
            }
            return giveUp(to: target, shownBy: waiting.start == target ? waiting.firstPlace : nil)
        }
        let isFresh = freshCount > 0 && freshStart == next
        // The payload at hand cannot be read later.
        guard !isHeld || isFresh || isFinished || isOver else { return nil }
        hasDelivered = true
        if isFresh {
            let range = freshOffset..<freshOffset &+ freshCount
            freshCount = 0
            advance(to: next &+ range.count)
            return .fresh(range)
        }
        guard let piece = waiting.popFirst(budget: &budget) else { return nil }
        if piece.missing > 0 { return giveUp(to: piece.end, shownBy: .init(frame: piece.frame, time: piece.time)) }
        advance(to: piece.end)
        return .buffered(piece.bytes, frame: piece.frame, time: piece.time)
    }

    /// Nothing waits: octets before the FIN, or acknowledged octets at the end of the capture, may still be missing.
    mutating func trailingGap() -> Delivery.Content? {
        if let finPosition, finPosition > next, finPosition < lostBefore || isFinished {
            return giveUp(to: finPosition, shownBy: finPlace)
        }
        // One octet may be the sequence number of a FIN that the capture does not hold.
        if isFinished, finPosition == nil, acknowledged > next &+ 1 { return giveUp(to: acknowledged, shownBy: nil) }
        return nil
    }

    mutating func giveUp(to position: Int, shownBy place: Delivery.Place?) -> Delivery.Content {
        let octets = position &- next
        lastGap = next..<position
        missingOctets &+= octets
        hasDelivered = true
        advance(to: position)
        return .gap(octets: octets, place: place)
    }

    /// Nothing more will come: what is missing is given up.
    mutating func finish() {
        isFinished = true
        freshCount = 0
    }

    /// Gives back what is kept.
    mutating func discard(_ budget: inout OctetBudget) {
        waiting.removeAll(budget: &budget)
        freshCount = 0
    }
}
