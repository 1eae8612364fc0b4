import WeirEngine
import WeirPackets

// Causes of failed calls in their descriptions.

extension WebRTCSession {
    /// Returns what the offerer cannot accept in the answer, if it sent no check after it.
    func unacceptableAnswer() -> ICECause? {
        guard sawSignaling, hadTimeToConnect || isClosedByPeer, connections.isEmpty, mediaStreams.isEmpty,
            let offer, let answer, offer.agent != answer.agent, let frame = agents[answer.agent].descriptionFrame,
            !hasChecks(of: offer.agent), let reason = Self.defect(of: answer.content, to: offer.content)
        else { return nil }
        var cause = ICECause(kind: .answerUnacceptable, isHeld: true, frame: frame, subject: [.text(reason)])
        cause.isLikely = true
        return cause
    }

    private func hasChecks(of agent: Int) -> Bool {
        pairs.indices.contains { place in
            [Direction.clientToServer, .serverToClient].contains { direction in
                pairs[place][direction].sent > 0 && author(of: direction, on: place) == agent
            }
        }
    }

    /// Returns why browsers refuse an answer.
    private static func defect(of answer: SessionDescription, to offer: SessionDescription) -> Text? {
        guard answer.media.count == offer.media.count else {
            return Text("webrtc.answer.count", .integer(answer.media.count), .integer(offer.media.count))
        }
        let pairs = zip(answer.media, offer.media)
        if pairs.contains(where: { $0.type != $1.type }) { return Text("webrtc.answer.order") }
        let accepted = pairs.filter { !answer.isRejected($0.0) }
        // The DTLS client must be certain (RFC 8842 §5.3).
        if accepted.contains(where: { ($0.0.setup ?? answer.setup) == "actpass" }) {
            return Text("webrtc.answer.actpass")
        }
        let mids = answer.media.compactMap(\.mid)
        if !answer.bundle.allSatisfy(mids.contains) { return Text("webrtc.answer.bundle") }
        // Bundled media share a port with their RTCP (RFC 9143 §9.3).
        let tagged = accepted.first { pair in pair.0.mid.map { $0 == answer.bundle.first } ?? false }
        if let tagged, tagged.0.isRTP, !tagged.0.rtcpMux, tagged.1.rtcpMux { return Text("webrtc.answer.rtcpMux") }
        // The certificate has to match a fingerprint of a hash function that the offerer supports (RFC 8122 §5.1); SHA-256
        // is the preferred one (§7), and not all support SHA-1.
        let fingerprints = answer.fingerprints + accepted.flatMap(\.0.fingerprints)
        if !fingerprints.isEmpty, fingerprints.allSatisfy({ $0.hash.lowercased() == "sha-1" }) {
            return Text("webrtc.answer.sha1")
        }
        return nil
    }

    /// Returns the frame of the description that replaced the credentials in unanswered checks, all sent after it.
    func replacement(of checks: ICEPair.Checks) -> Int? {
        guard let receiver = checks.fragments?.receiver, let first = checks.first,
            let agent = agents.index(of: receiver), let description = agents[agent].description,
            let frame = agents[agent].descriptionFrame, first.frame > frame,
            !description.userFragments.isEmpty, !description.userFragments.contains(receiver),
            agents[agent].credentials.contains(where: { $0.ufrag == receiver && $0.frame < frame })
        else { return nil }
        return frame
    }
}
