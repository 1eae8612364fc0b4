import WeirPackets

// Flows: from a packet to its flow, and the start and end of flows.

extension Analyzer {
    func transport(_ packet: FastPaths.Packet, _ bytes: RawSpan, _ info: FrameInfo, isAccepted: Bool) {
        let lookup = packet.lookup
        if let ended = lookup.ended {
            if lookup.endReason == .limit { reach(table.isFull ? "limit.memory" : "limit.flows") }
            endFlow(ended, at: info, isEvicted: lookup.endReason == .limit)
        }
        let index = lookup.index
        if lookup.isNew, packet.unit.transport == .udp { sawDatagrams = true }
        if packet.isFirstAnswer {
            sessionOutlet.twoWayHosts.note(
                packet.unit.source.address, packet.unit.destination.address, on: info.interface)
        }
        if isEmbryonic(packet, bytes, info) { return }
        guard let state = lookup.isNew ? begin(index, packet.unit) : existing(index) else { return }
        state.interface = info.interface
        if packet.path.slot >= 0 { returnBorrowed(state) }
        let payload = bytes.clamped(packet.unit.payload.lowerBound, packet.unit.payload.upperBound)
        let direction = state.isTurned ? lookup.direction.opposite : lookup.direction
        if packet.isCaptureDuplicate {
            countDuplicate(state, payload, direction)
            return
        }
        if packet.unit.missingOctets > 0 { markCut(state, direction, packet.unit.missingOctets) }
        let moment = state.moment(direction, frame: info.number, time: info.time)
        if packet.unit.transport == .tcp {
            let taking = isAccepted ? packet.taking : fastPaths.take(payload, direction, state.connection, info)
            segment(packet.unit, payload, state, moment, taking)
        } else {
            datagram(payload, packet.unit, state, moment, info)
        }
        if sessionOutlet.openStreams != watchedStreams { evictForStreams(on: index, info) }
    }

    private func begin(_ index: Int, _ unit: TransportUnit) -> FlowState {
        let isTCP = unit.transport == .tcp
        let state = begin(
            index, startsLate: isTCP && !unit.tcp.flags.contains(.syn),
            connection: isTCP ? fastPaths.connections.insert(TCPConnection()) : -1)
        // A first packet from a service port is a response whose request was not captured.
        if !isTCP, servicePorts.contains(state.client.port), !servicePorts.contains(state.server.port) {
            state.swapRoles()
        }
        return state
    }

    /// Creates the state of a flow, with the number of its connection if it has one.
    ///
    /// - Parameter isNoted: Whether the flow is recorded as undecided already.
    @discardableResult
    func begin(_ index: Int, startsLate: Bool, connection: Int32 = -1, isNoted: Bool = false) -> FlowState {
        let state = FlowState(table[index], index: index, startsLate: startsLate, shared: limits)
        states.reserve(index)
        states[index] = state
        openStates &+= 1
        watchMemory()
        if connection >= 0 {
            state.connection = connection
            table[index].path.connection = connection
        }
        if let chosen = forced(state) { assign(chosen, state) }
        if state.role == .undecided, !isNoted { noteUndecided(FlowHandle(index: index, id: state.id)) }
        return state
    }

    /// Returns the state of a known flow. An ignored flow gets a new state if it has been claimed or is due for another
    /// probe.
    @inline(__always)
    private func existing(_ index: Int) -> FlowState? {
        states[index] ?? reopen(index)
    }

    private func reopen(_ index: Int) -> FlowState? {
        let flow = table[index]
        table[index].path.lookedUp = fastPaths.claims
        guard flow.transport == .udp else { return nil }
        let isAnnounced = sessionOutlet.claims.match(flow.client, flow.server) != nil
        guard isAnnounced || flow.isDueAgain else { return nil }
        let state = FlowState(flow, index: index, startsLate: false, shared: limits)
        if isAnnounced {
            state.role = .ignored
        } else {
            // The next unrecognized datagram makes the flow ignored again.
            state.recognition = FlowRecognition(refused: (true, true))
        }
        states[index] = state
        openStates &+= 1
        watchMemory()
        table[index].path.turn(to: .open)
        if !isAnnounced { noteUndecided(FlowHandle(index: index, id: state.id)) }
        return state
    }

