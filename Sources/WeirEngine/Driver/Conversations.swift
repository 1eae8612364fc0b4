import WeirPackets

// Conversations that several flows carry together, and that travel inside their messages.

extension Analyzer {
    private func conversation(_ key: String, _ name: String, _ state: FlowState) -> Conversation? {
        if let known = state.joined, known.key == key || key.isEmpty { return known }
        let conversation: Conversation
        let unnamed = Self.unnamed(name, state)
        if let known = key.isEmpty ? begun(by: state) ?? conversations[unnamed] : conversations[key] {
            conversation = known
        } else if !key.isEmpty, let known = conversations[unnamed], state.joined == nil {
            // The half that the capture holds the beginning of says what the other one is called.
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

    /// The place of a half of which the capture lacks the name.
    private static func unnamed(_ name: String, _ state: FlowState) -> String {
        "? \(name) \(state.client.address) \(state.server)"
    }

    /// A conversation that the same client began on another connection, and of which the other half is not there yet.
    private func begun(by state: FlowState) -> Conversation? {
        let kinds = dissectors.compactMap { $0.story }
        for kind in kinds {
            let half = storyOutlet.claims.latest(Self.tunnelName(state, kind)) {
                $0.isTunnelled && $0.completeness.isOneSided
            }
            if let conversation = half?.conversation.flatMap({ conversations[$0] }) { return conversation }
        }
        return nil
    }

    /// The flow carries a part of a conversation, perhaps one half of it.
    func join(_ key: String, _ name: String, _ half: String?, _ state: FlowState) {
        let isFirst = state.session == nil
        guard let conversation = conversation(key, name, state) else { return }
        let lacksHalf = half.map { conversation.lacksHalf(beside: $0) } ?? false
        let session = session(state, conversation)
        session.isTunnelled = true
        guard isFirst, half != nil else { return }
        session.completeness.isOneSided = lacksHalf
        let name = Self.tunnelName(state, type(of: session))
        if lacksHalf {
            storyOutlet.claim(Claim(name), for: session)
        } else {
            storyOutlet.claims.remove(name, of: session)
        }
    }

    /// A conversation begins of which the name is not known yet: one that the same client began on another connection, if
    /// that has none yet either.
    func openTunnel(_ name: String, _ state: FlowState) {
        guard state.session == nil, let kind = dissector(named: name)?.story else { return }
        let key = Self.tunnelName(state, kind)
        if let begun = storyOutlet.claims.latest(key, where: { $0.isTunnelled && $0.conversation == nil }) {
            attach(state, to: begun)
            return
        }
        let session = open(kind, state)
        session.isTunnelled = true
        storyOutlet.claim(Claim(key), for: session)
    }

    /// What names a tunnel that has no name yet.
    static func tunnelName(_ state: FlowState, _ kind: Session.Type) -> ClaimKey {
        .name(space: "tunnel", "\(kind) \(state.client.address) \(state.server)")
    }

    /// Octets of one side of a conversation.
    func offer(
        _ octets: [UInt8], to key: String, _ name: String, _ direction: Direction, _ state: FlowState,
        _ now: EventContext
    ) {
        guard let conversation = conversation(key, name, state) else { return }
        session(state, conversation).isTunnelled = true
        let side = conversation.reader.side(direction)
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        side.begin(in: now.frame)
        take(octets.rawSpan, side, conversation.reader, state, moment, place: nil, frame: now.frame)
    }

    /// Octets of one side are missing.
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

    /// The last flow of a conversation is over: what is still to be said of it.
    func finish(_ conversation: Conversation, _ state: FlowState, at info: FrameInfo) {
        let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
        tell(state, moment) { conversation.reader.dissector.finish($0) }
    }
}
