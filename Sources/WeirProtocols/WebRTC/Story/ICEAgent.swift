import WeirEngine
package import WeirPackets

/// One of the two agents of a call, as its descriptions, candidates and checks show it (RFC 8445 §5).
package struct ICEAgent {
    /// The name and password of one generation: a restart brings new ones (RFC 8445 §9).
    package struct Credentials: Sendable {
        /// The user name fragment.
        package var ufrag: String
        /// The password, a secret; nil when only checks have shown the fragment.
        package var password: String?
        /// The frame that showed them first.
        package var frame: Int
        /// The media that descriptions give them to, by number: without BUNDLE each medium has its own (RFC 9143 §7.1).
        package internal(set) var media: Set<Int> = []
    }

    /// A candidate that it offered.
    package struct Candidate: Sendable {
        /// The candidate.
        package var content: ICECandidate
        /// The frame that brought it first, and when.
        package var frame: Int
        package var time: Timestamp
        /// The event of the message that brought it.
        package var event: Int
        /// Its medium, if that was said.
        package var mid: String?
        /// The fragment of the generation that it belongs to, if that is known.
        package var ufrag: String?

        /// Where it can be reached; nil when its address is a name.
        package var endpoint: Endpoint? {
            IPAddress(content.address).map { Endpoint(address: $0, port: content.port) }
        }

        /// Whether connections from this end of a pair are its: an active candidate of TCP tells no port of its own, since
        /// each connection that its agent opens comes from another (RFC 6544).
        func opens(_ pair: ICEPair, from end: Endpoint) -> Bool {
            pair.isTCP && end == pair.client && content.tcpType == "active" && IPAddress(content.address) == end.address
        }
    }

    /// Most fingerprints of a description that are kept.
    static let mostFingerprints = 16
    /// Its generations, oldest first.
    package internal(set) var credentials: [Credentials] = []
    /// The random number in its checks, which it keeps (RFC 8445 §16.1).
    var tieBreaker: UInt64?
    /// How often its names changed while the call went on (RFC 8445 §9).
    package internal(set) var restarts = 0
    /// Its candidates, in order.
    package internal(set) var candidates: [Candidate] = []
    /// Whether it said that no more candidates come, and in which frame.
    package internal(set) var candidatesEnded: Int?
    /// The hashes of its certificates, of its latest description.
    package internal(set) var fingerprints: [SDPFingerprint] = []
    /// Its DTLS role, of its latest description: `active`, `passive`, `actpass`.
    package internal(set) var setup: String?
    /// Whether it does only what a server with a public address must (RFC 8445 §2.5).
    package internal(set) var isLite = false
    /// Whether the first offer was its own; nil when the capture does not show.
    package internal(set) var isOfferer: Bool?
    /// Its latest description, and the frame that brought it.
    package internal(set) var description: SessionDescription?
    package internal(set) var descriptionFrame: Int?
    /// Where its signaling comes from: the flow, and the direction in it.
    var speaksOn: [(flow: Int, direction: Direction)] = []

    /// Whether the fragment is one of its own.
    func has(_ ufrag: String) -> Bool { credentials.contains { $0.ufrag == ufrag } }

    /// Whether a description goes on with its latest: of the same origin, not older (RFC 8866 §5.2), and of the same
    /// certificate, since many peers write the same origin in all their calls.
    func goesOn(with next: SessionDescription) -> Bool {
        guard let origin = description?.origin, let other = next.origin, origin.username == other.username,
            origin.sessionId == other.sessionId
        else { return false }
        if let before = UInt64(origin.sessionVersion), let now = UInt64(other.sessionVersion), now < before {
            return false
        }
        let shown = next.allFingerprints
        return fingerprints.isEmpty || shown.isEmpty || shown.contains(where: fingerprints.contains)
    }

    /// Whether its signaling comes from there.
    func speaks(on flow: Int, _ direction: Direction) -> Bool {
        speaksOn.contains { $0.flow == flow && $0.direction == direction }
    }

    /// The candidate at an endpoint: by address and port, or by the port alone where the address is hidden.
    package func candidate(at endpoint: Endpoint) -> Candidate? {
        candidates.first { $0.endpoint == endpoint }
            ?? candidates.first { $0.endpoint == nil && $0.content.port == endpoint.port }
    }
}

