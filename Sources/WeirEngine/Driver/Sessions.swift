import WeirPackets

// Sessions: assignment of flows, and the end of sessions.

extension Analyzer {
    /// Returns the session of a message, as chosen by its kind, or nil if it belongs to none.
    func session(of kind: Session.Type, for message: any Message, _ state: FlowState) -> Session? {
        switch kind.choose(for: message, on: state, sessionOutlet) {
        case .byFlowOrName: return sessionByFlowOrName(kind, message, state)
        case .known(let known):
            attach(again: state, to: known)
            return known
        case .new: return open(kind, state)
        case .none: return nil
        }
    }

    /// Whether a message belongs to an existing session.
    func isStepOfKnown(_ message: any Message, _ state: FlowState) -> Bool {
        guard let kind = message.sessionType else { return state.session != nil }
        switch kind.choose(for: message, on: state, sessionOutlet) {
        case .known: return true
        case .new, .none: return false
        case .byFlowOrName:
            if state.sessions.contains(where: { type(of: $0) == kind }) { return true }
            return kind.name(of: message, on: state).map { !sessionOutlet.claimants(of: $0).isEmpty } ?? false
        }
    }

    /// Returns the session of the conversation, the flow's own, the claimant of the name in the message, or a new one.
    private func sessionByFlowOrName(_ kind: Session.Type, _ message: any Message, _ state: FlowState) -> Session {
        if let joined = state.joined {
            let session = session(state, joined)
            if type(of: session) == kind { return session }
        }
        if !kind.sharesFlows {
            if let session = state.sessions.first(where: { type(of: $0) == kind }) { return session }
        }
        let claimants = kind.name(of: message, on: state).map { sessionOutlet.claimants(of: $0) } ?? []
        if let known = claimants.first(where: { type(of: $0) == kind }) {
            attach(again: state, to: known)
            return known
        }
        if let half = halfElsewhere(kind, state) {
            attach(again: state, to: half)
            return half
        }
        let session = open(kind, state)
        if state.startsLate { sessionOutlet.claim(Claim(Self.tunnelName(state, kind)), for: session) }
        return session
    }

    /// Returns the session of a tunnel whose other half was not seen, if this connection between the same hosts may be
    /// that half: it started before the capture, and only one side sends data.
    private func halfElsewhere(_ kind: Session.Type, _ state: FlowState) -> Session? {
        guard state.startsLate, isUnidirectional(state) else { return nil }
        return sessionOutlet.claims.latest(Self.tunnelName(state, kind)) {
            type(of: $0) == kind && $0.isTunneled && $0.completeness.isOneSided
        }
    }

    /// Attaches a flow to a session that may have lost its last connection.
    private func attach(again state: FlowState, to known: Session) {
        guard !state.sessions.contains(where: { $0 === known }) else { return }
        sessions.close(known, at: nil)
        attach(state, to: known)
    }

    /// Returns the session of a conversation that spans several flows.
    func session(_ state: FlowState, _ conversation: Conversation) -> Session {
        if let session = conversation.session { return session }
        let kind = type(of: conversation.reader.dissector).sessionType ?? Session.self
        // The session may have started before the conversation had a name.
        let begun = state.sessions.first { type(of: $0) == kind && $0.conversation == nil }
        let session = begun ?? begunElsewhere(kind, state, conversation) ?? open(kind, state)
        session.conversation = conversation.key
        sessionOutlet.claims.remove(Self.tunnelName(state, kind), of: session)
        conversation.session = session
        for (_, flow) in conversation.flows.sorted(by: { $0.key < $1.key }) where flow !== state {
            attach(flow, to: session)
        }
        return session
    }

    /// Returns the session of a tunnel that the same client started on another connection, whose name is missing there
    /// because of a gap or a late start.
    private func begunElsewhere(_ kind: Session.Type, _ state: FlowState, _ conversation: Conversation) -> Session? {
        let begun = sessionOutlet.claims.latest(Self.tunnelName(state, kind)) { session in
            guard type(of: session) == kind, session.conversation == nil else { return false }
            if session.isTunneled { return session.completeness.hasGap }
            return session.completeness.startsLate && (!conversation.hasHalves || isUnidirectional(session))
        }
        if let begun { attach(again: state, to: begun) }
        return begun
    }

    /// Whether only one side sends data on each connection of a session.
    private func isUnidirectional(_ session: Session) -> Bool {
        session.controlFlows.handles.allSatisfy { place in
            guard states.indices.contains(place.index), let state = states[place.index], state.id == place.id else {
                return false
            }
            return isUnidirectional(state)
        }
    }

    /// Whether one side of a connection has sent no data.
    private func isUnidirectional(_ state: FlowState) -> Bool {
        guard state.connection >= 0 else { return false }
        let connection = self[connection: state]
        return !connection.hasSentData(.clientToServer) || !connection.hasSentData(.serverToClient)
    }

    /// The number of sessions that are never evicted for memory; a few large sessions are not the cause.
    private static let fewestSessions = 64

