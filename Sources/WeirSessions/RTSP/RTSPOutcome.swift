import WeirDissectors
import WeirPackets

/// What happened in the end, in a line; and when media never came, what the capture shows about why.
extension RTSPSession {
    func told() -> [Text] {
        guard mediaPackets > 0 else { return reasonWithoutMedia() }
        var lines = [flowed()]
        if mediaLost > 0 { lines.append(lost()) }
        if let endpoint = setups.lazy.compactMap(\.unreachable).first {
            lines.append(Text("outcome.notTaken", .string(endpoint.description)))
        }
        return lines + ending()
    }

    /// What is missing of the media, and whose fault that may be.
    private func lost() -> Text {
        if evidence.hasGap, setups.contains(where: { $0.channels != nil }) {
            return Text("outcome.missing", .integer(mediaLost))
        }
        // At PAUSE, seek and resumption servers skip up to three numbers of each stream.
        if mediaLost <= 3 * interruptions * max(1, streams.count) {
            return Text("outcome.skipped", .integer(mediaLost))
        }
        return Text("outcome.lost", .integer(mediaLost))
    }

    private func flowed() -> Text {
        let zero = Timestamp(nanoseconds: 0)
        let seconds = (lastMediaTime ?? zero).seconds(since: firstMediaTime ?? zero)
        let isTaken = setups.allSatisfy { $0.unreachable == nil }
        return Text(
            wasRecording ? "outcome.recorded" : isTaken ? "outcome.played" : "outcome.sent",
            .decimal(max(0, seconds), places: 1))
    }

    /// How it ended, unless with TEARDOWN as it should.
    private func ending() -> [Text] {
        if let frame = serverLeftInFrame { return [Text("outcome.serverLeft", .integer(frame))] }
        if isTornDown { return [] }
        switch closedBy {
        case .reset: return [Text("outcome.reset")]
        case .close: return [Text("outcome.closedWithoutTeardown")]
        default: return [Text("outcome.open")]
        }
    }

    private func reasonWithoutMedia() -> [Text] {
        switch closedBy {
        case .refused: return [Text("outcome.refused")]
        case .unanswered(let attempts): return [Text("outcome.unanswered", .integer(attempts))]
        default: break
        }
        if let redirection {
            return [
                Text(
                    "outcome.redirected", .string(redirection.method), .integer(redirection.status),
                    .uri(redirection.location))
            ]
        }
        if let failure = lastFailure {
            return [Text("outcome.status", .string(failure.method), .integer(failure.status), .string(failure.reason))]
        }
        if let endpoint = setups.lazy.compactMap(\.unreachable).first {
            return [Text("outcome.unreachable", .string(endpoint.description))]
        }
        if evidence.isCut { return [Text("outcome.cut")] + ending() }
        if evidence.startsLate, setups.isEmpty { return [Text("outcome.controlUnseen")] + ending() }
        if let request = pending.first(where: { $0.direction == .clientToServer }) {
            return [Text("outcome.noAnswer", .string(request.message.method ?? ""), .integer(request.frame))] + ending()
        }
        if playAnswerTime != nil {
            if let other = setups.first(where: { !$0.isRTP }) {
                return [Text("outcome.otherProtocol", .string(other.granted.identifier))] + ending()
            }
            if let other = sharesMediaWith { return [Text("outcome.shared", .integer(other))] + ending() }
            return [Text(wasRecording ? "outcome.recordedNothing" : "outcome.playedNothing")] + ending()
        }
        if let last = lastRequest?.message.method, !sawPlay {
            return [Text("outcome.stoppedAfter", .string(last))] + ending()
        }
        return [Text("outcome.nothing")] + ending()
    }
}
