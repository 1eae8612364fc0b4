import WeirEngine
import WeirPackets

// Why a session failed, as far as packets show it. An incomplete capture does not prove absence.

extension RTMPSession {
    /// A close by one side although the other had not indicated that it was done.
    struct AbruptEnd {
        var by: Direction
        var frame: Int
        var time: Timestamp
    }

    /// The time within which an event may explain the end, in seconds.
    private static let closeness = 2.0
    /// The same, of a close that contradicts a success; later ones have other reasons.
    private static let promptness = 0.5

    /// Returns the proved and likely causes, and the suspected ones that frames rule out.
    func foundCauses() -> [Cause] {
        if isWhole, let other = otherProtocol {
            return [
                Cause(
                    "other-protocol", .proved, frames: [other.frame],
                    Text("rtmp.cause.other-protocol", .string(other.name), .integer(other.frame)))
            ]
        }
        var held = [refusalCause()].compactMap { $0 } + formCauses()
        if held.isEmpty, let end = abruptEnd { held += likelyCause(of: end).map { [$0] } ?? [] }
        if held.isEmpty, closedBy == nil, isWhole, completeness.endsEarly, let until = followedUntil {
            held += acknowledgementCause(until: until, by: nil, frame: nil).map { [$0] } ?? []
        }
        return held.isEmpty ? [] : held + ruledOut(beside: held)
    }

    /// Whether the capture contains the whole session up to its end.
    private var isWhole: Bool {
        !lacksMessages && !completeness.startsLate && !completeness.isFiltered && !completeness.clockWentBack
            && !completeness.isReadInPart && !completeness.isLimited && !beganBehind && !isTunneled && !isEncrypted
    }

    /// The end of the session, unless the client had indicated that it was done.
    private var abruptEnd: AbruptEnd? {
        guard isWhole, !isTornDown, closedBy == .close || closedBy == .reset || firstToFinish != nil,
            let firstCloser, let time = closeTime
        else { return nil }
        return AbruptEnd(by: firstCloser.direction, frame: firstCloser.frame, time: time)
    }

    /// The side that closed first.
    private var firstCloser: (direction: Direction, frame: Int)? {
        firstToFinish == nil && closedBy == .close ? nil : firstToClose
    }

    // MARK: - Proved

    /// Returns the server's refusal as a cause.
    private func refusalCause() -> Cause? {
        guard fromClientMedia.messages == 0, fromServerMedia.messages == 0, let refusal else { return nil }
        let status = refusal.status
        let id = refusal.step == "create" ? "create-stream-refused" : "\(refusal.step)-refused"
        return Cause(
            id, .proved, frames: [status.mark.frame],
            Text(
                "rtmp.cause.refused", .string(status.code ?? status.name),
                .text(Text("rtmp.reason.\(reason(of: status))")),
                .integer(status.mark.frame)))
    }

    /// Returns the meaning of a status as the suffix of a text key.
    private func reason(of status: Status) -> String {
        let words = status.description ?? ""
        if ["authmod=", "needauth", "code=403 need auth"].contains(where: { ASCII.contains(words, $0) }) {
            return "credentials"
        }
        switch status.code ?? "" {
        case "NetStream.Publish.BadName": return "badName"
        case "NetStream.Play.StreamNotFound": return "noStream"
        case "NetConnection.Connect.InvalidApp": return "noApplication"
        case "NetConnection.Connect.Rejected": return "rejected"
        default: return "other"
        }
    }

    /// Returns faults in chunks and timestamps that stop receivers.
    private func formCauses() -> [Cause] {
        guard isWhole, !isTornDown else { return [] }
        return [chunkSizeCause(), leapCause(), standstillCause(), offsetCause()].compactMap { $0 }
    }

    private func chunkSizeCause() -> Cause? {
        guard let long = marks.longChunk else { return nil }
        let side = long.isClients ? "client" : "server"
        guard let peer = long.peer else {
            return Cause(
                "chunk-size-not-announced", .proved, frames: [long.frame],
                Text("rtmp.cause.chunk-size-not-announced.\(side)", .integer(long.octets), .integer(long.frame)))
        }
        return Cause(
            "chunk-size-of-peer", .proved, frames: [peer.frame, long.frame],
            Text(
                "rtmp.cause.chunk-size-of-peer.\(side)", .integer(peer.size), .integer(peer.frame),
                .integer(long.octets),
                .integer(long.frame)))
    }

