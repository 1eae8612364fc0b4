import WeirEngine
import WeirPackets

// Sessions: which flow belongs to which, and when a session is over.

extension Analyzer {
    /// The session that a message belongs to: the flow's own, or one on another connection that has the same id.
    func session(for message: RTSPMessage, _ state: FlowState) -> RTSPSession {
        if let session = state.session as? RTSPSession { return session }
        if let joined = state.joined, let session = session(state, joined) as? RTSPSession { return session }
        if let identifier = message.session?.identifier, !identifier.isEmpty,
            let known = sessions.lazy.compactMap({ $0 as? RTSPSession }).first(where: {
                $0.identifier == identifier && $0.server.address == state.server.address
            })
        {
            known.closedAt = nil
            attach(state, to: known)
            return known
        }
        return openRTSP(state)
    }

    /// The session of a conversation that several flows carry.
    func session(_ state: FlowState, _ conversation: JoinedConversation) -> Session {
        if let session = conversation.session { return session }
        let session: Session
        if conversation.dissector is RTMPDissector {
            let begun = state.session as? RTMPSession
            let own = begun?.conversation == nil ? begun ?? openRTMP(state) : openRTMP(state)
            own.conversation = conversation.key
            session = own
        } else {
            session = openRTSP(state)
        }
        conversation.session = session
        for flow in conversation.flows where flow !== state { attach(flow, to: session) }
        return session
    }

    private func openRTSP(_ state: FlowState) -> RTSPSession {
        open(state) { RTSPSession(id: $0, client: state.client, server: state.server, limits: options.limits) }
    }

    /// Opens a session for a flow; `make` is given its number.
    func open<Kind: Session>(_ state: FlowState, _ make: (Int) -> Kind) -> Kind {
        if sessions.count >= options.limits.sessions {
            reach("limit.sessions")
            let oldest = sessions.removeFirst()
            endSession(oldest, at: lastFrame)
            forget([oldest])
            for place in oldest.places {
                guard let state = states[place.index], state.id == place.id, state.session === oldest else { continue }
                state.loseSession()
            }
        }
        sessionCount += 1
        let session = make(sessionCount)
        sessions.append(session)
        attach(state, to: session)
        return session
    }

    func attach(_ state: FlowState, to session: Session) {
        state.session = session
        session.controlFlows += 1
        session.places.append(FlowPlace(index: state.index, id: state.id))
        if !session.flows.contains(state.id) { session.flows.append(state.id) }
        session.evidence.isFiltered = options.isFiltered
        if state.startsLate { session.evidence.startsLate = true }
        if state.isCut { session.evidence.isCut = true }
        if state.lostEarly != nil { session.evidence.hasGap = true }
        if sawDrops(since: table[state.index].startTime) { session.evidence.hasDrops = true }
    }

    /// Whether nothing of one of the flow's sides was seen so far.
    func isOneSided(_ state: FlowState) -> Bool {
        guard state.connection >= 0 else { return true }
        let connection = self[connection: state]
        return !connection.isSeen(.clientToServer) || !connection.isSeen(.serverToClient)
    }

    /// A connection attempt to a port that a protocol usually has is a session of it, even when nothing came of it.
    ///
    /// Unless very many are open: then it is a scan, or a flood.
    func openUnanswered(_ state: FlowState) {
        guard sessions.count <= options.limits.sessions / 2 else { return }
        if RTSPDissector.usesPort(state.context) { _ = openRTSP(state) }
        if RTMPDissector.usesPort(state.context) { _ = rtmpSession(state) }
    }

    /// Media came on a connection before any message did.
    func openLate(_ state: FlowState) {
        let session = state.joined.map { self.session(state, $0) } ?? openRTSP(state)
        session.phase = .media
        showConnect(state, session)
    }

    /// The connection attempt was not answered.
    func unanswered(_ state: FlowState, _ moment: Moment) {
        guard state.connectionAttempts > 0 else { return }
        openUnanswered(state)
        let step = TCPEvent.Step.unanswered(attempts: state.connectionAttempts)
        guard let session = state.session else {
            failed(step, moment)
            return
        }
        session.closedBy = step
        timeline.emit(timeline.event(TCPEvent(step), at: moment), session: session)
    }

