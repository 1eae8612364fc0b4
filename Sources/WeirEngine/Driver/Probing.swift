import WeirPackets

// Probing: recognition of a connection's protocol, and replay of what was buffered before.

extension Analyzer {
    /// The size up to which an opening is probed after every segment.
    private static let alwaysLooked = 4_096

    /// Probes the dissectors for the opening of a flow. `isLast` means that no more data will arrive.
    func probe(_ state: FlowState, _ moment: EventContext, isLast: Bool = false) {
        let (client, server) = state.buffers
        guard !client.isEmpty || !server.isEmpty else { return }
        let known = client.count &+ server.count
        // Limits probing of many small segments: the next probe needs some more bytes, so that the work stays linear.
        guard isLast || known <= Self.alwaysLooked || known >= state.recognition.nextProbe else { return }
        state.recognition.nextProbe = known &+ known / 32
        // Beyond the usual size, probing at each segment would take quadratic time.
        let isLong = !state.startsLate && max(client.count, server.count) > options.limits.probeOctets
        guard !isLong || isLast || known >= state.recognition.nextSearch else { return }
        let isThorough = state.startsLate && (isLast || known >= state.recognition.nextSearch)
        if isThorough || isLong { state.recognition.nextSearch = known &* 5 / 4 }
        let positions = streamDissectors.positions(
            for: state, client: client.octets.byte(at: 0), server: server.octets.byte(at: 0))
        var opening = FirstBytes(
            client: client.octets, server: server.octets, flow: state.context(showsEncrypted: options.showsEncrypted))
        if isThorough { opening.starts = [state.fromClient.starts, state.fromServer.starts] }
        opening.isLast = isLast
        switch ask(positions, opening) {
        case .recognized(let type):
            assign(type, state)
            reread(state)
        case .undecided: break
        case .awaited:
            (state.recognition.nextSearch, state.recognition.nextProbe) = (1, 0)
            state.history?.awaited = state.history?.awaited ?? (moment, state.fromClient.segments.count == 1)
        case .unknown(let hidden):
            if let hidden {
                let place = state.history?.awaited ?? (moment, state.fromClient.segments.count == 1)
                hide(
                    HiddenFlows.Entry(
                        type: hidden, flow: state.context, index: state.index, moment: place.at,
                        opening: client.waiting, isInFrame: place.isInFrame, state: state))
            }
            forget(state)
        }
    }

    /// What the dissectors answer to an opening.
    private enum Verdict {
        /// One recognizes it.
        case recognized(any Dissector.Type)
        /// One needs more bytes.
        case undecided
        /// One needs something else than bytes.
        case awaited
        /// None recognizes it, whatever follows; it may be encrypted.
        case unknown(hidden: (any Dissector.Type)?)
    }

    /// Probes the dissectors at these positions.
    private func ask(_ positions: Candidates.Positions, _ opening: borrowing FirstBytes) -> Verdict {
        var most = 0
        var hidden: (any Dissector.Type)?
        var isAwaited = false
        for position in positions {
            let type = streamDissectors[position].type
            switch type.probe(opening) {
            case .yes: return .recognized(type)
            case .needMore: most = max(most, type.probeOctets(options.limits))
            case .wait:
                most = max(most, type.probeOctets(options.limits))
                isAwaited = true
            case .hidden: hidden = type
            case .no: break
            }
        }
        if most > 0, opening.flow.startsLate { most = max(most, options.limits.lateUsualProbeOctets) }
        guard max(opening.client.byteCount, opening.server.byteCount) > most else {
            return isAwaited ? .awaited : .undecided
        }
        return .unknown(hidden: hidden)
    }

    /// Probes the dissectors for the first bytes of a connection where they are, and ignores the flow if none recognizes
    /// them, as most: then nothing has to be buffered. Returns false if the bytes have to be offered.
    func ignoreAtOnce(_ bytes: RawSpan, _ state: FlowState, _ moment: EventContext) -> Bool {
        guard state.role == .undecided, !state.startsLate, !state.hasSides, state.layer == nil, bytes.byteCount > 0,
            isUnknown(bytes, moment, state.context(showsEncrypted: options.showsEncrypted), index: state.index)
        else { return false }
        fastPaths.discard(state.connection)
        ignore(state)
        return true
    }

    /// Does the same for the first data of an answered opening, which has no state.
    func ignoreAtOnce(_ packet: FastPaths.Packet, _ bytes: RawSpan, _ info: FrameInfo) -> Bool {
        let payload = bytes.clamped(packet.unit.payload.lowerBound, packet.unit.payload.upperBound)
        let (index, direction) = (packet.lookup.index, packet.lookup.direction)
        let isForward = direction == .clientToServer
        let (source, destination) = (packet.unit.source, packet.unit.destination)
        let moment = EventContext(
            frame: info.number, time: info.time, flow: table[index].id, direction: direction, source: source,
            destination: destination)
        let flow = limits.context(
            ofFlow: moment.flow, .tcp, client: isForward ? source : destination,
            server: isForward ? destination : source, showsEncrypted: options.showsEncrypted)
        guard isUnknown(payload, moment, flow, index: index) else { return false }
        fastPaths.ignoreAnswered(index, payload, info)
        openStates &-= 1
        return true
    }