    private func leapCause() -> Cause? {
        guard let leap = marks.leap else { return nil }
        return Cause(
            "timestamp-leap", .proved, frames: [leap.frame],
            Text(
                "rtmp.cause.timestamp-leap.\(leap.isVideo ? "video" : "audio")", .decimal(leap.seconds, places: 1),
                .integer(leap.frame)))
    }

    private func standstillCause() -> Cause? {
        guard let (run, isVideo) = marks.standstill else { return nil }
        return Cause(
            "timestamps-still", .proved, frames: [run.frame],
            Text(
                "rtmp.cause.timestamps-still.\(isVideo ? "video" : "audio")", .integer(run.frame),
                .seconds(run.seconds)))
    }

    private func offsetCause() -> Cause? {
        guard let apart = marks.apart else { return nil }
        return Cause(
            "timestamps-apart", .proved, frames: [apart.frame],
            Text(
                "rtmp.cause.timestamps-apart.\(apart.seconds > 0 ? "ahead" : "behind")",
                .decimal(apart.seconds.magnitude, places: 1), .integer(apart.frame)))
    }

    // MARK: - Likely

    /// Returns the latest fault right before the end, otherwise a message missing for a long time.
    private func likelyCause(of end: AbruptEnd) -> Cause? {
        let near = nearCauses(of: end).filter { 0...Self.closeness ~= $0.delay }
        return near.min { $0.delay < $1.delay }?.cause ?? pingCause(end)
            ?? acknowledgementCause(until: end.time, by: end.by, frame: end.frame)
            ?? commandCause(end)
    }

    /// Returns chunk faults of the other side shortly before the end, each with its distance in seconds.
    private func nearCauses(of end: AbruptEnd) -> [(delay: Double, cause: Cause)] {
        let side = end.by == .serverToClient ? "server" : "client"
        func cause(
            _ id: String, _ place: RTMPCauseMarks.Place?, variant: String = "", _ more: Text.Argument...
        ) -> (delay: Double, cause: Cause)? {
            guard let place, place.isClients == (end.by == .serverToClient) else { return nil }
            let delay = end.time.seconds(since: place.time)
            let words = [.text(Text("rtmp.cause.side.\(side)")), .duration(delay), .integer(place.frame)] + more
            return (
                delay,
                Cause(
                    id, .likely, frames: [place.frame, end.frame], Text("rtmp.cause.\(id)\(variant)", arguments: words))
            )
        }
        // A side that sent no message at all is not out of sync: the data after its handshake is something else.
        let hasSentData = (end.by == .serverToClient ? messagesOfClient : messages &- messagesOfClient) > 0
        let (unfinished, high) = (marks.unfinished, marks.highStream)
        return [
            cause(
                "message-unfinished", unfinished?.place, .integer(unfinished?.received ?? 0),
                .integer(unfinished?.length ?? 0)),
            cause(
                "chunk-stream-number", high?.place, .integer(high?.chunkStream ?? 0),
                .integer(high?.accepted ?? 0)),
            cause(
                "chunk-framing-lost", marks.misplaced,
                variant: marks.isStray ? ".stray" : hasSentData ? "" : ".atOnce"),
            cause("control-chunk-stream", marks.control?.place, .integer(marks.control?.chunkStream ?? 0)),
            cause("chunk-size-too-large", marks.largeChunks?.place, .integer(marks.largeChunks?.size ?? 0)),
            cause("data-without-name", marks.nameless),
            cause("chunk-continuation", marks.continued),
            longMessageCause(of: end).map { (delay: Self.closeness, cause: $0) },
            cause("timestamp-24-bit", marks.wrapped),
            cause("extended-timestamp", marks.omitted),
        ].compactMap { $0 }
    }

    /// Returns a message that the connection ended in, longer than servers accept.
    private func longMessageCause(of end: AbruptEnd) -> Cause? {
        guard let long = marks.longMessage, end.by == .serverToClient, long.place.isClients else { return nil }
        return Cause(
            "message-too-long", .likely, frames: [end.frame],
            Text(
                "rtmp.cause.message-too-long", .text(Text("rtmp.cause.side.server")), .integer(long.length),
                .integer(long.received)))
    }

