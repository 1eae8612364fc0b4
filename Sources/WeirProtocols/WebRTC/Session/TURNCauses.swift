import WeirEngine
import WeirPackets

// Why exchanges with TURN servers failed.

extension WebRTCSession {
    /// Why exchanges with TURN servers failed.
    var relayCauses: [Cause] { allocations.prefix(Self.mostReported).flatMap { causes(of: $0) } }

    /// The causes that concern a call: that its relay failed matters only if no other pair works.
    var relayCausesOfCall: [Cause] {
        let failures = ["no-answer", "port-unreachable"]
        let lapses = ["channel-expired", "permission-expired"]
        let all = relayCauses
        let hasLapsed = all.contains { lapses.contains($0.id) }
        return all.filter { cause in
            ["stale-nonce", Self.expired].contains(cause.id) || lapses.contains(cause.id)
                || nomination == nil && failures.contains(cause.id)
                // A rejected refresh is why a permission or channel expired.
                || hasLapsed && ["relay-refused", "forbidden"].contains(cause.id)
        }
    }

    private func causes(of allocation: TURNAllocation) -> [Cause] {
        var causes: [Cause] = []
        // A server that accepted the connection is not down.
        if isUnanswered(allocation), !allocation.isTCP, let run = allocation.unanswered {
            causes.append(silence(allocation, run))
        }
        if allocation.isStuck { causes.append(staleNonce(allocation)) }
        causes += allocation.refusals.compactMap { cause(of: $0, allocation) }
        if !causes.contains(where: { $0.id == Self.expired }) {
            causes += [expiry(of: allocation) ?? lapse(of: allocation)].compactMap { $0 }
        }
        return causes
    }

    /// The identifier of the cause that an allocation expired.
    static var expired: String { "allocation-expired" }

    /// Seconds by which clocks and packets in flight move the end of an allocation.
    private static var expiryMargin: Double { 5 }

    /// Times of the latest data through a relay from the client, and from the server: media, and checks.
    private func latestData(_ allocation: TURNAllocation) -> (sent: Timestamp, received: Timestamp)? {
        let pairs = pairs.filter { $0.flow == allocation.flow && $0.isRelayed }
        func media(from end: Endpoint) -> [Timestamp] {
            mediaStreams.filter { $0.flow == allocation.flow && $0.source == end }.map {
                $0.endTime(self.media.streams)
            }
        }
        let sent = pairs.compactMap { $0[$0.relayClient].last?.time } + media(from: allocation.client)
        let received =
            pairs.flatMap { [$0[$0.relayClient].lastSuccess, $0[$0.relayClient.opposite].last] }.compactMap { $0?.time }
            + media(from: allocation.server)
        guard let sent = sent.max(), let received = received.max() else { return nil }
        return (sent, received)
    }

    /// Returns that the client sends data through an allocation that nothing refreshed in time, while the server, which
    /// sent data before, sends none: it discards data of channels that are not bound
    /// (RFC 8656 §12.6).
    private func expiry(of allocation: TURNAllocation) -> Cause? {
        guard let expiry = allocation.expiry, !lacksPackets, let data = latestData(allocation) else { return nil }
        let sent = data.sent.seconds(since: expiry.since.time)
        guard sent > Double(expiry.lifetime) + Self.expiryMargin,
            data.received.seconds(since: expiry.since.time) <= Double(expiry.lifetime) + Self.expiryMargin
        else { return nil }
        return Cause(
            Self.expired, .likely, frames: [expiry.since.frame],
            Text(
                "turn.cause.allocation-outlived", .integer(expiry.lifetime), .integer(expiry.since.frame),
                .seconds(sent - Double(expiry.lifetime))))
    }

    /// The lifetimes in seconds of permissions and of channels (RFC 8656 §9, §12).
    private static var permissionLifetime: Double { 300 }
    private static var channelLifetime: Double { 600 }

    /// Returns that the client sends data after a channel or permission expired that nothing refreshed, and that the data
    /// from the server ended when it did.
    private func lapse(of allocation: TURNAllocation) -> Cause? {
        guard !lacksPackets, !allocation.awaitsPermission, let data = latestData(allocation) else { return nil }
        return lapse("channel-expired", of: allocation.bound, Self.channelLifetime, data)
            ?? lapse("permission-expired", of: allocation.permitted, Self.permissionLifetime, data)
    }

    private func lapse(
        _ id: String, of moment: ICEPair.Moment?, _ lifetime: Double, _ data: (sent: Timestamp, received: Timestamp)
    ) -> Cause? {
        guard let moment else { return nil }
        let sent = data.sent.seconds(since: moment.time) - lifetime
        let received = data.received.seconds(since: moment.time) - lifetime
        guard sent > Self.expiryMargin, abs(received) <= Self.expiryMargin else { return nil }
        return Cause(
            id, .likely, frames: [moment.frame],
            Text("turn.cause.\(id)", .integer(Int(lifetime)), .integer(moment.frame), .seconds(sent)))
    }

    private func silence(_ allocation: TURNAllocation, _ run: TURNAllocation.Unanswered) -> Cause {
        let server = Text.Argument.string(allocation.server.description)
        let frames = run.first.frame == run.last.frame ? [run.first.frame] : [run.first.frame, run.last.frame]
        if allocation.unreachable != nil {
            let shown = [run.first.frame, allocation.unreachableFrame].compactMap { $0 }
            return Cause("port-unreachable", .proved, frames: shown, Text("turn.cause.port-unreachable", server))
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
        // A peer has one channel at a time (RFC 8656 §12.1).
        case 400 where refusal.boundBefore != nil:
            return cause("channel-bound-twice", .integer(refusal.boundBefore ?? 0))
        case 401:
            guard let accepted = allocation.accepted, accepted.user == refusal.user else {
                // Other requests than Allocate come after one that succeeded, perhaps before the capture.
                return cause(refusal.method == "allocate" ? "credentials-refused" : "relay-refused")
            }
            return Cause(
                "relay-refused", .proved, frames: [accepted.moment.frame, refusal.last.frame],
                Text(
                    "turn.cause.credentials-refused.later", .text(Self.name(refusal.method)),
                    .integer(refusal.last.frame), .integer(accepted.moment.frame)))
        // A relay often rejects single peers, and relays to others.
        case 403: return allocation.hasPermission ? nil : cause("forbidden")
        case 437 where refusal.method != "allocate":
            guard let expiry = allocation.expiry else { return cause("allocation-gone") }
            let age = refusal.first.time.seconds(since: expiry.since.time)
            guard age >= Double(expiry.lifetime) else { return cause("allocation-gone") }
            return cause(Self.expired, .integer(expiry.lifetime), .integer(expiry.since.frame))
        case 437:
            guard let accepted = refusal.acceptedBefore else { return cause("allocation-mismatch") }
            // A retransmission gets the response again (RFC 8656 §7.2).
            return Cause(
                "allocation-mismatch", .proved, frames: [accepted, refusal.last.frame],
                Text(
                    "turn.cause.allocation-mismatch.again", .integer(refusal.code), .integer(refusal.last.frame),
                    .integer(accepted)))
        case 440: return cause("address-family")
        case 441: return cause("wrong-credentials")
        case 442: return cause("transport-unsupported")
        case 486: return cause("quota-reached")
        case 508: return cause("insufficient-capacity")
        default: return cause("relay-refused")
        }
    }
}
