import WeirEngine
package import WeirPackets

// The handshakes of a call.

extension WebRTCSession {
    func takeHandshake(_ message: DTLSMessage, _ context: MessageContext, _ outlet: StoryOutlet) {
        context.flow.addProtocol("dtls")
        layFlow(context.flow, outlet)
        if !pairs.contains(where: { $0.flow == context.flow.id }) { succeed(on: context.flow, context, outlet) }
        advance(to: .dtls)
        var message = message
        if message.lacksHandshake {
            // ICE may change the pair at any time (RFC 8445 §12.1), and the connection stays.
            let hellos = connections.lazy.compactMap { ($0.clientHello ?? $0.serverHello)?.moment.frame }
            message.handshakeFrame = hellos.first
        }
        var event = outlet.event(message, context)
        event.phase = phase
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if let place = dtlsPair(context.flow, message) {
            pairs[place].carriesDTLS = true
            let index = connections.firstIndex { $0.pair == place } ?? connections.count
            if index == connections.count { connections.append(DTLSConnection(pair: place)) }
            connections[index].observe(message, event.direction, moment)
            if case .certificate = message.content, !message.isRetransmission {
                let matches = matches(message, place, event.direction)
                connections[index].certificates.append((event.direction, moment, matches))
                if let matches {
                    event.note = Text(
                        matches ? "dtls.certificate.matches" : "dtls.certificate.differs",
                        .integer(author(of: event.direction, on: place).flatMap { agents[$0].descriptionFrame } ?? 0))
                }
            }
        }
        outlet.tell(event, self)
    }

    /// The pair that a DTLS message travels on: behind a relay the one with its peer, or, where that is not known, the one
    /// that is used.
    private func dtlsPair(_ flow: FlowState, _ message: DTLSMessage) -> Int? {
        guard message.isRelayed else { return pair(flow, nil) }
        let relay = STUNMessage.Relay(channel: nil, peer: message.relayPeer)
        guard message.relayPeer == nil else { return pair(flow, relay) }
        return pairs.lastIndex { $0.flow == flow.id && $0.isRelayed && $0.nominating != nil }
            ?? pairs.lastIndex { $0.flow == flow.id && $0.isRelayed } ?? pair(flow, relay)
    }

    /// The agent that speaks in a direction of a pair, as its checks show.
    package func author(of direction: Direction, on place: Int) -> Int? {
        if let sender = pairs[place][direction].fragments?.sender { return agents.index(of: sender) }
        if let receiver = pairs[place][direction.opposite].fragments?.receiver { return agents.index(of: receiver) }
        return nil
    }

    /// Whether a certificate is the one whose hash its sender's description says (RFC 8122 §5); nil when the capture
    /// holds no such description.
    private func matches(_ message: DTLSMessage, _ place: Int, _ direction: Direction) -> Bool? {
        guard let author = author(of: direction, on: place), !agents[author].fingerprints.isEmpty else { return nil }
        var known = false
        for fingerprint in agents[author].fingerprints {
            guard let own = message.fingerprint(fingerprint.hash) else { continue }
            known = true
            if ASCII.equalIgnoringCase(own, "\(fingerprint.hash) \(fingerprint.value)") { return true }
        }
        return known ? false : nil
    }
}
