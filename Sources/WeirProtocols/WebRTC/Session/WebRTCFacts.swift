import WeirEngine
import WeirPackets

// The fields of a call's record beyond those of all sessions.

extension WebRTCSession {
    /// The selected pair; with several transports, that of the first one that has any.
    var selectedPair: ICEPair? { transports.lazy.compactMap { self.selectedPair(of: $0) }.first }

    /// The DTLS connection that progressed furthest.
    var connection: DTLSConnection? { Self.furthest(connections) }

    /// Whether the certificates match the signaled fingerprints: false if one does not, true if both sides' do; nil if
    /// certificates or fingerprints were not captured.
    var fingerprintMatches: Bool? {
        if connections.contains(where: { $0.certificates.contains { $0.matches == false } }) { return false }
        let isProved = connections.contains { connection in
            Set(connection.certificates.filter { $0.matches == true }.map(\.direction)).count == 2
        }
        return isProved ? true : nil
    }

    /// The first check.
    var firstCheck: ICEPair.Moment? {
        pairs.flatMap { [$0.fromClient.first, $0.fromServer.first] }.compactMap { $0 }.min { $0.time < $1.time }
    }

    /// When a pair was first nominated.
    var nomination: ICEPair.Moment? { pairs.compactMap(\.nominated).min { $0.time < $1.time } }

    /// Seconds of capture before the first check after which no check is missing: checks are sent in a burst, and
    /// retransmitted within half a second (RFC 8445 §14.3).
    private static var secondsBeforeChecks: Double { 1 }

    /// Returns the frames of all hellos.
    private func hellos(_ connections: [DTLSConnection]) -> [Int] {
        connections.flatMap { [$0.clientHello?.moment, $0.serverHello?.moment] }.compactMap { $0?.frame }
    }

    /// Whether the connection precedes the capture: there are encrypted records without a handshake.
    private var isUnderWay: Bool { !connections.isEmpty && hellos(connections).isEmpty }

    /// When a pair was first nominated, or nil if an earlier nomination may not have been captured.
    private var certainNomination: ICEPair.Moment? {
        isUnderWay || pairs.contains(where: \.lacksChecks) ? nil : nomination
    }

    /// Milliseconds from the first check to the first nomination, or nil if either may not have been captured.
    var iceTime: Double? { iceTime(firstCheck, certainNomination, hellos(connections)) }

    /// Returns milliseconds from the first check of a transport to its first nomination, or nil.
    func iceTime(of transport: ICETransport) -> Double? {
        iceTime(
            firstCheck(of: transport), certainNomination == nil ? nil : nomination(of: transport),
            hellos(connections(of: transport)))
    }

    private func iceTime(_ first: ICEPair.Moment?, _ nomination: ICEPair.Moment?, _ hellos: [Int]) -> Double? {
        guard let first, let nomination, hellos.allSatisfy({ $0 > first.frame }) else { return nil }
        let isSignaled = [firstOffer, firstAnswer].contains { $0.map { $0.frame < first.frame } ?? false }
        let hasRun = captureStart.map { first.time.seconds(since: $0) >= Self.secondsBeforeChecks } ?? false
        return isSignaled || hasRun ? milliseconds(first.time, nomination.time) : nil
    }

    /// The agent that sent the first offer, if known. When earlier descriptions may not have been captured, the first
    /// captured one counts if handshake and media follow it, and the roles in checks match those of an offerer and its
    /// answerer (RFC 8445 §6.1.1).
    var offerer: Int? {
        guard agents.all.count == 2 else { return agents.all.firstIndex { $0.isOfferer == true } }
        for index in 0...1 {
            if let isOfferer = agents[index].isOfferer { return isOfferer ? index : 1 - index }
        }
        guard let began = firstDescription else { return nil }
        let offerer = began.isOffer ? began.agent : 1 - began.agent
        let hasToControl = agents[offerer].isLite == agents[1 - offerer].isLite || agents[1 - offerer].isLite
        let roles = pairs.flatMap { [$0.fromClient, $0.fromServer] }.compactMap { checks -> Bool? in
            guard let sender = checks.fragments?.sender, let agent = agents.index(of: sender),
                let isControlling = checks.isControlling
            else { return nil }
            return isControlling == (agent == offerer)
        }
        return !roles.isEmpty && roles.allSatisfy { $0 == hasToControl } ? offerer : nil
    }

