import WeirPackets

// Datagrams: claimed flows, protocols recognizable from one datagram, and those that need several.

extension Analyzer {
    /// The number of unrecognized datagrams after which a flow is ignored.
    private static let mostProbes = 16

    @inline(__always)
    func datagram(
        _ payload: RawSpan, _ unit: TransportUnit, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo
    ) {
        let wireLength = payload.byteCount &+ unit.missingOctets
        if state.role == .packets, let packets = state.packets {
            if !state.isClaimed, !packets.accepts(payload), reconsider(payload, unit, state, moment) { return }
            var arrival = PacketArrival(at: moment, wireLength: wireLength)
            arrival.isFragmented = unit.fragments > 0
            packets.read(payload, arrival)
        } else {
            undecidedDatagram(payload, wireLength, unit, state, moment, info)
        }
    }

    /// Probes the dissectors for a datagram that the flow's packet reader does not accept. If one matches, several
    /// protocols share the flow, and this dissector reads it from now on and demultiplexes the packets.
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
            assign(candidate.type, state)
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
        if state.role != .dissected, state.recognition.claimsGeneration != sessionOutlet.claims.generation {
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

    /// Looks up the claim for a flow.
    private func lookUp(_ state: FlowState) {
        state.recognition.claimsGeneration = sessionOutlet.claims.generation
        guard !sessionOutlet.claims.isEmpty else { return }
        guard let matched = claim(for: state), let type = dissector(named: matched.claim.protocolName) else { return }
        state.because = matched.claim.because
        state.claim = matched
        state.recognizers = []
        state.matchedFlow = sessionOutlet.claims.note(state.index, state.client, state.server)
        matched.owner.matched(matched.claim, by: state, sessionOutlet)
        matched.owner.claims.flows.append(state.index)
        matched.owner.add(flow: state.id)
        guard let reader = type.packetReader(state, sessionOutlet) else {
            assign(type, state)
            return
        }
        state.read(packetsBy: reader, named: matched.claim.protocolName)
    }

    /// Returns the claim that matches a flow: one for both endpoints, or an open one for the server's endpoint if the
    /// client's port was not signaled or was translated by a NAT.
    private func claim(for state: FlowState) -> MatchedClaim? {
        if let matched = sessionOutlet.claims.match(state.client, state.server) {
            sessionOutlet.claims.close(state.client, state.server, matched)
            return matched
        }
        let start = table[state.index].startTime
        guard let (matched, server, peer) = sessionOutlet.claims.takeOpen(state.client, state.server, start: start)
        else {
            return nil
        }
        matched.owner.recordObserved(peer, purpose: matched.claim.purpose, server: server)
        return matched
    }

    /// Probes the dissectors for a datagram of an unclaimed flow.
    private func probe(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo,
        place: Int?
    ) {
        // An empty datagram has no first byte, and no dissector recognizes it.
        let positions = datagramDissectors.positions(for: state, client: payload.byte(at: 0), server: nil)
        guard !positions.isEmpty else { return recognize(payload, wireLength, state, moment, info) }
        let none = [UInt8]()
        let isForward = moment.direction == .clientToServer
        let opening = FirstBytes(
            client: isForward ? payload : none.rawSpan, server: isForward ? none.rawSpan : payload,
            flow: state.context)
        for position in positions {
            let type = datagramDissectors[position].type
            guard case .yes = type.probe(opening) else { continue }
            // Datagrams buffered by a recognizer belong to the same conversation, before the one that identified it.
            let kept = state.recognizers
            var moment = moment
            if kept.allSatisfy(\.kept.isEmpty), type.isReversed(opening) {
                state.swapRoles()
                moment.direction = moment.direction.opposite
            }
            assign(type, state)
            if state.role == .packets {
                if let reader = state.packets {
                    for recognizer in kept { recognizer.replay(on: state, to: reader, at: moment) }
                }
                state.packets?.read(payload, PacketArrival(at: moment, wireLength: wireLength))
            } else {
                for recognizer in kept where !recognizer.kept.isEmpty {
                    _ = recognizer.observe(payload, wireLength: wireLength, moment.direction, info)
                    readKept(of: recognizer, state)
                }
                read(payload, cut: wireLength &- payload.byteCount, state, moment, place: place)
            }
            return
        }
        recognize(payload, wireLength, state, moment, info)
    }

    /// Passes a datagram to the recognizers of protocols that need several.
    private func recognize(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: EventContext, _ info: FrameInfo
    ) {
        if state.recognizers.isEmpty {
            // What has been seen is not kept if nothing can begin here: the flow is ignored or becomes embryonic.
            let isFirst = state.recognition.datagrams == 0 && !state.isCut
            if isFirst || state.recognition.isRefused(moment.direction.opposite),
                !recognizers.contains(where: { $0.recognizer.mayBegin(payload) })
            {
                state.recognition.datagrams += 1
                return refuse(state, moment.direction, info)
            }
            let isFirstRefused = state.recognition.isRefused(.clientToServer)
            state.recognizers = recognizers.map { $0.recognizer.init(isFirstRefused: isFirstRefused) }
        }
        state.recognition.datagrams += 1
        var mayBe = false
        let asked = state.recognizers
        for index in asked.indices {
            switch asked[index].observe(payload, wireLength: wireLength, moment.direction, info) {
            case .yes:
                state.recognizers = []
                assign(recognizers[index].dissector, asked[index], payload, wireLength, state, moment)
                return
            case .needMore: mayBe = true
            case .no, .hidden, .wait: break
            }
        }
        if !mayBe { refuse(state, moment.direction, info) }
    }

    private func assign(
        _ type: any Dissector.Type, _ recognizer: any Recognizer, _ payload: RawSpan, _ wireLength: Int,
        _ state: FlowState, _ moment: EventContext
    ) {
        guard let reader = type.packetReader(state, sessionOutlet) else {
            assign(type, state, named: Swift.type(of: recognizer).protocolName)
            readKept(of: recognizer, state)
            read(payload, cut: wireLength &- payload.byteCount, state, moment, place: nil)
            return
        }
        state.read(packetsBy: reader, named: type.descriptor.name)
        recognizer.replay(on: state, to: reader, at: moment)
        reader.read(payload, PacketArrival(at: moment, wireLength: wireLength))
    }

    /// Passes the datagrams buffered by a recognizer to the flow's dissector.
    private func readKept(of recognizer: any Recognizer, _ state: FlowState) {
        guard let reader = state.reader else { return }
        state.recognizers = []
        reader.dissector.take(over: recognizer)
        for datagram in recognizer.kept {
            read(
                datagram.octets.rawSpan, cut: 0, state, state.place(datagram.direction, datagram.frame), place: nil)
        }
    }

    /// Assigns a dissector at the end of a flow if a recognizer was certain but waited for more data.
    func lastLook(atDatagramsOf state: FlowState) {
        guard state.role == .undecided,
            let index = state.recognizers.firstIndex(where: \.isCertain), recognizers.indices.contains(index)
        else { return }
        let recognizer = state.recognizers[index]
        assign(recognizers[index].dissector, state, named: recognizers[index].recognizer.protocolName)
        readKept(of: recognizer, state)
    }

    /// Records that no dissector recognized a datagram. The first datagram may only open a port; the response decides.
    private func refuse(_ state: FlowState, _ direction: Direction, _ info: FrameInfo) {
        // In a copy, since one long access makes all others checked at run time.
        var recognition = state.recognition
        recognition.refuse(direction)
        state.recognition = recognition
        if recognition.isRefusedByBoth || recognition.datagrams > Self.mostProbes {
            state.recognizers = []
            ignore(state)
        } else if recognition.datagrams == 1, state.recognizers.allSatisfy(\.isEmpty), !state.isCut {
            hold(state, info)
        }
    }
}
