import WeirPackets

// ICMP errors: who is told that packets did not reach a port.

extension Analyzer {
    /// An ICMP error: shown when it is about packets that a session expects; the first for each destination.
    func icmp(_ message: ICMPMessage, _ info: FrameInfo) {
        guard message.isError, let quote = message.quote, let step = ICMPEvent.Step(message) else { return }
        guard let session = storyOutlet.claims.match(quote.destination, quote.source)?.owner,
            let known = session.noteUnreachable(quote.destination, at: info.time)
        else { return }
        guard known.isFirst else { return }
        let flow = table.remaining().lazy.map { self.table[$0] }.first {
            ($0.client == quote.source && $0.server == quote.destination)
                || ($0.server == quote.source && $0.client == quote.destination)
        }
        let isFromClient = message.source == session.client.address
        let moment = EventContext(
            frame: info.number, time: info.time, flow: flow?.id ?? session.flowList.first ?? 0,
            direction: isFromClient ? .clientToServer : .serverToClient,
            source: Endpoint(address: message.source, port: 0),
            destination: Endpoint(address: message.destination, port: 0))
        let event = ICMPEvent(
            step: step, code: Int(message.code), reason: message.name, quotedSource: quote.source,
            quotedDestination: quote.destination, about: flow?.id, purpose: known.purpose)
        timeline.emit(timeline.event(event, at: moment), session: session)
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
