import WeirEngine
import WeirPackets

/// What happened in the end, in a line; and when media never came, what the capture shows about why.
extension RTSPSession {
    func outcomeTexts() -> [Text] {
        guard mediaPackets > 0 else { return reasonWithoutMedia() }
        var lines = [flowed()] + lost() + silences()
        if let endpoint = setups.lazy.compactMap(\.unreachable).first {
            lines.append(Text("outcome.notTaken", .string(endpoint.description)))
        }
        return lines + ending()
    }

    /// What is missing of the media, and whose fault that may be.
    private func lost() -> [Text] {
        let onTheWay = mediaLost - interleavedLost
        guard mediaLost > 0 else { return [] }
        guard completeness.hasGap else {
            // At PAUSE, seek and resumption servers skip up to three numbers of each stream.
            let times = interruptions + (hasMulticast ? 1 : 0)
            let isSkip = mediaLost <= 3 * times * max(1, streams.count)
            return [Text(isSkip ? "outcome.skipped" : "outcome.lost", .integer(mediaLost))]
        }
        var lines: [Text] = []
        if interleavedLost > 0 { lines.append(Text("outcome.missing", .integer(interleavedLost))) }
        if onTheWay > 0 { lines.append(Text("outcome.lostOrUnseen", .integer(onTheWay))) }
        return lines
    }

    /// When media stood still though nobody had asked for that, and whether it came to its end that way.
    private func silences() -> [Text] {
        var lines: [Text] = []
        if let silence = failures.silence {
            lines.append(
                Text("outcome.silence", .decimal(silence.seconds, places: 1), .integer(silence.frame)))
        }
        if let seconds = silentAtEnd { lines.append(Text("outcome.silentEnd", .decimal(seconds, places: 1))) }
        return lines
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
        if let unknown = failures.unknown {
            return [Text("outcome.unknown", .integer(unknown.frame), .decimal(unknown.silence, places: 1))]
        }
        if let refusal = failures.refusedTeardown {
            return [Text("outcome.teardownRefused", .integer(refusal.status), .string(refusal.reason))]
        }
        if let frame = serverLeftInFrame { return [Text("outcome.serverLeft", .integer(frame))] }
        if isTornDown { return [] }
        let isUnsure = completeness.hasGap || completeness.isOneSided || completeness.isCut || completeness.hasDrops
        // Where nothing was set up there is nothing to tear down.
        let isDue = !setups.isEmpty || mediaPackets > 0 || completeness.startsLate
        switch closedBy {
        case .reset:
            return [Text(isUnsure ? "outcome.resetUnsure" : isDue ? "outcome.reset" : "outcome.resetOnly")]
        case .close:
            if isUnsure { return [Text("outcome.closedUnsure")] }
            return isDue ? [Text("outcome.closedWithoutTeardown")] : []
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
        if completeness.isCut { return [Text("outcome.cut")] + ending() }
        if isTunnelled, completeness.isOneSided, answered > 0 || !pending.isEmpty || serverName != nil {
            return [Text("outcome.halfTunnel")] + ending()
        }
        if completeness.startsLate, setups.isEmpty { return [Text("outcome.controlUnseen")] + ending() }
        if let request = pending.first(where: { $0.direction == .clientToServer }) {
            let lacks = completeness.hasGap || completeness.isOneSided || completeness.hasDrops
            let method = Text.Argument.string(request.message.method ?? "")
            let key = lacks ? "outcome.answerUnseen" : "outcome.noAnswer"
            return [Text(key, method, .integer(request.frame))] + ending()
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