    /// Opens a session for a flow.
    func open(_ kind: Session.Type, _ state: FlowState) -> Session {
        let isFull = table.isFull && sessions.count >= Self.fewestSessions
        if isFull || sessions.count >= options.limits.sessions, let oldest = sessions.oldest() {
            reach(isFull ? "limit.memory" : "limit.sessions")
            sessions.remove(oldest)
            openSessions = sessions.count
            oldest.noteLimit()
            endSession(oldest, at: lastFrame)
            forget([oldest])
            for place in oldest.controlFlows.handles {
                guard let state = states[place.index], state.id == place.id,
                    state.sessions.contains(where: { $0 === oldest })
                else { continue }
                state.lose(oldest)
            }
        }
        let session = kind.init(
            SessionContext(
                id: sessions.next(), client: state.client, server: state.server, limits: limits.context.limits,
                outlet: sessionOutlet))
        session.beganAt = fastPaths.frames
        session.beganBehind = fastPaths.isBehind
        sessions.insert(session)
        openSessions = sessions.count
        attach(state, to: session)
        return session
    }

    func attach(_ state: FlowState, to session: Session) {
        state.join(session)
        session.controlFlows.add(FlowHandle(index: state.index, id: state.id), isTCP: state.transport == .tcp)
        session.add(flow: state.id)
        noteHosts(of: state)
        session.completeness.isFiltered = options.isFiltered
        if state.startsLate { session.completeness.startsLate = true }
        if state.isLimited { session.noteLimit() }
        if let source = state.layer?.source { session.note(decryptedWith: source) }
        if isFinishing {
            if !state.isClosed { session.completeness.endsEarly = true }
        } else if session.completeness.endsEarly {
            session.completeness.endsEarly = false
        }
        if state.transport == .tcp, session.controlFlows.handles.count > 1 { session.goesOn() }
        if state.isCut { session.completeness.isCut = true }
        if state.lacksOpening || state.isEndNotCaptured { session.completeness.lacksOctets = true }
        if state.isDisordered { session.completeness.isDisordered = true }
        if sawDrops(since: table[state.index].startTime) { session.completeness.hasDrops = true }
    }

    /// Whether a session has not been closed or torn down.
    func isOpen(_ session: Session) -> Bool { session.closedBy == nil && !session.isTornDown }

    /// Whether no packets of one side were seen so far.
    func isOneSided(_ state: FlowState) -> Bool {
        guard state.connection >= 0 else { return true }
        return !self[connection: state].isSeenFromBoth
    }

    /// Whether all packets of a flow had the same direction so far.
    func isOneWay(_ state: FlowState) -> Bool {
        let packets = table[state.index].packets
        return packets.clientToServer == 0 || packets.serverToClient == 0
    }

    /// The maximum number of flows of a conversation that are checked individually; usually it has two, plus
    /// reconnects.
    private static let mostAsked = 64

    /// Marks a flow as out of order: a side acknowledged bytes not yet captured, or payload of the two sides is out of
    /// order in the file. The order of messages, and whether something is missing, is then unreliable.
    func noteOrder(of state: FlowState) {
        guard !state.isDisordered, state.isCaptureReordered || self[connection: state].isOutOfOrderInCapture else {
            return
        }
        state.isDisordered = true
        for session in state.sessions { session.completeness.isDisordered = true }
        state.reader?.dissector.disordered()
    }

    /// Whether the sender may have received data that was not captured.
    func mayLackOctets(_ state: FlowState, _ direction: Direction) -> Bool {
        guard state.connection >= 0 else { return false }
        if self[connection: state].mayLackOctets(direction.opposite) { return true }
        guard let joined = state.joined else { return false }
        // With very many flows, assume that at least one does.
        if joined.flows.count > Self.mostAsked { return true }
        return joined.flows.values.contains { other in
            other !== state && other.connection >= 0
                && (self[connection: other].mayLackOctets(.clientToServer)
                    || self[connection: other].mayLackOctets(.serverToClient))
        }
    }

    /// Opens a session for a failed connection attempt to the usual port of a protocol.
    ///
    /// Not if very many sessions are open, as in a scan or flood.
    func openUnanswered(_ state: FlowState) {
        guard sessions.count <= options.limits.sessions / 2 else { return }
        for candidate in streamDissectors where candidate.usesPort(state) {
            guard let kind = candidate.type.sessionType else { continue }
            if !state.sessions.contains(where: { type(of: $0) == kind }) { _ = open(kind, state) }
        }
    }

    /// Opens a session for media that arrived before any message.
    func openLate(_ state: FlowState) {
        guard let kind = state.reader.flatMap({ type(of: $0.dissector).sessionType }) else { return }
        let session = state.joined.map { self.session(state, $0) } ?? open(kind, state)
        session.phase = .media
        showConnect(state, session)
    }

    /// Emits an unanswered connection attempt.
    func unanswered(_ state: FlowState, _ moment: EventContext) {
        guard let attempts = state.history?.attempts, attempts > 0 else { return }
        openUnanswered(state)
        let step = TCPEvent.Step.unanswered(attempts: attempts)
        guard let session = state.session else {
            failed(step, state, moment)
            return
        }
        session.closedBy = step
        timeline.emit(timeline.event(tcp(step, state, session), at: moment), session: session)
    }

