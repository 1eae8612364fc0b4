import WeirEngine
import WeirPackets

// Causes of session failure with evidence in packets. An incomplete capture proves no absence.

extension RTSPSession {
    /// Returns the causes found, and the alternatives that frames rule out.
    func foundCauses() -> [Cause] {
        let held = setupCauses() + mediaCauses() + endCauses()
        let failed = !held.isEmpty || serverEnd != nil
        return failed ? held + ruledOut(beside: held) : []
    }

    /// Whether the session is completely captured up to its end.
    var isWhole: Bool {
        !lacksMessages && !completeness.startsLate && !completeness.clockWentBack && !completeness.isLimited
            && !beganBehind
    }

    /// Whether the session is completely captured and ended before media was accepted.
    private var isSetupFailed: Bool {
        isWhole && !completeness.endsEarly && mediaPackets == 0 && playAnswerTime == nil
    }

    // MARK: - Setup

    /// Returns the causes of a failed setup.
    private func setupCauses() -> [Cause] {
        guard isSetupFailed else { return [] }
        if let cause = otherProtocolCause() { return [cause] }
        return [credentialCause(), transportCause(), descriptionCause(), refusedSetupCause(), redirectCause()]
            .compactMap { $0 }
    }

    /// Returns the cause if the server answered in another protocol.
    private func otherProtocolCause() -> Cause? {
        guard let other = marks.otherProtocol, let request = latestPending else { return nil }
        return Cause(
            "other-protocol", .proved, frames: [request.frame, other.frame],
            Text("rtsp.cause.other-protocol", .string(other.name), .integer(other.frame)))
    }

    /// Returns what is wrong with a refused SETUP after which the client gave up.
    private func refusedSetupCause() -> Cause? {
        guard let refused = marks.refusedSetup, lastFailure?.frame == refused.answer,
            setups.isEmpty || refused.cause == "session-with-timeout"
        else { return nil }
        return Cause(
            refused.cause, .likely, frames: [refused.request, refused.answer],
            Text(
                "rtsp.cause.\(refused.cause)", .integer(refused.request), .integer(refused.status),
                .integer(refused.answer)))
    }

    /// Returns the cause if the client requested the old URI again after a redirection.
    private func redirectCause() -> Cause? {
        guard redirection != nil, let ignored = marks.ignoredRedirect else { return nil }
        return Cause(
            "redirect-ignored", .proved, frames: [ignored.answer, ignored.request],
            Text("rtsp.cause.redirect-ignored", .integer(ignored.answer), .integer(ignored.request)))
    }

    /// Returns the cause if credentials were never accepted.
    private func credentialCause() -> Cause? {
        guard let refusal = credentials.refusal, !isAskedAgain(since: refusal.answer) else { return nil }
        let frames = [refusal.challenge, refusal.request, refusal.answer].compactMap { $0 }
        let (request, answer) = (Text.Argument.integer(refusal.request), Text.Argument.integer(refusal.answer))
        let status = Text.Argument.integer(refusal.status)
        func cause(_ id: String, _ verdict: Cause.Verdict = .proved, _ more: Text.Argument...) -> Cause {
            Cause(id, verdict, frames: frames, Text("rtsp.cause.\(id)", arguments: [request, answer, status] + more))
        }
        switch refusal.fault {
        case .missing:
            // The client's end is captured: it sent none.
            return completeness.mayLackEnd(of: .clientToServer) ? nil : cause("credentials-missing")
        case .rejected: return cause("credentials-rejected")
        case .perhapsRejected: return cause("credentials-rejected", .likely)
        case .oldNonce: return cause("credentials-old-nonce", .proved, .integer(refusal.challenge ?? refusal.request))
        case .algorithm:
            return cause(
                "credentials-algorithm", .proved, .string(refusal.used), .string(refusal.offered))
        case .scheme:
            return cause(
                "credentials-scheme", .proved, .string(refusal.used), .string(refusal.offered))
        case .uri: return cause("credentials-uri", .likely, .uri(refusal.used), .uri(refusal.offered))
        }
    }

    /// Whether another client request with credentials, sent after `frame`, is pending.
    private func isAskedAgain(since frame: Int) -> Bool {
        pending.contains {
            $0.direction == .clientToServer && $0.frame > frame && $0.message.knownMethod != .teardown
                && $0.message.authorization != nil
        }
    }

    /// Returns the cause if the server supports none of the offered transports.
    private func transportCause() -> Cause? {
        guard setups.isEmpty, let last = marks.transports.last,
            !pending.contains(where: { $0.message.knownMethod == .setup })
        else { return nil }
        var names: [String] = []
        for transport in marks.transports where !names.contains(transport.name) { names.append(transport.name) }
        return Cause(
            "transport-refused", .proved, frames: marks.transports.map(\.frame),
            Text("rtsp.cause.transport-refused", .string(names.joined(separator: ", ")), .integer(last.frame)))
    }

    /// Returns the cause if the description contains nothing to set up.
    private func descriptionCause() -> Cause? {
        guard setups.isEmpty, let described = marks.described, let last = lastRequest?.message.method,
            last == "DESCRIBE" || last == "TEARDOWN", pending.isEmpty
        else { return nil }
        func cause(_ what: String, _ more: Text.Argument...) -> Cause {
            Cause(
                "no-usable-medium", .proved, frames: [described.frame],
                Text("rtsp.cause.no-usable-medium.\(what)", arguments: [.integer(described.frame)] + more))
        }
        guard let description else { return described.octets == 0 ? cause("noBody") : nil }
        guard !description.media.isEmpty else { return cause("noMedium") }
        let unnamed = description.media.map { medium in
            medium.payloadTypes.first { $0 >= 96 && medium.payloadTypes.count == 1 && medium.rtpMap($0) == nil }
        }
        if unnamed.allSatisfy({ $0 != nil }), let type = unnamed.first, let type {
            return cause("noCodec", .integer(Int(type)))
        }
        guard !description.value.problems(.noFinalLineEnd).isEmpty else { return nil }
        return Cause(
            "description-open", .likely, frames: [described.frame],
            Text("rtsp.cause.description-open", .integer(described.frame)))
    }
}