    /// The TCP connection of a flow.
    subscript(connection state: FlowState) -> TCPConnection {
        @inline(__always) _read { yield fastPaths.connections[state.connection] }
        @inline(__always) _modify { yield &fastPaths.connections[state.connection] }
    }

    /// Marks a flow as ignored: from now on its packets are only counted, and no state is kept.
    func ignore(_ state: FlowState) {
        state.role = .ignored
        guard state.protocolNames.isEmpty, state.session == nil, state.joined == nil else { return }
        states[state.index] = nil
        openStates &-= 1
        fastPaths.ignore(state.index)
    }

    /// Replaces the dissector of a flow by the named one, if it exists.
    func become(_ name: String, _ agreement: [any Message], _ state: FlowState, _ now: EventContext) {
        guard let reader = state.reader, let type = dissector(named: name) else {
            state.isGivenUp = true
            return
        }
        var context = state.context
        context.preface = agreement
        reader.dissector = type.init(flow: context)
        state.addProtocol(name)
        state.handsOver = true
        // The new dissector may have something to emit for the negotiation itself.
        emit(state, now) { outlet in
            let nothing: [UInt8] = []
            outlet.place = ReadingPlace(moment: now, position: nil)
            _ = try? reader.dissector.read(nothing.rawSpan, now.direction, outlet)
        }
    }

    /// Passes the other direction's buffered bytes to a new dissector.
    func offerWaiting(_ state: FlowState, _ now: EventContext) {
        state.handsOver = false
        let direction = now.direction.opposite
        let side = state.side(direction)
        guard let reader = state.reader, !side.buffer.isEmpty else { return }
        for (octets, segment) in takeWaiting(side) {
            let moment = state.moment(direction, frame: segment.frame, time: segment.time)
            take(octets.rawSpan, side, reader, state, moment, place: nil, frame: segment.origin)
        }
    }

    /// Returns the dissector specified by `--decode-as` for the flow's ports.
    func forced(_ flow: FlowState) -> (any Dissector.Type)? {
        options.decodeAs(flow).flatMap { dissector(named: $0.protocolName, on: flow.transport) }
    }

    func dissector(named name: String) -> (any Dissector.Type)? {
        dissectorsByName[name]
    }

    /// Returns the dissector of a protocol, preferring one that supports the transport.
    private func dissector(named name: String, on transport: TransportProtocol) -> (any Dissector.Type)? {
        let carrier = transport == .tcp ? Carrier.tcp : .udp
        return dissectors.first { $0.descriptor.name == name && $0.descriptor.carriers.contains(carrier) }
            ?? dissector(named: name)
    }

    /// Assigns a dissector to a flow, and adds its name, or another one, to the flow's protocols.
    func assign(_ type: any Dissector.Type, _ state: FlowState, named name: String? = nil) {
        if type.isQuiet { state.listen() } else { state.addProtocol(name ?? type.descriptor.name) }
        if let said = options.decodeAs(state) {
            state.because = said.file.map { Text("expect.supplied", .string($0)) } ?? Text("expect.decodeAs")
        }
        if let reader = type.packetReader(state, sessionOutlet) {
            state.read(packetsBy: reader, named: type.descriptor.name)
            return
        }
        state.role = .dissected
        var context = state.context
        context.isOneSided = isOneSided(state)
        state.reader = StreamReader(
            type.init(flow: context), fromClient: state.fromClient, fromServer: state.fromServer, outlet: outlet,
            isInner: false)
        if state.isDisordered { state.reader?.dissector.disordered() }
        takeFastPath(state)
        if state.transport == .tcp, state.startsLate, !type.findsStarts {
            state.fromClient.isLost = true
            state.fromServer.isLost = true
        }
    }

    private func countDuplicate(_ state: FlowState, _ payload: RawSpan, _ direction: Direction) {
        if state.role == .packets { state.packets?.readAgain(payload, direction) }
        for recognizer in state.recognizers { recognizer.observeAgain(payload, direction) }
    }

