import WeirEngine
import WeirPackets

/// A possible cause of a failed call, proved or ruled out by a frame.
struct ICECause: Sendable {
    /// The kinds of causes.
    enum Kind: String, Sendable, CaseIterable {
        /// One agent sent no candidate to the other.
        case noCandidate = "no-candidate"
        /// The candidates of the two agents are of different address families.
        case oneFamily = "one-family"
        /// Candidates were exchanged, and no check was sent.
        case noChecks = "no-checks"
        /// Checks in one direction had no response.
        case unanswered
        /// Nothing is listening on the port that checks were sent to, according to ICMP.
        case portUnreachable = "port-unreachable"
        /// Checks in one direction were rejected.
        case refused
        /// A check failed its message integrity.
        case integrity
        /// Both agents took the same role, and did not resolve the conflict.
        case roleConflict = "role-conflict"
        /// Checks on direct pairs failed, and only a relayed pair worked.
        case relayOnly = "relay-only"
        /// No pair was nominated although checks succeeded.
        case notNominated = "not-nominated"
        /// A relay rejected a request.
        case relayRefused = "relay-refused"
        /// The offerer sent no check after an answer that it cannot accept.
        case answerUnacceptable = "answer-unacceptable"
        /// Checks without a response have credentials that a later description replaced.
        case formerCredentials = "former-credentials"
        /// The answer to a restart has the old credentials.
        case staleAnswer = "stale-answer"
        /// Consent checks had no response any more.
        case consentLost = "consent-lost"
        /// A consent check was rejected.
        case consentRefused = "consent-refused"
        /// A pair was nominated, and neither side sent a ClientHello.
        case noDTLS = "no-dtls"
        /// Neither side sent a ClientHello, since both descriptions are passive.
        case bothPassive = "both-passive"
        /// Both descriptions are active.
        case bothActive = "both-active"
        /// DTLS started, and was not answered.
        case unansweredDTLS = "unanswered-dtls"
        /// DTLS messages in large datagrams were retransmitted repeatedly.
        case largeDTLS = "large-dtls"
        /// A certificate does not match the fingerprint in the description.
        case fingerprint
        /// One side rejected the handshake.
        case alert
    }

    /// The kind.
    let kind: Kind
    /// Whether the frame proves the cause; otherwise it rules it out.
    let isHeld: Bool
    /// The decisive frame.
    let frame: Int
    /// Further decisive frames.
    var moreFrames: [Int] = []
    /// The arguments of the sentence: agent, direction and others.
    let subject: [Text.Argument]
    /// The variant of the sentence, if a kind has several.
    var variant: String?
    /// Whether the packets only suggest the cause.
    var isLikely = false

    /// The cause as sessions report it.
    var cause: Cause {
        let key = "webrtc.cause.\(kind.rawValue)" + (isHeld ? variant.map { ".\($0)" } ?? "" : ".ruledOut")
        var cause = Cause(
            kind.rawValue, isHeld ? isLikely ? .likely : .proved : .ruledOut, frames: [frame] + moreFrames,
            Text(key, arguments: [.integer(frame)] + subject))
        cause.isFailure = kind != .relayOnly
        return cause
    }
}

// Why a call failed, as far as packets show. A truncated or partial capture proves no absence.

extension WebRTCSession {
    /// Returns the causes that a frame decides; none if the call reached media or an encrypted connection.
    func iceCauses() -> [ICECause] {
        var causes: [ICECause] = []
        let works = nomination
        if let restart, let answer = restart.staleAnswer {
            hold(&causes, .staleAnswer, answer.frame, .integer(restart.moment.frame))
        }
        if let cause = unacceptableAnswer() { causes.append(cause) }
        candidateCauses(&causes, works)
        for transport in transports {
            let works = nomination(of: transport)
            checkCauses(&causes, transport, works)
            if let works { connectionCauses(&causes, transport, works) }
        }
        // Without a failure there is nothing to rule out.
        return causes.contains { $0.isHeld } ? causes : []
    }

    private func hold(_ causes: inout [ICECause], _ kind: ICECause.Kind, _ frame: Int, _ subject: Text.Argument...) {
        causes.append(ICECause(kind: kind, isHeld: true, frame: frame, subject: subject))
    }

    private func strike(_ causes: inout [ICECause], _ kind: ICECause.Kind, _ frame: Int) {
        causes.append(ICECause(kind: kind, isHeld: false, frame: frame, subject: []))
    }

    /// Whether the signaling was captured completely.
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
                // Candidates may arrive in messages of their own, until the end of candidates or of the call.
                let frame = agent.candidatesEnded ?? (isClosedByPeer ? agent.descriptionFrame : nil)
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

    /// Seconds after which something outstanding counts as missing.
    private static var patience: Double { 2 }

    /// Whether checks had enough time to succeed: they lasted a while, were rejected, or the peers gave up. A capture
    /// of some hundred milliseconds shows a start, not a failure.
    var hadTimeToConnect: Bool { transports.contains { self.hadTimeToConnect($0) } }

