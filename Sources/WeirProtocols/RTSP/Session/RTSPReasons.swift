import WeirEngine
import WeirPackets

/// Reasons why no media arrived, as far as captured; an incomplete capture counts as the reason.
extension RTSPSession {
    func reasonWithoutMedia() -> [Text] {
        switch closedBy {
        case .refused: return [Text("outcome.refused")]
        case .unanswered(let attempts): return [Text("outcome.unanswered", .integer(attempts))]
        default: break
        }
        if let line = rejectionText() { return [line] }
        if let endpoint = refusedMedia {
            let key = lacksMessages ? "outcome.notListening" : "outcome.unreachable"
            return [Text(key, .string(endpoint.description))]
        }
        if playAnswerTime != nil { return acceptedNothing() + ending() }
        if completeness.isCut { return [Text("outcome.cut")] + ending() }
        if isTunneled, completeness.isOneSided, answered > 0 || !pending.isEmpty || serverName != nil {
            return [Text("outcome.halfTunnel")] + ending()
        }
        if completeness.startsLate, setups.isEmpty { return [Text("outcome.controlUnseen")] + ending() }
        return [unanswered() ?? stopped()] + ending()
    }

    /// Describes a redirect or rejection after which the client sent no further request.
    private func rejectionText() -> Text? {
        if let redirection {
            return Text(
                "outcome.redirected", .string(redirection.method), .integer(redirection.status),
                .uri(redirection.location))
        }
        guard let failure = lastFailure, (latestPending?.frame ?? 0) < failure.frame else { return nil }
        // A refused keep-alive of a session whose setup was not captured is no refusal of media.
        if completeness.startsLate, setups.isEmpty, RTSPMethod(failure.method)?.isKeepAlive ?? false {
            return nil
        }
        // A client asked for credentials or another transport usually repeats its request.
        if completeness.endsEarly {
            let seconds = max(0, (followedUntil ?? failure.time).seconds(since: failure.time))
            return Text(
                "outcome.statusEarly", .string(failure.method), .integer(failure.status), .string(failure.reason),
                .decimal(seconds, places: 1))
        }
        let key = lacksMessages ? "outcome.statusUnsure" : "outcome.status"
        return Text(key, .string(failure.method), .integer(failure.status), .string(failure.reason))
    }

    /// Describes PLAY or RECORD accepted without media.
    private func acceptedNothing() -> [Text] {
        if let other = setups.first(where: { $0.dissector == nil }) {
            return [Text("outcome.otherProtocol", .string(other.granted.identifier))]
        }
        if let other = sharesMediaWith { return [Text("outcome.shared", .integer(other))] }
        let method = Text.Argument.string(wasRecording ? "RECORD" : "PLAY")
        // SETUP determines the media addresses: without it, media in the capture may belong to this session.
        if setups.isEmpty, completeness.startsLate || lacksMessages {
            return [completeness.isCut ? Text("outcome.cut") : Text("outcome.acceptedUnseen", method)]
        }
        // The transport is in the truncated part.
        if completeness.isCut { return [Text("outcome.cut")] }
        let isOverUDP = setups.isEmpty || setups.contains { !$0.rtpEndpoints.isEmpty }
        if isOverUDP, completeness.lacksDatagrams { return [Text("outcome.noDatagrams", method)] }
        if completeness.hasGap { return [Text("outcome.acceptedLacking", method)] }
        if beganBehind || completeness.clockWentBack { return [Text("outcome.acceptedDisordered", method)] }
        if completeness.endsEarly, let accepted = mediaAccepted, let end = followedUntil {
            let seconds = max(0, end.seconds(since: accepted.time))
            return [Text("outcome.acceptedEarly", method, .decimal(seconds, places: 1))]
        }
        return [Text(wasRecording ? "outcome.recordedNothing" : "outcome.playedNothing")]
    }

    /// Describes a client request that is still pending.
    private func unanswered() -> Text? {
        guard let request = latestPending else { return nil }
        let method = Text.Argument.string(request.message.method ?? "")
        if let other = marks.otherProtocol {
            return Text(
                "outcome.otherAnswer", method, .integer(request.frame), .string(other.name), .integer(other.frame))
        }
        if lacksMessages { return Text("outcome.answerUnseen", method, .integer(request.frame)) }
        if completeness.endsEarly || completeness.mayLackEnd(of: .serverToClient) {
            let seconds = max(0, (followedUntil ?? request.time).seconds(since: request.time))
            return Text("outcome.waiting", method, .integer(request.frame), .decimal(seconds, places: 1))
        }
        return Text("outcome.noAnswer", method, .integer(request.frame))
    }

    /// Describes the last captured step.
    private func stopped() -> Text {
        guard let last = lastRequest?.message.method, !sawPlay else {
            let isKnown = !lacksMessages && !completeness.endsEarly && !completeness.startsLate
            return Text(isKnown ? "outcome.nothing" : "outcome.nothingSeen")
        }
        if completeness.endsEarly { return Text("outcome.earlyAfter", .string(last)) }
        return Text(lacksMessages ? "outcome.lastSeen" : "outcome.stoppedAfter", .string(last))
    }

    /// The client's latest pending request.
    var latestPending: PendingRequest? { pending.last { $0.direction == .clientToServer } }
}

extension RTSPMessage {
    /// Describes what a 401 implies about the request's credentials. They are certainly wrong only if the server
    /// checked them: a server that sends another nonce may have rejected only the previous one, even without `stale`,
    /// which old servers do not send.
    func refusal(of credentials: AuthenticationCredentials) -> Text {
        let challenges = head.all(.wwwAuthenticate).flatMap(AuthenticationChallenge.list)
        if challenges.contains(where: { $0["stale"].map { ASCII.equalIgnoringCase($0, "true") } ?? false }) {
            return Text("rtsp.remark.staleNonce")
        }
        let alike = challenges.filter { ASCII.equalIgnoringCase($0.scheme, credentials.scheme) }
        let isBasic = ASCII.equalIgnoringCase(credentials.scheme, "Basic") && !alike.isEmpty
        let isSameNonce = credentials.nonce.map { nonce in alike.contains { $0["nonce"] == nonce } } ?? false
        return Text(isBasic || isSameNonce ? "rtsp.remark.refused" : "rtsp.remark.refusedNonce")
    }
}
