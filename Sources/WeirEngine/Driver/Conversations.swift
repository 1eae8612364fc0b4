import WeirPackets

// Conversations that span several flows and are carried inside their messages.

extension Analyzer {
    private func conversation(_ key: String, _ name: String, _ state: FlowState) -> Conversation? {
        if let known = state.joined, known.key == key || key.isEmpty { return known }
        let conversation: Conversation
        let unnamed = Self.unnamed(name, state)
        if let known = key.isEmpty ? begun(by: state) ?? conversations[unnamed] : conversations[key] {
            conversation = known
        } else if !key.isEmpty, let known = conversations[unnamed], state.joined == nil {
            // The flow whose start was captured determines the key of the conversation.
            conversations[unnamed] = nil
            known.key = key
            known.session?.conversation = key
            conversations[key] = known
            conversation = known
        } else {
            guard let type = dissector(named: name) else { return nil }
            conversation = Conversation(key: key.isEmpty ? unnamed : key, dissector: type.init(flow: state.context))
            conversations[conversation.key] = conversation
        }
        conversation.flows[state.id] = state
        state.joined = conversation
        state.addProtocol(name)
        if let session = conversation.session, state.session == nil { attach(state, to: session) }
        return conversation
    }

    /// Returns the key of a conversation whose name was not captured.
    private static func unnamed(_ name: String, _ state: FlowState) -> String {
        "? \(name) \(state.client.address) \(state.server)"
    }

    /// Returns the conversation that the same client started on another connection and whose other half is still
    /// missing.
    private func begun(by state: FlowState) -> Conversation? {
        let kinds = dissectors.compactMap { $0.sessionType }
        for kind in kinds {
            let half = sessionOutlet.claims.latest(Self.tunnelName(state, kind)) {
                $0.isTunneled && $0.completeness.isOneSided
            }
            if let conversation = half?.conversation.flatMap({ conversations[$0] }) { return conversation }
        }
        return nil
    }

    /// Joins a flow to a conversation, possibly as one half of it.
    func join(_ key: String, _ name: String, _ half: String?, _ state: FlowState) {
        let isFirst = state.session == nil
        guard let conversation = conversation(key, name, state) else { return }
        let lacksHalf = half.map { conversation.lacksHalf(beside: $0) } ?? false
        let session = session(state, conversation)
        session.isTunneled = true
        guard isFirst, half != nil else { return }
        session.completeness.isOneSided = lacksHalf
        let name = Self.tunnelName(state, type(of: session))
        if lacksHalf {
            sessionOutlet.claim(Claim(name), for: session)
        } else {
            sessionOutlet.claims.remove(name, of: session)
        }
    }

    /// Opens a session for a conversation without a name, or attaches the flow to one that the same client started on
    /// another connection.
    func openTunnel(_ name: String, _ state: FlowState) {
        guard state.session == nil, let kind = dissector(named: name)?.sessionType else { return }
        let key = Self.tunnelName(state, kind)
        if let begun = sessionOutlet.claims.latest(key, where: { $0.isTunneled && $0.conversation == nil }) {
            attach(state, to: begun)
            return
        }
        let session = open(kind, state)
        session.isTunneled = true
        sessionOutlet.claim(Claim(key), for: session)
    }

    /// Returns the claim key of an unnamed tunnel.
    static func tunnelName(_ state: FlowState, _ kind: Session.Type) -> ClaimKey {
        .name(space: "tunnel", "\(kind) \(state.client.address) \(state.server)")
    }

    /// Processes bytes of one direction of a conversation.
    func offer(
        _ octets: [UInt8], to key: String, _ name: String, _ direction: Direction, _ state: FlowState,
        _ now: EventContext
    ) {
        guard let conversation = conversation(key, name, state) else { return }
        session(state, conversation).isTunneled = true
        let side = conversation.reader.side(direction)
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        side.begin(in: now.frame)
        take(octets.rawSpan, side, conversation.reader, state, moment, place: nil, frame: now.frame)
    }

    /// Records missing bytes in one direction of a conversation.
    func skip(
        _ octets: Int, in key: String, _ name: String, _ direction: Direction, _ state: FlowState, _ now: EventContext
    ) {
        guard let conversation = conversation(key, name, state) else { return }
        session(state, conversation).completeness.lacksOctets = true
        let reader = conversation.reader
        let side = reader.side(direction)
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        readCut(side, reader, state, moment)
        side.consumed += octets
        skip(octets, side, reader, state, moment)
    }

    /// Finishes a conversation after its last flow has ended.
    func finish(_ conversation: Conversation, _ state: FlowState, at info: FrameInfo) {
        let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
        emit(state, moment) { conversation.reader.dissector.finish($0) }
    }
}
