import WeirEngine
import WeirPackets

/// What happened in the end, in a line; and when no media came, which step was the last, and which never came.
extension RTMPSession {
    func outcomeTexts() -> [Text] {
        switch closedBy {
        case .refused: return [Text("outcome.refused")]
        case .unanswered(let attempts): return [Text("outcome.unanswered", .integer(attempts))]
        default: break
        }
        let flowed = flowed()
        guard flowed.isEmpty else { return flowed + refusals() + ending(isFlowing: true) }
        return [broken()] + ending(isFlowing: false)
    }

    // MARK: - With media

    private func flowed() -> [Text] {
        var lines: [Text] = []
        for (media, key) in [(fromClientMedia, "outcome.rtmp.published"), (fromServerMedia, "outcome.rtmp.played")]
        where media.messages > 0 {
            let seconds = max(0, media.last.seconds(since: media.first))
            lines.append(Text(key, .decimal(seconds, places: 1)))
        }
        return lines
    }

    /// Streams that were refused while others flowed.
    private func refusals() -> [Text] {
        netStreams.compactMap(\.refusal).prefix(4).map { refusal($0, "outcome.rtmp.alsoRefused") }
    }

    // MARK: - Without media

    /// The step that broke.
    private func broken() -> Text {
        if completeness.isCut, connect == nil { return Text("outcome.cut") }
        if let line = brokenHandshake() { return line }
        if let line = brokenConnect() { return line }
        return brokenStream()
    }

    private func brokenHandshake() -> Text? {
        guard !handshake.isEmpty || !completeness.startsLate else { return nil }
        guard connect == nil, netStreams.isEmpty else { return nil }
        if isTunnelled, handshake.isEmpty { return Text("outcome.rtmp.noTunnel") }
        // What is not seen of a side that is not in the capture tells nothing.
        if completeness.isOneSided, handshake[.c1] == nil || handshake[.s1] == nil, !isEncrypted { return nil }
        if isEncrypted { return Text("outcome.rtmp.encrypted") }
        if handshake[.s0] == nil, handshake[.s1] == nil {
            return Text("outcome.rtmp.noS0")
        }
        if handshake[.s1] == nil { return Text("outcome.rtmp.noS1") }
        if handshake[.c1] == nil { return Text("outcome.rtmp.noC1") }
        if handshake[.c2] == nil { return Text("outcome.rtmp.noC2") }
        if handshake[.s2] == nil { return Text("outcome.rtmp.noS2") }
        return Text("outcome.rtmp.noConnect")
    }

    private func brokenConnect() -> Text? {
        guard let connect else {
            if completeness.isOneSided, messagesOfClient == 0 { return Text("outcome.rtmp.oneSidedServer") }
            return completeness.startsLate ? Text("outcome.rtmp.unseen") : nil
        }
        guard let answer = connectAnswer else {
            if completeness.isOneSided { return Text("outcome.rtmp.oneSided") }
            return netStreams.isEmpty ? Text("outcome.rtmp.connectUnanswered", .integer(connect.mark.frame)) : nil
        }
        return answer.isError ? refusal(answer, "outcome.rtmp.connectRefused") : nil
    }

    private func brokenStream() -> Text {
        guard let stream = netStreams.last(where: { $0.role != nil }), let role = stream.role else {
            if let failure = lastFailure, failure.command == "createStream" {
                return refusal(failure.status, "outcome.rtmp.createRefused")
            }
            if let request = pending.first(where: { $0.command.name == "createStream" }) {
                return Text("outcome.rtmp.createUnanswered", .integer(request.mark.frame))
            }
            if netStreams.isEmpty {
                return Text("outcome.rtmp.stoppedAfter", spoken(lastCommand?.name ?? "connect"))
            }
            return Text("outcome.rtmp.nothingAsked")
        }
        if let refused = stream.refusal { return refusal(refused, "outcome.rtmp.\(role.rawValue)Refused") }
        if stream.accepted == nil, let request = stream.request {
            return Text("outcome.rtmp.unanswered", .string(role.rawValue), .integer(request.mark.frame))
        }
        // What nginx does to publishers that it does not want: it agrees, and hangs up.
        if role == .publish, firstToFinish?.direction == .serverToClient { return Text("outcome.rtmp.publishDropped") }
        return Text("outcome.rtmp.\(role.rawValue)NoMedia")
    }

    private func refusal(_ status: Status, _ key: String) -> Text {
        let words = status.description.map { "\"\($0)\"" } ?? ""
        let code = (status.code ?? status.name) + (words.isEmpty ? "" : " ")
        return Text(key, .string(code), spoken(words), .integer(status.mark.frame))
    }

    // MARK: - The end

    /// How it ended, unless as it should: with `deleteStream` or its like, then FIN or, as many clients do, RST.
    private func ending(isFlowing: Bool) -> [Text] {
        if isTornDown, closedBy != nil { return [] }
        if let finish = firstToFinish, finish.frame <= resetBy?.frame ?? .max {
            guard finish.direction == .clientToServer else {
                return [Text("outcome.rtmp.closedByServer", .integer(finish.frame))]
            }
            let key = isFlowing && publishes ? "outcome.rtmp.closedByClient" : "outcome.rtmp.leftByClient"
            return [Text(key, .integer(finish.frame))]
        }
        guard let resetBy else { return [Text("outcome.open")] }
        let key = resetBy.direction == .clientToServer ? "outcome.rtmp.resetByClient" : "outcome.rtmp.resetByServer"
        return [Text(key, .integer(resetBy.frame))]
    }
}
