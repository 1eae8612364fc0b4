import WeirEngine
import WeirPackets

// Outcome and records of the exchanges with TURN servers.

extension WebRTCSession {
    /// The maximum number of servers in the outcome.
    static var mostReported: Int { 4 }

    /// The outcome of a session without a call, by server.
    var relayOutcome: [Text] {
        guard allocations.count > 1 else { return allocations.first.map(lines) ?? [] }
        let reported = allocations.prefix(Self.mostReported).flatMap { allocation in
            lines(allocation).prefix(1).map {
                Text("turn.outcome.server", .string(allocation.server.description), .text($0))
            }
        }
        let rest = allocations.count - Self.mostReported
        return rest > 0 ? reported + [Text("turn.outcome.more", .integer(rest))] : reported
    }

    private func lines(_ allocation: TURNAllocation) -> [Text] {
        let refused = allocation.refusals.prefix(Self.mostReported).map { line($0, allocation) }
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
    static func name(_ method: String?) -> Text {
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
    func isUnanswered(_ allocation: TURNAllocation) -> Bool {
        guard let run = allocation.unanswered else { return false }
        if let unreachable = allocation.unreachable, unreachable >= run.first.time { return true }
        guard run.isUniform else { return false }
        if run.mostRepeated >= 3, !allocation.isTCP { return true }
        guard run.count >= 3, !lacksPackets, run.last.time.seconds(since: run.first.time) >= Self.answerSeconds else {
            return false
        }
        return allocation.responses == 0 && run.asksFirst || isCapturedInBothDirections(allocation)
    }

    /// Whether other flows show both directions of the client or the server, so that a response would probably have been
    /// captured.
    private func isCapturedInBothDirections(_ allocation: TURNAllocation) -> Bool {
        [allocation.client, allocation.server].contains { twoWayHosts.contains($0.address, on: allocation.interface) }
    }

    /// Seconds within which a server responds.
    private static var answerSeconds: Double { 3 }

    var lacksPackets: Bool {
        completeness.hasDrops || completeness.isFiltered || completeness.isCut || completeness.clockWentBack
            || completeness.hasGap
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