    /// A connection attempt to a port of which nothing is known failed. It may be what is looked for, so the first ones
    /// are shown; in a scan there are thousands.
    func failed(_ step: TCPEvent.Step, _ moment: Moment) {
        failedConnections += 1
        guard failedConnections <= options.limits.failedConnections else {
            reach("limit.failedConnections")
            return
        }
        timeline.emit(timeline.event(TCPEvent(step), at: moment), session: nil)
    }

    /// A flow of a session is gone; with its last control connection the session may be over.
    func leave(_ state: FlowState, at info: FrameInfo) {
        guard let session = state.session else { return }
        if isOneSided(state) { session.evidence.isOneSided = true }
        session.controlFlows -= 1
        if session.controlFlows == 0 { session.closedAt = info.time }
        guard let conversation = state.joined else { return }
        conversation.flows.removeAll { $0 === state }
        guard conversation.flows.isEmpty else { return }
        joined[conversation.key] = nil
        finish(conversation, state, at: info)
    }

    /// Reports a session, after the streams and media flows that belong to it.
    func endSession(_ session: Session, at info: FrameInfo) {
        if let session = session as? RTSPSession { release(session, at: info) }
        if let session = session as? RTMPSession { release(session, at: info) }
        let record = SessionRecord(
            id: session.id, kind: session.kind, flows: session.flows, streams: session.streams, phases: session.phases,
            peers: session.peers(), outcome: session.outcome())
        timeline.session(record, session: session)
    }

    /// Lets go of sessions that were reported: each stream knows its session, and the session its streams, so that
    /// neither would ever go by itself.
    func forget(_ ended: [Session]) {
        for case let session as RTSPSession in ended { session.entries = [] }
    }

    private func release(_ session: RTSPSession, at info: FrameInfo) {
        expectations.remove(session: session, endpoints: session.setups.flatMap(\.announcedEndpoints))
        for index in session.mediaFlows {
            guard states.indices.contains(index), let state = states[index], state.link?.session === session else {
                continue
            }
            endFlow(index, at: info)
        }
        for entry in session.entries { endStream(entry, at: info) }
        if session.forgotten > 0 { reach("limit.requests", times: session.forgotten) }
        if session.entries.isEmpty { session.sharesMediaWith = sessionSharing(session)?.id }
    }

    /// Another session whose media comes from the same multicast group.
    private func sessionSharing(_ session: RTSPSession) -> RTSPSession? {
        let groups = session.setups.flatMap(\.rtpEndpoints).filter(\.address.isMulticast)
        guard !groups.isEmpty else { return nil }
        return sessions.lazy.compactMap { $0 as? RTSPSession }.first { other in
            other !== session && !other.entries.isEmpty
                && other.setups.contains { $0.rtpEndpoints.contains(where: groups.contains) }
        }
    }

    /// An ICMP error: shown when it is about media that a session expects; the first for each destination.
    func icmp(_ message: ICMPMessage, _ info: FrameInfo) {
        guard message.isError, let quote = message.quote, let step = ICMPEvent.Step(message) else { return }
        guard let entry = expectations.match(quote.destination, quote.source), let link = entry.link,
            let known = link.session.noteUnreachable(quote.destination)
        else { return }
        link.session.unreachableCount += 1
        guard known.isFirst else { return }
        let flow = table.remaining().lazy.map { self.table[$0] }.first {
            ($0.client == quote.source && $0.server == quote.destination)
                || ($0.server == quote.source && $0.client == quote.destination)
        }
        let isFromClient = message.source == link.session.client.address
        let moment = Moment(
            frame: info.number, time: info.time, flow: flow?.id ?? link.session.flows.first ?? 0,
            direction: isFromClient ? .clientToServer : .serverToClient,
            source: Endpoint(address: message.source, port: 0),
            destination: Endpoint(address: message.destination, port: 0))
        let event = ICMPEvent(
            step: step, code: Int(message.code), reason: message.name, quotedSource: quote.source,
            quotedDestination: quote.destination, about: flow?.id, purpose: known.purpose)
        timeline.emit(timeline.event(event, at: moment), session: link.session)
    }
}

extension ICMPEvent.Step {
    /// Destination unreachable is type 3 of ICMP (RFC 792) and type 1 of ICMPv6 (RFC 4443 §3.1); time exceeded is type 11
    /// and type 3 (RFC 4443 §3.3).
    init?(_ message: ICMPMessage) {
        switch (message.source.isIPv4, message.type) {
        case (true, 3), (false, 1): self = .unreachable
        case (true, 11), (false, 3): self = .timeExceeded
        default: return nil
        }
    }
}
