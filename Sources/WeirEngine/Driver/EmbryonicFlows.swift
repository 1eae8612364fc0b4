import WeirPackets

// Flows that have shown nothing but how they opened: a SYN, or one datagram that tells nothing. Scans and floods make
// very many of them. Until there is more, nothing is kept of them but their place in the table; then what the opening
// would have left behind is made. Nothing in the timeline tells the difference.

extension Analyzer {
    /// Takes a packet that is a flow's opening, or a copy of it; false when it is to be looked at.
    @inline(__always)
    func isEmbryonic(_ packet: FastPaths.Packet, _ info: FrameInfo) -> Bool {
        if packet.lookup.isNew {
            guard isOpening(packet.unit), !isForced(packet.unit) else { return false }
            hold(packet.lookup.index, info)
            return true
        }
        return packet.path.kind == .embryonic && isStillEmbryonic(packet, info)
    }

    @inline(never)
    private func isStillEmbryonic(_ packet: FastPaths.Packet, _ info: FrameInfo) -> Bool {
        if packet.isCaptureDuplicate { return true }
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

    /// Whether a segment says no more than that somebody wants to connect. With ECN, it asks for that, too (RFC 3168
    /// §6.1.1).
    private func isOpening(_ unit: TransportUnit) -> Bool {
        unit.transport == .tcp && unit.tcp.flags.subtracting([.ece, .cwr]) == .syn && unit.payload.isEmpty
            && unit.missingOctets == 0 && unit.tcp.window > 0
    }

    private func isForced(_ unit: TransportUnit) -> Bool {
        options.decodeAs.contains {
            $0.transport == unit.transport && ($0.port == unit.source.port || $0.port == unit.destination.port)
        }
    }

    private func hold(_ index: Int, _ info: FrameInfo) {
        makeRoom(index)
        guard let oldest = table.hold(index, openedAt: info.time, frame: info.number) else { return }
        reach("limit.openings")
        endFlow(oldest, at: info, isEvicted: true)
    }

    /// The first datagram of a flow is nothing known.
    func hold(_ state: FlowState, _ info: FrameInfo) {
        states[state.index] = nil
        openStates &-= 1
        hold(state.index, info)
    }

    /// A flow shows more than its opening, which came in so many packets.
    private func wake(_ index: Int, packets: Int) {
        let flow = table[index]
        table.release(index)
        guard flow.transport == .tcp else {
            let state = begin(index, startsLate: false, connection: nil)
            state.probes = packets
            state.isRefused.client = true
            return
        }
        let connection = TCPConnection(
            openedWith: flow.openingSequence, at: flow.path.openingTime, frame: Int(flow.path.openingFrame))
        begin(index, startsLate: false, connection: connection).connectionAttempts = packets
    }

    /// A flow ends of which nothing but the opening was seen. An attempt to connect that nobody answered is told like
    /// any other that failed: at the ports of sessions always, else the first few.
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

    /// Makes a place for the state of a flow.
    func makeRoom(_ index: Int) {
        while states.count <= index { states.append(nil) }
    }

    /// Notes a flow whose protocol has to be found. When these are too many, the first quarter is given up.
    func noteUndecided(_ state: FlowState) {
        undecided.append(FlowHandle(index: state.index, id: state.id))
        let most = options.limits.undecidedFlows
        guard undecided.count > most else { return }
        undecided.removeAll { place in
            guard let state = states[place.index] else { return true }
            return state.id != place.id || state.role != .undecided
        }
        let surplus = undecided.count - most / 4 * 3
        guard undecided.count > most, surplus > 0 else { return }
        for place in undecided.prefix(surplus) {
            guard let state = states[place.index] else { continue }
            state.recognisers = []
            if state.transport == .tcp { forget(state) } else { ignore(state) }
        }
        undecided.removeFirst(surplus)
        reach("limit.undecided", times: surplus)
    }
}
