import WeirPackets

// Datagrams: flows that were claimed, those whose protocol a datagram shows, and those that several have to show.

extension Analyzer {
    /// Datagrams of a flow after which it is known that it is nothing known.
    private static let mostProbes = 16

    @inline(__always)
    func datagram(
        _ payload: RawSpan, _ unit: TransportUnit, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo
    ) {
        let wireLength = payload.byteCount &+ unit.missingOctets
        if state.role == .packets, let packets = state.packets {
            if state.claim == nil, !packets.accepts(payload), reconsider(payload, unit, state, moment) { return }
            var arrival = PacketArrival(at: moment, wireLength: wireLength)
            arrival.isFragmented = unit.fragments > 0
            packets.read(payload, arrival)
        } else {
            undecidedDatagram(payload, wireLength, unit, state, moment, info)
        }
    }

    /// A datagram that is not one of the flow's packets may show that others share the flow with them: then their dissector
    /// reads it from now on, and hands on the packets.
    @inline(never)
    private func reconsider(
        _ payload: RawSpan, _ unit: TransportUnit, _ state: FlowState, _ moment: EventContext
    ) -> Bool {
        let none = [UInt8]()
        let isForward = moment.direction == .clientToServer
        for candidate in datagramDissectors {
            let opening = FirstBytes(
                client: isForward ? payload : none.rawSpan, server: isForward ? none.rawSpan : payload,
                flow: state.context)
            guard case .yes = candidate.type.probe(opening) else { continue }
            adopt(candidate.type, state)
            guard state.role == .dissected else { return false }
            read(
                payload, cut: unit.missingOctets, state, moment,
                place: unit.isReassembled ? nil : unit.payload.lowerBound)
            return true
        }
        return false
    }

    @inline(never)
    private func undecidedDatagram(
        _ payload: RawSpan, _ wireLength: Int, _ unit: TransportUnit, _ state: FlowState, _ moment: EventContext,
        _ info: FrameInfo
    ) {
        let place = unit.isReassembled ? nil : unit.payload.lowerBound
        var moment = moment
        if state.role != .dissected, state.lookedUp != storyOutlet.claims.generation {
            lookUp(state)
            if moment.source != state.moment(moment.direction, frame: 0, time: moment.time).source {
                moment.direction = moment.direction.opposite
            }
        }
        switch state.role {
        case .packets: state.packets?.read(payload, PacketArrival(at: moment, wireLength: wireLength))
        case .dissected: read(payload, cut: unit.missingOctets, state, moment, place: place)
        case .undecided: probe(payload, wireLength, state, moment, info, place: place)
        case .ignored: break
        }
    }

    private func read(_ payload: RawSpan, cut: Int, _ state: FlowState, _ moment: EventContext, place: Int?) {
        guard let reader = state.reader else { return }
        outlet.clear()
        outlet.octetsCut = cut
        defer { outlet.octetsCut = 0 }
        let place = BytePosition(inFrame: place, firstFrame: moment.frame)
        do throws(DissectionError) {
            _ = try reader.dissector.read(payload, moment.direction, outlet)
            drain(state, payload, moment, at: place)
        } catch {
            drain(state, payload, moment, at: place)
            broken(error, state.protocolName, state, moment, at: place)
        }
    }

    /// Asks whether the flow was claimed.
    private func lookUp(_ state: FlowState) {
        state.lookedUp = storyOutlet.claims.generation
        guard let met = claim(for: state), let type = dissector(named: met.claim.protocolName) else { return }
        state.because = met.claim.because
        state.claim = met
        state.recognisers = []
        storyOutlet.claims.note(state.index, state.client, state.server)
        met.owner.met(met.claim, by: state, storyOutlet)
        met.owner.claimedFlows.append(state.index)
        met.owner.add(flow: state.id)
        guard let reader = type.packetReader(state, storyOutlet) else {
            adopt(type, state)
            return
        }
        state.read(packetsBy: reader, named: type.descriptor.name)
    }

    /// The claim that a flow meets: of one of both its ends, or of the server's alone, to which a client came whose port is
    /// another than it said: behind a translating router (NAT), or one that said none.
    private func claim(for state: FlowState) -> MetClaim? {
        if let met = storyOutlet.claims.match(state.client, state.server) {
            storyOutlet.claims.close(state.client, peer: state.server.address, met)
            storyOutlet.claims.close(state.server, peer: state.client.address, met)
            return met
        }
        let start = table[state.index].startTime
        guard let (met, server, peer) = storyOutlet.claims.takeOpen(state.client, state.server, start: start) else {
            return nil
        }
        met.owner.learn(peer, purpose: met.claim.purpose, server: server)
        return met
    }

