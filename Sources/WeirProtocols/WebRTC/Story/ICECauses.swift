package import WeirEngine
import WeirPackets

/// One reason why a call may have failed: held by what a frame shows, or struck by it.
package struct ICECause: Sendable {
    /// What may have gone wrong.
    package enum Kind: String, Sendable, CaseIterable {
        /// One agent has told the other no candidate.
        case noCandidate = "no-candidate"
        /// The candidates of the two are of different address families.
        case oneFamily = "one-family"
        /// Candidates were exchanged, and no check was sent.
        case noChecks = "no-checks"
        /// Checks of one direction had no answer.
        case unanswered
        /// Checks of one direction were refused.
        case refused
        /// The authentication code of a check is wrong.
        case integrity
        /// Both agents took the same role, and did not resolve it.
        case roleConflict = "role-conflict"
        /// Direct ways failed, and only one over a relay worked.
        case relayOnly = "relay-only"
        /// No pair was nominated although checks were granted.
        case notNominated = "not-nominated"
        /// A relay refused what was asked of it.
        case relayRefused = "relay-refused"
        /// The answer to a restart has the names from before.
        case staleAnswer = "stale-answer"
        /// Consent checks had no answer any more.
        case consentLost = "consent-lost"
        /// A consent check was refused.
        case consentRefused = "consent-refused"
        /// A pair was nominated, and neither side sent a ClientHello.
        case noDTLS = "no-dtls"
        /// Neither side sent a ClientHello, since both descriptions say that they wait for it.
        case bothPassive = "both-passive"
        /// Both descriptions say that their side sends the ClientHello.
        case bothActive = "both-active"
        /// DTLS began, and was not answered.
        case unansweredDTLS = "unanswered-dtls"
        /// DTLS messages in long datagrams were sent again and again.
        case largeDTLS = "large-dtls"
        /// A certificate is not the one whose hash the description says.
        case fingerprint
        /// One side refused the handshake.
        case alert
    }

    /// What may have gone wrong.
    package let kind: Kind
    /// Whether the frame shows it; else that it was not so.
    package let isHeld: Bool
    /// The frame that decides.
    package let frame: Int
    /// Further frames that decide.
    package var moreFrames: [Int] = []
    /// Who, which direction, or what else it is about.
    package let subject: [Text.Argument]
    /// What the sentence is about, where a cause has several.
    var variant: String?

    /// The same as sessions report it.
    var cause: Cause {
        let key = "webrtc.cause.\(kind.rawValue)" + (isHeld ? variant.map { ".\($0)" } ?? "" : ".ruledOut")
        return Cause(
            kind.rawValue, isHeld ? .proved : .ruledOut, frames: [frame] + moreFrames,
            Text(key, arguments: [.integer(frame)] + subject))
    }
}

// Why a call failed, as far as packets show. A capture that lacks a part of the call proves no absence.

extension WebRTCSession {
    /// The causes that a frame decides; nothing when the call came to media or to an encrypted connection.
    package func iceCauses() -> [ICECause] {
        var causes: [ICECause] = []
        let works = nomination
        if let restart, let answer = restart.staleAnswer {
            hold(&causes, .staleAnswer, answer.frame, .integer(restart.moment.frame))
        }
        candidateCauses(&causes, works)
        for transport in transports {
            let works = nomination(of: transport)
            checkCauses(&causes, transport, works)
            if let works { connectionCauses(&causes, transport, works) }
        }
        // Where nothing failed there is nothing to strike.
        return causes.contains { $0.isHeld } ? causes : []
    }

    private func hold(_ causes: inout [ICECause], _ kind: ICECause.Kind, _ frame: Int, _ subject: Text.Argument...) {
        causes.append(ICECause(kind: kind, isHeld: true, frame: frame, subject: subject))
    }

    private func strike(_ causes: inout [ICECause], _ kind: ICECause.Kind, _ frame: Int) {
        causes.append(ICECause(kind: kind, isHeld: false, frame: frame, subject: []))
    }

    /// Whether nothing of the signaling is missing.
    var sawSignaling: Bool {
        firstOffer != nil && firstAnswer != nil && !completeness.hasGap && !completeness.startsLate
            && !completeness.isOneSided && !completeness.isCut && !completeness.hasDrops && !completeness.isFiltered
    }

