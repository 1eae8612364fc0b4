import WeirPackets

// Answered openings: a SYN, the SYN-ACK and its acknowledgment were seen, and no data. Nearly all connections are of no
// interest, as their first data shows, so that no state is kept until then except the three segments. State is created
// from these when anything else arrives; the timeline is unaffected.

extension Analyzer {
    /// Records the SYN-ACK of an embryonic flow. Returns false if the packet is something else, or there is anything unusual
    /// about it.
    func recordSYNACK(_ packet: FastPaths.Packet, _ info: FrameInfo) -> Bool {
        let (index, header) = (packet.lookup.index, packet.unit.tcp)
        guard packet.unit.transport == .tcp, packet.lookup.direction == .serverToClient,
            header.flags.subtracting([.ece, .cwr]) == [.syn, .ack], header.window > 0, packet.unit.payload.isEmpty,
            packet.unit.missingOctets == 0, header.acknowledgment.value == table[index].openingSequence &+ 1
        else { return false }
        var opening = AnsweredOpening()
        opening.attempts = table[index].packets.clientToServer
        opening.syn = Delivery.Place(
            frame: Int(table[index].path.openingFrame), time: table[index].path.openingTime)
        opening.synACK = AnsweredOpening.Segment(
            header: header, place: Delivery.Place(frame: info.number, time: info.time))
        opening.interface = info.interface
        table.release(index)
        table[index].path.turn(toOpening: fastPaths.openings.insert(opening))
        // Counted like a flow with a state, whose place it takes.
        openStates &+= 1
        watchMemory()
        noteUndecided(FlowHandle(index: index, id: table[index].id))
        return true
    }

    /// Whether a packet of an answered opening needs no state: it is the acknowledgment, or data that no dissector recognizes.
    @inline(never)
    func isStillUnread(_ packet: FastPaths.Packet, _ bytes: RawSpan, _ info: FrameInfo) -> Bool {
        if isExpected(packet, info),
            packet.unit.payload.isEmpty ? recordAcknowledgment(packet, info) : ignoreAtOnce(packet, bytes, info)
        {
            return true
        }
        wakeAnswered(packet.lookup.index)
        return false
    }

    /// Records the acknowledgment of the SYN-ACK. Returns false if there was one.
    private func recordAcknowledgment(_ packet: FastPaths.Packet, _ info: FrameInfo) -> Bool {
        guard packet.lookup.direction == .clientToServer else { return false }
        let segment = AnsweredOpening.Segment(
            header: packet.unit.tcp, place: Delivery.Place(frame: info.number, time: info.time))
        return fastPaths.openings.update(packet.path.opening) {
            guard !$0.isAcknowledged else { return false }
            ($0.acknowledgment, $0.isAcknowledged, $0.interface) = (segment, true, info.interface)
            return true
        }
    }

    /// Whether a flow has an answered opening.
    func isAnswered(_ flow: FlowHandle) -> Bool {
        table[flow.index].id == flow.id && table[flow.index].path.kind == .answered
    }

    /// Creates the state of an answered opening when more arrives than it can tell.
    func wakeAnswered(_ index: Int) {
        let (opening, connection, connected) = fastPaths.connect(index)
        openStates &-= 1
        let state = begin(index, startsLate: false, connection: connection, isNoted: true)
        state.history?.attempts = opening.attempts
        state.interface = opening.interface
        state.history?.connected = connected.map { state.moment(.clientToServer, frame: $0.frame, time: $0.time) }
    }

    /// Whether a segment continues an answered opening as in nearly all connections.
    private func isExpected(_ packet: FastPaths.Packet, _ info: FrameInfo) -> Bool {
        let (header, direction) = (packet.unit.tcp, packet.lookup.direction)
        guard !packet.isCaptureDuplicate, packet.unit.missingOctets == 0, header.window > 0,
            header.flags.intersection([.syn, .fin, .rst, .ack]) == .ack
        else { return false }
        return fastPaths.openings.update(packet.path.opening) {
            header.sequence == $0.next(direction) && header.acknowledgment == $0.next(direction.opposite)
                && info.time >= $0.last.place.time
        }
    }
}
