import WeirEngine
import WeirPackets

/// One of the two ICE agents of a call, as its descriptions, candidates and checks show it (RFC 8445 §5).
struct ICEAgent {
    /// The username fragment and password of one generation: a restart changes them (RFC 8445 §9).
    struct Credentials: Sendable {
        /// The username fragment.
        var ufrag: String
        /// The password, a secret, or nil if only checks have shown the fragment.
        var password: String?
        /// The frame that contained them first.
        var frame: Int
        /// The indices of the media sections with these credentials: without BUNDLE each has its own (RFC 9143 §7.1).
        var media: Set<Int> = []
    }

    /// A candidate that the agent offered.
    struct Candidate: Sendable {
        /// The candidate.
        var content: ICECandidate
        /// The first frame with the candidate, and its time.
        var frame: Int
        var time: Timestamp
        /// The event of the message with the candidate.
        var event: Int
        /// The `mid` of its media section, if present.
        var mid: String?
        /// The username fragment of its generation, if known.
        var ufrag: String?

        /// The transport address, or nil if the address is a name.
        var endpoint: Endpoint? {
            IPAddress(content.address).map { Endpoint(address: $0, port: content.port) }
        }

        /// Whether connections from this end of a pair match the candidate: an active TCP candidate has no port of its
        /// own, since each connection that its agent opens has another one (RFC 6544).
        func opens(_ pair: ICEPair, from end: Endpoint) -> Bool {
            pair.isTCP && end == pair.client && content.tcpType == "active" && IPAddress(content.address) == end.address
        }
    }

    /// The maximum number of fingerprints kept of a description.
    static let mostFingerprints = 16
    /// Its generations of credentials, oldest first.
    var credentials: [Credentials] = []
    /// The tie-breaker in its checks, which never changes (RFC 8445 §16.1).
    var tieBreaker: UInt64?
    /// The number of ICE restarts (RFC 8445 §9).
    var restarts = 0
    /// Its candidates, in order.
    var candidates: [Candidate] = []
    /// The frame with its end-of-candidates indication, if any.
    var candidatesEnded: Int?
    /// The fingerprints of its certificates in its latest description.
    var fingerprints: [SDPFingerprint] = []
    /// The DTLS role in its latest description: `active`, `passive`, `actpass`.
    var setup: String?
    /// Whether it is a lite agent (RFC 8445 §2.5).
    var isLite = false
    /// Whether it sent the first offer, or nil if the capture does not show it.
    var isOfferer: Bool?
    /// Its latest description, and the frame that contains it.
    var description: SessionDescription?
    var descriptionFrame: Int?
    /// The flows, and the directions in them, that carry its signaling.
    var speaksOn: [(flow: Int, direction: Direction)] = []

    /// Whether the username fragment is one of its own.
    func has(_ ufrag: String) -> Bool { credentials.contains { $0.ufrag == ufrag } }

    /// Whether a description updates its latest: same origin, not older (RFC 8866 §5.2), and same certificate, since
    /// many peers use the same origin in all their calls.
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

    /// Whether its signaling is sent in this direction of a flow.
    func speaks(on flow: Int, _ direction: Direction) -> Bool {
        speaksOn.contains { $0.flow == flow && $0.direction == direction }
    }

    /// Returns the candidate at an endpoint: by address and port, or by the port alone if the address is hidden.
    func candidate(at endpoint: Endpoint) -> Candidate? {
        candidates.first { $0.endpoint == endpoint }
            ?? candidates.first { $0.endpoint == nil && $0.content.port == endpoint.port }
    }
}

/// The agents of a call, and the lookup of an agent by name or direction.
struct ICEAgents {
    private(set) var all: [ICEAgent] = []
    /// The number of generations that exceeded the limit.
    private(set) var forgotten = 0
    /// The maximum number of generations per agent.
    private let generations: Int

    init(generations: Int) { self.generations = max(1, generations) }

    /// Returns the index of the agent with a username fragment.
    func index(of ufrag: String) -> Int? { all.firstIndex { $0.has(ufrag) } }

    /// Returns the index of the agent with a tie-breaker.
    func index(ofTieBreaker number: UInt64?) -> Int? {
        guard let number else { return nil }
        return all.firstIndex { $0.tieBreaker == number }
    }

    /// Returns the password of a username fragment: a secret.
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

    /// Records the username fragments in a check (RFC 8445 §7.2.2); `speaking` is the agent that sent earlier checks on
    /// the same pair. Returns whether both fragments are new although others were known: a restart (RFC 8445 §9).
    mutating func recordObserved(receiver: String, sender: String, frame: Int, speaking: Int?) -> Bool {
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

    /// Returns the index of the other agent.
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

    /// Returns the agent that created a description: by its fragments, by the direction of earlier signaling, or else
    /// by offer and answer order. The origin is less reliable: some peers use the time in seconds, which may be equal
    /// for both.
    ///
    /// - Parameter offerer: The agent that made the latest offer.
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

    /// Returns the agent of a candidate, by the fragment of its generation, or by the direction of its signaling.
    func author(ofCandidate ufrag: String?, flow: Int, _ direction: Direction) -> Int? {
        if let known = ufrag.flatMap({ index(of: $0) }) { return known }
        return all.lastIndex { $0.speaks(on: flow, direction) }
    }
}
