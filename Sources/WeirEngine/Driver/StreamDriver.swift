import WeirPackets

// Streams: octets in order, then the dissector that reads them.

extension Analyzer {
    /// Octets that are looked through for a message start before the older half is given up: two of the longest messages.
    private static let searchOctets = 160 * 1024

    /// Hands octets of a flow's stream on. `place` is where they begin in the frame at hand, `frame` the one that brought
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

    /// The dissector of a flow gave it up. Its octets are not kept while they are read, so this waits for their end.
    private func abandon(_ state: FlowState, _ now: EventContext) {
        state.isGivenUp = false
        finishCarried(state, frame: now.frame, time: now.time)
        state.reader = nil
        forget(state)
    }

    /// Lets the reader of a stream, if there is one yet, read as much as it can; the rest waits.
    func take(
        _ bytes: RawSpan, _ side: StreamSide, _ reader: StreamReader?, _ state: FlowState, _ moment: EventContext,
        place: Int?, frame: Int
    ) {
        // Position in the stream of the first octet offered now.
        var (waiting, origin) = side.lend()
        let isInner = reader?.isInner ?? false
        // A copy, since other buffers may change meanwhile: those of conversations that the octets carry.
        var budget = isInner ? innerBudget : fastPaths.messageBudget
        let before = budget.used
        let outcome = waiting.offer(bytes, budget: &budget) { waiting in
            guard let reader, state.role == .dissected || reader.isInner else { return StreamBuffer.Use(0) }
            return self.read(waiting, reader, side, state, moment, origin: origin, place: place, frame: frame)
        }
        if isInner {
            innerBudget.change(by: budget.used - before)
        } else {
            fastPaths.messageBudget.change(by: budget.used - before)
        }
        if case .overflow(let dropped) = outcome { overflow(dropped, side, reader, state, moment) }
        side.takeBack(
            waiting, WaitingSegment(start: origin, origin: frame, frame: moment.frame, time: moment.time))
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

    /// Lets the dissector read what waits.
    private func read(
        _ bytes: RawSpan, _ reader: StreamReader, _ side: StreamSide, _ state: FlowState, _ moment: EventContext,
        origin: Int, place: Int?, frame: Int
    ) -> StreamBuffer.Use {
        let before = side.reading
        if before.isLost {
            guard let start = reader.dissector.resynchronise(bytes, from: 0, moment.direction) else {
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
        // Where these bytes begin: in the frame at hand, or in an earlier one.
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

    /// Messages went by without the dissector, which may believe to be inside one: here none is begun.
    func catchUp(_ side: StreamSide, _ reader: StreamReader, _ moment: EventContext) {
        guard side.isAhead else { return }
        side.isAhead = false
        let nothing = [UInt8]()
        _ = try? reader.dissector.read(nothing.rawSpan, moment.direction, reader.outlet)
        reader.outlet.clear()
    }

    /// Reads what waits although it will never be complete, and forgets it.
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

    /// Tells the dissector that octets are missing.
    func skip(
        _ octets: Int, _ side: StreamSide, _ reader: StreamReader, _ state: FlowState, _ moment: EventContext
    ) {
        let nothing = [UInt8]()
        reader.outlet.clear()
        reader.dissector.gap(moment.direction, octets: octets, reader.outlet)
        drain(reader.outlet, state, nothing.rawSpan, moment, at: nil)
        lose(side, reader)
    }

    /// The next message start has to be found, by the driver unless the dissector does it.
    private func lose(_ side: StreamSide, _ reader: StreamReader) {
        side.lose(isLost: !reader.findsStarts)
    }
}
