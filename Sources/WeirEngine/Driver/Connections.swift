import WeirPackets

// TCP: segment delivery, gaps, and the end of connections.

extension Analyzer {
    func segment(
        _ unit: TransportUnit, _ payload: RawSpan, _ state: FlowState, _ moment: EventContext,
        _ taking: TCPConnection.Reception
    ) {
        let accepted = taking.accepted
        if unit.tcp.flags.contains(.syn), !unit.tcp.flags.contains(.ack) { state.history?.attempts += 1 }
        if state.joined != nil, payload.byteCount > 0 { noteReordering(state, moment.time) }
        if !accepted.isDisjoint(with: [.retransmission, .resentUnseen, .windowTurned, .duplicateReported]) {
            state.history?.delays.note(accepted, unit.tcp, octets: payload.byteCount, moment)
            if accepted.contains(.resentUnseen) { noteHold(state, moment) }
        }
        if accepted.contains(.connected) {
            state.history?.connected = moment
            if state.isClosed { reopen(state) }
        }
        let payloadOffset = unit.isReassembled ? nil : unit.payload.lowerBound
        if let fresh = taking.fresh {
            // All that there is to deliver.
            let bytes = payload.clamped(fresh.lowerBound, fresh.upperBound)
            if state.role != .ignored, !ignoreAtOnce(bytes, state, moment) {
                deliver(
                    Delivery(direction: moment.direction, content: .fresh(fresh)), payload, state, moment,
                    payloadOffset: payloadOffset)
            }
        } else if !taking.isQuiet {
            deliver(payload, state, moment, payloadOffset: payloadOffset)
            if self[connection: state].isHolding {
                held.add(state.index, moment.time)
                restUntilDue()
            }
        }
        if accepted.contains(.finished) { emit(.finished, of: state, moment) }
        if !accepted.isDisjoint(with: [.closed, .reset]) { closed(state, accepted, moment) }
        if state.history?.deferredEnds.isEmpty == false { emitDeferredEnds(of: state) }
    }

    /// Attributes the delay to a retransmission whose first copy was lost before the capture point.
    private func noteHold(_ state: FlowState, _ moment: EventContext) {
        let start = self[connection: state].heldSince(moment.direction)
        for delay in state.history?.delays.found(since: start, until: moment.time) ?? [] where !delay.isWindow {
            state.session?.controlFlows.note(delay)
        }
    }

    /// Marks flows of a joined conversation whose segments are reordered. Their connections do not acknowledge each
    /// other, so the order can only be checked by time.
    private func noteReordering(_ state: FlowState, _ time: Timestamp) {
        let behind = fastPaths.latestTime.nanoseconds &- time.nanoseconds
        if behind > 0, behind < TCPConnection.longestShuffle { state.isCaptureReordered = true }
    }

    /// Emits the end of a connection to its sessions; deferred while the protocol is undecided.
    private func emit(_ end: ConnectionEnd, of state: FlowState, _ moment: EventContext) {
        guard let session = state.session else {
            if state.role != .ignored { state.history?.deferEnd(end, at: moment) }
            return
        }
        for session in state.sessions { session.latestTime = moment.time }
        switch end {
        case .finished:
            state.history?.noteFinish(moment)
            for session in state.sessions { session.finished(moment.direction, frame: moment.frame) }
        case .closed: close(state, .close, session, moment)
        case .refused: close(state, .refused, session, moment)
        case .reset(let lacksOctets):
            if lacksOctets { for session in state.sessions { session.completeness.lacksOctets = true } }
            close(state, .reset, session, moment)
        }
    }

    private func close(_ state: FlowState, _ step: TCPEvent.Step, _ session: Session, _ moment: EventContext) {
        for session in state.sessions { session.closed(step, moment.direction, frame: moment.frame) }
        timeline.emit(timeline.event(tcp(step, state, session), at: moment), session: session)
    }

    /// Emits the end of a connection that was deferred until its protocol was known.
    private func emitDeferredEnds(of state: FlowState) {
        guard state.session != nil, let history = state.history else { return }
        for (end, moment) in history.takeDeferredEnds() { emit(end, of: state, moment) }
    }

    /// Releases data that has waited long enough for bytes of the other direction.
    func releaseHeld(_ info: FrameInfo) {
        for index in held.take() {
            guard states.indices.contains(index), let state = states[index], state.connection >= 0 else { continue }
            self[connection: state].age(info.time)
            let nothing = [UInt8]()
            let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
            deliver(nothing.rawSpan, state, moment, payloadOffset: nil)
            if states[index] === state, self[connection: state].isHolding { held.add(index, info.time) }
        }
    }

    /// Delivers everything that a connection has ready.
    private func deliver(_ payload: RawSpan, _ state: FlowState, _ moment: EventContext, payloadOffset: Int?) {
        var next = fastPaths.next(state.connection)
        while let delivery = next {
            next = fastPaths.next(state.connection)
            deliver(delivery, payload, state, moment, payloadOffset: payloadOffset)
        }
    }

    private func deliver(
        _ delivery: Delivery, _ payload: RawSpan, _ state: FlowState, _ now: EventContext, payloadOffset: Int?
    ) {
        guard state.role != .ignored else { return }
        let place = state.connectionSide(delivery.direction).place(
            of: delivery.arrival ?? Delivery.Place(frame: now.frame, time: now.time))
        let moment = state.moment(delivery.direction, frame: place.frame, time: place.time)
        switch delivery.content {
        case .fresh(let range):
            let bytes = payload.clamped(range.lowerBound, range.upperBound)
            offerSegment(bytes, state, moment, place: payloadOffset.map { $0 + range.lowerBound }, frame: moment.frame)
        case .buffered(let octets, let frame, _):
            offerSegment(octets.rawSpan, state, moment, place: nil, frame: frame)
        case .gap(let octets, _):
            if let layer = state.layer {
                gap(octets, below: layer, state, moment)
            } else {
                gap(octets, state, moment)
            }
        }
    }

