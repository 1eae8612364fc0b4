import WeirEngine
import WeirPackets

// What a call's record says beyond what all sessions have.

extension WebRTCSession {
    /// The pair that the call went over: the nominated one that carried DTLS or media, else the one nominated last.
    package var selectedPair: ICEPair? {
        let nominated = pairs.filter { $0.nominated != nil }
        return nominated.last { pair in mediaStreams.contains { $0.flow == pair.flow } } ?? nominated.last {
            $0.carriesDTLS
        }
            ?? nominated.max { ($0.nominatedLast?.frame ?? 0) < ($1.nominatedLast?.frame ?? 0) }
    }

    /// The DTLS connection that came furthest.
    package var connection: DTLSConnection? {
        connections.first(where: \.isFinished) ?? connections.first { $0.serverHello != nil } ?? connections.first
    }

    /// Whether the certificates are those whose hashes the descriptions say; nil when nothing could be compared.
    package var fingerprintMatches: Bool? {
        let answers = connections.flatMap(\.certificates).compactMap(\.matches)
        return answers.isEmpty ? nil : answers.allSatisfy { $0 }
    }

    /// The first check.
    var firstCheck: ICEPair.Moment? {
        pairs.flatMap { [$0.fromClient.first, $0.fromServer.first] }.compactMap { $0 }.min { $0.time < $1.time }
    }

    /// When a pair was nominated first.
    var nomination: ICEPair.Moment? { pairs.compactMap(\.nominated).min { $0.time < $1.time } }

    /// Which end of a pair belongs to the agent that offered, or else to the flow's client.
    func isTurned(_ pair: ICEPair) -> Bool {
        guard let place = pairs.firstIndex(where: { $0.flow == pair.flow && $0.peer == pair.peer }),
            let client = author(of: .clientToServer, on: place), agents.all.indices.contains(client)
        else { return false }
        return agents[client].isOfferer == false
    }

    /// The kind of candidate that an end is: as its agent's candidates say, a peer-reflexive one when these are known and
    /// none is there (RFC 8445 §7.3.1.3).
    func candidateType(of endpoint: Endpoint, _ direction: Direction, _ pair: ICEPair) -> String? {
        if pair.isRelayed, direction == .clientToServer { return "relay" }
        guard let place = pairs.firstIndex(where: { $0.flow == pair.flow && $0.peer == pair.peer }),
            let agent = author(of: direction, on: place), !agents[agent].candidates.isEmpty
        else { return nil }
        let known = agents[agent].candidates.first { $0.opens(pair, from: endpoint) }
        if let known = agents[agent].candidate(at: endpoint) ?? known { return known.content.type }
        return agents[agent].candidates.contains { $0.content.isMDNS } ? nil : "prflx"
    }

    /// The session's own members of its record.
    var ownFacts: [Field] {
        var facts: [Field] = []
        if let pair = selectedPair { facts.add("selectedPair", .object(ends(pair))) }
        facts.add("fingerprintMatches", fingerprintMatches)
        facts.add("setupTimeMs", milliseconds(signalingBegan?.time, connection?.finishedTime))
        facts.add("iceTimeMs", milliseconds(firstCheck?.time, (selectedPair?.nominated ?? nomination)?.time))
        facts.add("offerToNominatedMs", milliseconds(firstOffer?.time, nomination?.time))
        facts.add("timeToFirstMediaMs", milliseconds(signalingBegan?.time, firstMediaTime))
        let bundles = sections.first?.groups.filter { $0.semantics == "BUNDLE" } ?? []
        if !bundles.isEmpty {
            facts.add("bundles", .array(bundles.map { .array($0.members.map { .string($0) }) }))
        }
        if let media = sections.first?.media, !media.isEmpty {
            facts.add("media", .array(media.indices.map { .object(fields(media[$0], $0)) }))
        }
        if let connection {
            var members: [Field] = []
            members.add("version", connection.serverHello.map { TLSNames.version($0.hello.version) })
            members.add("cipherSuite", connection.serverHello?.hello.cipherSuites.first.map(TLSNames.cipherSuite))
            members.add("srtpProfile", connection.srtpProfile.map(TLSNames.srtpProfile))
            members.add("client", connection.clientHello.map { end($0.direction, pairs[connection.pair]).field })
            facts.add("dtls", .object(members))
        }
        if restarts > 0 { facts.add("iceRestarts", restarts) }
        let candidates = agents.all.indices.flatMap { index in agents[index].candidates.map { fields($0, index) } }
        if !candidates.isEmpty { facts.add("candidates", .array(candidates.map { .object($0) })) }
        if !pairs.isEmpty { facts.add("candidatePairs", .array(pairs.map { .object(fields($0)) })) }
        let causes = causes()
        if !causes.isEmpty { facts.add("causes", .array(causes.map { .object($0.fields) })) }
        return facts
    }

    private func end(_ direction: Direction, _ pair: ICEPair) -> Endpoint {
        direction == .clientToServer ? pair.near : pair.far
    }

    private func ends(_ pair: ICEPair) -> [Field] {
        let isTurned = isTurned(pair)
        let (local, remote): (Direction, Direction) =
            isTurned ? (.serverToClient, .clientToServer) : (.clientToServer, .serverToClient)
        var members = [Field("local", end(local, pair).field), Field("remote", end(remote, pair).field)]
        members.add("localType", candidateType(of: end(local, pair), local, pair))
        members.add("remoteType", candidateType(of: end(remote, pair), remote, pair))
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

    /// The layers of simulcast that streams said they are, in the order in which they came, each with its streams.
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

    private func fields(_ candidate: ICEAgent.Candidate, _ agent: Int) -> [Field] {
        var members = [Field("agent", .string(agents[agent].isOfferer == false ? "answerer" : "offerer"))]
        if agents[agent].isOfferer == nil { members = [] }
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

    private func fields(_ pair: ICEPair) -> [Field] {
        var members = [
            Field("flow", .integer(pair.flow)), Field("local", pair.near.field), Field("remote", pair.far.field),
        ]
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
    /// The labels of the data channels that the description itself opens (RFC 8864); those that are opened in the
    /// connection are encrypted with it.
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
    /// The agent that has a candidate at an endpoint.
    func agent(at endpoint: Endpoint) -> ICEAgent? {
        agents.all.first { $0.candidates.contains { $0.endpoint == endpoint } }
    }

    /// The agent that sent an event's message.
    func agent(of event: Event) -> ICEAgent? {
        guard let place = pairs.firstIndex(where: { $0.flow == event.flow }),
            let index = author(of: event.direction, on: place)
        else { return nil }
        return agents[index]
    }
}
