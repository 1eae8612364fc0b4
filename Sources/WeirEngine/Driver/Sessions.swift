import WeirPackets

// Sessions: which flow belongs to which, and when a session is over.

extension Analyzer {
    /// The session that a message belongs to, as its kind chooses; nil when it is a step of none.
    func session(of kind: Session.Type, for message: any Message, _ state: FlowState) -> Session? {
        switch kind.choose(for: message, on: state, storyOutlet) {
        case .byFlowOrName: return sessionByFlowOrName(kind, message, state)
        case .known(let known):
            attach(again: state, to: known)
            return known
        case .new: return open(kind, state)
        case .none: return nil
        }
    }

    /// Whether a message is a step of a session that has begun without it.
    func isStepOfKnown(_ message: any Message, _ state: FlowState) -> Bool {
        guard let kind = message.story else { return state.session != nil }
        switch kind.choose(for: message, on: state, storyOutlet) {
        case .known: return true
        case .new, .none: return false
        case .byFlowOrName:
            if state.sessions.contains(where: { type(of: $0) == kind }) { return true }
            return kind.name(of: message, on: state).map { !storyOutlet.claimants(of: $0).isEmpty } ?? false
        }
    }

    /// That of its conversation, the flow's own, one that lays claim to what the message names, or a new one.
    private func sessionByFlowOrName(_ kind: Session.Type, _ message: any Message, _ state: FlowState) -> Session {
        if let joined = state.joined {
            let session = session(state, joined)
            if type(of: session) == kind { return session }
        }
        if !kind.sharesFlows {
            if let session = state.session, type(of: session) == kind { return session }
            if let session = state.others.first(where: { type(of: $0) == kind }) { return session }
        }
        let claimants = kind.name(of: message, on: state).map { storyOutlet.claimants(of: $0) } ?? []
        if let known = claimants.first(where: { type(of: $0) == kind }) {
            attach(again: state, to: known)
            return known
        }
        if let half = halfElsewhere(kind, state) {
            attach(again: state, to: half)
            return half
        }
        let session = open(kind, state)
        if state.startsLate { storyOutlet.claim(Claim(Self.tunnelName(state, kind)), for: session) }
        return session
    }

    /// The session of a tunnel of which only the other half was seen, where a connection between the same hosts began before
    /// the capture and has only one side speak: it may be that half.
    private func halfElsewhere(_ kind: Session.Type, _ state: FlowState) -> Session? {
        guard state.startsLate, isMonologue(state) else { return nil }
        return storyOutlet.claims.latest(Self.tunnelName(state, kind)) {
            type(of: $0) == kind && $0.isTunnelled && $0.completeness.isOneSided
        }
    }

    /// A session that may have had its last connection takes part in a flow.
    private func attach(again state: FlowState, to known: Session) {
        guard !state.sessions.contains(where: { $0 === known }) else { return }
        sessions.close(known, at: nil)
        attach(state, to: known)
    }

    /// The session of a conversation that several flows carry.
    func session(_ state: FlowState, _ conversation: Conversation) -> Session {
        if let session = conversation.session { return session }
        let kind = type(of: conversation.reader.dissector).story ?? Session.self
        // It may have begun before the conversation had its name.
        let begun = state.sessions.first { type(of: $0) == kind && $0.conversation == nil }
        let session = begun ?? begunElsewhere(kind, state, conversation) ?? open(kind, state)
        session.conversation = conversation.key
        storyOutlet.claims.remove(Self.tunnelName(state, kind), of: session)
        conversation.session = session
        for (_, flow) in conversation.flows.sorted(by: { $0.key < $1.key }) where flow !== state {
            attach(flow, to: session)
        }
        return session
    }

    /// The session of a tunnel that the same client began on another connection, and that the capture does not name there:
    /// it lacks octets of that, or its beginning.
    private func begunElsewhere(_ kind: Session.Type, _ state: FlowState, _ conversation: Conversation) -> Session? {
        let begun = storyOutlet.claims.latest(Self.tunnelName(state, kind)) { session in
            guard type(of: session) == kind, session.conversation == nil else { return false }
            if session.isTunnelled { return session.completeness.hasGap }
            return session.completeness.startsLate && (!conversation.hasHalves || isMonologue(session))
        }
        if let begun { attach(again: state, to: begun) }
        return begun
    }

    /// Whether only one side speaks on each of a session's connections.
    private func isMonologue(_ session: Session) -> Bool {
        session.places.allSatisfy { place in
            guard states.indices.contains(place.index), let state = states[place.index], state.id == place.id else {
                return false
            }
            return isMonologue(state)
        }
    }

    /// Whether one side of a connection has said nothing.
    private func isMonologue(_ state: FlowState) -> Bool {
        guard state.connection >= 0 else { return false }
        let connection = self[connection: state]
        return !connection.hasSpoken(.clientToServer) || !connection.hasSpoken(.serverToClient)
    }

