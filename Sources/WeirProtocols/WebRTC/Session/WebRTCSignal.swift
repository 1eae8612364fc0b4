import WeirEngine

/// A message that contains signaling of two peers: a step of a `WebRTCSession`.
///
/// Signaling is not part of WebRTC (RFC 8829 §3.2): any carrier, such as JSON or WHIP, conforms to this protocol and
/// uses `WebRTCSession` as its `sessionType`.
protocol WebRTCSignal: Message {
    /// The signaling in the message.
    var signal: WebRTCSignalContent { get }
    /// Returns the steps of signaling in a message of another protocol, which follow its event.
    func steps(of event: Int) -> [any Message]
}

extension WebRTCSignal {
    /// The default: none; the message itself is the step.
    func steps(of event: Int) -> [any Message] { [] }
}

/// The contents of one signaling message.
struct WebRTCSignalContent: Sendable {
    /// The type of a session description (RFC 8829 §4.1.8).
    enum DescriptionType: String, Sendable {
        /// An offer.
        case offer
        /// An answer.
        case answer
        /// A provisional answer.
        case provisionalAnswer = "pranswer"
    }

    /// A session description of one of the peers.
    struct Description: Sendable {
        /// The type.
        var type: DescriptionType
        /// The description.
        var content: SessionDescription
        /// Whether it is embedded in another text, such as a JSON string: the session reports it as an event of its
        /// own, and the dissector does not.
        var isWrapped: Bool

        /// Creates a description.
        init(_ type: DescriptionType, _ content: SessionDescription, isWrapped: Bool = false) {
            self.type = type
            self.content = content
            self.isWrapped = isWrapped
        }
    }

    /// A candidate sent after the description (trickle ICE, RFC 8838).
    struct Candidate: Sendable {
        /// The candidate.
        var content: ICECandidate
        /// The `mid` of its media section, if present.
        var mid: String?
        /// The username fragment of its generation (RFC 8840 §4.1), if present.
        var ufrag: String?

        /// Creates a candidate.
        init(_ content: ICECandidate, mid: String? = nil, ufrag: String? = nil) {
            self.content = content
            self.mid = mid
            self.ufrag = ufrag
        }
    }

    /// The name of the call, if the protocol has one: a room, a resource, a handle. Messages with the same name at the
    /// same server belong to one call.
    var call: String?
    /// The host of the name, if the protocol has one: hosts that share an address have separate names.
    var authority: String?
    /// Whether it answers an offer of the same connection, and so belongs to that offer's call, whatever its name.
    var answersConnection = false
    /// Whether each message is an exchange of its own, on any connection, as in HTTP.
    var isExchange = false
    /// The rejection of the pending offer.
    var refusal: OfferRefusal?
    /// The sender, as the peers name each other.
    var from: String?
    /// The recipient, as the peers name each other.
    var to: String?
    /// The description.
    var description: Description?
    /// The candidates.
    var candidates: [Candidate]
    /// Username fragments besides those of its description and of its candidates.
    var fragments: [String]
    /// Whether it contains an end-of-candidates indication.
    var endsCandidates: Bool
    /// Whether it ends the call.
    var endsCall: Bool

    /// Creates the contents of a message.
    init(
        call: String? = nil, from: String? = nil, to: String? = nil, description: Description? = nil,
        candidates: [Candidate] = [], fragments: [String] = [], endsCandidates: Bool = false, endsCall: Bool = false
    ) {
        self.call = call
        self.from = from
        self.to = to
        self.description = description
        self.candidates = candidates
        self.fragments = fragments
        self.endsCandidates = endsCandidates
        self.endsCall = endsCall
    }

    /// Whether it contains neither a description nor a candidate.
    var isBare: Bool { description == nil && candidates.isEmpty }

    /// All username fragments: of its description's media, of its candidates, and separate ones.
    var userFragments: [String] {
        var fragments = description?.content.userFragments ?? []
        for candidate in candidates {
            guard let ufrag = candidate.ufrag ?? candidate.content.ufrag, !fragments.contains(ufrag) else { continue }
            fragments.append(ufrag)
        }
        return fragments + self.fragments.filter { !fragments.contains($0) }
    }
}

extension SessionDescription {
    /// The username fragments of its media sections, in order, without duplicates (RFC 8839 §5.4).
    var userFragments: [String] {
        var fragments: [String] = []
        for fragment in [iceUfrag] + media.map(\.iceUfrag) {
            if let fragment, !fragments.contains(fragment) { fragments.append(fragment) }
        }
        return fragments
    }

    /// Returns the indices of the media sections with a username fragment.
    func media(of fragment: String) -> [Int] {
        media.indices.filter { (media[$0].iceUfrag ?? iceUfrag) == fragment }
    }

    /// The fingerprints of its certificates, at session and media level (RFC 8122 §5).
    var allFingerprints: [SDPFingerprint] { fingerprints + media.flatMap(\.fingerprints) }

    /// Returns the password of a username fragment: a secret.
    func password(of fragment: String) -> String? {
        for medium in media where (medium.iceUfrag ?? iceUfrag) == fragment {
            if let password = medium.icePwd ?? icePwd { return password }
        }
        return iceUfrag == fragment ? icePwd : nil
    }
}