    private func candidateCauses(_ causes: inout [ICECause], _ works: ICEPair.Moment?) {
        guard agents.all.count == 2 else { return }
        for agent in agents.all {
            if let first = agent.candidates.first {
                strike(&causes, .noCandidate, first.frame)
            } else if works == nil, sawSignaling,
                // Candidates may come in messages of their own, until their end is said or the call is over.
                let frame = agent.candidatesEnded ?? (isHungUp ? agent.descriptionFrame : nil)
            {
                hold(&causes, .noCandidate, frame, .text(Text(name(of: agent))))
            }
        }
        let families = agents.all.map { agent in
            Set(agent.candidates.compactMap { IPAddress($0.content.address)?.isIPv4 })
        }
        guard works == nil, families.allSatisfy({ $0.count == 1 }), families[0] != families[1],
            !agents.all.contains(where: { $0.candidates.contains(where: \.content.isMDNS) }),
            let frame = agents.all.flatMap(\.candidates).map(\.frame).max()
        else { return }
        hold(&causes, .oneFamily, frame)
    }

    /// Seconds after which what has not come is missed.
    private static var patience: Double { 2 }

    /// Whether checks had the time that finding a way takes: they went on for a while, were refused, or the peers gave up.
    /// A capture of some hundred milliseconds shows a beginning, and no failure.
    package var hadTimeToConnect: Bool { transports.contains { self.hadTimeToConnect($0) } }

    /// The same of one transport.
    func hadTimeToConnect(_ transport: ICETransport) -> Bool {
        guard let first = firstCheck(of: transport), let last = lastTime else { return false }
        return isHungUp || last.seconds(since: first.time) > Self.patience
            || pairs(of: transport).contains { !$0.errors.isEmpty }
    }

    /// Whether the capture may hold only what one end sent on the ways that were tried: then nothing is known of the other's
    /// answers. Who nominates a pair has had answers on it, unless it nominates them all.
    package var mayLackEnd: Bool { mayLackEnd(pairs) }

    private func mayLackEnd(_ pairs: [ICEPair]) -> Bool {
        !pairs.contains(where: \.isTwoSided) || pairs.contains { !$0.isTwoSided && $0.nominating != nil }
    }

    private func name(of agent: ICEAgent) -> String {
        agent.isOfferer == nil ? "webrtc.agent" : agent.isOfferer == true ? "webrtc.offerer" : "webrtc.answerer"
    }

    private func checkCauses(_ causes: inout [ICECause], _ transport: ICETransport, _ works: ICEPair.Moment?) {
        let pairs = pairs(of: transport)
        if let first = firstCheck(of: transport) {
            strike(&causes, .noChecks, first.frame)
        } else if sawSignaling, !completeness.lacksDatagrams, connections.isEmpty, mediaStreams.isEmpty,
            agents.all.allSatisfy({ !$0.candidates.isEmpty }),
            let answer = firstAnswer, (lastTime ?? answer.time).seconds(since: answer.time) > Self.patience
        {
            hold(&causes, .noChecks, agents.all.compactMap(\.candidates.last?.frame).max() ?? answer.frame)
        }
        if let fault = pairs.lazy.compactMap(\.integrityFault).first {
            hold(&causes, .integrity, fault.frame)
        } else if let proof = pairs.lazy.compactMap(\.integrityProof).first {
            strike(&causes, .integrity, proof.frame)
        }
        if let conflict = pairs.flatMap(\.errors).first(where: { $0.code == 487 }), works == nil {
            hold(&causes, .roleConflict, conflict.frame)
        }
        if let works {
            strike(&causes, .unanswered, works.frame)
            relayCause(&causes, transport)
            consentCause(&causes, transport)
        } else if connections(of: transport).isEmpty, streams(of: transport).isEmpty {
            // Where DTLS or media flows, the capture has missed the nomination.
            failedChecks(&causes, transport)
            if let refusal = relayErrors.first {
                hold(&causes, .relayRefused, refusal.frame, .integer(refusal.code))
            }
        }
    }