    /// Asks the dissectors whether a datagram of a flow that nobody claimed is theirs.
    private func probe(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo,
        place: Int?
    ) {
        let none = [UInt8]()
        let isForward = moment.direction == .clientToServer
        let opening = FirstBytes(
            client: isForward ? payload : none.rawSpan, server: isForward ? none.rawSpan : payload,
            flow: state.context)
        for isUsual in [true, false] {
            for candidate in datagramDissectors where candidate.usesPort(state) == isUsual {
                guard case .yes = candidate.type.probe(opening) else { continue }
                // What was kept for a recogniser is of the same conversation: it came before its proof.
                let kept = state.recognisers
                adopt(candidate.type, state)
                if state.role == .packets {
                    if let reader = state.packets {
                        for recogniser in kept { recogniser.replay(on: state, to: reader, at: moment) }
                    }
                    state.packets?.read(payload, PacketArrival(at: moment, wireLength: wireLength))
                } else {
                    for var recogniser in kept where !recogniser.kept.isEmpty {
                        _ = recogniser.observe(payload, wireLength: wireLength, moment.direction, info)
                        readKept(of: recogniser, state)
                    }
                    read(payload, cut: wireLength &- payload.byteCount, state, moment, place: place)
                }
                return
            }
        }
        recognise(payload, wireLength, state, moment, info)
    }

    /// Looks for what only several datagrams show.
    private func recognise(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo
    ) {
        if state.recognisers.isEmpty {
            state.recognisers = recognisers.map { $0.recogniser.init(isFirstRefused: state.isRefused.client) }
        }
        state.probes += 1
        var mayBe = false
        for index in state.recognisers.indices {
            let answer = state.recognisers[index].observe(
                payload, wireLength: wireLength, moment.direction, info)
            switch answer {
            case .yes:
                let recogniser = state.recognisers[index]
                state.recognisers = []
                adopt(recognisers[index].dissector, recogniser, payload, wireLength, state, moment)
                return
            case .needMore: mayBe = true
            case .no, .hidden: break
            }
        }
        if !mayBe { refuse(state, moment.direction, info) }
    }

    private func adopt(
        _ type: any Dissector.Type, _ recogniser: any Recogniser, _ payload: RawSpan, _ wireLength: Int,
        _ state: FlowState, _ moment: EventContext
    ) {
        guard let reader = type.packetReader(state, storyOutlet) else {
            adopt(type, state, named: Swift.type(of: recogniser).protocolName)
            readKept(of: recogniser, state)
            read(payload, cut: wireLength &- payload.byteCount, state, moment, place: nil)
            return
        }
        state.read(packetsBy: reader, named: type.descriptor.name)
        recogniser.replay(on: state, to: reader, at: moment)
        reader.read(payload, PacketArrival(at: moment, wireLength: wireLength))
    }

    /// Lets the dissector that took a flow read what was kept of it.
    private func readKept(of recogniser: any Recogniser, _ state: FlowState) {
        guard let reader = state.reader else { return }
        state.recognisers = []
        reader.dissector.take(over: recogniser)
        for datagram in recogniser.kept {
            read(
                datagram.octets.rawSpan, cut: 0, state, state.place(datagram.direction, datagram.frame), place: nil)
        }
    }

    /// A flow ends of which a recogniser is certain, though it waited for what would have told more.
    func lastLook(atDatagramsOf state: FlowState) {
        guard state.role == .undecided,
            let index = state.recognisers.firstIndex(where: \.isCertain), recognisers.indices.contains(index)
        else { return }
        let recogniser = state.recognisers[index]
        adopt(recognisers[index].dissector, state, named: recognisers[index].recogniser.protocolName)
        readKept(of: recogniser, state)
    }

    /// Nobody recognises a datagram. One that opens a port may look like anything: what comes back decides.
    private func refuse(_ state: FlowState, _ direction: Direction, _ info: FrameInfo) {
        if direction == .clientToServer { state.isRefused.client = true } else { state.isRefused.server = true }
        if state.isRefused.client && state.isRefused.server || state.probes > Self.mostProbes {
            state.recognisers = []
            ignore(state)
        } else if state.probes == 1, state.recognisers.allSatisfy(\.isEmpty), !state.isCut {
            hold(state, info)
        }
    }
}
