import WeirEngine
import WeirPackets

/// What happened in the end, in a line, in the order of what mattered.
extension RTSPSession {
    func outcomeTexts() -> [Text] {
        guard mediaPackets > 0 else { return reasonWithoutMedia() }
        var lines = [flowed()] + lost() + silences()
        if let endpoint = refusedMedia {
            lines.append(Text("outcome.notTaken", .string(endpoint.description)))
        }
        if let entry = unagreed.first { lines.append(Text("outcome.unagreed", .string(entry.destination.description))) }
        return lines + ending()
    }

    /// The streams that went to ports of the client's that were not agreed on.
    private var unagreed: [MediaEntry] { lacksMessages ? [] : mediaStreams.filter(\.isUnagreed) }

    /// Whether the capture may lack messages of the session: then it proves no absence.
    var lacksMessages: Bool {
        completeness.hasGap || completeness.isOneSided || completeness.isCut || completeness.hasDrops
            || completeness.isFiltered
    }

    /// What is missing of the media, and whose fault that may be.
    private func lost() -> [Text] {
        var lines: [Text] = []
        if completeness.isCut, interleavedLost > 0 {
            lines.append(Text("outcome.cutMedia"))
        } else if completeness.hasGap, interleavedLost > 0 {
            lines.append(Text("outcome.missing", .integer(interleavedLost)))
        } else if completeness.isOneSided, interleavedLost > 0 {
            lines.append(Text("outcome.missingOrSkipped", .integer(interleavedLost)))
        }
        let isOfCapture = completeness.isCut || completeness.hasGap || completeness.isOneSided
        let onTheWay = mediaLost - mediaSkipped - mediaArrived - (isOfCapture ? interleavedLost : 0)
        if mediaArrived > 0 { lines.append(Text("outcome.arrived", .integer(mediaArrived))) }
        if onTheWay > 0 {
            lines.append(Text(completeness.hasGap ? "outcome.lostOrUnseen" : "outcome.lost", .integer(onTheWay)))
        }
        let isSeen = !turns.isEmpty || hasMulticast
        let skipped = isSeen ? mediaSkipped - mediaPerhapsSkipped : 0
        if skipped > 0 { lines.append(Text("outcome.skipped", .integer(skipped))) }
        if mediaSkipped > skipped {
            lines.append(Text("outcome.missingOrSkipped", .integer(mediaSkipped - skipped)))
        }
        return lines
    }

    /// When media stood still though nobody had asked for that, and whether it came to its end that way.
    private func silences() -> [Text] {
        guard !completeness.clockWentBack else { return [] }
        var lines: [Text] = []
        if let silence = failures.silence {
            lines.append(
                Text("outcome.silence", .decimal(silence.seconds, places: 1), .integer(silence.frame)))
        }
        if let seconds = silentAtEnd, !completeness.hasGap {
            lines.append(Text("outcome.silentEnd", .decimal(seconds, places: 1)))
        }
        return lines
    }

    /// What flowed, which way, and for how long, without pauses; media that was sent faster than it plays is told by its own time.
    private func flowed() -> Text {
        let zero = Timestamp(nanoseconds: 0)
        let seconds = max(0, (lastMediaTime ?? zero).seconds(since: firstMediaTime ?? zero) - mediaPaused)
        let sent = mediaStreams.reduce(0) { $0 + ($1.source.address == client.address ? $1.packetsAtEnd : 0) }
        let isRecorded = wasRecording || (client.address != server.address && sent * 2 > mediaPackets)
        let media = mediaStreams.reduce(0) { max($0, $1.mediaSeconds) }
        if media > 1.5 * seconds + 1 {
            let key = isRecorded ? "outcome.recordedFaster" : "outcome.playedFaster"
            return Text(key, .decimal(media, places: 1), .seconds(seconds))
        }
        let isTaken = refusedMedia == nil && (unagreed.isEmpty || unagreed.count < mediaStreams.count)
        let key = isRecorded ? "outcome.recorded" : isTaken ? "outcome.played" : "outcome.sent"
        return Text(key, .seconds(seconds))
    }

    /// How it ended, unless with TEARDOWN as it should.
    func ending() -> [Text] {
        if let unknown = failures.unknown {
            return [Text("outcome.unknown", .integer(unknown.frame), .decimal(unknown.silence, places: 1))]
        }
        if let refusal = failures.refusedTeardown {
            return [Text("outcome.teardownRefused", .integer(refusal.status), .string(refusal.reason))]
        }
        // Of a client of which the capture holds nothing it is not known what it asked for.
        let isUnseen = completeness.startsLate && (lastRequest == nil || setups.isEmpty && mediaPackets == 0)
        let isUnsure = lacksMessages || isUnseen
        if let frame = serverLeftInFrame, !isUnsure { return [Text("outcome.serverLeft", .integer(frame))] }
        if isTornDown { return [] }
        // Where nothing was set up there is nothing to tear down.
        let isDue = !setups.isEmpty || mediaPackets > 0 || completeness.startsLate
        switch closedBy {
        case .reset where isUnsure: return [Text("outcome.resetUnsure")]
        case .close where isUnsure: return [Text("outcome.closedUnsure")]
        case .reset, .close: return isDue ? [left()] : closedBy == .reset ? [Text("outcome.resetOnly")] : []
        // One side has closed, and the other was not seen to.
        case nil where firstToFinish != nil:
            return isUnsure ? [Text("outcome.closedUnsure")] : isDue ? [left()] : []
        // A client that is not in the capture may have closed.
        default:
            let isUnseen = completeness.isOneSided && lastRequest == nil || beganBehind
            return [Text(isUnseen ? "outcome.endUnseen" : "outcome.open")]
        }
    }

    /// Who left first, if the capture shows it.
    var firstToLeave: Direction? { finishFirst?.direction ?? resetBy?.direction }

    /// The first FIN, unless the other side broke the connection off before: of one side the FIN is always before the RST,
    /// wherever the file has the two.
    private var finishFirst: (direction: Direction, frame: Int)? {
        let reset = resetBy?.direction == firstToFinish?.direction ? nil : resetBy?.frame
        return firstToFinish.flatMap { $0.frame <= reset ?? .max ? $0 : nil }
    }

    /// Who left first, and how.
    private func left() -> Text {
        if let finish = finishFirst {
            let isClient = finish.direction == .clientToServer
            return Text(isClient ? "outcome.closedWithoutTeardown" : "outcome.serverClosed", .integer(finish.frame))
        }
        guard let resetBy else { return Text("outcome.closedBySomebody") }
        let isClient = resetBy.direction == .clientToServer
        return Text(isClient ? "outcome.reset" : "outcome.resetByServer", .integer(resetBy.frame))
    }
}