    /// Directions in which no check was granted; when there is none, that nobody nominated.
    private func failedChecks(_ causes: inout [ICECause], _ transport: ICETransport) {
        var hasSilence = false
        let pairs = pairs(of: transport)
        for pair in pairs {
            for direction in [Direction.clientToServer, .serverToClient] {
                let checks = pair[direction]
                guard checks.sent > 0, checks.succeeded == 0 else { continue }
                let (from, to) = (pair.name(direction), pair.name(direction.opposite))
                hasSilence = true
                if checks.refused > 0 {
                    guard let error = checks.errors.first, causes.count < 32 else { continue }
                    hold(
                        &causes, .refused, error.frame, .integer(error.code), .text(from), .text(to))
                    continue
                }
                // One or two may still be answered when the capture ends.
                guard let last = checks.last, causes.count < 32, checks.sent + checks.repeated > 2, !mayLackEnd(pairs)
                else {
                    continue
                }
                hold(
                    &causes, .unanswered, last.frame, .integer(checks.sent + checks.repeated), .text(from), .text(to))
            }
        }
        let success = pairs.flatMap { [$0.fromClient.firstSuccess, $0.fromServer.firstSuccess] }.compactMap { $0 }
        guard !hasSilence, !causes.contains(where: { $0.isHeld }),
            // Else the nomination may have been before the capture.
            sawSignaling || pairs.contains(where: { $0.nominating != nil }),
            let first = success.min(by: { $0.time < $1.time }),
            (lastTime ?? first.time).seconds(since: first.time) > Self.patience
        else { return }
        hold(&causes, .notNominated, first.frame)
    }

    private func relayCause(_ causes: inout [ICECause], _ transport: ICETransport) {
        // Direct checks may have been answered before the capture.
        guard let selected = selectedPair(of: transport), selected.isRelayed, let nominated = selected.nominated,
            iceTime(of: transport) != nil
        else { return }
        let direct = pairs(of: transport).filter { !$0.isRelayed && ($0.fromClient.sent > 0 || $0.fromServer.sent > 0) }
        // Where the capture holds one direction alone, answers on the direct ways may be in the other.
        guard !direct.isEmpty, direct.allSatisfy({ !$0.works }), selected.fromClient.sent > 0,
            selected.fromServer.sent > 0
        else { return }
        hold(&causes, .relayOnly, nominated.frame)
    }

    /// Consent that was asked for at least three times, over more than ten seconds, without an answer.
    private func consentCause(_ causes: inout [ICECause], _ transport: ICETransport) {
        guard let pair = selectedPair(of: transport) else { return }
        // 403 takes the consent back (RFC 7675 §5.1).
        if let nominated = pair.nominated,
            let refusal = pair.errors.first(where: { $0.code == 403 && $0.frame > nominated.frame })
        {
            hold(&causes, .consentRefused, refusal.frame, .integer(refusal.code))
        }
        for checks in [pair.fromClient, pair.fromServer] {
            guard let last = checks.last, let answered = checks.lastSuccess,
                last.time.seconds(since: answered.time) > 10, checks.sent - checks.succeeded >= 3,
                // Who got no answer would have stopped (RFC 7675 §5.1): it is the capture that lacks them.
                (lastMediaTime ?? answered.time).seconds(since: answered.time) <= 30
            else { continue }
            hold(&causes, .consentLost, last.frame, .integer(answered.frame))
            return
        }
    }

    private func connectionCauses(
        _ causes: inout [ICECause], _ transport: ICETransport, _ works: ICEPair.Moment
    ) {
        let connections = connections(of: transport)
        let mediaStreams = streams(of: transport)
        guard let connection = connection(of: transport) else {
            if lacksHandshake(transport) { causes += absentHandshakeCauses(works) }
            return
        }
        if !connection.isFinished, mediaStreams.isEmpty, connection.hasTwoClients, let cause = bothActive(connection) {
            causes.append(cause)
        }
        if let hello = connection.clientHello { strike(&causes, .noDTLS, hello.moment.frame) }
        if let wrong = connections.flatMap(\.certificates).first(where: { $0.matches == false }) {
            hold(&causes, .fingerprint, wrong.moment.frame)
        } else if let right = connections.flatMap(\.certificates).first(where: { $0.matches == true }) {
            strike(&causes, .fingerprint, right.moment.frame)
        }
        if let alert = connection.alert {
            hold(&causes, .alert, alert.moment.frame, .string(TLSNames.alert(alert.code)))
        }
        guard !connection.isFinished, mediaStreams.isEmpty else { return }
        if connection.serverHello == nil, connection.alert == nil, let hello = connection.clientHello,
            connection.clientHellos > 2
        {
            hold(&causes, .unansweredDTLS, hello.moment.frame, .integer(connection.clientHellos))
        } else if let longest = connection.longestDatagram, longest.octets > DTLSMessage.longestDatagram,
            connection.retransmissions > 1
        {
            hold(&causes, .largeDTLS, longest.frame, .integer(longest.octets))
        }
    }
}
