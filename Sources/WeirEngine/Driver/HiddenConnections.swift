import WeirPackets

// Encrypted connections of unknown purpose, reported if a session has the same server host.

extension Analyzer {
    /// Records an encrypted connection of unknown purpose by its opening, which is complete.
    ///
    /// - Parameters:
    ///   - opening: The client's first bytes.
    ///   - isInFrame: Whether they are one segment.
    func hide(
        _ type: any Dissector.Type, _ state: FlowState, _ moment: EventContext, _ opening: [UInt8], isInFrame: Bool
    ) {
        summary.encryptedFlows += 1
        guard !opening.isEmpty else { return }
        if let entry = hidden.add(HiddenFlows.Entry(type, state, moment, opening, isInFrame: isInFrame)) { show(entry) }
    }

    /// Reports the encrypted connections to the hosts of a flow that belongs to a session.
    func noteHosts(of state: FlowState) {
        for entry in hidden.insert(state.client.address, state.server.address) { show(entry) }
    }

    /// Returns the encrypted connections of unknown purpose from or to these hosts, with their openings.
    func hiddenFlows(at hosts: [IPAddress]) -> [HiddenFlow] {
        hidden.entries.compactMap { entry in
            guard hosts.contains(entry.state.client.address) || hosts.contains(entry.state.server.address) else {
                return nil
            }
            return opening(of: entry).map {
                HiddenFlow(
                    id: entry.state.id, client: entry.state.client, server: entry.state.server, message: $0.message)
            }
        }
    }

    private func opening(of entry: HiddenFlows.Entry) -> (message: any Message, range: Range<Int>)? {
        var dissector = entry.type.init(flow: entry.state.context)
        let outlet = Outlet()
        _ = try? dissector.read(entry.opening.rawSpan, .clientToServer, outlet)
        guard case .message(let message, let range)? = outlet.items.first else { return nil }
        return (message, range)
    }

    private func show(_ entry: HiddenFlows.Entry) {
        guard let (message, range) = opening(of: entry) else { return }
        entry.state.addProtocol(message.protocolName)
        let context = MessageContext(
            flow: entry.state, at: entry.moment, range: entry.isInFrame ? range : 0..<0, remarks: [], position: nil)
        timeline.emit(sessionOutlet.event(message, context), session: nil)
    }
}