    private func markCut(_ state: FlowState, _ direction: Direction, _ octets: Int) {
        state.isCut = true
        state.connectionSide(direction).cutOctets += octets
        for session in state.sessions { session.completeness.isCut = true }
    }

    /// Finishes the packet readers of a flow.
    func endPackets(of state: FlowState, at info: FrameInfo) {
        for known in state.packetReaders { known.reader.finish(at: info) }
    }

    /// Reports the end of a flow and removes it.
    ///
    /// - Parameter isEvicted: Whether the flow was evicted because of a limit.
    func endFlow(_ index: Int, at info: FrameInfo, isEvicted: Bool = false) {
        switch table[index].path.kind {
        case .embryonic: endEmbryonic(index, isEvicted: isEvicted)
        case .answered: wakeAnswered(index)
        case .open, .fast, .ignored: break
        }
        if let state = states[index] {
            if isEvicted { state.noteLimit() }
            let last = lastSegment(of: state) ?? info
            returnBorrowed(state)
            if state.transport == .udp { lastLook(atDatagramsOf: state) }
            if state.transport == .tcp {
                if self[connection: state].isEndNotCaptured(at: info.time) { state.noteEndNotCaptured() }
                noteShownEnd(of: state)
                noteOpenEnd(of: state)
                finishStream(state, at: last)
                noteSides(of: state)
            }
            emitRefusals(of: state)
            endPackets(of: state, at: last)
            if state.transport == .udp, let reader = state.reader {
                let moment = state.moment(.clientToServer, frame: last.number, time: last.time)
                emit(state, moment) { reader.dissector.finish($0) }
            }
            if timeline.needsRecord(ofFlow: state.id) { timeline.flow(record(table[index], state)) }
            states[index] = nil
            openStates &-= 1
            if let matched = state.matchedFlow { sessionOutlet.claims.forget(matched) }
            leave(state, at: info)
            // Packet readers retain their flow; break the cycle.
            if let remains { remains.keep(state) } else { state.packetReaders = [] }
        } else {
            listIgnored(index)
        }
        fastPaths.removeFlow(index)
    }

    /// Passes on a flow without a state, if its record is needed.
    private func listIgnored(_ index: Int) {
        guard timeline.needsRecord(ofFlow: table[index].id) else { return }
        let flow = table[index]
        if flow.path.connection >= 0 { fastPaths.finish(flow.path.connection) }
        timeline.flow(record(flow, nil))
    }

    /// Returns the record of a flow; without a state it only has packet counts.
    private func record(_ flow: Flow, _ state: FlowState?) -> FlowRecord {
        var record = FlowRecord(
            id: flow.id, transport: flow.transport, client: state?.client ?? flow.client,
            server: state?.server ?? flow.server, carriers: flow.protocols,
            found: state?.protocolNames ?? hidden.current.protocolNames(ofFlow: flow.id),
            startTime: flow.startTime, endTime: flow.endTime, packets: flow.packets, bytes: flow.octets,
            captureDuplicates: Int(flow.captureDuplicates), tcp: nil)
        if let state, state.isTurned {
            swap(&record.packets.clientToServer, &record.packets.serverToClient)
            swap(&record.bytes.clientToServer, &record.bytes.serverToClient)
        }
        if flow.path.kind == .embryonic, flow.transport == .tcp {
            record.tcp = FlowRecord.TCPRecord(
                TCPConnection(
                    openedWith: flow.openingSequence, at: flow.path.openingTime, frame: Int(flow.path.openingFrame)))
        }
        guard flow.path.connection >= 0 else { return record }
        record.tcp = FlowRecord.TCPRecord(fastPaths.connections[flow.path.connection])
        return record
    }
}

// MARK: - Fast paths

extension Analyzer {
    /// Switches a connection to the fast path of its dissector, if there is one and it accepts the flow.
    func takeFastPath(_ state: FlowState) {
        // A fast path counts messages without creating them, so it cannot be used when their media is needed.
        guard options.hasFastPaths, !options.keepsMedia, state.connection >= 0, state.joined == nil,
            state.layer == nil, let reader = state.reader,
            table[state.index].path.kind == .open, let type = type(of: reader.dissector).fastPath,
            let number = number(of: type), let slot = fastPaths.paths[Int(number)].open(state, outlet)
        else { return }
        table[state.index].path.turn(toPath: number, slot: slot)
    }

