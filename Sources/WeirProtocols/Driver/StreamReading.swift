import WeirEngine
import WeirPackets

// TCP: segments in order, then the dissector that reads them.

/// Where the bytes that a dissector reads begin.
struct Place {
    /// Offset in the frame at hand; nil when they began in an earlier one.
    var inFrame: Int?
    /// The frame that holds the first octet.
    var firstFrame: Int
}

extension Analyzer {
    /// Octets that are looked through for a message start before the older half is given up: two interleaved frames.
    private static let searchOctets = 160 * 1024

    func segment(
        _ unit: TransportUnit, _ payload: RawSpan, _ state: FlowState, _ moment: Moment, _ accepted: Acceptance
    ) {
        if unit.tcp.flags.contains(.syn), !unit.tcp.flags.contains(.ack) { state.connectionAttempts += 1 }
        if accepted.contains(.connected) { state.connected = moment }
        deliver(payload, state, moment, payloadOffset: unit.isReassembled ? nil : unit.payload.lowerBound)
        if self[connection: state].isHolding { held.add(state.index, moment.time) }
        if accepted.contains(.finished) { state.session?.finished(moment.direction, frame: moment.frame) }
        if !accepted.isDisjoint(with: [.closed, .reset]) { closed(state, accepted, moment) }
    }

    /// What waited for octets of the other side has waited long enough.
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

    /// All that a connection has to hand on.
    private func deliver(_ payload: RawSpan, _ state: FlowState, _ moment: Moment, payloadOffset: Int?) {
        // Octets that waited for a hole are complete with the segment that fills it; others were with their own, and a
        // hole shows with what lies behind it.
        var filled: Direction?
        var next = intake.next(state.connection)
        while let delivery = next {
            next = intake.next(state.connection)
            var own = moment
            if case .fresh = delivery.content { filled = delivery.direction }
            if filled != delivery.direction, let arrival = delivery.arrival ?? next?.arrival {
                own = state.moment(moment.direction, frame: arrival.frame, time: arrival.time)
            }
            deliver(delivery, payload, state, own, payloadOffset: payloadOffset)
        }
    }

    private func deliver(
        _ delivery: Delivery, _ payload: RawSpan, _ state: FlowState, _ now: Moment, payloadOffset: Int?
    ) {
        guard state.role != .opaque else { return }
        var moment = now
        if delivery.direction != now.direction {
            moment = state.moment(delivery.direction, frame: now.frame, time: now.time)
        }
        switch delivery.content {
        case .fresh(let range):
            let bytes = payload.clamped(range.lowerBound, range.upperBound)
            offer(bytes, state, moment, place: payloadOffset.map { $0 + range.lowerBound }, frame: moment.frame)
        case .buffered(let octets, let frame, _):
            offer(octets.rawSpan, state, moment, place: nil, frame: frame)
        case .gap(let octets): gap(octets, state, moment)
        }
    }

    /// Hands octets of a stream on. `place` is where they begin in the frame at hand, `frame` the one that brought them.
    func offer(_ bytes: RawSpan, _ state: FlowState, _ moment: Moment, place: Int?, frame: Int) {
        let side = state.side(moment.direction)
        if side.buffer.isEmpty {
            side.waitingFrame = frame
            side.segments = []
        }
        if state.role == .undecided, state.startsLate, side.segments.count < OpeningSegment.most {
            side.segments.append(OpeningSegment(start: side.buffer.count, frame: frame, time: moment.time))
        }
        // Position in the stream of the first octet offered now.
        let origin = side.consumed + side.buffer.count
        // Nobody else looks at the budget meanwhile: all other buffers stand still.
        var budget = intake.messageBudget
        let outcome = side.buffer.offer(bytes, budget: &budget) { waiting in
            guard state.role == .dissected else { return StreamBuffer.Use(0) }
            return self.read(waiting, state, side, moment, origin: origin, place: place, frame: frame)
        }
        intake.messageBudget = budget
        if case .overflow(let dropped) = outcome { overflow(dropped, state, side, moment) }
        if side.consumed >= origin { side.waitingFrame = frame }
        if state.role == .undecided { decide(state, moment) }
    }