    /// Sessions that stay open though memory is short: a few large ones are not what takes it.
    private static let fewestSessions = 64

    /// Opens a session for a flow.
    func open(_ kind: Session.Type, _ state: FlowState) -> Session {
        let isFull = table.isFull && sessions.count >= Self.fewestSessions
        if isFull || sessions.count >= options.limits.sessions, let oldest = sessions.oldest() {
            reach(isFull ? "limit.memory" : "limit.sessions")
            sessions.remove(oldest)
            oldest.noteLimit()
            endSession(oldest, at: lastFrame)
            forget([oldest])
            for place in oldest.places {
                guard let state = states[place.index], state.id == place.id,
                    state.sessions.contains(where: { $0 === oldest })
                else { continue }
                state.lose(oldest)
            }
        }
        let session = kind.init(
            StoryContext(
                id: sessions.next(), client: state.client, server: state.server, limits: limits.reference,
                outlet: storyOutlet))
        session.beganAt = fastPaths.frames
        session.beganBehind = fastPaths.isBehind
        sessions.insert(session)
        attach(state, to: session)
        return session
    }

    func attach(_ state: FlowState, to session: Session) {
        state.join(session)
        session.controlFlows += 1
        if state.transport == .tcp { session.connections += 1 }
        session.places.append(FlowHandle(index: state.index, id: state.id))
        session.add(flow: state.id)
        session.completeness.isFiltered = options.isFiltered
        if state.startsLate { session.completeness.startsLate = true }
        if state.isLimited { session.noteLimit() }
        if isFinishing {
            if !state.isClosed { session.completeness.endsEarly = true }
        } else if session.completeness.endsEarly {
            session.completeness.endsEarly = false
        }
        if state.transport == .tcp, session.places.count > 1 { session.goesOn() }
        if state.isCut { session.completeness.isCut = true }
        if state.lacksOpening || state.isForsaken { session.completeness.lacksOctets = true }
        if state.isDisordered { session.completeness.isDisordered = true }
        if sawDrops(since: table[state.index].startTime) { session.completeness.hasDrops = true }
    }

    /// Whether a session could have gone on: nobody has said that it is over.
    func isOpen(_ session: Session) -> Bool { session.closedBy == nil && !session.isTornDown }

    /// Whether nothing of one of the flow's sides was seen so far.
    func isOneSided(_ state: FlowState) -> Bool {
        guard state.connection >= 0 else { return true }
        let connection = self[connection: state]
        return !connection.isSeen(.clientToServer) || !connection.isSeen(.serverToClient)
    }

    /// Whether all packets of a flow went the same way so far.
    func isOneWay(_ state: FlowState) -> Bool {
        let packets = table[state.index].packets
        return packets.clientToServer == 0 || packets.serverToClient == 0
    }

    /// Flows of a conversation that are asked one by one: it takes two, and those of a client that connects anew.
    private static let mostAsked = 64

    /// One side is known to have spoken of octets of the other that had not come here, or the file has segments behind others
    /// that were captured later: what came first, and what did not come at all, cannot be told any more.
    func noteOrder(of state: FlowState) {
        guard !state.isDisordered, state.isShuffled || self[connection: state].isOvertaken else { return }
        state.isDisordered = true
        for session in state.sessions { session.completeness.isDisordered = true }
        state.reader?.dissector.disordered()
    }

    /// Whether who speaks may have heard what has not come here.
    func mayLackOctets(_ state: FlowState, _ direction: Direction) -> Bool {
        guard state.connection >= 0 else { return false }
        if self[connection: state].mayLackOctets(direction.opposite) { return true }
        guard let joined = state.joined else { return false }
        // Where very many carry it, some of them will.
        if joined.flows.count > Self.mostAsked { return true }
        return joined.flows.values.contains { other in
            other !== state && other.connection >= 0
                && (self[connection: other].mayLackOctets(.clientToServer)
                    || self[connection: other].mayLackOctets(.serverToClient))
        }
    }

    /// A connection attempt to a port that a protocol usually has is a session of it, even when nothing came of it.
    ///
    /// Unless very many are open: then it is a scan, or a flood.
    func openUnanswered(_ state: FlowState) {
        guard sessions.count <= options.limits.sessions / 2 else { return }
        for candidate in streamDissectors where candidate.usesPort(state) {
            guard let kind = candidate.type.story else { continue }
            if !state.sessions.contains(where: { type(of: $0) == kind }) { _ = open(kind, state) }
        }
    }

    /// Media came on a connection before any message did.
    func openLate(_ state: FlowState) {
        guard let kind = state.reader.flatMap({ type(of: $0.dissector).story }) else { return }
        let session = state.joined.map { self.session(state, $0) } ?? open(kind, state)
        session.phase = .media
        showConnect(state, session)
    }