    /// Returns unanswered Ping Requests of the side that closed as a cause, if none had an answer at the end.
    private func pingCause(_ end: AbruptEnd) -> Cause? {
        let waiting = pings.pending.filter { $0.direction == end.by }
        guard waiting.count > 1, let first = waiting.first, let last = waiting.last, pings.answered == 0,
            end.time.seconds(since: first.mark.time) > Self.closeness
        else { return nil }
        let side = end.by == .serverToClient ? "server" : "client"
        return Cause(
            "pings-unanswered", .likely, frames: [first.mark.frame, last.mark.frame, end.frame],
            Text(
                "rtmp.cause.pings-unanswered.\(side)", .integer(waiting.count + pings.forgotten),
                .integer(first.mark.frame), .integer(last.mark.frame)))
    }

    /// Returns a missing acknowledgement after which the sender stalled or closed. `end` is the end of the session, or
    /// of the capture, which no side caused.
    private func acknowledgementCause(until end: Timestamp, by closer: Direction?, frame: Int?) -> Cause? {
        for (sender, media) in [(Direction.clientToServer, fromClientMedia), (.serverToClient, fromServerMedia)] {
            let account = account(sender)
            guard let window = account.window, window > 0, media.messages > 0, let announced = account.announced
            else { continue }
            let idle = end.seconds(since: media.last)
            guard idle >= Self.closeness || closer == sender && idle >= 0 else { continue }
            if let run = account.standingRun, account.octets(beyond: run.first.value) > Int(window) {
                return Cause(
                    "acknowledgements-same", .likely, frames: [run.first.mark.frame, frame].compactMap { $0 },
                    Text(
                        "rtmp.cause.acknowledgements-same.\(sender == .clientToServer ? "client" : "server")",
                        .integer(run.times), .integer(Int(run.first.value)), .integer(run.first.mark.frame),
                        .integer(account.octets(beyond: run.first.value)), .integer(Int(window)), .duration(idle)))
            }
            guard account.unacknowledged > Int(window) else { continue }
            return Cause(
                "acknowledgements-missing", .likely, frames: [announced.frame, frame].compactMap { $0 },
                Text(
                    "rtmp.cause.acknowledgements-missing.\(sender == .clientToServer ? "client" : "server")",
                    .integer(account.unacknowledged), .integer(Int(window)), .duration(idle)))
        }
        return nil
    }

    /// Returns a close by the server right after it accepted publish, or in place of a response.
    private func commandCause(_ end: AbruptEnd) -> Cause? {
        guard end.by == .serverToClient else { return nil }
        func cause(_ id: String, _ mark: Mark, within most: Double = Self.closeness) -> Cause? {
            let delay = end.time.seconds(since: mark.time)
            guard 0...most ~= delay else { return nil }
            return Cause(
                id, .likely, frames: [mark.frame, end.frame],
                Text("rtmp.cause.\(id)", .duration(delay), .integer(mark.frame)))
        }
        if let stream = netStreams.last(where: { $0.role != nil }), let request = stream.request {
            guard stream.role == .publish else { return nil }
            guard let accepted = stream.accepted else { return cause("closed-after-publish", request.mark) }
            return cause("closed-after-publish-start", accepted, within: Self.promptness)
        }
        guard let connect, connectAnswer == nil else { return nil }
        return cause("closed-after-connect", connect.mark)
    }

    // MARK: - Ruled out

    /// Returns plausible causes that frames disprove.
    private func ruledOut(beside held: [Cause]) -> [Cause] {
        guard let stream = netStreams.last(where: { $0.role != nil }), let role = stream.role,
            let accepted = stream.accepted
        else { return [] }
        let id = "\(role.rawValue)-refused"
        guard !held.contains(where: { $0.id == id }) else { return [] }
        return [
            Cause(
                id, .ruledOut, frames: [accepted.frame],
                Text("rtmp.cause.\(id).ruledOut", .integer(accepted.frame)))
        ]
    }
}
