import WeirEngine
import WeirPackets

// Outcome and causes of the exchanges with TURN servers.

extension WebRTCSession {
    /// The maximum number of servers in the outcome.
    private static var mostServers: Int { 4 }

    /// The outcome of a session without a call, by server.
    var relayOutcome: [Text] {
        guard allocations.count > 1 else { return allocations.first.map(lines) ?? [] }
        let reported = allocations.prefix(Self.mostServers).flatMap { allocation in
            lines(allocation).prefix(1).map {
                Text("turn.outcome.server", .string(allocation.server.description), .text($0))
            }
        }
        let rest = allocations.count - Self.mostServers
        return rest > 0 ? reported + [Text("turn.outcome.more", .integer(rest))] : reported
    }

    private func lines(_ allocation: TURNAllocation) -> [Text] {
        let refused = allocation.refusals.prefix(Self.mostServers).map { line($0, allocation) }
        if let silent = silence(of: allocation) { return [silent] + grant(of: allocation) + refused }
        let grant = grant(of: allocation)
        if allocation.isStuck || grant.isEmpty, !refused.isEmpty { return refused + grant }
        if !grant.isEmpty { return grant + refused }
        if let challenge = allocation.challenge {
            return [Text("turn.outcome.challenged", .integer(challenge.frame))]
        }
        return [Text("turn.outcome.unknown", .integer(allocation.requests), .integer(allocation.responses))]
    }

    /// Returns that requests were not answered: in the capture, or at all.
    private func silence(of allocation: TURNAllocation) -> Text? {
        guard let run = allocation.unanswered else { return nil }
        let arguments: [Text.Argument] = [
            .integer(run.count), .text(Self.name(run.method.map(STUNMessage.name(ofMethod:)))),
            .seconds(run.last.time.seconds(since: run.first.time)),
        ]
        if isUnanswered(allocation) { return Text("turn.outcome.noAnswer", arguments: arguments) }
        // The response to the last request may be after the end of the capture.
        return allocation.responses == 0 ? Text("turn.outcome.noAnswerSeen", arguments: arguments) : nil
    }

    /// Returns the method of a request as text.
    private static func name(_ method: String?) -> Text {
        let known = ["allocate", "refresh", "createPermission", "channelBind", "connect", "connectionBind"]
        guard let method, known.contains(method) else { return Text("turn.method.other") }
        return Text("turn.method.\(method)")
    }

    /// Returns the relayed address and its lifetime as text.
    private func grant(of allocation: TURNAllocation) -> [Text] {
        var lines: [Text] = []
        if let granted = allocation.granted, let address = granted.address?.description {
            lines.append(
                granted.lifetime.map {
                    Text("turn.outcome.granted", .string(address), .integer(granted.moment.frame), .integer($0))
                } ?? Text("turn.outcome.grantedFor", .string(address), .integer(granted.moment.frame)))
        }
        if allocation.refreshes > 0, let refreshed = allocation.refreshed {
            lines.append(
                Text("turn.outcome.refreshed", .integer(allocation.refreshes), .integer(refreshed.moment.frame)))
        }
        if let released = allocation.released {
            lines.append(Text("turn.outcome.released", .integer(released.frame)))
        } else if allocation.isStuck, let expiry = allocation.expiry {
            let age = lastTime?.seconds(since: expiry.since.time) ?? 0
            lines.append(
                Text(
                    age >= Double(expiry.lifetime) ? "turn.outcome.expired" : "turn.outcome.expires",
                    .integer(expiry.lifetime), .integer(expiry.since.frame)))
        }
        return lines
    }

    private func line(_ refusal: TURNAllocation.Refusal, _ allocation: TURNAllocation) -> Text {
        let status = refusal.reason.isEmpty ? String(refusal.code) : "\(refusal.code) \(refusal.reason)"
        let arguments: [Text.Argument] = [
            .text(Self.name(refusal.method)), .string(status), .integer(refusal.last.frame),
            .integer(refusal.count),
        ]
        return Text("turn.outcome.refused", arguments: arguments)
    }

    /// Whether requests had no response: the client has sent one of them three times, or repeatedly requests an
    /// allocation without credentials.
    ///
    /// Over UDP, a client retransmits a request only until the response arrives (RFC 8489 §6.2.1), and includes
    /// credentials once a server requires them.
    private func isUnanswered(_ allocation: TURNAllocation) -> Bool {
        guard let run = allocation.unanswered else { return false }
        guard run.isUniform else { return false }
        if run.mostRepeated >= 3, !allocation.isTCP { return true }
        return allocation.responses == 0 && run.count >= 3 && run.asksFirst && !lacksPackets
            && run.last.time.seconds(since: run.first.time) >= Self.answerSeconds
    }

    /// Seconds within which a server responds.
    private static var answerSeconds: Double { 3 }

    private var lacksPackets: Bool {
        completeness.hasDrops || completeness.isFiltered || completeness.isCut || completeness.clockWentBack
            || completeness.hasGap
    }
}

// MARK: - Causes

extension WebRTCSession {
    /// Why exchanges with TURN servers failed.
    var relayCauses: [Cause] { allocations.prefix(Self.mostServers).flatMap { causes(of: $0) } }

