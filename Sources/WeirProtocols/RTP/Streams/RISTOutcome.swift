import WeirEngine
import WeirPackets

// The outcome of a RIST session, and why it failed.

extension RISTSession {
    /// Whether the receiver sent RTCP, or the sender reacted to it.
    var hasReceiver: Bool {
        reports.server.datagrams > 0 || reports.client.echoResponses > 0 || figures.retransmitted > 0
            || figures.requested > 0
    }

    /// The round-trip time between both sides in milliseconds: the capture point is between them, so both parts count.
    private var roundTrip: Double? {
        guard let near = reports.client.echoes.mean, let far = reports.server.echoes.mean else { return nil }
        return near + far
    }

    /// The round-trip time as a member of the record.
    var roundTripFields: [Field] {
        var fields: [Field] = []
        fields.add("roundTripMs", roundTrip)
        return fields
    }

    /// Whether missing packets may just not have been captured.
    private var mayLackPackets: Bool {
        completeness.hasDrops || completeness.isFiltered || completeness.isLimited
    }

    /// The result of the session.
    var ownOutcome: [Text] {
        guard let seconds = figures.seconds else {
            return [Text("outcome.rist.noMedia")] + (hasReceiver ? [] : [Text("outcome.rist.noReceiver")])
        }
        var lines = [Text("outcome.rist.media", .decimal(seconds, places: 1))]
        if figures.isShared {
            lines.append(Text("outcome.rist.shared", .integer(figures.pathCount)))
        } else if figures.pathCount > 1 {
            lines.append(Text("outcome.rist.paths", .integer(figures.pathCount), .integer(figures.onOtherPath)))
        }
        if figures.lost > 0 {
            let unrecovered = figures.unrecovered
            lines.append(Text("outcome.rist.lost", .integer(figures.lost)))
            if unrecovered > 0 {
                let key = mayLackPackets ? "outcome.rist.unrecoveredOrUnseen" : "outcome.rist.unrecovered"
                lines.append(Text(key, .integer(unrecovered)))
            } else {
                lines.append(Text("outcome.rist.recovered"))
            }
        }
        if let answer = figures.meanAnswer { lines.append(Text("outcome.rist.answered", .decimal(answer, places: 1))) }
        if let roundTrip { lines.append(Text("outcome.rist.roundTrip", .decimal(roundTrip, places: 1))) }
        if !hasReceiver { lines.append(Text("outcome.rist.noReceiver")) }
        return lines
    }

    /// The unanswered requests that show that nothing is retransmitted.
    private static let mostUnanswered = 3

    /// Why media did not arrive, or is not repaired.
    var foundCauses: [Cause] {
        if let refusal, !hasReceiver {
            let frames = [reports.client.firstFrame, refusal.frame].compactMap(\.self).sorted()
            return [
                Cause(
                    "rist-no-receiver", .proved, frames: frames,
                    Text("cause.rist-closed-port", .string(refusal.endpoint.description)))
            ]
        }
        if figures.retransmitted == 0, figures.unanswered.count >= Self.mostUnanswered, !mayLackPackets {
            return [
                Cause(
                    "rist-no-retransmission", .likely, frames: figures.unanswered.sorted(),
                    Text("cause.rist-no-retransmission"))
            ]
        }
        return []
    }
}
