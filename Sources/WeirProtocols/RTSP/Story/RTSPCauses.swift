import WeirEngine
import WeirPackets

// Why a session failed, as far as packets show. A capture that lacks a part of the session proves no absence.

extension RTSPSession {
    /// The causes that are held, and what frames rule out beside them.
    func foundCauses() -> [Cause] {
        let held = setupCauses() + mediaCauses() + endCauses()
        let failed = !held.isEmpty || serverEnd != nil
        return failed ? held + ruledOut(beside: held) : []
    }

    /// Whether the capture has all of the session up to where it ends.
    var isWhole: Bool {
        !lacksMessages && !completeness.startsLate && !completeness.clockWentBack && !completeness.isLimited
            && !beganBehind
    }

    /// Whether the session ended before media was accepted, and the capture shows all of it.
    private var isSetupFailed: Bool {
        isWhole && !completeness.endsEarly && mediaPackets == 0 && playAnswerTime == nil
    }

    // MARK: - Before media

    /// What kept the session from being set up.
    private func setupCauses() -> [Cause] {
        guard isSetupFailed else { return [] }
        return [credentialCause(), transportCause(), descriptionCause()].compactMap { $0 }
    }

    /// Credentials that were never accepted.
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
            // The client's end is in the capture: it sent none.
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
        }
    }

    /// Whether the client sent a further request with credentials behind a frame, to which the answer is not known.
    private func isAskedAgain(since frame: Int) -> Bool {
        pending.contains {
            $0.direction == .clientToServer && $0.frame > frame && $0.message.method != "TEARDOWN"
                && $0.message.authorization != nil
        }
    }

    /// Transports of which the server supports none.
    private func transportCause() -> Cause? {
        guard setups.isEmpty, let last = marks.transports.last,
            !pending.contains(where: { $0.message.method == "SETUP" })
        else { return nil }
        var names: [String] = []
        for transport in marks.transports where !names.contains(transport.name) { names.append(transport.name) }
        return Cause(
            "transport-refused", .proved, frames: marks.transports.map(\.frame),
            Text("rtsp.cause.transport-refused", .string(names.joined(separator: ", ")), .integer(last.frame)))
    }

    /// A description that names nothing that can be set up.
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
        guard unnamed.allSatisfy({ $0 != nil }), let type = unnamed.first, let type else { return nil }
        return cause("noCodec", .integer(Int(type)))
    }
}
