import WeirEngine
import WeirPackets

// The DTLS handshakes of a call.

extension WebRTCSession {
    func takeHandshake(_ message: DTLSMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        context.flow.addProtocol("dtls")
        claimFlow(context.flow, outlet)
        if !pairs.contains(where: { $0.flow == context.flow.id }) { succeed(on: context.flow, context, outlet) }
        advance(to: .dtls)
        var message = message
        let place = dtlsPair(context.flow, message)
        if message.lacksHandshake, let place {
            // ICE may change the pair at any time (RFC 8445 §12.1); the connection stays the same.
            let known = connections.lazy.filter { self.areOfOneTransport($0.pair, place) }
            message.handshakeFrame = known.compactMap { ($0.clientHello ?? $0.serverHello)?.moment.frame }.first
        }
        var event = outlet.event(message, context)
        event.phase = phase
        if let source = message.keySource {
            event.decryption = Decryption("dtls", source: source)
            note(decryptedWith: source)
        }
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if let place {
            pairs[place].carriesDTLS = true
            let index = connections.firstIndex { $0.pair == place } ?? connections.count
            if index == connections.count { connections.append(DTLSConnection(pair: place)) }
            connections[index].observe(message, event.direction, moment)
            if case .serverHello = message.content { deriveKeys(of: index) }
            if case .certificate = message.content, !message.isRetransmission {
                let (matches, function) = matches(message, place, event.direction)
                connections[index].certificates.append((event.direction, moment, matches))
                if let matches {
                    let reported = author(of: event.direction, on: place).flatMap { agents[$0].descriptionFrame } ?? 0
                    // The event line shows the SHA-256 fingerprint.
                    let isAnother = matches && function != "sha-256"
                    event.note =
                        isAnother
                        ? Text("dtls.certificate.matchesBy", .integer(reported), .string(function ?? ""))
                        : Text(
                            matches ? "dtls.certificate.matches" : "dtls.certificate.differs", .integer(reported))
                }
            }
        }
        outlet.emit(event, self)
    }

    /// Searches the secrets of connections again that may have been added to a key log since.
    func deriveAwaitedKeys() {
        awaitsKeys = false
        for index in connections.indices where connections[index].serverHello != nil { deriveKeys(of: index) }
    }

    /// Derives the SRTP keys of a connection, if a key log has its master secret.
    private func deriveKeys(of index: Int) {
        let settings = media.outlet.limits[DecryptionSettings.self]
        guard let secrets = settings.keys, connections[index].srtpKeys.isEmpty else { return }
        let random = connections[index].randoms.client.flatMap(ClientRandom.init)
        if let random, secrets.awaits(random, [.exporter]) {
            connections[index].keySearches += 1
            awaitsKeys = awaitsKeys || connections[index].keySearches < settings.awaitedDatagrams
        }
        connections[index].srtpKeys = SRTPExporter.keys(of: connections[index], secrets)
        guard !connections[index].srtpKeys.isEmpty else { return }
        readDescriptions.agreements = [:]
        media.configureStreams(of: self)
    }

    /// The pair that a DTLS message travels on: with a relay the pair of its peer, or, if the peer is not known, the
    /// pair in use.
    private func dtlsPair(_ flow: FlowState, _ message: DTLSMessage) -> Int? {
        guard message.isRelayed else { return pair(flow, nil) }
        let relay = STUNMessage.Relay(channel: nil, peer: message.relayPeer)
        guard message.relayPeer == nil else { return pair(flow, relay) }
        return pairs.lastIndex { $0.flow == flow.id && $0.isRelayed && $0.nominating != nil }
            ?? pairs.lastIndex { $0.flow == flow.id && $0.isRelayed } ?? pair(flow, relay)
    }

    /// Whether two pairs are known to belong to one transport, which has one DTLS connection: by fragments and
    /// component of their checks, or because all media of the call share one.
    private func areOfOneTransport(_ one: Int, _ other: Int) -> Bool {
        if one == other || hasOneTransport { return true }
        guard let component = pairs[one].component, component == pairs[other].component, let names = pairs[one].names
        else { return false }
        return names == pairs[other].names
    }

    /// Whether the answer bundles all its media (RFC 9143 §7.3), and RTCP with them (RFC 5761 §5.1.1).
    private var hasOneTransport: Bool {
        guard let answer = answer?.content else { return false }
        let media = answer.media.filter { !answer.isRejected($0) }
        let bundle = answer.bundle
        return media.allSatisfy { medium in
            (!medium.isRTP || medium.attributes.has("rtcp-mux"))
                && (media.count == 1 || medium.mid.map(bundle.contains) ?? false)
        }
    }

    /// The index of the agent that sends in a direction of a pair, by its candidates, or without these by its checks,
    /// whose username may be wrong.
    func author(of direction: Direction, on place: Int) -> Int? {
        if let end = pairs[place].end(direction) {
            let known = agents.all.indices.filter { index in agents[index].candidates.contains { $0.endpoint == end } }
            if known.count == 1 { return known.first }
        }
        if let sender = pairs[place][direction].fragments?.sender { return agents.index(of: sender) }
        if let receiver = pairs[place][direction.opposite].fragments?.receiver { return agents.index(of: receiver) }
        return nil
    }

    /// Returns whether a certificate matches its sender's fingerprints (RFC 8122 §5), and the hash function used,
    /// SHA-256 preferred; nil if no such description was captured.
    private func matches(
        _ message: DTLSMessage, _ place: Int, _ direction: Direction
    ) -> (matches: Bool?, function: String?) {
        guard let author = author(of: direction, on: place), !agents[author].fingerprints.isEmpty else {
            return (nil, nil)
        }
        var known = false
        var found: String?
        for fingerprint in agents[author].fingerprints {
            guard let own = message.fingerprint(fingerprint.hash) else { continue }
            known = true
            guard ASCII.equalIgnoringCase(own, "\(fingerprint.hash) \(fingerprint.value)") else { continue }
            let function = TextSyntax.lowercased(fingerprint.hash)
            if function == "sha-256" { return (true, function) }
            found = found ?? function
        }
        return found == nil ? (known ? false : nil, nil) : (true, found)
    }
}
