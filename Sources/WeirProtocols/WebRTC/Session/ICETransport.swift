import WeirEngine
import WeirPackets

/// A transport of a call: with BUNDLE all media share one, without it each media section has its own, with its own
/// candidates, checks and DTLS connection (RFC 9143 §7).
struct ICETransport {
    /// The indices of its media sections; empty if not known.
    fileprivate(set) var media: Set<Int> = []
    /// The indices of its pairs in the session's table.
    fileprivate(set) var places: [Int] = []
    /// The username fragments in its checks.
    fileprivate var names: Set<String> = []
}

extension WebRTCSession {
    /// The transports in the order of their media sections; a single one if checks do not distinguish several.
    var transports: [ICETransport] {
        var transports: [ICETransport] = []
        for place in pairs.indices {
            guard let names = pairs[place].names else { continue }
            var one = ICETransport(media: media(of: names), places: [place], names: names)
            // A name or media section in common merges transports.
            for other in transports where areOne(one, other) {
                one.media.formUnion(other.media)
                one.places = other.places + one.places
                one.names.formUnion(other.names)
            }
            transports.removeAll { !Set($0.places).isDisjoint(with: one.places) }
            transports.append(one)
        }
        guard transports.count > 1 else { return [ICETransport(places: Array(pairs.indices))] }
        for place in pairs.indices where pairs[place].names == nil {
            transports[home(of: place, transports)].places.append(place)
        }
        return transports.sorted { ($0.media.min() ?? .max, $0.places[0]) < ($1.media.min() ?? .max, $1.places[0]) }
    }

    /// Returns the media sections with these username fragments.
    private func media(of names: Set<String>) -> Set<Int> {
        var media: Set<Int> = []
        for agent in agents.all {
            for known in agent.credentials where names.contains(known.ufrag) { media.formUnion(known.media) }
        }
        return media
    }

    /// Whether two groups of pairs belong to one transport: they have a fragment or a media section in common.
    /// Fragments that no description contains may be those of another generation: only a separate handshake proves
    /// another transport.
    private func areOne(_ one: ICETransport, _ other: ICETransport) -> Bool {
        if !one.names.isDisjoint(with: other.names) || !one.media.isDisjoint(with: other.media) { return true }
        guard one.media.isEmpty || other.media.isEmpty else { return false }
        return !(hasHandshake(one) && hasHandshake(other))
    }

    private func hasHandshake(_ transport: ICETransport) -> Bool {
        connections.contains { transport.places.contains($0.pair) && ($0.clientHello != nil || $0.serverHello != nil) }
    }

    /// Returns the index of the transport of a pair without checks: the one with an endpoint in common.
    private func home(of place: Int, _ transports: [ICETransport]) -> Int {
        let pair = pairs[place]
        return transports.firstIndex { transport in
            transport.places.contains { other in
                ![pairs[other].client, pairs[other].server].filter { $0 == pair.client || $0 == pair.server }.isEmpty
            }
        } ?? 0
    }

    /// Returns the `mid`s of a transport's media, or their kinds if they have none.
    func mids(of transport: ICETransport) -> [String] {
        guard let section = sections.first else { return [] }
        return transport.media.sorted().compactMap { index in
            section.media.indices.contains(index) ? section.media[index].mid ?? section.media[index].type : nil
        }
    }

    /// Returns the name of the transport for sentences.
    func name(of transport: ICETransport, _ number: Int) -> Text {
        let mids = mids(of: transport)
        if !mids.isEmpty { return Text("webrtc.transport", .string(mids.joined(separator: ", "))) }
        return Text("webrtc.transport.unnamed", .integer(number))
    }
}

// The state of one transport, or of the call if it has only one.
extension WebRTCSession {
    func pairs(of transport: ICETransport) -> [ICEPair] { transport.places.map { pairs[$0] } }

    func streams(of transport: ICETransport) -> [MediaEntry] {
        // Media may be on a flow that is no pair yet.
        guard transport.places.count < pairs.count else { return mediaStreams }
        let flows = Set(pairs(of: transport).map(\.flow))
        return mediaStreams.filter { flows.contains($0.flow) }
    }

    func connections(of transport: ICETransport) -> [DTLSConnection] {
        connections.filter { transport.places.contains($0.pair) }
    }

    /// Returns the DTLS connection that progressed furthest.
    func connection(of transport: ICETransport) -> DTLSConnection? { Self.furthest(connections(of: transport)) }

    static func furthest(_ connections: [DTLSConnection]) -> DTLSConnection? {
        connections.first(where: \.isFinished) ?? connections.first { $0.serverHello != nil } ?? connections.first
    }

    /// Returns the selected pair: the nominated one with DTLS or media, else the one nominated last.
    func selectedPair(of transport: ICETransport) -> ICEPair? {
        let nominated = pairs(of: transport).filter { $0.nominated != nil }
        return nominated.last { pair in mediaStreams.contains { $0.flow == pair.flow } }
            ?? nominated.last { $0.carriesDTLS }
            ?? nominated.max { ($0.nominatedLast?.frame ?? 0) < ($1.nominatedLast?.frame ?? 0) }
    }

    /// Returns the first check.
    func firstCheck(of transport: ICETransport) -> ICEPair.Moment? {
        pairs(of: transport).flatMap { [$0.fromClient.first, $0.fromServer.first] }.compactMap { $0 }
            .min { $0.time < $1.time }
    }

    /// Returns when a pair was first nominated.
    func nomination(of transport: ICETransport) -> ICEPair.Moment? {
        pairs(of: transport).compactMap(\.nominated).min { $0.time < $1.time }
    }
}