/// The agents of a call, and which of them a name or a direction belongs to.
struct ICEAgents {
    private(set) var all: [ICEAgent] = []
    /// Generations that there was no room for any more.
    private(set) var forgotten = 0
    /// Generations of one agent that are kept.
    private let generations: Int

    init(generations: Int) { self.generations = max(1, generations) }

    /// The agent that a fragment belongs to.
    func index(of ufrag: String) -> Int? { all.firstIndex { $0.has(ufrag) } }

    /// The agent whose checks have a tie-breaker.
    func index(ofTieBreaker number: UInt64?) -> Int? {
        guard let number else { return nil }
        return all.firstIndex { $0.tieBreaker == number }
    }

    /// The password of a fragment: a secret.
    func password(of ufrag: String) -> String? {
        for agent in all {
            for credentials in agent.credentials where credentials.ufrag == ufrag { return credentials.password }
        }
        return nil
    }

    subscript(index: Int) -> ICEAgent {
        get { all[index] }
        set { all[index] = newValue }
    }

    /// Learns from a check whose names these are (RFC 8445 §7.2.2); `speaking` is the agent that sent earlier ones on the
    /// same way. Returns whether both names are new although others were known: a restart (RFC 8445 §9).
    mutating func learn(receiver: String, sender: String, frame: Int, speaking: Int?) -> Bool {
        let knowsNames = all.contains { !$0.credentials.isEmpty }
        switch (index(of: receiver), index(of: sender)) {
        case (nil, nil):
            var sending = speaking ?? 0
            if all.isEmpty { sending = append() }
            add(sender, nil, to: sending, frame)
            add(receiver, nil, to: other(than: sending), frame)
            return knowsNames
        case (let known?, nil): add(sender, nil, to: other(than: known), frame)
        case (nil, let known?): add(receiver, nil, to: other(than: known), frame)
        default: break
        }
        return false
    }

    /// The other of the two.
    mutating func other(than index: Int) -> Int {
        if all.count < 2 { return append() }
        return index == 0 ? 1 : 0
    }

    mutating func append() -> Int {
        all.append(ICEAgent())
        return all.count - 1
    }

    mutating func add(
        _ ufrag: String, _ password: String?, to index: Int, _ frame: Int, media: some Sequence<Int> = []
    ) {
        if let known = all[index].credentials.firstIndex(where: { $0.ufrag == ufrag }) {
            if all[index].credentials[known].password == nil { all[index].credentials[known].password = password }
            all[index].credentials[known].media.formUnion(media)
            return
        }
        if all[index].credentials.count >= generations {
            all[index].credentials.removeFirst()
            forgotten += 1
        }
        all[index].credentials.append(
            ICEAgent.Credentials(ufrag: ufrag, password: password, frame: frame, media: Set(media)))
    }

    /// The agent that made a description: by its fragments, by who spoke there before, or else the one whose turn it is. What
    /// the description says of its origin tells less: some peers take the time in seconds, and both have the same.
    ///
    /// - Parameter offerer: the agent that made the latest offer.
    mutating func author(
        of description: WebRTCSignalContent.Description, flow: Int, _ direction: Direction, offerer: Int?
    ) -> Int {
        for ufrag in description.content.userFragments {
            if let known = index(of: ufrag) { return known }
        }
        let author: Int
        if description.type != .offer, let offerer {
            author = other(than: offerer)
        } else if let known = all.firstIndex(where: { $0.speaks(on: flow, direction) }) {
            author = known
        } else if let free = all.firstIndex(where: { $0.description == nil }) {
            author = free
        } else {
            author = all.count < 2 ? append() : 0
        }
        return author
    }

    /// The agent that a candidate belongs to, by the fragment of its generation, or by where it comes from.
    func author(ofCandidate ufrag: String?, flow: Int, _ direction: Direction) -> Int? {
        if let known = ufrag.flatMap({ index(of: $0) }) { return known }
        return all.lastIndex { $0.speaks(on: flow, direction) }
    }
}
