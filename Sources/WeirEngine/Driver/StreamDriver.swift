import WeirPackets

// Streams: ordered bytes, and the dissector that reads them.

extension Analyzer {
    /// The number of bytes searched for a message start before the older half is discarded: two messages of maximum
    /// length.
    private static let searchOctets = 160 * 1024

    /// Processes bytes of a flow's stream. `place` is their offset in the current frame, `frame` the one that contained
    /// them.
    func offer(_ bytes: RawSpan, _ state: FlowState, _ moment: EventContext, place: Int?, frame: Int) {
        noteOrder(of: state)
        let side = state.side(moment.direction)
        side.begin(in: frame)
        take(bytes, side, state.reader, state, moment, place: place, frame: frame)
        if state.role == .undecided { probe(state, moment) }
        if state.handsOver { offerWaiting(state, moment) }
        if state.isGivenUp { abandon(state, moment) }
    }

    /// Removes the dissector of a flow after it has given up. Deferred until its buffers are no longer in use.
    private func abandon(_ state: FlowState, _ now: EventContext) {
        state.isGivenUp = false
        finishCarried(state, frame: now.frame, time: now.time)
        state.reader = nil
        forget(state)
    }

    /// Passes bytes to the stream's reader, if there is one yet; the unread rest is buffered.
    func take(
        _ bytes: RawSpan, _ side: StreamSide, _ reader: StreamReader?, _ state: FlowState, _ moment: EventContext,
        place: Int?, frame: Int
    ) {
        // The stream position of the first new byte.
        var (waiting, origin) = side.borrowBuffer()
        let isInner = reader?.isInner ?? false
        // A copy, since the buffers of carried conversations may change the budget meanwhile.
        var budget = isInner ? innerBudget : fastPaths.messageBudget
        let before = budget.used
        let outcome = waiting.offer(bytes, budget: &budget) { waiting in
            guard let reader, state.role == .dissected || reader.isInner || self.isLayer(reader, state) else {
                return StreamBuffer.Use(0)
            }
            return self.read(waiting, reader, side, state, moment, origin: origin, place: place, frame: frame)
        }
        if isInner {
            innerBudget.change(by: budget.used - before)
        } else {
            fastPaths.messageBudget.change(by: budget.used - before)
        }
        if case .overflow(let dropped) = outcome { overflow(dropped, side, reader, state, moment) }
        side.returnBuffer(
            waiting, WaitingSegment(start: origin, origin: frame, frame: moment.frame, time: moment.time))
    }

    /// Whether a reader is the layer of a flow, whose decoded stream may still be undecided.
    private func isLayer(_ reader: StreamReader, _ state: FlowState) -> Bool {
        state.layer.map { $0.reader === reader && state.role != .ignored } ?? false
    }

    private func overflow(
        _ dropped: Int, _ side: StreamSide, _ reader: StreamReader?, _ state: FlowState, _ moment: EventContext
    ) {
        reach("limit.message")
        state.noteLimit()
        side.consumed += dropped
        guard let reader else { return }
        catchUp(side, reader, moment)
        reader.dissector.gap(moment.direction, octets: dropped, reader.outlet)
        reader.outlet.clear()
        lose(side, reader)
    }

    /// Passes the buffered bytes to the dissector.
    private func read(
        _ bytes: RawSpan, _ reader: StreamReader, _ side: StreamSide, _ state: FlowState, _ moment: EventContext,
        origin: Int, place: Int?, frame: Int
    ) -> StreamBuffer.Use {
        let before = side.reading
        if before.isLost {
            guard let start = reader.dissector.resynchronize(bytes, from: 0, moment.direction) else {
                let given = bytes.byteCount > Self.searchOctets ? bytes.byteCount / 2 : 0
                side.consumed += given
                return StreamBuffer.Use(given)
            }
            side.isLost = false
            if start > 0 {
                side.consumed += start
                return StreamBuffer.Use(start)
            }
        }
        let outlet = reader.outlet
        outlet.clear()
        outlet.place(first: before.waitingFrame, waiting: origin - before.consumed, last: frame)
        // The start of these bytes: in the current frame, or in an earlier one.
        let isHere = before.consumed >= origin
        let start = BytePosition(
            inFrame: isHere ? place.map { $0 + before.consumed - origin } : nil,
            firstFrame: isHere ? frame : before.waitingFrame, segments: isHere ? [] : side.segments,
            start: before.consumed, fresh: origin)
        outlet.place = ReadingPlace(moment: moment, position: start)
        do throws(DissectionError) {
            let used = try reader.dissector.read(bytes, moment.direction, outlet)
            let needed = outlet.needed
            drain(outlet, state, bytes, moment, at: start)
            side.advance(by: used, isBetweenMessages: reader.dissector.isBetweenMessages(moment.direction))
            return StreamBuffer.Use(used, needed: needed)
        } catch {
            drain(outlet, state, bytes, moment, at: start)
            broken(error, type(of: reader.dissector).descriptor.name, state, moment, at: start)
            side.lose(by: 1, isLost: true)
            return StreamBuffer.Use(1)
        }
    }

    /// Resynchronizes a dissector after messages bypassed it, with an empty read between messages.
    func catchUp(_ side: StreamSide, _ reader: StreamReader, _ moment: EventContext) {
        guard side.isAhead else { return }
        side.isAhead = false
        let nothing = [UInt8]()
        _ = try? reader.dissector.read(nothing.rawSpan, moment.direction, reader.outlet)
        reader.outlet.clear()
    }

    /// Reads the buffered data, which will never be complete, and discards it.
    func readCut(_ side: StreamSide, _ reader: StreamReader?, _ state: FlowState, _ moment: EventContext) {
        guard !side.buffer.isEmpty else { return }
        let octets = side.buffer.waiting
        let segments = side.takeSegments()
        let start = side.consumed
        var moment = moment
        if let last = segments.last { (moment.frame, moment.time) = (last.frame, last.time) }
        if reader?.isInner ?? false {
            side.buffer.discard(&innerBudget)
        } else {
            side.buffer.discard(&fastPaths.messageBudget)
        }
        side.consumed += octets.count
        guard let reader, !side.isLost else { return }
        let outlet = reader.outlet
        outlet.clear()
        outlet.place(first: side.waitingFrame, waiting: octets.count, last: side.waitingFrame)
        reader.dissector.readCut(octets.rawSpan, moment.direction, outlet)
        let place = BytePosition(
            inFrame: nil, firstFrame: side.waitingFrame, segments: segments, start: start, fresh: start + octets.count)
        drain(outlet, state, octets.rawSpan, moment, at: place)
    }

    /// Reports missing bytes to the dissector.
    func skip(
        _ octets: Int, _ side: StreamSide, _ reader: StreamReader, _ state: FlowState, _ moment: EventContext
    ) {
        let nothing = [UInt8]()
        reader.outlet.clear()
        reader.dissector.gap(moment.direction, octets: octets, reader.outlet)
        drain(reader.outlet, state, nothing.rawSpan, moment, at: nil)
        lose(side, reader)
    }

    /// Starts the search for the next message, in the driver unless the dissector does it.
    private func lose(_ side: StreamSide, _ reader: StreamReader) {
        side.lose(isLost: !reader.findsStarts)
    }
}
