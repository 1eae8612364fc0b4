import WeirPackets

// Embryonic flows: only the opening, a SYN or one unrecognized datagram, was seen. Scans and floods create very many of
// them, so no state is kept except their entry in the flow table. State is created when more arrives; the timeline is
// unaffected.

extension Analyzer {
    /// Whether a packet is the opening of a flow or a repetition of it, or of no interest like the opening, and needs no
    /// further processing.
    @inline(__always)
    func isEmbryonic(_ packet: FastPaths.Packet, _ bytes: RawSpan, _ info: FrameInfo) -> Bool {
        if packet.lookup.isNew {
            guard isOpening(packet.unit) || isUnrecognizable(packet.unit, bytes), !isForced(packet.unit) else {
                return false
            }
            hold(packet.lookup.index, info)
            // Flows without a state are small; their number is looked at now and then.
            if packet.unit.transport == .udp, table.count & 63 == 0 { watchMemory() }
            return true
        }
        switch packet.path.kind {
        case .embryonic: return isStillEmbryonic(packet, bytes, info)
        case .answered: return isStillUnread(packet, bytes, info)
        case .open, .fast, .ignored: return false
        }
    }

    @inline(never)
    private func isStillEmbryonic(_ packet: FastPaths.Packet, _ bytes: RawSpan, _ info: FrameInfo) -> Bool {
        if packet.isCaptureDuplicate { return true }
        if packet.lookup.direction == .serverToClient, isUnrecognizable(packet.unit, bytes) {
            // Neither side's first datagram is of a protocol.
            fastPaths.ignore(packet.lookup.index)
            return true
        }
        if recordSYNACK(packet, info) { return true }
        let index = packet.lookup.index
        let isFromClient = packet.lookup.direction == .clientToServer
        if isFromClient, isOpening(packet.unit) {
            table[index].path.openingTime = info.time
            table[index].path.openingFrame = UInt32(truncatingIfNeeded: info.number)
            return true
        }
        wake(index, packets: table[index].packets.clientToServer - (isFromClient ? 1 : 0))
        return false
    }

    /// Whether a segment is a plain SYN, possibly with ECN setup (RFC 3168 §6.1.1).
    private func isOpening(_ unit: TransportUnit) -> Bool {
        unit.transport == .tcp && unit.tcp.flags.subtracting([.ece, .cwr]) == .syn && unit.payload.isEmpty
            && unit.missingOctets == 0 && unit.tcp.window > 0
    }

    /// Whether a datagram is whole and no session expects it, and no dissector or recognizer can begin with it: their
    /// answers are known without a state of the flow.
    private func isUnrecognizable(_ unit: TransportUnit, _ bytes: RawSpan) -> Bool {
        guard unit.transport == .udp, unit.missingOctets == 0,
            !sessionOutlet.claims.mayMatch(unit.source, unit.destination)
        else { return false }
        let payload = bytes.clamped(unit.payload.lowerBound, unit.payload.upperBound)
        return datagramDissectors.knowNone(payload.byte(at: 0), unit.source.port, unit.destination.port)
            && !recognizers.contains { $0.recognizer.mayBegin(payload) }
    }

    private func isForced(_ unit: TransportUnit) -> Bool {
        options.decodeAs.contains {
            $0.transport == unit.transport && ($0.port == unit.source.port || $0.port == unit.destination.port)
        }
    }

    private func hold(_ index: Int, _ info: FrameInfo) {
        states.reserve(index)
        guard let oldest = table.hold(index, openedAt: info.time, frame: info.number) else { return }
        reach("limit.openings")
        endFlow(oldest, at: info, isEvicted: true)
    }

    /// Makes a flow embryonic after its first datagram was not recognized.
    func hold(_ state: FlowState, _ info: FrameInfo) {
        states[state.index] = nil
        openStates &-= 1
        hold(state.index, info)
    }

    /// Creates the state of an embryonic flow when more than the opening arrives after `packets` packets.
    private func wake(_ index: Int, packets: Int) {
        let flow = table[index]
        table.release(index)
        guard flow.transport == .tcp else {
            let state = begin(index, startsLate: false)
            state.recognition = FlowRecognition(refused: (true, false), datagrams: packets)
            return
        }
        let connection = fastPaths.connections.insert(
            TCPConnection(
                openedWith: flow.openingSequence, at: flow.path.openingTime, frame: Int(flow.path.openingFrame)))
        begin(index, startsLate: false, connection: connection).history?.attempts = packets
    }

    /// Ends an embryonic flow. Unanswered connection attempts are reported like other failures: always at session
    /// ports, elsewhere up to the limit.
    func endEmbryonic(_ index: Int, isEvicted: Bool) {
        let flow = table[index]
        guard flow.transport == .tcp, !isEvicted else { return }
        let isKnown = sessionPorts.contains(flow.server.port) || sessionPorts.contains(flow.client.port)
        if isKnown || failedConnections < options.limits.failedConnections {
            wake(index, packets: flow.packets.clientToServer)
        } else {
            failedConnections += 1
            reach("limit.failedConnections")
        }
    }

    /// Records a flow whose protocol is undecided. Beyond the limit, the oldest quarter is given up.
    func noteUndecided(_ flow: FlowHandle) {
        let most = options.limits.undecidedFlows
        var taken = undecided.take()
        taken.append(flow)
        guard taken.count > most else { return undecided.put(taken) }
        taken.removeAll { place in
            guard let state = states[place.index] else { return !isAnswered(place) }
            return state.id != place.id || state.role != .undecided
        }
        let surplus = taken.count > most ? taken.count - most / 4 * 3 : 0
        let oldest = taken.prefix(surplus)
        taken.removeFirst(surplus)
        undecided.put(taken)
        guard surplus > 0 else { return }
        for place in oldest {
            if isAnswered(place) { wakeAnswered(place.index) }
            guard let state = states[place.index] else { continue }
            state.recognizers = []
            if state.transport == .tcp { forget(state) } else { ignore(state) }
        }
        reach("limit.undecided", times: surplus)
    }
}
