import WeirEngine
import WeirPackets

/// The outcome of a session: one line, most important part first.
extension RTSPSession {
    func outcomeTexts() -> [Text] {
        guard mediaPackets > 0 else { return reasonWithoutMedia() }
        var lines = [flowed()] + fruitlessAttempt() + absent() + lost() + silences() + keyless()
        if let endpoint = refusedMedia {
            lines.append(Text("outcome.notTaken", .string(endpoint.description)))
        }
        if let entry = unagreed.first { lines.append(Text("outcome.unagreed", .string(entry.destination.description))) }
        return lines + ending()
    }

    /// The streams sent to client ports that were not negotiated.
    private var unagreed: [MediaEntry] { lacksMessages ? [] : mediaStreams.filter(\.isUnagreed) }

    /// Whether messages of the session may be missing from the capture, so that it proves no absence.
    var lacksMessages: Bool {
        completeness.hasGap || completeness.isOneSided || completeness.isCut || completeness.hasDrops
            || completeness.isFiltered
    }

    /// Describes an earlier session on the connection that brought no media.
    private func fruitlessAttempt() -> [Text] {
        guard let frame = formerMedia.first?.frame, !lacksMessages, !completeness.lacksDatagrams,
            !completeness.startsLate
        else {
            return []
        }
        return [Text("outcome.fruitless", .integer(frame))]
    }

    /// Describes audio and video that were set up, and of which the complete capture contains no packet.
    private func absent() -> [Text] {
        guard isWhole, !completeness.endsEarly, !completeness.lacksDatagrams, !hasMulticast, sharesMediaWith == nil,
            unagreed.isEmpty
        else { return [] }
        return setups.compactMap { setup in
            guard setup.dissector != nil, setup.mediaPackets == 0, setup.unreachable == nil, !setup.isReleased,
                let index = setup.mediumIndex,
                let description, description.media.indices.contains(index)
            else { return nil }
            let type = description.media[index].type
            guard type == "audio" || type == "video" else { return nil }
            return Text("outcome.mediumAbsent", .string(type), .integer(setup.answerFrame))
        }
    }

    /// Describes media losses and where they may have occurred.
    private func lost() -> [Text] {
        var lines: [Text] = []
        if completeness.isCut, interleavedLost > 0 {
            lines.append(Text("outcome.cutMedia"))
        } else if completeness.hasGap, interleavedLost > 0 {
            lines.append(Text("outcome.missing", .integer(interleavedLost)))
        } else if completeness.isOneSided, interleavedLost > 0 {
            lines.append(Text("outcome.missingOrSkipped", .integer(interleavedLost)))
        } else if hasFramingFault, interleavedLost > 0 {
            lines.append(Text("outcome.damagedFrames", .integer(interleavedLost)))
        }
        let isOfCapture =
            completeness.isCut || completeness.hasGap || completeness.isOneSided || hasFramingFault
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

    /// Describes unrequested interruptions of media, and whether media ended in one.
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

    /// Describes video without a key frame for so long that players show nothing. A cause says more.
    private func keyless() -> [Text] {
        guard let seconds = marks.keyless, !lacksMessages, !hasKeyframeCause else { return [] }
        return [Text("outcome.noKeyframe", .decimal(seconds, places: 1))]
    }

    /// Describes the media: direction and duration, without pauses. The duration of media sent faster than real time is
    /// taken from its timestamps.
    private func flowed() -> Text {
        let zero = Timestamp(nanoseconds: 0)
        let all = (lastMediaTime ?? zero).seconds(since: firstMediaTime ?? zero) - mediaPaused
        let seconds = max(0, restarts > 0 ? all - secondsBetweenSessions : all)
        let sent = mediaStreams.reduce(0) { $0 + ($1.source.address == client.address ? $1.packetsAtEnd : 0) }
        let isRecorded = wasRecording || (client.address != server.address && sent * 2 > mediaPackets)
        let media = mediaStreams.reduce(0) { max($0, $1.mediaSeconds) }
        if media > 1.5 * seconds + 1 {
            let key = isRecorded ? "outcome.recordedFaster" : "outcome.playedFaster"
            return Text(key, .decimal(media, places: 1), .seconds(seconds))
        }
        let isTaken =
            refusedMedia == nil && misplacedMedia == nil && (unagreed.isEmpty || unagreed.count < mediaStreams.count)
        let key = isRecorded ? "outcome.recorded" : isTaken ? "outcome.played" : "outcome.sent"
        return Text(key, .seconds(seconds))
    }

    /// The seconds without any stream.
    private var secondsBetweenSessions: Double {
        var seconds = 0.0
        var end: Timestamp?
        for span in mediaSpans.sorted(by: { $0.start < $1.start }) {
            if let end, span.start > end { seconds += span.start.seconds(since: end) }
            end = max(end ?? span.end, span.end)
        }
        return seconds
    }

    /// Describes the end of the session, unless it ended regularly with TEARDOWN.
    func ending() -> [Text] {
        if let unknown = failures.unknown {
            return [Text("outcome.unknown", .integer(unknown.frame), .decimal(unknown.silence, places: 1))]
        }
        if let refusal = failures.refusedTeardown {
            return [Text("outcome.teardownRefused", .integer(refusal.status), .string(refusal.reason))]
        }
        // Without captured packets from the client, its requests are unknown.
        let isUnseen = completeness.startsLate && (lastRequest == nil || setups.isEmpty && mediaPackets == 0)
        let isUnsure = lacksMessages || isUnseen
        if let frame = serverLeftInFrame, !isUnsure { return [Text("outcome.serverLeft", .integer(frame))] }
        if isTornDown { return [] }
        // TEARDOWN is needed only if something was set up; a server that closes in place of a response needs no reason.
        let isAnswerDue = latestPending != nil && firstToClose == .serverToClient
        let isDue = !setups.isEmpty || mediaPackets > 0 || completeness.startsLate || isAnswerDue
        switch closedBy {
        case .reset where isUnsure: return [Text("outcome.resetUnsure")]
        case .close where isUnsure: return [Text("outcome.closedUnsure")]
        case .reset, .close: return isDue ? [left()] : closedBy == .reset ? [Text("outcome.resetOnly")] : []
        // One side has closed; the other side's close is not captured.
        case nil where firstToFinish != nil:
            return isUnsure ? [Text("outcome.closedUnsure")] : isDue ? [left()] : []
        // A client that is not captured may have closed.
        default:
            let isUnseen = completeness.isOneSided && lastRequest == nil || beganBehind
            return [Text(isUnseen ? "outcome.endUnseen" : "outcome.open")]
        }
    }

    /// The side that closed first, if captured.
    var firstToClose: Direction? { firstClose?.direction }

    /// The first FIN or RST, if captured.
    var firstClose: (direction: Direction, frame: Int)? { finishFirst ?? resetBy }

    /// The first FIN, unless the other side sent RST before it. A side's FIN always precedes its RST, whatever their
    /// order in the file.
    private var finishFirst: (direction: Direction, frame: Int)? {
        let reset = resetBy?.direction == firstToFinish?.direction ? nil : resetBy?.frame
        return firstToFinish.flatMap { $0.frame <= reset ?? .max ? $0 : nil }
    }

    /// Describes which side closed first, and how.
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