    /// Whether checks of one transport had enough time to succeed.
    func hadTimeToConnect(_ transport: ICETransport) -> Bool {
        guard let first = firstCheck(of: transport), let last = lastTime else { return false }
        return isClosedByPeer || last.seconds(since: first.time) > Self.patience
            || pairs(of: transport).contains { !$0.errors.isEmpty }
    }

    /// Whether the capture may contain only the packets that one endpoint sent on the pairs, so that the responses are
    /// not known. An agent that nominates a pair has received responses on it, unless it nominates all pairs.
    var mayLackEnd: Bool { mayLackEnd(pairs) }

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
        } else if let fault = pairs.lazy.compactMap(\.responseFault).first {
            causes.append(
                ICECause(kind: .integrity, isHeld: true, frame: fault.frame, subject: [], variant: "response"))
        } else if let proof = pairs.lazy.compactMap(\.integrityProof).first {
            strike(&causes, .integrity, proof.frame)
        }
        // A later check of the same agent that succeeds shows that it changed its role.
        let unresolved = pairs.flatMap { [$0.fromClient, $0.fromServer] }.filter { $0.succeeded == 0 }
        if let conflict = unresolved.flatMap(\.errors).first(where: { $0.code == 487 }), works == nil {
            hold(&causes, .roleConflict, conflict.frame)
        }
        if let works {
            strike(&causes, .unanswered, works.frame)
            relayCause(&causes, transport)
            consentCause(&causes, transport)
        } else if connections(of: transport).isEmpty, streams(of: transport).isEmpty {
            // DTLS or media without a nomination: the nomination was not captured.
            failedChecks(&causes, transport)
            if let refusal = relayErrors.first, !pairs.contains(where: \.works) {
                hold(&causes, .relayRefused, refusal.frame, .integer(refusal.code))
            }
        }
    }

    /// Adds the directions without a successful check, or, if there is none, the missing nomination.
    private func failedChecks(_ causes: inout [ICECause], _ transport: ICETransport) {
        var hasSilence = false
        let pairs = pairs(of: transport)
        for pair in pairs {
            for direction in [Direction.clientToServer, .serverToClient] {
                let checks = pair[direction]
                guard checks.sent > 0, checks.succeeded == 0 else { continue }
                let (from, to) = (pair.name(direction), pair.name(direction.opposite))
                hasSilence = true
                // The cause is the password.
                if checks.unauthenticated > 0 { continue }
                if checks.refused > 0 {
                    guard let error = checks.errors.first, causes.count < 32 else { continue }
                    hold(
                        &causes, .refused, error.frame, .integer(error.code), .text(from), .text(to))
                    continue
                }
                guard let last = checks.last, causes.count < 32 else { continue }
                if let frame = portUnreachable(pair, direction) {
                    hold(&causes, .portUnreachable, frame, .text(to))
                    continue
                }
                let count = checks.sent + checks.repeated
                // One or two checks may still be answered after the end of the capture.
                guard count > 2 else { continue }
                if let replaced = replacement(of: checks) {
                    hold(
                        &causes, .formerCredentials, last.frame, .text(from), .text(to), .integer(replaced),
                        .integer(count))
                    continue
                }
                guard mayLackEnd(pairs) else {
                    hold(&causes, .unanswered, last.frame, .integer(count), .text(from), .text(to))
                    continue
                }
                // After such an answer the offerer does not respond.
                guard !causes.contains(where: { $0.kind == .answerUnacceptable }),
                    let host = twoWayHost(pair, direction)
                else { continue }
                causes.append(
                    ICECause(
                        kind: .unanswered, isHeld: true, frame: last.frame,
                        subject: [.integer(count), .text(from), .text(to), .string(host.description)],
                        variant: "likely", isLikely: true))
            }
        }
        let success = pairs.flatMap { [$0.fromClient.firstSuccess, $0.fromServer.firstSuccess] }.compactMap { $0 }
        guard !hasSilence, !causes.contains(where: { $0.isHeld }),
            // Otherwise the nomination may precede the capture.
            sawSignaling, !mayLackNomination, let first = success.min(by: { $0.time < $1.time }),
            (lastTime ?? first.time).seconds(since: first.time) > Self.patience
        else { return }
        hold(&causes, .notNominated, first.frame)
    }

    /// Whether the check that nominates a pair, or its response, may not have been captured.
    private var mayLackNomination: Bool {
        pairs.contains { $0.lacksChecks || $0.nominating != nil && $0.nominated == nil && $0.works }
    }

    /// Returns the frame of the ICMP error which shows that nothing is listening where checks were sent to.
    private func portUnreachable(_ pair: ICEPair, _ direction: Direction) -> Int? {
        guard !pair.isRelayed else { return nil }
        return portsUnreachable[direction == .clientToServer ? pair.server : pair.client]
    }

    /// Returns the host of a pair that other flows show in both directions, so that responses would probably have been
    /// captured.
    ///
    /// An agent that nominates a pair after an ordinary check has received a response.
    private func twoWayHost(_ pair: ICEPair, _ direction: Direction) -> IPAddress? {
        guard let first = pair[direction].first, let last = pair[direction].last,
            last.time.seconds(since: first.time) > Self.patience,
            pair.nominating.map({ $0.frame <= first.frame }) ?? true, !completeness.hasDrops, !completeness.isFiltered,
            !completeness.isCut, !completeness.clockWentBack
        else { return nil }
        return [pair.client, pair.server].map(\.address).first { twoWayHosts.contains($0, on: pair.interface) }
    }

    private func relayCause(_ causes: inout [ICECause], _ transport: ICETransport) {
        // Direct checks may have succeeded before the capture.
        guard let selected = selectedPair(of: transport), selected.isRelayed, let nominated = selected.nominated,
            iceTime(of: transport) != nil
        else { return }
        let direct = pairs(of: transport).filter { !$0.isRelayed && ($0.fromClient.sent > 0 || $0.fromServer.sent > 0) }
        // If only one direction was captured, responses on direct pairs may be in the other.
        guard !direct.isEmpty, direct.allSatisfy({ !$0.works }), selected.fromClient.sent > 0,
            selected.fromServer.sent > 0
        else { return }
        hold(&causes, .relayOnly, nominated.frame)
    }

    /// Adds consent that was requested at least three times, over more than ten seconds, without a response.
    private func consentCause(_ causes: inout [ICECause], _ transport: ICETransport) {
        guard let pair = selectedPair(of: transport) else { return }
        // A 403 response revokes consent (RFC 7675 §5.1).
        if let nominated = pair.nominated,
            let refusal = pair.errors.first(where: { $0.code == 403 && $0.frame > nominated.frame })
        {
            hold(&causes, .consentRefused, refusal.frame, .integer(refusal.code))
        }
        for checks in [pair.fromClient, pair.fromServer] {
            guard let last = checks.last, let answered = checks.lastSuccess,
                last.time.seconds(since: answered.time) > 10, checks.sent - checks.succeeded >= 3,
                // An agent without responses would have stopped sending (RFC 7675 §5.1): the responses were not
                // captured.
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
        if let cause = misdirectedHello(connections) {
            causes.append(cause)
        } else if connection.serverHello == nil, connection.alert == nil, let hello = connection.clientHello,
            connection.clientHellos > 2
        {
            if let lost = incompleteAnswers(connection) {
                causes.append(
                    ICECause(
                        kind: .largeDTLS, isHeld: true, frame: hello.moment.frame, subject: [.integer(lost)],
                        variant: "fragments"))
            } else if let first = connection.cookieHello, connection.cookieHellos > 2 {
                causes.append(
                    ICECause(
                        kind: .unansweredDTLS, isHeld: true, frame: first, subject: [.integer(connection.cookieHellos)],
                        variant: "cookie"))
            } else {
                hold(&causes, .unansweredDTLS, hello.moment.frame, .integer(connection.clientHellos))
            }
        } else if let longest = connection.longestDatagram, longest.octets > DTLSMessage.longestDatagram,
            connection.retransmissions > 1
        {
            hold(&causes, .largeDTLS, longest.frame, .integer(longest.octets))
        } else if connection.repeatedHellos >= Self.mostRepeatedHellos, connection.alert == nil,
            let answer = connection.serverHello
        {
            causes.append(
                ICECause(
                    kind: .unansweredDTLS, isHeld: true, frame: answer.moment.frame,
                    subject: [.integer(connection.repeatedHellos)], variant: "unaccepted"))
        }
    }

    /// Returns how many fragmented datagrams to the DTLS client are incomplete, or nil if none is.
    private func incompleteAnswers(_ connection: DTLSConnection) -> Int? {
        guard let hello = connection.clientHello, pairs.indices.contains(connection.pair) else { return nil }
        let incomplete = pairs[connection.pair].incomplete
        let count = hello.direction == .clientToServer ? incomplete.fromServer : incomplete.fromClient
        return count > 0 ? count : nil
    }

    /// The ClientHellos after a ServerHello from which on the client does not accept it, or does not receive it.
    private static let mostRepeatedHellos = 3

    /// Returns the cause if the ServerHello of a transport is on another pair than its ClientHello.
    private func misdirectedHello(_ connections: [DTLSConnection]) -> ICECause? {
        // A client that receives the ServerHello on another pair, where its own hello was not captured, does not repeat it.
        let asked = connections.first { $0.clientHellos > 2 && $0.serverHello == nil }
        let answered = connections.first { $0.serverHello != nil && $0.clientHello == nil }
        guard let asked, let answered, let hello = asked.clientHello, let answer = answered.serverHello,
            pairs.indices.contains(asked.pair), pairs.indices.contains(answered.pair)
        else { return nil }
        let from = pairs[asked.pair].name(hello.direction)
        let to = pairs[answered.pair].name(answer.direction.opposite)
        return ICECause(
            kind: .unansweredDTLS, isHeld: true, frame: hello.moment.frame,
            subject: [.integer(answer.moment.frame), .text(from), .text(to)], variant: "elsewhere")
    }
}
