import WeirPackets

// Encrypted connections of unknown purpose, reported if a session has the same server host.

extension Analyzer {
    /// Records an encrypted connection of unknown purpose, with its opening, which is complete.
    func hide(_ entry: consuming HiddenFlows.Entry) {
        summary.encryptedFlows += 1
        guard !entry.opening.isEmpty else { return }
        var taken = hidden.take()
        let place = taken.add(entry)
        hidden.put(consume taken)
        if let place { show(place) }
    }

    /// Reports the encrypted connections to the hosts of a flow that belongs to a session.
    func noteHosts(of state: FlowState) {
        var taken = hidden.take()
        let places = taken.insert(state.client.address, state.server.address)
        hidden.put(consume taken)
        for place in places { show(place) }
    }

    /// Returns the encrypted connections of unknown purpose from or to these hosts, with their openings.
    func hiddenFlows(at hosts: [IPAddress]) -> [HiddenFlow] {
        hidden.current.entries.compactMap { entry in
            let flow = entry.flow
            guard hosts.contains(flow.client.address) || hosts.contains(flow.server.address) else { return nil }
            return opening(of: entry).map {
                HiddenFlow(id: flow.id, client: flow.client, server: flow.server, message: $0.message)
            }
        }
    }

    private func opening(of entry: HiddenFlows.Entry) -> (message: any Message, range: Range<Int>)? {
        var dissector = entry.type.init(flow: entry.flow)
        let outlet = Outlet()
        _ = try? dissector.read(entry.opening.rawSpan, .clientToServer, outlet)
        guard case .message(let message, let range)? = outlet.items.first else { return nil }
        return (message, range)
    }

    private func show(_ place: Int) {
        var taken = hidden.take()
        let entry = taken[place]
        let flow = entry.flow
        let state =
            entry.state
            ?? FlowState(
                id: flow.id, flow.transport, (flow.client, flow.server), index: entry.index,
                startsLate: flow.startsLate, shared: limits)
        taken[place].state = state
        hidden.put(consume taken)
        guard let (message, range) = opening(of: entry) else { return }
        state.addProtocol(message.protocolName)
        let context = MessageContext(
            flow: state, at: entry.moment, range: entry.isInFrame ? range : 0..<0, remarks: [], position: nil)
        timeline.emit(sessionOutlet.event(message, context), session: nil)
    }
}