    private func number(of type: any FastPath.Type) -> UInt8? {
        fastPaths.paths.firstIndex { Swift.type(of: $0) == type }.flatMap { UInt8(exactly: $0) }
    }

    /// Returns a flow from its fast path to the dissector, including the byte counts.
    func returnBorrowed(_ state: FlowState) {
        guard state.connection >= 0 else { return }
        let path = table[state.index].path
        guard path.slot >= 0 else { return }
        returnBorrowed(state, path, fastPaths.paths[Int(path.number)])
    }

    private func returnBorrowed(_ state: FlowState, _ path: FlowPath, _ fastPath: any FastPath) {
        let taken = fastPath.returnBorrowed(path.slot)
        if taken.client > 0 { state.fromClient.consumed &+= taken.client }
        if taken.server > 0 { state.fromServer.consumed &+= taken.server }
    }

    /// Reads the bytes of a segment that the fast path did not consume.
    func rest(_ frame: borrowing Frame) {
        let unread = fastPaths.unread
        let (fastPath, direction, rest) = (unread.fastPath, unread.direction, unread.range)
        guard let state = states[unread.index], let reader = state.reader else { return }
        let moment = state.moment(direction, frame: frame.info.number, time: frame.info.time)
        let side = reader.side(direction)
        let bytes = frame.bytes.clamped(rest.lowerBound, rest.upperBound)
        var used = 0
        while let read = fastPath.finishRead(unread.path.slot, bytes.clamped(used), at: moment) {
            let start = used
            used &+= read.used
            guard read.goesOn else {
                side.consumed &+= read.taken
                returnBorrowed(state, unread.path, fastPath)
                drain(
                    state, bytes.clamped(start), moment,
                    at: BytePosition(inFrame: rest.lowerBound &+ start, firstFrame: moment.frame))
                side.consumed &+= read.used
                guard used < bytes.byteCount else { return fastPath.borrow(unread.path.slot, direction) }
                break
            }
            guard used < bytes.byteCount else { return }
            guard read.used > 0 else { break }
            let taken = fastPaths.goOn(bytes.clamped(used), unread, frame.info)
            used &+= taken.octets
            guard used < bytes.byteCount || taken.needReader else { return }
        }
        returnBorrowed(state, unread.path, fastPath)
        offer(bytes.clamped(used), state, moment, place: rest.lowerBound &+ used, frame: frame.info.number)
        if side.bufferedOctets == 0 { fastPath.borrow(unread.path.slot, direction) }
    }

    /// Applies the path changes requested while the last packet was read.
    func changePaths() {
        let changes = sessionOutlet.takePathChanges()
        guard options.hasFastPaths else { return }
        for change in changes {
            let state = change.flow
            guard states.indices.contains(state.index), states[state.index] === state,
                state.role == .packets || state.role == .dissected && state.transport == .udp,
                let number = number(of: change.path)
            else { continue }
            let path = table[state.index].path
            if let former = change.former, path[change.direction] != former || path.number != number { continue }
            fastPaths.assign(state.index, change.direction, to: number, change.slot)
        }
    }
}

// MARK: - Claims

extension Analyzer: SessionDriver {
    /// Reassigns flows at a newly claimed endpoint that belong to a session that has ended; nil if something else was
    /// claimed.
    func claimed(_ endpoint: Endpoint?, by session: Session) {
        fastPaths.claims = Int32(truncatingIfNeeded: sessionOutlet.claims.generation)
        guard let endpoint else { return }
        let flows = sessionOutlet.claims.flows(at: endpoint)
        guard !flows.isEmpty else { return }
        for index in flows.sorted() {
            guard let state = states[index], let owner = state.claim?.owner, owner !== session,
                owner.isTornDown || owner.controlFlows.closedAt != nil
            else { continue }
            endPackets(of: state, at: lastFrame)
            if let matched = state.matchedFlow { sessionOutlet.claims.forget(matched) }
            state.forgetPackets()
            table[index].path.turn(to: .open)
        }
    }
}