    /// Returns the index of the pair in the session's table.
    private func place(of pair: ICEPair) -> Int? {
        pairs.firstIndex { $0.flow == pair.flow && $0.isRelayed == pair.isRelayed && $0.peer == pair.peer }
    }

    /// Whether the flow's server is the endpoint of the offerer; otherwise the client is, as far as known.
    func isTurned(_ pair: ICEPair) -> Bool {
        if let place = place(of: pair), let client = author(of: .clientToServer, on: place), let offerer {
            return client != offerer
        }
        // The offerer is controlling, except when the other agent is lite (RFC 8445 §6.1.1).
        return pair.fromServer.isControlling == true && pair.fromClient.isControlling != true
            && !agents.all.contains(where: \.isLite)
    }

    /// Returns the endpoint of the DTLS client: on the selected pair, if the checks show that its agent sends from
    /// there.
    private func client(of connection: DTLSConnection, _ selected: ICEPair?) -> Endpoint? {
        guard let hello = connection.clientHello else { return nil }
        if let pair = selected, let place = place(of: pair),
            let agent = author(of: hello.direction, on: connection.pair)
        {
            for direction in [Direction.clientToServer, .serverToClient]
            where author(of: direction, on: place) == agent { return pair.end(direction) }
        }
        return pairs[connection.pair].end(hello.direction)
    }

    /// Returns the candidate type of an end: that of its agent's matching candidate, or peer-reflexive if the
    /// candidates are known and none matches (RFC 8445 §7.3.1.3).
    func candidateType(_ direction: Direction, _ pair: ICEPair) -> String? {
        if pair.isRelayed, direction == pair.relayClient { return "relay" }
        guard let endpoint = pair.end(direction), let place = place(of: pair),
            let agent = author(of: direction, on: place), !agents[agent].candidates.isEmpty
        else { return nil }
        let known = agents[agent].candidates.first { $0.opens(pair, from: endpoint) }
        if let known = agents[agent].candidate(at: endpoint) ?? known { return known.content.type }
        return agents[agent].candidates.contains { $0.content.isMDNS } ? nil : "prflx"
    }

    /// The fields specific to calls.
    var ownFacts: [Field] {
        var facts: [Field] = []
        if let pair = selectedPair { facts.add("selectedPair", .object(ends(pair))) }
        facts.add("fingerprintMatches", fingerprintMatches)
        let channels = connections.compactMap(\.channels).flatMap(\.channels)
        if !channels.isEmpty { facts.add("dataChannels", .array(channels.map(\.members))) }
        // In a signaling connection that starts late the first message may be missing; and an answer is never the
        // first.
        let mayLackFirst = completeness.startsLate || isUnderWay || lacksOctetsBefore || lacksOffer
        let began = mayLackFirst ? nil : signalingBegan?.time
        facts.add("setupTimeMs", milliseconds(began, connection?.finishedTime))
        facts.add("iceTimeMs", iceTime)
        facts.add("offerToNominatedMs", milliseconds(mayLackFirst ? nil : firstOffer?.time, certainNomination?.time))
        facts.add("timeToFirstMediaMs", milliseconds(began, firstMediaTime))
        let bundles = sections.first?.groups.filter { $0.semantics == "BUNDLE" } ?? []
        if !bundles.isEmpty {
            facts.add("bundles", .array(bundles.map { .array($0.members.map { .string($0) }) }))
        }
        if let media = sections.first?.media, !media.isEmpty {
            facts.add("media", .array(media.indices.map { .object(fields(media[$0], $0)) }))
        }
        let transports = transports
        if let connection { facts.add("dtls", .object(fields(connection, selectedPair))) }
        if transports.count > 1 {
            facts.add("transports", .array(transports.map { .object(fields($0)) }))
        }
        if restarts > 0 { facts.add("iceRestarts", restarts) }
        if !allocations.isEmpty { facts.add("allocations", .array(allocationFields)) }
        let offerer = offerer
        let candidates = agents.all.indices.flatMap { index in
            agents[index].candidates.map { fields($0, isOffered: offerer.map { $0 == index }) }
        }
        if !candidates.isEmpty { facts.add("candidates", .array(candidates.map { .object($0) })) }
        if !pairs.isEmpty { facts.add("candidatePairs", .array(pairTable(transports))) }
        return facts
    }

