package import WeirEngine

/// A message that carries what two peers have to tell each other before they can speak directly: a step of a
/// `WebRTCSession`.
///
/// Signaling is no part of WebRTC (RFC 8829 §3.2): whatever carries it, JSON or WHIP, says what it holds by conforming to
/// this, and names `WebRTCSession` as its `story`.
package protocol WebRTCSignal: Message {
    /// What it says of a call.
    var signal: WebRTCSignalContent { get }
}

/// What one signaling message says of a call.
package struct WebRTCSignalContent: Sendable {
    /// What a session description is for (RFC 8829 §4.1.8).
    package enum DescriptionType: String, Sendable {
        /// It offers media.
        case offer
        /// It answers an offer.
        case answer
        /// It answers for the time being.
        case provisionalAnswer = "pranswer"
    }

    /// A session description of one of the peers.
    package struct Description: Sendable {
        /// What it is for.
        package var type: DescriptionType
        /// What it says.
        package var content: SessionDescription
        /// Whether it stands inside another text, such as a string of JSON: then the session tells it, as an event of its
        /// own, and the dissector does not.
        package var isWrapped: Bool

        /// Holds a description.
        package init(_ type: DescriptionType, _ content: SessionDescription, isWrapped: Bool = false) {
            self.type = type
            self.content = content
            self.isWrapped = isWrapped
        }
    }

    /// A candidate that comes after the description (trickle ICE, RFC 8838).
    package struct Candidate: Sendable {
        /// The candidate.
        package var content: ICECandidate
        /// The `mid` of its medium, if it was said.
        package var mid: String?
        /// The user name fragment of the generation that it belongs to (RFC 8840 §4.1), if it was said.
        package var ufrag: String?

        /// Holds a candidate.
        package init(_ content: ICECandidate, mid: String? = nil, ufrag: String? = nil) {
            self.content = content
            self.mid = mid
            self.ufrag = ufrag
        }
    }

    /// What names the call where the protocol does so: a room, a resource, a handle. Messages with the same name at the
    /// same server are of one call.
    package var call: String?
    /// The host that the name stands at, where the protocol says so: of two at one address, each has names of its own.
    package var authority: String?
    /// Whether it is the answer to an offer that its own connection carried: then it is of that offer's call, whatever name
    /// it brings.
    package var answersConnection = false
    /// The refusal of the pending offer.
    package var refusal: OfferRefusal?
    /// Who says it, as the peers name each other.
    package var from: String?
    /// To whom.
    package var to: String?
    /// The description that it carries.
    package var description: Description?
    /// The candidates that it carries.
    package var candidates: [Candidate]
    /// User name fragments that it says beside those of its description and of its candidates.
    package var fragments: [String]
    /// Whether it says that no more candidates come.
    package var endsCandidates: Bool
    /// Whether it ends the call.
    package var endsCall: Bool

    /// Holds what a message says.
    package init(
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

    /// The user name fragments that it says: of its description's media, of its candidates, and by themselves.
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
    /// The user name fragments of its media, in order, each once (RFC 8839 §5.4).
    var userFragments: [String] {
        var fragments: [String] = []
        for fragment in [iceUfrag] + media.map(\.iceUfrag) {
            if let fragment, !fragments.contains(fragment) { fragments.append(fragment) }
        }
        return fragments
    }

    /// The media that a user name fragment is of, by number.
    func media(of fragment: String) -> [Int] {
        media.indices.filter { (media[$0].iceUfrag ?? iceUfrag) == fragment }
    }

    /// The hashes of its certificates, of the whole and of its media (RFC 8122 §5).
    var allFingerprints: [SDPFingerprint] { fingerprints + media.flatMap(\.fingerprints) }

    /// The password that belongs to a user name fragment: a secret.
    func password(of fragment: String) -> String? {
        for medium in media where (medium.iceUfrag ?? iceUfrag) == fragment {
            if let password = medium.icePwd ?? icePwd { return password }
        }
        return iceUfrag == fragment ? icePwd : nil
    }
}