    /// Handles missing bytes of a flow's stream.
    func gap(_ octets: Int, _ state: FlowState, _ moment: EventContext) {
        let side = state.side(moment.direction)
        state.hasGap = true
        if state.role == .undecided { assignTruncated(state) }
        if let reader = state.reader { catchUp(side, reader, moment) }
        if state.role == .undecided, !side.buffer.isEmpty { decideByPort(state) }
        readCut(side, state.reader, state, moment)
        side.consumed += octets
        // The data after the gap starts in the middle of a message.
        if state.role == .undecided { state.beginLate() }
        let isBeforeAll = state.role == .undecided || (state.role == .dissected && state.session == nil)
        if isBeforeAll, octets > side.cutOctets {
            state.history?.noteLostEarly(octets, at: moment)
            state.lacksOpening = true
        }
        guard let reader = state.reader else { return }
        // Bytes removed by the snap length were already reported per packet.
        if octets <= side.cutOctets {
            side.cutOctets -= octets
        } else if let session = state.session {
            for session in state.sessions { session.completeness.lacksOctets = true }
            timeline.emit(timeline.event(tcp(.gap(octets: octets), state, session), at: moment), session: session)
        }
        skip(octets, side, reader, state, moment)
    }

    private func closed(_ state: FlowState, _ accepted: Acceptance, _ moment: EventContext) {
        table.close(state.index)
        guard !state.isClosed else { return }
        state.isClosed = true
        let isReset = accepted.contains(.reset)
        let isRefusal = isReset && self[connection: state].isRefused
        if state.session == nil, state.role == .undecided, isRefusal { openUnanswered(state) }
        if state.session == nil, isRefusal {
            if state.role == .undecided { failed(.refused, state, moment) }
            return
        }
        let lacksOctets = isReset && self[connection: state].lacksOctetsBeforeReset
        emit(isRefusal ? .refused : isReset ? .reset(lacksOctets: lacksOctets) : .closed, of: state, moment)
    }

    /// Corrects which side sent the first FIN, once the connection is over and the capture shows it.
    private func settleFinish(of state: FlowState) {
        guard let finishes = state.history?.finishes, let reported = finishes.first else { return }
        let first = self[connection: state].firstToFinish
        guard first != reported.direction else { return }
        let frame = finishes.first { $0.direction == first }?.frame ?? reported.frame
        for session in state.sessions {
            session.corrected(finishIn: reported.frame, by: first.map { ($0, frame) })
        }
    }

    /// Reopens a refused connection whose retry succeeded.
    private func reopen(_ state: FlowState) {
        state.isClosed = false
        state.history?.deferredEnds = []
        table.reopen(state.index)
        for session in state.sessions where session.closedBy == .refused { session.reopened() }
    }

    /// Finishes the stream of a flow: delivers waiting data and reports gaps.
    func finishStream(_ state: FlowState, at info: FrameInfo) {
        self[connection: state].finish()
        noteOrder(of: state)
        let info = lastSegment(of: state) ?? info
        let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
        let nothing = [UInt8]()
        while let delivery = fastPaths.next(state.connection) {
            deliver(delivery, nothing.rawSpan, state, moment, payloadOffset: nil)
        }
        finishLayer(state, info)
        if state.role == .undecided { lastLook(state, moment) }
        if state.role == .undecided { assignIncomplete(state, moment) }
        if let reader = state.reader {
            for direction in [Direction.clientToServer, .serverToClient] {
                readCut(
                    state.side(direction), reader, state,
                    state.moment(direction, frame: info.number, time: info.time))
            }
            emit(state, moment) { reader.dissector.finish($0) }
            finishCarried(state, frame: info.number, time: info.time)
        }
        showLayer(of: state)
        emitDeferredEnds(of: state)
        settleFinish(of: state)
        if state.session == nil, state.role == .undecided, !state.isClosed, isUnanswered(state, moment) {
            unanswered(state, moment)
        }
        if state.role != .ignored {
            state.fromClient.buffer.discard(&fastPaths.messageBudget)
            state.fromServer.buffer.discard(&fastPaths.messageBudget)
        }
    }

    /// Whether the capture shows that a connection attempt was not answered within the initial retransmission timeout
    /// (RFC 6298).
    private func isUnanswered(_ state: FlowState, _ last: EventContext) -> Bool {
        guard self[connection: state].isUnanswered, !options.isFiltered,
            !sawDrops(since: table[state.index].startTime)
        else { return false }
        let attempts = state.history?.attempts ?? 0
        return attempts > 1 || fastPaths.latestTime.seconds(since: last.time) >= Self.secondsToAnswer
    }

    /// The initial retransmission timeout of a sender without a round-trip time sample (RFC 6298).
    private static let secondsToAnswer = 1.0

    /// Returns a placeholder for the frame of a connection's last segment, or nil if there is none.
    func lastSegment(of state: FlowState) -> FrameInfo? {
        guard state.connection >= 0 else { return nil }
        let last = self[connection: state].last
        guard last.frame > 0 else { return nil }
        return FrameInfo(number: last.frame, time: last.time, capturedLength: 0, originalLength: 0, linkType: .raw)
    }
}