    private func fields(_ connection: DTLSConnection, _ selected: ICEPair?) -> [Field] {
        var members: [Field] = []
        members.add("version", connection.serverHello.map { TLSNames.version($0.hello.version) })
        members.add("cipherSuite", connection.serverHello?.hello.cipherSuites.first.map(TLSNames.cipherSuite))
        members.add("srtpProfile", connection.srtpProfile.map(TLSNames.srtpProfile))
        members.add("client", client(of: connection, selected)?.field)
        return members
    }

    private func fields(_ transport: ICETransport) -> [Field] {
        var members: [Field] = []
        let mids = mids(of: transport)
        if !mids.isEmpty { members.add("mids", .array(mids.map { .string($0) })) }
        let selected = selectedPair(of: transport)
        if let selected { members.add("selectedPair", .object(ends(selected))) }
        members.add("iceTimeMs", iceTime(of: transport))
        if let connection = connection(of: transport) {
            members.add("dtls", .object(fields(connection, selected)))
        }
        return members
    }

    private func ends(_ pair: ICEPair) -> [Field] {
        let local: Direction = isTurned(pair) ? .serverToClient : .clientToServer
        var members: [Field] = []
        members.add("local", pair.end(local)?.field)
        members.add("remote", pair.end(local.opposite)?.field)
        members.add("localType", candidateType(local, pair))
        members.add("remoteType", candidateType(local.opposite, pair))
        return members
    }

    private func milliseconds(_ start: Timestamp?, _ end: Timestamp?) -> Double? {
        guard let start, let end, end >= start else { return nil }
        return Double(end.nanoseconds &- start.nanoseconds) / 1_000_000
    }

    private func fields(_ medium: MediaDescription, _ index: Int) -> [Field] {
        var members: [Field] = []
        members.add("mid", medium.mid)
        members.add("type", medium.type)
        members.add("direction", medium.direction?.rawValue)
        if medium.type == "application" {
            members.add("protocol", medium.proto)
            members.add("sctpPort", medium.attributes.first("sctp-port").flatMap { Int($0) })
            members.add("maxMessageSize", medium.attributes.first("max-message-size").flatMap { Int($0) })
            let names = medium.dataChannels
            if !names.isEmpty { members.add("dataChannels", .array(names.map { .string($0) })) }
        }
        let streams = mediaStreams.filter { $0.medium == index }
        members.add("streams", .array(streams.map { .integer($0.id) }))
        let layers = layers(of: streams)
        if !layers.isEmpty { members.add("layers", .array(layers)) }
        return members
    }

    /// Returns the simulcast layers of streams, in order of arrival, each with its streams.
    private func layers(of streams: [MediaEntry]) -> [FieldValue] {
        var layers: [(rid: String, streams: [FieldValue])] = []
        for stream in streams {
            guard let rid = stream.identity?.rid ?? stream.identity?.repairedRid else { continue }
            if let known = layers.firstIndex(where: { $0.rid == rid }) {
                layers[known].streams.append(.integer(stream.id))
            } else {
                layers.append((rid, [.integer(stream.id)]))
            }
        }
        return layers.map { .object([Field("rid", .string($0.rid)), Field("streams", .array($0.streams))]) }
    }

