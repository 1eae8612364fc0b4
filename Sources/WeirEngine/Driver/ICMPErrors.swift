import WeirPackets

// ICMP errors for packets that did not reach a port.

extension Analyzer {
    /// Processes an ICMP error. It is emitted if it concerns packets that a session expects, once per destination.
    func icmp(_ message: ICMPMessage, _ info: FrameInfo) {
        guard message.isError, let quote = message.quote, let step = ICMPEvent.Step(message) else { return }
        let state = state(of: quote, message)
        guard let session = sessionOutlet.claims.match(quote.destination, quote.source)?.owner ?? state?.session,
            let known = session.noteUnreachable(
                quote.destination, at: info.time, isRefusal: message.isPortUnreachable)
        else { return refused(message, quote, state, info) }
        guard known.isFirst else { return }
        let flow = flow(of: quote) ?? state.map { self.table[$0.index] }
        // Any router may send the error; its direction is opposite to the packet that it quotes.
        let isToServer = quote.source.address == session.server.address
        let moment = EventContext(
            frame: info.number, time: info.time, flow: flow?.id ?? session.flowList.first ?? 0,
            direction: isToServer ? .clientToServer : .serverToClient,
            source: Endpoint(address: message.source, port: 0),
            destination: Endpoint(address: message.destination, port: 0))
        let event = ICMPEvent(
            step: step, code: Int(message.code), reason: message.name, isRefusal: message.isPortUnreachable,
            quotedSource: quote.source, quotedDestination: quote.destination, about: flow?.id, purpose: known.purpose)
        session.observe(event, frame: info.number)
        timeline.emit(timeline.event(event, at: moment), session: session)
    }

    /// Records refused packets of a flow without a session. Its streams count them, and the first error is emitted once
    /// the flow is known to be media.
    private func refused(
        _ message: ICMPMessage, _ quote: ICMPMessage.Quote, _ state: FlowState?, _ info: FrameInfo
    ) {
        guard message.isPortUnreachable, quote.transport == .udp, let state, state.claim == nil, state.session == nil
        else { return }
        state.noteRefusal(
            FlowRefusal(
                quote.destination, Delivery.Place(frame: info.number, time: info.time), from: message.source,
                to: message.destination))
        emitRefusals(of: state)
    }

    /// Returns the state of the quoted packet's flow.
    private func state(of quote: ICMPMessage.Quote, _ message: ICMPMessage) -> FlowState? {
        guard quote.transport == .udp,
            let index = table.index(from: quote.source, to: quote.destination, .udp, context: message.context),
            states.indices.contains(index)
        else { return nil }
        return states[index]
    }

    /// Emits the refusals of a flow that was recognized as media or as another protocol.
    func emitRefusals(of state: FlowState) {
        guard state.role == .packets || state.role == .dissected, state.session == nil, !state.refusals.isEmpty else {
            return
        }
        for refusal in state.takeRefusals() {
            let isToServer = refusal.destination == state.server
            let event = ICMPEvent(
                step: .unreachable, code: refusal.destination.address.isIPv4 ? 3 : 4, reason: "port unreachable",
                isRefusal: true, quotedSource: isToServer ? state.client : state.server,
                quotedDestination: refusal.destination, about: state.id)
            // The error travels in the opposite direction of the packet that it quotes.
            let moment = EventContext(
                frame: refusal.first.frame, time: refusal.first.time, flow: state.id,
                direction: isToServer ? .serverToClient : .clientToServer,
                source: Endpoint(address: refusal.sender, port: 0),
                destination: Endpoint(address: refusal.receiver, port: 0))
            timeline.emit(timeline.event(event, at: moment), session: nil)
        }
    }

    /// Returns the flow of the quoted packet if it matched a claim; their endpoints are indexed, so that no full search
    /// is needed.
    private func flow(of quote: ICMPMessage.Quote) -> Flow? {
        let here = sessionOutlet.claims.flows(at: quote.destination)
        let there = sessionOutlet.claims.flows(at: quote.source)
        return (here.count < there.count ? here : there).lazy.map { self.table[$0] }.first {
            ($0.client == quote.source && $0.server == quote.destination)
                || ($0.server == quote.source && $0.client == quote.destination)
        }
    }
}

extension ICMPEvent.Step {
    /// Destination unreachable is type 3 of ICMP (RFC 792) and type 1 of ICMPv6 (RFC 4443 §3.1); time exceeded is type
    /// 11 and type 3 (RFC 4443 §3.3). Fragmentation needed (code 4) is part of path MTU discovery
    /// (RFC 1191) and does not mean that the destination is unreachable.
    init?(_ message: ICMPMessage) {
        switch (message.source.isIPv4, message.type) {
        case (true, 3) where message.code == 4: return nil
        case (true, 3), (false, 1): self = .unreachable
        case (true, 11), (false, 3): self = .timeExceeded
        default: return nil
        }
    }
}
