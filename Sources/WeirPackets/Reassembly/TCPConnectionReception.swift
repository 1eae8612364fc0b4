// Reception of a segment in one call: what it changed, and what it delivers.

extension TCPConnection {
    /// What a segment changed, and what is left to deliver.
    package struct Reception {
        /// The effects on the connection.
        package var accepted: Acceptance = []
        /// The part of the payload to read in place, if that is all there is to deliver.
        package var fresh: Range<Int>?
        /// Whether nothing else is left to deliver; otherwise `next` returns it.
        package var isQuiet = true

        /// Creates the result of nothing.
        package init() {}
    }

    /// Processes a segment like `accept`, and what it delivers, in one call.
    package mutating func receive(
        _ segment: TCPSegment, payload: RawSpan, missingOctets: Int, direction: Direction, time: Timestamp, frame: Int,
        budget: inout OctetBudget
    ) -> Reception {
        let count = payload.byteCount
        if missingOctets == 0, continues(with: segment, count, direction, time) {
            lastDirection = direction
            last = Delivery.Place(frame: frame, time: time)
            var result = Reception()
            if count > 0 { result.fresh = 0..<count }
            return result
        }
        return receiveAny(
            segment, payload: payload, missingOctets: missingOctets, direction: direction, time: time, frame: frame,
            budget: &budget)
    }

    /// Takes a segment that only continues an established connection, with payload or without; returns false for all
    /// others, of which it changes nothing. The result is that of `accept`.
    @inline(__always)
    private mutating func continues(
        with segment: TCPSegment, _ count: Int, _ direction: Direction, _ time: Timestamp
    ) -> Bool {
        guard segment.flags.intersection([.syn, .fin, .rst, .ack]) == .ack, segment.window > 0,
            !segment.reportsDuplicate, time >= last.time, hasHandshakeACK || !hasSYNACK, resetFrom == nil
        else { return false }
        return direction == .clientToServer
            ? Self.continues(with: segment, count, time, sender: &fromClient, receiver: &fromServer)
            : Self.continues(with: segment, count, time, sender: &fromServer, receiver: &fromClient)
    }

    @inline(__always)
    private static func continues(
        with segment: TCPSegment, _ count: Int, _ time: Timestamp, sender: inout TCPStream, receiver: inout TCPStream
    ) -> Bool {
        guard sender.isInOrder, receiver.isInOrder,
            segment.sequence.value == sender.nextSequence,
            count == 0 || sender.next &+ count > sender.furthest && time >= receiver.payloadTime
        else { return false }
        let acknowledged = receiver.acknowledged(by: segment.acknowledgment.value)
        guard acknowledged <= receiver.next else { return false }
        receiver.acknowledged = acknowledged
        receiver.wait.stop()
        sender.wait.stop()
        if count > 0 { sender.takeNext(count, time) }
        return true
    }

    private mutating func receiveAny(
        _ segment: TCPSegment, payload: RawSpan, missingOctets: Int, direction: Direction, time: Timestamp, frame: Int,
        budget: inout OctetBudget
    ) -> Reception {
        var result = Reception()
        result.accepted = accept(
            segment, payload: payload, missingOctets: missingOctets, direction: direction, time: time, frame: frame,
            budget: &budget)
        result.fresh = takeFresh()
        result.isQuiet = fromClient.isQuiet && fromServer.isQuiet
        return result
    }

    /// Returns the part of the latest payload to read in place if that is all there is to deliver, as `next` would. Nil
    /// if there is more, or nothing; then call `next`.
    private mutating func takeFresh() -> Range<Int>? {
        if lastDirection == .clientToServer {
            return fromServer.isQuiet ? fromClient.takeFresh() : nil
        }
        return fromClient.isQuiet ? fromServer.takeFresh() : nil
    }
}
