import WeirEngine
import WeirPackets

/// One of the ways that a call needs: with BUNDLE all media share one, without it each medium has its own, with candidates,
/// checks and DTLS of its own (RFC 9143 §7).
package struct ICETransport {
    /// The media that travel on it, by number; empty where the capture does not show them.
    package fileprivate(set) var media: Set<Int> = []
    /// Its pairs, as places in the session's table.
    package fileprivate(set) var places: [Int] = []
    /// The names in its checks.
    fileprivate var names: Set<String> = []
}

extension WebRTCSession {
    /// The transports that pairs were tried for, in the order of their media, and one where none was.
    package var transports: [ICETransport] {
        var transports: [ICETransport] = []
        for place in pairs.indices {
            guard let names = pairs[place].names else { continue }
            var one = ICETransport(media: media(of: names), places: [place], names: names)
            // What it has in common with others makes them one.
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

    /// The media that descriptions give names to.
    private func media(of names: Set<String>) -> Set<Int> {
        var media: Set<Int> = []
        for agent in agents.all {
            for known in agent.credentials where names.contains(known.ufrag) { media.formUnion(known.media) }
        }
        return media
    }

    /// Whether two groups of pairs are of one transport: they have a name or a medium in common. Where no description says
    /// whose the names are, they may be those of another generation: only a handshake of its own tells that it is another.
    private func areOne(_ one: ICETransport, _ other: ICETransport) -> Bool {
        if !one.names.isDisjoint(with: other.names) || !one.media.isDisjoint(with: other.media) { return true }
        guard one.media.isEmpty || other.media.isEmpty else { return false }
        return !(hasHandshake(one) && hasHandshake(other))
    }

    private func hasHandshake(_ transport: ICETransport) -> Bool {
        connections.contains { transport.places.contains($0.pair) && ($0.clientHello != nil || $0.serverHello != nil) }
    }

    /// The transport of a pair without checks: the one that has an end in common with it.
    private func home(of place: Int, _ transports: [ICETransport]) -> Int {
        let pair = pairs[place]
        return transports.firstIndex { transport in
            transport.places.contains { other in
                ![pairs[other].client, pairs[other].server].filter { $0 == pair.client || $0 == pair.server }.isEmpty
            }
        } ?? 0
    }

    /// The names of a transport's media, or their kinds where these have no names.
    func mids(of transport: ICETransport) -> [String] {
        guard let section = sections.first else { return [] }
        return transport.media.sorted().compactMap { index in
            section.media.indices.contains(index) ? section.media[index].mid ?? section.media[index].type : nil
        }
    }

    /// What the transport is called in sentences.
    func name(of transport: ICETransport, _ number: Int) -> Text {
        let mids = mids(of: transport)
        if !mids.isEmpty { return Text("webrtc.transport", .string(mids.joined(separator: ", "))) }
        return Text("webrtc.transport.unnamed", .integer(number))
    }
}

// What is known of one transport, or of the call where it has one alone.
extension WebRTCSession {
    func pairs(of transport: ICETransport) -> [ICEPair] { transport.places.map { pairs[$0] } }

    func streams(of transport: ICETransport) -> [MediaEntry] {
        // Media may come on a flow that is no pair yet.
        guard transport.places.count < pairs.count else { return mediaStreams }
        let flows = Set(pairs(of: transport).map(\.flow))
        return mediaStreams.filter { flows.contains($0.flow) }
    }

    func connections(of transport: ICETransport) -> [DTLSConnection] {
        connections.filter { transport.places.contains($0.pair) }
    }

    /// The DTLS connection that came furthest.
    func connection(of transport: ICETransport) -> DTLSConnection? { Self.furthest(connections(of: transport)) }

    static func furthest(_ connections: [DTLSConnection]) -> DTLSConnection? {
        connections.first(where: \.isFinished) ?? connections.first { $0.serverHello != nil } ?? connections.first
    }

    /// The pair that a transport went over: the nominated one that carried DTLS or media, else the one nominated last.
    func selectedPair(of transport: ICETransport) -> ICEPair? {
        let nominated = pairs(of: transport).filter { $0.nominated != nil }
        return nominated.last { pair in mediaStreams.contains { $0.flow == pair.flow } }
            ?? nominated.last { $0.carriesDTLS }
            ?? nominated.max { ($0.nominatedLast?.frame ?? 0) < ($1.nominatedLast?.frame ?? 0) }
    }

    /// The first check.
    func firstCheck(of transport: ICETransport) -> ICEPair.Moment? {
        pairs(of: transport).flatMap { [$0.fromClient.first, $0.fromServer.first] }.compactMap { $0 }
            .min { $0.time < $1.time }
    }

    /// When a pair was nominated first.
    func nomination(of transport: ICETransport) -> ICEPair.Moment? {
        pairs(of: transport).compactMap(\.nominated).min { $0.time < $1.time }
    }
}
