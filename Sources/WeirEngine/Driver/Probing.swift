import WeirPackets

// Probing: what a connection carries, and what came before that was known.

extension Analyzer {
    /// Octets of an opening up to which every further one is looked at.
    private static let alwaysLooked = 4_096

    /// Asks the dissectors whether the opening of a flow is theirs; what `isLast` will not become longer.
    func probe(_ state: FlowState, _ moment: EventContext, isLast: Bool = false) {
        let client = state.fromClient.buffer
        let server = state.fromServer.buffer
        guard !client.isEmpty || !server.isEmpty else { return }
        let known = client.count &+ server.count
        // Octets that come one by one are looked at again when they have become a few more: the work follows their number.
        guard isLast || known <= Self.alwaysLooked || known >= state.nextProbe else { return }
        state.nextProbe = known &+ known / 32
        // Behind what is usual, looking again at each segment would take the square of the time.
        let isLong = !state.startsLate && max(client.count, server.count) > options.limits.probeOctets
        guard !isLong || isLast || known >= state.nextLook else { return }
        let isThorough = state.startsLate && (isLast || known >= state.nextLook)
        if isThorough || isLong { state.nextLook = known &* 5 / 4 }
        var opening = FirstBytes(client: client.octets, server: server.octets, flow: state.context)
        if isThorough {
            opening.clientStarts = state.fromClient.starts
            opening.serverStarts = state.fromServer.starts
        }
        var most = 0
        var isHidden = false
        for isUsual in [true, false] {
            for candidate in streamDissectors where candidate.usesPort(state) == isUsual {
                switch candidate.type.probe(opening) {
                case .yes:
                    adopt(candidate.type, state)
                    reread(state)
                    return
                case .needMore: most = max(most, candidate.type.probeOctets(options.limits))
                case .hidden: isHidden = true
                case .no: break
                }
            }
        }
        if most > 0, state.startsLate { most = max(most, options.limits.lateUsualProbeOctets) }
        guard max(client.count, server.count) > most else { return }
        if isHidden { summary.encryptedFlows += 1 }
        forget(state)
    }

    /// Nothing more will come of an opening: it is looked at once more if it was not to its end.
    func lastLook(_ state: FlowState, _ moment: EventContext) {
        guard state.startsLate || state.nextLook > 0 else { return }
        probe(state, moment, isLast: true)
    }

    /// The snap length cut the very first message: what there is of it, and the port, have to do.
    func adoptCut(_ state: FlowState) {
        guard state.isCut else { return }
        adopt(state) { candidate, answer in
            if case .needMore = answer { true } else { false }
        }
    }

    /// The connection ended in the middle of an opening, before that could be told for certain: at the port that is usual
    /// for a protocol that says so, it is shown how far it came.
    func adoptUnfinished(_ state: FlowState, _ moment: EventContext) {
        guard !state.startsLate else { return }
        let isAdopted = adopt(state, isUnfinished: true) { _, answer in
            if case .needMore = answer { true } else { false }
        }
        if isAdopted { reread(state) }
    }

    /// The opening is cut before it tells for certain what it is: the usual port decides among what it may be.
    func decideByPort(_ state: FlowState) {
        adopt(state) { _, answer in
            switch answer {
            case .yes, .needMore: true
            case .no, .hidden: false
            }
        }
    }

    /// Lets the first dissector read a flow at whose usual port it is, and whose answer to its opening will do.
    @discardableResult
    private func adopt(
        _ state: FlowState, isUnfinished: Bool = false, where willDo: (Candidate, ProbeAnswer) -> Bool
    ) -> Bool {
        let client = state.fromClient.buffer.waiting
        let server = state.fromServer.buffer.waiting
        guard !client.isEmpty || !server.isEmpty else { return false }
        for candidate in streamDissectors where candidate.usesPort(state) {
            let opening = FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: state.context)
            guard willDo(candidate, candidate.type.probe(opening)) else { continue }
            if isUnfinished, !candidate.type.tellsUnfinished(opening) { continue }
            adopt(candidate.type, state)
            return true
        }
        return false
    }

    /// What came before it was known what the flow is, segment by segment: each is told where it came.
    private func reread(_ state: FlowState) {
        var waiting: [(direction: Direction, octets: [UInt8], segment: WaitingSegment)] = []
        for direction in [Direction.clientToServer, .serverToClient] {
            waiting += takeWaiting(state.side(direction)).map { (direction, $0.octets, $0.segment) }
        }
        // Each side's octets stay in their order, also where one frame let several segments be read.
        let inOrder = waiting.enumerated().sorted {
            ($0.element.segment.frame, $0.offset) < ($1.element.segment.frame, $1.offset)
        }
        for (_, (direction, octets, segment)) in inOrder {
            let moment = state.moment(direction, frame: segment.frame, time: segment.time)
            offer(octets.rawSpan, state, moment, place: nil, frame: segment.origin)
        }
    }

    /// What waits on a side of a flow, segment by segment: from now on nothing does.
    func takeWaiting(_ side: StreamSide) -> [(octets: [UInt8], segment: WaitingSegment)] {
        let octets = side.buffer.waiting
        let starts = side.starts
        side.buffer.discard(&fastPaths.messageBudget)
        return side.takeSegments().enumerated().map { index, segment in
            let end = index + 1 < starts.count ? starts[index + 1] : octets.count
            return (octets.rawSpan.clamped(starts[index], end).array(), segment)
        }
    }

    /// Nobody will read the flow.
    func forget(_ state: FlowState) {
        state.fromClient.buffer.discard(&fastPaths.messageBudget)
        state.fromServer.buffer.discard(&fastPaths.messageBudget)
        fastPaths.discard(state.connection)
        state.forgetSides()
        ignore(state)
    }
}