    /// Whether no dissector recognizes the first bytes of a connection. Records it if it is encrypted.
    private func isUnknown(
        _ bytes: RawSpan, _ moment: EventContext, _ flow: consuming FlowContext, index: Int
    ) -> Bool {
        guard bytes.byteCount <= options.limits.probeOctets else { return false }
        let isClients = moment.direction == .clientToServer
        let first = bytes.byte(at: 0)
        let positions = streamDissectors.positions(
            flow.server.port, flow.client.port, client: isClients ? first : nil, server: isClients ? nil : first)
        guard !positions.isEmpty else { return true }
        let none: [UInt8] = []
        let opening = FirstBytes(
            client: isClients ? bytes : none.rawSpan, server: isClients ? none.rawSpan : bytes, flow: flow)
        guard case .unknown(let hidden) = ask(positions, opening) else { return false }
        guard let hidden else { return true }
        var context = opening.flow
        context.showsEncrypted = false
        hide(
            HiddenFlows.Entry(
                type: hidden, flow: context, index: index, moment: moment, opening: isClients ? bytes.array() : [],
                isInFrame: true))
        return true
    }

    /// Probes an opening once more at its end if it was not fully searched.
    func lastLook(_ state: FlowState, _ moment: EventContext) {
        guard state.startsLate || state.recognition.nextSearch > 0 else { return }
        probe(state, moment, isLast: true)
    }

    /// Assigns a dissector by port when the snap length truncated the first message.
    func assignTruncated(_ state: FlowState) {
        guard state.isCut else { return }
        assign(state) { candidate, answer in
            switch answer {
            case .yes, .needMore: true
            case .no, .hidden, .wait: false
            }
        }
    }

    /// Assigns a dissector by port when the connection ended before the protocol was certain, if the dissector reports
    /// incomplete openings.
    func assignIncomplete(_ state: FlowState, _ moment: EventContext) {
        guard !state.startsLate else { return }
        let isAssigned = assign(state, isUnfinished: true) { _, answer in
            if case .needMore = answer { true } else { false }
        }
        if isAssigned { reread(state) }
    }

    /// Assigns a dissector by port when a gap truncates the opening before the protocol is certain.
    func decideByPort(_ state: FlowState) {
        assign(state) { _, answer in
            switch answer {
            case .yes, .needMore: true
            case .no, .hidden, .wait: false
            }
        }
    }

    /// Assigns the first dissector whose usual port matches and whose probe answer satisfies the condition.
    @discardableResult
    private func assign(
        _ state: FlowState, isUnfinished: Bool = false, where willDo: (Candidate, ProbeAnswer) -> Bool
    ) -> Bool {
        let client = state.fromClient.buffer.waiting
        let server = state.fromServer.buffer.waiting
        guard !client.isEmpty || !server.isEmpty else { return false }
        for candidate in streamDissectors where candidate.usesPort(state) {
            var opening = FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: state.context)
            opening.isLast = true
            guard willDo(candidate, candidate.type.probe(opening)) else { continue }
            if isUnfinished, !candidate.type.reportsIncomplete(opening) { continue }
            assign(candidate.type, state)
            return true
        }
        return false
    }

    /// Replays the buffered segments, each with its original time.
    private func reread(_ state: FlowState) {
        let isContent = state.layer != nil
        var waiting: [(direction: Direction, octets: [UInt8], segment: WaitingSegment)] = []
        for direction in [Direction.clientToServer, .serverToClient] {
            waiting += takeWaiting(state.side(direction)).map { (direction, $0.octets, $0.segment) }
        }
        // The order per direction is preserved, also where one frame made several segments readable.
        if waiting.count > 1 {
            let inOrder = waiting.enumerated().sorted {
                ($0.element.segment.frame, $0.offset) < ($1.element.segment.frame, $1.offset)
            }
            waiting = inOrder.map(\.element)
        }
        for (direction, octets, segment) in waiting {
            let moment = state.moment(direction, frame: segment.frame, time: segment.time)
            if isContent {
                offer(octets.rawSpan, state, moment, place: nil, frame: segment.origin)
            } else {
                offerSegment(octets.rawSpan, state, moment, place: nil, frame: segment.origin)
            }
        }
    }

    /// Returns and removes the buffered data of one direction, segment by segment.
    func takeWaiting(_ side: StreamSide) -> [(octets: [UInt8], segment: WaitingSegment)] {
        guard side.bufferedOctets > 0 || !side.segments.isEmpty else { return [] }
        let octets = side.buffer.waiting
        let starts = side.starts
        side.buffer.discard(&fastPaths.messageBudget)
        let segments = side.takeSegments()
        if segments.count == 1, starts[0] == 0 { return [(octets, segments[0])] }
        return segments.enumerated().map { index, segment in
            let end = index + 1 < starts.count ? starts[index + 1] : octets.count
            return (octets.rawSpan.clamped(starts[index], end).array(), segment)
        }
    }

    /// Discards the buffered data of a flow and ignores it.
    func forget(_ state: FlowState) {
        showLayer(of: state)
        fastPaths.discardAll(of: state)
        ignore(state)
    }
}