    private func fields(_ candidate: ICEAgent.Candidate, isOffered: Bool?) -> [Field] {
        var members: [Field] = []
        members.add("agent", isOffered.map { $0 ? "offerer" : "answerer" })
        members.add("type", candidate.content.type)
        members.add("transport", TextSyntax.lowercased(candidate.content.transport))
        members.add("address", candidate.content.address)
        members.add("port", Int(candidate.content.port))
        members.add("tcpType", candidate.content.tcpType)
        members.add("priority", Int(candidate.content.priority))
        members.add("mid", candidate.mid)
        members.add("ufrag", candidate.ufrag)
        members.add("frame", candidate.frame)
        members.add("event", candidate.event)
        return members
    }

    /// Returns the pairs, each with the media of its transport if there are several.
    private func pairTable(_ transports: [ICETransport]) -> [FieldValue] {
        pairs.indices.map { place in
            let transport = transports.count > 1 ? transports.first { $0.places.contains(place) } : nil
            return .object(fields(pairs[place], transport.map { mids(of: $0) } ?? []))
        }
    }

    private func fields(_ pair: ICEPair, _ mids: [String]) -> [Field] {
        var members = [Field("flow", .integer(pair.flow))]
        if !mids.isEmpty { members.add("mids", .array(mids.map { .string($0) })) }
        members.add("local", pair.end(.clientToServer)?.field)
        members.add("remote", pair.end(.serverToClient)?.field)
        if pair.isTCP { members.add("transport", "tcp") }
        if pair.isRelayed { members.add("relayed", true) }
        for (name, checks) in [("fromLocal", pair.fromClient), ("fromRemote", pair.fromServer)] where checks.sent > 0 {
            var figures = [Field("checks", .integer(checks.sent)), Field("answered", .integer(checks.succeeded))]
            if checks.refused > 0 { figures.add("refused", checks.refused) }
            if checks.repeated > 0 { figures.add("repeated", checks.repeated) }
            figures.add("roundTripMs", checks.roundTrip.map { Double($0) / 1_000_000 })
            figures.add("role", checks.isControlling.map { $0 ? "controlling" : "controlled" })
            members.add(name, .object(figures))
        }
        members.add("nominatedFrame", pair.nominated?.frame)
        if !pair.errors.isEmpty { members.add("errors", .array(pair.errors.map { .integer($0.code) })) }
        return members
    }
}

extension MediaDescription {
    /// The labels of the data channels negotiated in the description (RFC 8864); those opened in-band are encrypted.
    var dataChannels: [String] {
        attributes.all("dcmap").compactMap { line in
            guard let start = line.firstRange(of: "label=\"")?.upperBound, let end = line[start...].firstIndex(of: "\"")
            else {
                return nil
            }
            return String(line[start..<end])
        }
    }
}

extension WebRTCSession {
    /// Returns the agent with a candidate at an endpoint.
    func agent(at endpoint: Endpoint) -> ICEAgent? {
        agents.all.first { $0.candidates.contains { $0.endpoint == endpoint } }
    }

    /// Returns the agent that sent an event's message.
    func agent(of event: Event) -> ICEAgent? {
        guard let place = pairs.firstIndex(where: { $0.flow == event.flow }),
            let index = author(of: event.direction, on: place)
        else { return nil }
        return agents[index]
    }
}

extension DataChannels.Channel {
    /// The members of a data channel in the report.
    fileprivate var members: FieldValue {
        var members: [Field] = []
        members.add("streamId", Int(stream))
        members.add("label", opening?.label)
        members.add("protocol", opening.flatMap { $0.subprotocol.isEmpty ? nil : $0.subprotocol })
        for (name, value) in [("messages", \Self.client.messages), ("bytes", \Self.client.octets)] {
            let other = name == "messages" ? server.messages : server.octets
            members.append(
                Field(
                    name,
                    .object([
                        Field("clientToServer", .integer(self[keyPath: value])),
                        Field("serverToClient", .integer(other)),
                    ])))
        }
        return .object(members)
    }
}