    private func overflow(_ dropped: Int, _ state: FlowState, _ side: StreamSide, _ moment: Moment) {
        reach("limit.message")
        side.consumed += dropped
        catchUp(side, state, moment)
        state.dissector?.gap(moment.direction, octets: dropped, outlet)
        outlet.clear()
        lose(side, state)
    }

    /// Lets the flow's dissector read what waits.
    private func read(
        _ bytes: RawSpan, _ state: FlowState, _ side: StreamSide, _ moment: Moment, origin: Int, place: Int?,
        frame: Int
    ) -> StreamBuffer.Use {
        if side.isLost {
            guard let start = state.dissector?.resynchronise(bytes, from: 0, moment.direction) else {
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
        outlet.clear()
        outlet.place(first: side.waitingFrame, waiting: origin - side.consumed, last: frame)
        do throws(DissectionError) {
            let used = try state.dissector?.read(bytes, moment.direction, outlet) ?? bytes.byteCount
            let needed = outlet.needed
            // Where these bytes begin: in the frame at hand, or in an earlier one.
            let isHere = side.consumed >= origin
            let inFrame = isHere ? place.map { $0 + side.consumed - origin } : nil
            drain(state, bytes, moment, at: Place(inFrame: inFrame, firstFrame: isHere ? frame : side.waitingFrame))
            side.consumed += used
            side.passesFrames = state.dissector?.passesFrames(moment.direction) ?? false
            side.isAhead = false
            return StreamBuffer.Use(used, needed: needed)
        } catch {
            drain(state, bytes, moment, at: nil)
            broken(error, state, moment)
            side.isLost = true
            side.passesFrames = false
            side.consumed += 1
            return StreamBuffer.Use(1)
        }
    }

    func broken(_ error: DissectionError, _ state: FlowState, _ moment: Moment) {
        let event = timeline.event(BrokenMessage(protocolName: state.protocolName, reason: error.reason), at: moment)
        timeline.emit(event, session: state.session)
    }

    private func gap(_ octets: Int, _ state: FlowState, _ moment: Moment) {
        let side = state.side(moment.direction)
        if state.role == .undecided { adoptCut(state) }
        catchUp(side, state, moment)
        readCut(state, side, moment)
        side.consumed += octets
        let isBeforeAll = state.role == .undecided || (state.role == .dissected && state.session == nil)
        if isBeforeAll, octets > side.cutOctets {
            state.lostEarly = (state.lostEarly?.moment ?? moment, (state.lostEarly?.octets ?? 0) &+ octets)
        }
        guard state.role == .dissected else { return }
        // What the snap length cut off was announced as such, packet by packet.
        if octets <= side.cutOctets {
            side.cutOctets -= octets
        } else if let session = state.session {
            session.evidence.hasGap = true
            timeline.emit(timeline.event(TCPEvent(.gap(octets: octets)), at: moment), session: session)
        }
        let nothing = [UInt8]()
        outlet.clear()
        state.dissector?.gap(moment.direction, octets: octets, outlet)
        drain(state, nothing.rawSpan, moment, at: nil)
        lose(side, state)
    }

    /// Frames went by without the dissector, which may believe to be inside one: here none is begun.
    private func catchUp(_ side: StreamSide, _ state: FlowState, _ moment: Moment) {
        guard side.isAhead else { return }
        side.isAhead = false
        let nothing = [UInt8]()
        _ = try? state.dissector?.read(nothing.rawSpan, moment.direction, outlet)
        outlet.clear()
    }

    /// The snap length cut the very first message: what there is of it, and the port, have to do.
    private func adoptCut(_ state: FlowState) {
        let client = state.fromClient.buffer.waiting
        let server = state.fromServer.buffer.waiting
        guard state.isCut, !client.isEmpty || !server.isEmpty else { return }
        for candidate in streamDissectors where candidate.usesPort(state) {
            let opening = Opening(client: client.rawSpan, server: server.rawSpan, flow: state.context)
            guard case .needMore = candidate.type.probe(opening) else { continue }
            adopt(candidate.type, state)
            return
        }
    }

    /// The connection ended in the middle of a RTMP handshake, before that could be told for certain: on RTMP's port it is
    /// shown how far it came.
    private func adoptUnfinished(_ state: FlowState, _ moment: Moment) {
        let client = state.fromClient.buffer.waiting
        let server = state.fromServer.buffer.waiting
        guard !state.startsLate, !client.isEmpty || !server.isEmpty, RTMPDissector.usesPort(state.context) else {
            return
        }
        let opening = Opening(client: client.rawSpan, server: server.rawSpan, flow: state.context)
        guard case .needMore = RTMPDissector.probe(opening) else { return }
        adopt(RTMPDissector.self, state)
        rereadOpening(state, moment)
    }

    /// Reads what waits although it will never be complete, and forgets it.
    private func readCut(_ state: FlowState, _ side: StreamSide, _ moment: Moment) {
        guard !side.buffer.isEmpty else { return }
        if state.role == .undecided { decideByPort(state) }
        let octets = side.buffer.waiting
        side.buffer.discard(&intake.messageBudget)
        side.consumed += octets.count
        guard state.role == .dissected, !side.isLost else { return }
        outlet.clear()
        outlet.place(first: side.waitingFrame, waiting: octets.count, last: side.waitingFrame)
        state.dissector?.readCut(octets.rawSpan, moment.direction, outlet)
        drain(state, octets.rawSpan, moment, at: Place(inFrame: nil, firstFrame: side.waitingFrame))
    }

    /// The opening is cut before it tells for certain what it is: the usual port decides among what it may be.
    private func decideByPort(_ state: FlowState) {
        let client = state.fromClient.buffer.waiting
        let server = state.fromServer.buffer.waiting
        for candidate in streamDissectors where candidate.usesPort(state) {
            let opening = Opening(client: client.rawSpan, server: server.rawSpan, flow: state.context)
            if case .no = candidate.type.probe(opening) { continue }
            adopt(candidate.type, state)
            return
        }
    }

    /// The next message start has to be found, by the driver unless the dissector does it.
    private func lose(_ side: StreamSide, _ state: FlowState) {
        side.isLost = !(state.dissector.map { type(of: $0).findsStarts } ?? false)
        side.passesFrames = false
        side.isAhead = false
    }

    /// Asks the dissectors whether the opening of a flow is theirs; what `isLast` will not become longer.
    private func decide(_ state: FlowState, _ moment: Moment, isLast: Bool = false) {
        let client = state.fromClient.buffer
        let server = state.fromServer.buffer
        guard !client.isEmpty || !server.isEmpty else { return }
        let context = state.context
        let isThorough = state.startsLate && (isLast || client.count &+ server.count >= state.nextLook)
        if isThorough { state.nextLook = (client.count &+ server.count) &* 5 / 4 }
        var mayBe = false
        for isUsual in [true, false] {
            for candidate in streamDissectors where candidate.usesPort(state) == isUsual {
                var opening = Opening(client: client.octets, server: server.octets, flow: context)
                if isThorough {
                    opening.clientStarts = state.fromClient.segments.map(\.start)
                    opening.serverStarts = state.fromServer.segments.map(\.start)
                }
                switch candidate.type.probe(opening) {
                case .yes:
                    adopt(candidate.type, state)
                    if state.startsLate, candidate.type.findsStarts {
                        rereadSegments(state)
                    } else {
                        rereadOpening(state, moment)
                    }
                    return
                case .needMore: mayBe = true
                case .no: break
                }
            }
        }
        let most = state.startsLate ? options.limits.lateUsualProbeOctets : options.limits.probeOctets
        if !mayBe || max(client.count, server.count) > most { forget(state) }
    }

    /// What came before it was known what the flow is, in the order in which the sides began to speak.
    private func rereadOpening(_ state: FlowState, _ now: Moment) {
        let isServerFirst =
            !state.fromServer.buffer.isEmpty && !state.fromClient.buffer.isEmpty
            && state.fromServer.waitingFrame < state.fromClient.waitingFrame
        let directions: [Direction] =
            isServerFirst ? [.serverToClient, .clientToServer] : [.clientToServer, .serverToClient]
        for direction in directions {
            let side = state.side(direction)
            guard !side.buffer.isEmpty else { continue }
            let octets = side.buffer.waiting
            side.buffer.discard(&intake.messageBudget)
            let moment = state.moment(direction, frame: now.frame, time: now.time)
            offer(octets.rawSpan, state, moment, place: nil, frame: side.waitingFrame)
        }
    }

    /// What came before it was known what the flow is whose beginning was missed, segment by segment.
    private func rereadSegments(_ state: FlowState) {
        var waiting: [(direction: Direction, octets: [UInt8], segment: OpeningSegment)] = []
        for direction in [Direction.clientToServer, .serverToClient] {
            let side = state.side(direction)
            let octets = side.buffer.waiting
            side.buffer.discard(&intake.messageBudget)
            for (index, segment) in side.segments.enumerated() {
                let end = index + 1 < side.segments.count ? side.segments[index + 1].start : octets.count
                waiting.append((direction, octets.rawSpan.clamped(segment.start, end).array(), segment))
            }
            side.segments = []
        }
        waiting.sort { $0.segment.frame < $1.segment.frame }
        for (direction, octets, segment) in waiting {
            let moment = state.moment(direction, frame: segment.frame, time: segment.time)
            offer(octets.rawSpan, state, moment, place: nil, frame: segment.frame)
        }
    }

    /// Nobody will read the flow.
    func forget(_ state: FlowState) {
        state.fromClient.buffer.discard(&intake.messageBudget)
        state.fromServer.buffer.discard(&intake.messageBudget)
        intake.discard(state.connection)
        state.forgetSides()
        pass(state)
    }

    private func closed(_ state: FlowState, _ accepted: Acceptance, _ moment: Moment) {
        table.close(state.index)
        guard !state.isClosed else { return }
        state.isClosed = true
        let isReset = accepted.contains(.reset)
        let isRefusal = isReset && self[connection: state].handshake == .partial
        if state.session == nil, state.role == .undecided, isRefusal { openUnanswered(state) }
        guard let session = state.session else {
            if isRefusal, state.role == .undecided { failed(.refused, moment) }
            return
        }
        let step: TCPEvent.Step = isRefusal ? .refused : isReset ? .reset : .close
        session.closed(step, moment.direction, frame: moment.frame)
        timeline.emit(timeline.event(TCPEvent(step), at: moment), session: session)
    }

    /// Nothing more will come on the flow: what still waits is handed on, and gaps are named.
    func finishStream(_ state: FlowState, at info: FrameInfo) {
        self[connection: state].finish()
        let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
        let nothing = [UInt8]()
        while let delivery = intake.next(state.connection) {
            deliver(delivery, nothing.rawSpan, state, moment, payloadOffset: nil)
        }
        if state.role == .undecided, state.startsLate { decide(state, moment, isLast: true) }
        if state.role == .undecided { adoptUnfinished(state, moment) }
        for direction in [Direction.clientToServer, .serverToClient] where state.role == .dissected {
            readCut(
                state, state.side(direction), state.moment(direction, frame: info.number, time: info.time))
        }
        if state.role == .dissected {
            outlet.clear()
            state.dissector?.finish(outlet)
            drain(state, nothing.rawSpan, moment, at: nil)
        }
        if state.session == nil, state.role == .undecided, self[connection: state].handshake == .partial,
            !state.isClosed
        {
            unanswered(state, moment)
        }
        if state.role != .opaque {
            state.fromClient.buffer.discard(&intake.messageBudget)
            state.fromServer.buffer.discard(&intake.messageBudget)
        }
    }
}

extension Dissector {
    static func usesPort(_ context: FlowContext) -> Bool {
        descriptor.ports.contains(context.server.port) || descriptor.ports.contains(context.client.port)
    }
}