    /// Returns a connection event; includes the endpoints if there is no session, or if it has several connections.
    func tcp(_ step: TCPEvent.Step, _ state: FlowState, _ session: Session?) -> TCPEvent {
        if let session, session.controlFlows.connections < 2 { return TCPEvent(step) }
        return TCPEvent(step, of: TCPEvent.Ends(client: state.client, server: state.server))
    }

    /// Emits a failed connection attempt to a port of no known protocol. It may be the one of interest, so the first
    /// ones are emitted; a scan has thousands.
    func failed(_ step: TCPEvent.Step, _ state: FlowState, _ moment: EventContext) {
        failedConnections += 1
        guard failedConnections <= options.limits.failedConnections else {
            reach("limit.failedConnections")
            return
        }
        timeline.emit(timeline.event(tcp(step, state, nil), at: moment), session: nil)
    }

    /// Marks the sessions of a connection as one-sided if packets of one side are missing. Over UDP a peer may just be
    /// silent.
    func noteSides(of state: FlowState) {
        guard !state.sessions.isEmpty, state.connection >= 0, isOneSided(state) else { return }
        for session in state.sessions { session.completeness.isOneSided = true }
    }

    /// Marks the sessions whose last connection became idle without being closed: the rest of it was not captured.
    func noteOpenEnd(of state: FlowState) {
        guard state.transport == .tcp else { return }
        noteUnseenEnds(of: state)
        guard !state.isClosed else { return }
        for session in state.sessions where session.controlFlows.open == 1 && isOpen(session) {
            session.completeness.endsEarly = true
        }
    }

    /// Records for the sessions of a connection which side's end was not captured.
    private func noteUnseenEnds(of state: FlowState) {
        guard state.connection >= 0, state.session != nil else { return }
        let connection = self[connection: state]
        for direction in [Direction.clientToServer, .serverToClient] where !connection.isEndShown(of: direction) {
            for session in state.sessions { session.completeness.noteUnseenEnd(of: direction) }
        }
    }

    /// Closes a connection whose FIN was not captured but was acknowledged.
    func noteShownEnd(of state: FlowState) {
        guard !state.isClosed, self[connection: state].isShownClosed else { return }
        let (last, direction) = (self[connection: state].last, self[connection: state].lastDirection)
        state.isClosed = true
        let end = state.moment(direction, frame: last.frame, time: last.time)
        state.history?.deferEnd(.closed, at: end)
        for session in state.sessions where session.controlFlows.open == 1 { session.completeness.endsEarly = false }
    }

    /// Detaches a flow from its sessions; a session may end with its last control connection.
    func leave(_ state: FlowState, at info: FrameInfo) {
        noteSides(of: state)
        noteOpenEnd(of: state)
        noteZeroWindow(of: state)
        for session in state.sessions {
            session.controlFlows.close()
            if session.controlFlows.open == 0 { sessions.close(session, at: info.time) }
        }
        guard let conversation = state.joined else { return }
        conversation.flows[state.id] = nil
        guard conversation.flows.isEmpty else { return }
        conversations[conversation.key] = nil
        finish(conversation, state, at: lastSegment(of: state) ?? info)
    }

    /// Processes something of a session that was read in a flow, and meanwhile records in it what the capture may lack.
    func observe(_ session: Session, _ state: FlowState, _ direction: Direction, _ body: () -> Void) {
        noteClock(session)
        if mayLackOctets(state, direction) { session.noteGap(possible: true) }
        body()
        if session.completeness.mayHaveGap { session.noteGap(possible: false) }
    }

    /// Records in a session that the capture clock has stepped back since its start.
    private func noteClock(_ session: Session) {
        guard captureClock.wentBackAt >= session.beganAt, !session.completeness.clockWentBack else { return }
        session.completeness.clockWentBack = true
    }

    /// Reports the end of a session, after its streams and media flows.
    func endSession(_ session: Session, at info: FrameInfo) {
        for index in session.claims.flows {
            guard states.indices.contains(index), let state = states[index], state.claim?.owner === session else {
                continue
            }
            endFlow(index, at: info)
        }
        noteClock(session)
        if lostDatagrams { session.noteLimit() }
        session.followedUntil = info.time
        session.completeness.lacksDatagrams = !sawDatagrams
        session.finish(at: info, sessionOutlet)
        var record = SessionRecord(session)
        record.attempt = attempts.place(of: record)
        timeline.session(record, session: session)
    }

    /// Removes ended sessions, and breaks their reference cycles.
    func forget(_ ended: [Session]) {
        for session in ended {
            sessionOutlet.claims.removeAll(of: session)
            session.forget()
            sessions.remove(session)
            openSessions = sessions.count
        }
    }

    /// Removes all sessions at once, faster than one by one.
    func forgetAll(_ ended: [Session]) {
        if let remains {
            remains.keep(ended)
            remains.keep(sessionOutlet.claims)
        } else {
            for session in ended { session.forget() }
        }
        sessionOutlet.claims.removeAll()
        sessions.removeAll()
        openSessions = 0
    }
}