    private func causes(of allocation: TURNAllocation) -> [Cause] {
        var causes: [Cause] = []
        // A server that accepted the connection is not down.
        if isUnanswered(allocation), !allocation.isTCP, let run = allocation.unanswered {
            causes.append(silence(allocation, run))
        }
        if allocation.isStuck { causes.append(staleNonce(allocation)) }
        causes += allocation.refusals.compactMap { cause(of: $0, allocation) }
        if !causes.contains(where: { $0.id == Self.expired }) { causes += [expiry(of: allocation)].compactMap { $0 } }
        return causes
    }

    /// The identifier of the cause that an allocation expired.
    static var expired: String { "allocation-expired" }

    /// Seconds by which clocks and packets in flight move the end of an allocation.
    private static var expiryMargin: Double { 5 }

    /// Returns that the client sends media through an allocation that nothing refreshed in time, while the server, which
    /// sent media before, sends none: it discards data of channels that are not bound
    /// (RFC 8656 §12.6).
    private func expiry(of allocation: TURNAllocation) -> Cause? {
        guard let expiry = allocation.expiry, !lacksPackets else { return nil }
        func last(from end: Endpoint) -> Double? {
            mediaStreams.filter { $0.flow == allocation.flow && $0.source == end }
                .map { $0.endTime(media.streams).seconds(since: expiry.since.time) }.max()
        }
        guard let sent = last(from: allocation.client), let received = last(from: allocation.server),
            sent > Double(expiry.lifetime) + Self.expiryMargin, received <= Double(expiry.lifetime) + Self.expiryMargin
        else { return nil }
        return Cause(
            Self.expired, .likely, frames: [expiry.since.frame],
            Text(
                "turn.cause.allocation-outlived", .integer(expiry.lifetime), .integer(expiry.since.frame),
                .seconds(sent - Double(expiry.lifetime))))
    }

    private func silence(_ allocation: TURNAllocation, _ run: TURNAllocation.Unanswered) -> Cause {
        let server = Text.Argument.string(allocation.server.description)
        let frames = run.first.frame == run.last.frame ? [run.first.frame] : [run.first.frame, run.last.frame]
        if allocation.unreachable != nil {
            return Cause("port-unreachable", .proved, frames: frames, Text("turn.cause.port-unreachable", server))
        }
        let isRepeated = run.mostRepeated >= 3 && run.isUniform
        return Cause(
            "no-answer", isRepeated ? .proved : .likely, frames: frames,
            Text(
                isRepeated ? "turn.cause.no-answer.repeated" : "turn.cause.no-answer", .integer(run.count), server,
                .integer(run.first.frame), .integer(run.last.frame)))
    }

    private func staleNonce(_ allocation: TURNAllocation) -> Cause {
        let refused = allocation.refusals.filter { $0.code == 438 }.map(\.first.frame)
        let frames = (refused + allocation.repeatedNonceFrames).sorted()
        return Cause(
            "stale-nonce", .proved, frames: frames,
            Text("turn.cause.stale-nonce", .integer(allocation.repeatedNonces)))
    }

    /// Returns the cause that an error response indicates.
    private func cause(of refusal: TURNAllocation.Refusal, _ allocation: TURNAllocation) -> Cause? {
        func cause(_ id: String, _ more: Text.Argument...) -> Cause {
            let arguments = [.integer(refusal.code), .integer(refusal.last.frame)] + more
            return Cause(
                id, .proved, frames: [refusal.last.frame], Text("turn.cause.\(id)", arguments: arguments))
        }
        switch refusal.code {
        case 438: return nil
        case 401: return cause("credentials-refused")
        // A relay often rejects single peers, and relays to others.
        case 403: return allocation.hasPermission ? nil : cause("forbidden")
        case 437 where refusal.method != "allocate":
            guard let expiry = allocation.expiry else { return cause("allocation-gone") }
            let age = refusal.first.time.seconds(since: expiry.since.time)
            guard age >= Double(expiry.lifetime) else { return cause("allocation-gone") }
            return cause(Self.expired, .integer(expiry.lifetime), .integer(expiry.since.frame))
        case 437: return cause("allocation-mismatch")
        case 440: return cause("address-family")
        case 441: return cause("wrong-credentials")
        case 442: return cause("transport-unsupported")
        case 486: return cause("quota-reached")
        case 508: return cause("insufficient-capacity")
        default: return cause("relay-refused")
        }
    }
}

// MARK: - Records

extension WebRTCSession {
    /// The exchanges with TURN servers, as fields of records.
    var allocationFields: [FieldValue] { allocations.map { .object(fields($0)) } }

    private func fields(_ allocation: TURNAllocation) -> [Field] {
        var members = [Field("flow", .integer(allocation.flow))]
        members.add("server", allocation.server.field)
        members.add("transport", allocation.isTCP ? "tcp" : "udp")
        members.add("relayAddress", allocation.granted?.address?.field)
        members.add("lifetimeSeconds", allocation.expiry?.lifetime ?? allocation.granted?.lifetime)
        members.add("requests", allocation.requests)
        members.add("responses", allocation.responses)
        if allocation.refreshes > 0 { members.add("refreshes", allocation.refreshes) }
        members.add("releasedFrame", allocation.released?.frame)
        let refusals = allocation.refusals.map { refusal in
            FieldValue.object([
                Field("method", .string(refusal.method)), Field("code", .integer(refusal.code)),
                Field("count", .integer(refusal.count)), Field("frame", .integer(refusal.first.frame)),
            ])
        }
        if !refusals.isEmpty { members.add("refusals", .array(refusals)) }
        return members
    }
}