    /// The connection attempt was not answered.
    func unanswered(_ state: FlowState, _ moment: EventContext) {
        guard state.connectionAttempts > 0 else { return }
        openUnanswered(state)
        let step = TCPEvent.Step.unanswered(attempts: state.connectionAttempts)
        guard let session = state.session else {
            failed(step, state, moment)
            return
        }
        session.closedBy = step
        timeline.emit(timeline.event(tcp(step, state, session), at: moment), session: session)
    }

    /// What happened to a connection; where no session names it, or one has several, which one it was.
    func tcp(_ step: TCPEvent.Step, _ state: FlowState, _ session: Session?) -> TCPEvent {
        if let session, session.connections < 2 { return TCPEvent(step) }
        return TCPEvent(step, of: TCPEvent.Ends(client: state.client, server: state.server))
    }

    /// A connection attempt to a port of which nothing is known failed. It may be what is looked for, so the first ones
    /// are shown; in a scan there are thousands.
    func failed(_ step: TCPEvent.Step, _ state: FlowState, _ moment: EventContext) {
        failedConnections += 1
        guard failedConnections <= options.limits.failedConnections else {
            reach("limit.failedConnections")
            return
        }
        timeline.emit(timeline.event(tcp(step, state, nil), at: moment), session: nil)
    }

    /// Tells the sessions of a connection when nothing of one of its sides was seen. Over UDP a peer may just be silent.
    func noteSides(of state: FlowState) {
        guard !state.sessions.isEmpty, state.connection >= 0, isOneSided(state) else { return }
        for session in state.sessions { session.completeness.isOneSided = true }
    }

    /// Tells the sessions whose last connection fell silent that nobody has closed it: what was said on it after that, the
    /// capture does not hold.
    func noteOpenEnd(of state: FlowState) {
        guard state.transport == .tcp else { return }
        noteUnseenEnds(of: state)
        guard !state.isClosed else { return }
        for session in state.sessions where session.controlFlows == 1 && isOpen(session) {
            session.completeness.endsEarly = true
        }
    }

    /// Tells the sessions of a connection of which side the capture does not show how much it said.
    private func noteUnseenEnds(of state: FlowState) {
        guard state.connection >= 0, state.session != nil else { return }
        let connection = self[connection: state]
        for direction in [Direction.clientToServer, .serverToClient] where !connection.isEndShown(of: direction) {
            for session in state.sessions { session.completeness.noteUnseenEnd(of: direction) }
        }
    }

    /// A connection ends of which the capture lacks a FIN that what follows counts: it was closed all the same.
    func noteShownEnd(of state: FlowState) {
        guard !state.isClosed, self[connection: state].isShownClosed else { return }
        let (last, direction) = (self[connection: state].last, self[connection: state].lastDirection)
        state.isClosed = true
        state.untoldEnds.append((.closed, state.moment(direction, frame: last.frame, time: last.time)))
        for session in state.sessions where session.controlFlows == 1 { session.completeness.endsEarly = false }
    }

    /// A flow of a session is gone; with its last control connection the session may be over.
    func leave(_ state: FlowState, at info: FrameInfo) {
        noteSides(of: state)
        noteOpenEnd(of: state)
        noteZeroWindow(of: state)
        for session in state.sessions {
            session.controlFlows -= 1
            if session.controlFlows == 0 { sessions.close(session, at: info.time) }
        }
        guard let conversation = state.joined else { return }
        conversation.flows[state.id] = nil
        guard conversation.flows.isEmpty else { return }
        conversations[conversation.key] = nil
        finish(conversation, state, at: lastSegment(of: state) ?? info)
    }

    /// Tells a session that the capture's clock went back since it began.
    func noteClock(_ session: Session) {
        guard captureClock.wentBackAt >= session.beganAt, !session.completeness.clockWentBack else { return }
        session.completeness.clockWentBack = true
    }

    /// Reports a session, after the streams and media flows that belong to it.
    func endSession(_ session: Session, at info: FrameInfo) {
        for index in session.claimedFlows {
            guard states.indices.contains(index), let state = states[index], state.claim?.owner === session else {
                continue
            }
            endFlow(index, at: info)
        }
        noteClock(session)
        if lostDatagrams { session.noteLimit() }
        session.followedUntil = info.time
        session.completeness.lacksDatagrams = !sawDatagrams
        session.finish(at: info, storyOutlet)
        var record = SessionRecord(session)
        record.attempt = attempts.place(of: record)
        timeline.session(record, session: session)
    }

    /// Lets go of sessions that were reported: what they know may know them, too, so that neither would ever go by itself.
    func forget(_ ended: [Session]) {
        for session in ended {
            storyOutlet.claims.removeAll(of: session)
            session.forget()
            sessions.remove(session)
        }
    }

    /// Lets go of all sessions: of thousands each need not be looked up.
    func forgetAll(_ ended: [Session]) {
        storyOutlet.claims.removeAll()
        for session in ended { session.forget() }
        sessions.removeAll()
    }
}
