import WeirEngine
import WeirPackets

// Reasons for the server to end a session that the client wanted to continue.

extension RTSPSession {
    /// Maximum time, in seconds, from a request or response to an end that it may have caused.
    private static let closeness = 1.0
    /// Time within which servers answer a keep-alive, in seconds.
    private static let secondsToAnswer = 1.0
    /// The default session timeout, in seconds (RFC 2326 §12.37).
    private static let defaultTimeout = 60

    /// The unrequested end by the server, if everything before it is captured.
    var serverEnd: (frame: Int, time: Timestamp)? {
        guard isWhole, !isTornDown, !isTunneled, carrier == nil, closedBy == .close || closedBy == .reset,
            firstToClose == .serverToClient, let time = closeTime,
            let frame = [firstToFinish, resetBy].compactMap({ $0 }).first(where: { $0.direction == .serverToClient })?
                .frame
        else { return nil }
        return (frame, time)
    }

    /// Returns the most likely cause of the end.
    func endCauses() -> [Cause] {
        if let cause = unknownSessionCause() { return [cause] }
        guard let end = serverEnd else { return [unansweredCause() ?? unusableCause()].compactMap { $0 } }
        let cause = refusedCause(end) ?? timeoutCause(end) ?? unansweredCause() ?? malformedCause(end)
        return cause.map { [$0] } ?? []
    }

    /// The session timeout in seconds, as large as the server likes.
    private var timeoutLimit: Int { timeoutSeconds ?? Self.defaultTimeout }
    private var timeout: Double { Double(timeoutLimit) }

    /// Returns the cause if the server no longer knew the session after its timeout.
    private func unknownSessionCause() -> Cause? {
        guard let unknown = failures.unknown, isWhole, timeout > 0, unknown.silence > timeout else { return nil }
        return Cause(
            "session-timeout", .proved, frames: [unknown.frame],
            Text(
                "rtsp.cause.session-timeout.unknown", .duration(unknown.silence), .integer(timeoutLimit),
                .integer(unknown.frame)))
    }

    /// Returns the cause if the client sent no request within the timeout. Servers may accept RTCP as a sign of life
    /// (RFC 2326 §A.2).
    private func timeoutCause(_ end: (frame: Int, time: Timestamp)) -> Cause? {
        guard let last = lastRequest, !setups.isEmpty, timeout > 0 else { return nil }
        let silence = end.time.seconds(since: last.time)
        guard silence > timeout else { return nil }
        let isCertain = silence <= 2 * timeout && !setups.contains(where: \.isReported)
        return Cause(
            "session-timeout", isCertain ? .proved : .likely, frames: [last.frame, end.frame],
            Text(
                "rtsp.cause.session-timeout", .duration(silence), .integer(timeoutLimit), .integer(last.frame)))
    }

    /// Returns the cause if the server rejected a keep-alive, and closed right afterwards or when the session timed
    /// out.
    private func refusedCause(_ end: (frame: Int, time: Timestamp)) -> Cause? {
        guard let refusal = marks.keepAlive, timeout > 0 else { return nil }
        let delay = end.time.seconds(since: refusal.time)
        let silence = marks.accepted.map { end.time.seconds(since: $0) } ?? 0
        // Rejected credentials alone are a separate cause, and their response a reason to repeat the request.
        let isChallenge = refusal.status == 401 || refusal.status == 407
        guard delay <= Self.closeness && !isChallenge || silence > timeout, delay >= 0 else { return nil }
        return Cause(
            "keep-alive-refused", .likely, frames: [refusal.request, refusal.answer, end.frame],
            Text(
                "rtsp.cause.keep-alive-refused", .string(Text.clip(refusal.method)), .integer(refusal.status),
                .integer(refusal.answer), .duration(delay)))
    }

    /// Returns the cause if a keep-alive was not answered before the end.
    private func unansweredCause() -> Cause? {
        guard isWhole, !isTornDown, !completeness.endsEarly, !completeness.mayLackEnd(of: .serverToClient),
            state == .playing || state == .recording, let end = closeTime,
            let request = pending.last(where: { $0.direction == .clientToServer }), request.message.isKeepAlive,
            let method = request.message.method
        else { return nil }
        let seconds = end.seconds(since: request.time)
        guard seconds >= Self.secondsToAnswer else { return nil }
        return Cause(
            "keep-alive-unanswered", .likely, frames: [request.frame],
            Text("rtsp.cause.keep-alive-unanswered", .string(method), .integer(request.frame), .duration(seconds)))
    }

    /// Returns the cause if the client left right after a response that it may not be able to use.
    private func unusableCause() -> Cause? {
        guard isWhole, !saidGoodbye, !isTunneled, carrier == nil, closedBy == .close || closedBy == .reset,
            firstToClose == .clientToServer, let unusable = marks.unusable, let time = closeTime,
            let frame = [firstToFinish, resetBy].compactMap({ $0 }).first(where: { $0.direction == .clientToServer })?
                .frame
        else { return nil }
        let delay = time.seconds(since: unusable.time)
        guard 0...Self.closeness ~= delay else { return nil }
        return Cause(
            unusable.cause, .likely, frames: [unusable.frame, frame],
            Text(
                "rtsp.cause.\(unusable.cause)", .duration(delay), .string(unusable.method), .integer(unusable.frame)))
    }

    /// Returns the cause if the server closed right after a request with a syntax error.
    private func malformedCause(_ end: (frame: Int, time: Timestamp)) -> Cause? {
        guard let malformed = marks.malformed, dialect == nil else { return nil }
        let delay = end.time.seconds(since: malformed.time)
        guard 0...Self.closeness ~= delay else { return nil }
        return Cause(
            "malformed-request", .likely, frames: [malformed.frame, end.frame],
            Text(
                "rtsp.cause.malformed-request", .duration(delay), .string(Text.clip(malformed.method)),
                .integer(malformed.frame), .text(Text("rtsp.flaw.\(malformed.flaw)"))))
    }

    // MARK: - Ruled out

    /// Returns plausible causes that frames disprove.
    func ruledOut(beside held: [Cause]) -> [Cause] {
        var causes: [Cause] = []
        let ids = held.map(\.id)
        if let end = serverEnd, let last = lastRequest, !setups.isEmpty, !ids.contains("session-timeout") {
            let silence = end.time.seconds(since: last.time)
            // Only a request that the server accepts keeps the session alive.
            let isRefused = marks.keepAlive != nil && end.time.seconds(since: marks.accepted ?? last.time) > timeout
            if timeout > 0, 0...timeout ~= silence, !isRefused {
                causes.append(
                    Cause(
                        "session-timeout", .ruledOut, frames: [last.frame, end.frame],
                        Text(
                            "rtsp.cause.session-timeout.ruledOut", .integer(last.frame), .duration(silence),
                            .integer(timeoutLimit))))
            }
        }
        if ids.contains("credentials-rejected"), let refusal = credentials.refusal, let challenge = refusal.challenge {
            causes.append(
                Cause(
                    "credentials-old-nonce", .ruledOut, frames: [challenge, refusal.request],
                    Text("rtsp.cause.credentials-old-nonce.ruledOut", .integer(refusal.request), .integer(challenge))))
        }
        return causes
    }
}
