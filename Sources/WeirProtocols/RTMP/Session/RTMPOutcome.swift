import WeirEngine
import WeirPackets

/// The outcome in one line; without media, the last step and the missing one.
extension RTMPSession {
    func outcomeTexts() -> [Text] {
        switch closedBy {
        case .refused: return [Text("outcome.refused")]
        case .unanswered(let attempts): return [Text("outcome.unanswered", .integer(attempts))]
        default: break
        }
        let flowed = flowed()
        guard flowed.isEmpty else { return flowed + silentEnd() + refusals() + ending(isFlowing: true) }
        return [broken()] + ending(isFlowing: false)
    }

    // MARK: - With media

    private func flowed() -> [Text] {
        var lines: [Text] = []
        for (media, key) in [(fromClientMedia, "outcome.rtmp.published"), (fromServerMedia, "outcome.rtmp.played")]
        where media.messages > 0 {
            lines.append(Text(completeness.isReadInPart ? key + "AtLeast" : key, .seconds(media.seconds)))
        }
        return lines
    }

    /// Seconds without media before the end that are worth a line.
    private static let longestSilence = 5.0

    /// Describes that media ceased long before the first FIN or RST, without a command that ends it. The connections of a
    /// tunnel end at any time.
    private func silentEnd() -> [Text] {
        guard teardownMark == nil, !lacksMessages, !completeness.clockWentBack, !completeness.isReadInPart,
            firstToClose != nil, !isTunneled,
            let last = [fromClientMedia, fromServerMedia].filter({ $0.messages > 0 }).map(\.last).max(),
            let closed = closeTime,
            closed.seconds(since: last) >= Self.longestSilence
        else { return [] }
        return [Text("outcome.rtmp.silentEnd", .seconds(closed.seconds(since: last)))]
    }

    /// Returns streams that were refused while others carried media.
    private func refusals() -> [Text] {
        netStreams.compactMap(\.refusal).prefix(4).map { refusal($0, "outcome.rtmp.alsoRefused") }
    }

    // MARK: - Without media

    /// Whether messages of the session may be missing from the capture, so that absence proves nothing.
    var lacksMessages: Bool {
        completeness.hasGap || completeness.isOneSided || completeness.isCut || completeness.hasDrops
    }

    /// Whether only one side was captured. For a tunnel this is known only if no octets are missing, since the gaps may
    /// contain the other side.
    private var isOneSided: Bool { completeness.isOneSided && !(isTunneled && completeness.lacksOctets) }

    /// Returns the step that failed, or why the capture does not show it.
    private func broken() -> Text {
        if completeness.isCut, connect == nil { return Text("outcome.cut") }
        if let line = refused() { return line }
        if isEncrypted { return Text("outcome.rtmp.encrypted") }
        if completeness.isReadInPart { return Text("outcome.rtmp.readInPart", .string(lastStep)) }
        if let line = unseen() { return line }
        if completeness.endsEarly { return early() }
        return brokenHandshake() ?? brokenConnect() ?? brokenStream()
    }

    /// Returns the server's refusal.
    private func refused() -> Text? { refusal.map { refusal($0.status, "outcome.rtmp.\($0.step)Refused") } }

    /// The step that the server refused, with its status: `connect`, `create`, `publish` or `play`.
    var refusal: (step: String, status: Status)? {
        if let answer = connectAnswer, answer.isError { return ("connect", answer) }
        if let stream = netStreams.last(where: { $0.role != nil }), let role = stream.role {
            return stream.refusal.map { (role.rawValue, $0) }
        }
        guard let failure = lastFailure else { return nil }
        // The code of onStatus names the refused request, even if the request was not captured.
        if failure.status.name == "onStatus" {
            let code = failure.status.code ?? ""
            if code.hasPrefix("NetStream.Publish.") { return ("publish", failure.status) }
            return code.hasPrefix("NetStream.Play.") ? ("play", failure.status) : nil
        }
        return failure.command == "createStream" ? ("create", failure.status) : nil
    }

    /// Returns what cannot be determined because octets are missing.
    private func unseen() -> Text? {
        if isOneSided {
            return Text(messagesOfClient == 0 ? "outcome.rtmp.oneSidedServer" : "outcome.rtmp.oneSided")
        }
        if completeness.startsLate, connect == nil { return Text("outcome.rtmp.unseen") }
        return lacksMessages ? Text("outcome.rtmp.lacking", .string(lastStep)) : nil
    }

    /// Returns the progress and the pending request if the capture ends before a failure.
    private func early() -> Text {
        guard let request = unanswered.last(where: { $0.direction == .clientToServer }), let end = followedUntil else {
            return Text("outcome.rtmp.early", .string(lastStep))
        }
        let seconds = max(0, end.seconds(since: request.mark.time))
        return Text(
            "outcome.rtmp.waiting", .string(request.command.name), .integer(request.mark.frame),
            .seconds(seconds))
    }

    /// The last step taken.
    private var lastStep: String {
        if let lastCommand, !lastCommand.name.isEmpty { return lastCommand.name }
        let parts: [RTMPHandshakePart.Packet] = [.s2, .c2, .s1, .c1, .s0, .c0]
        return parts.first { handshake[$0] != nil }.map { $0.rawValue } ?? "SYN"
    }

    private func brokenHandshake() -> Text? {
        guard !handshake.isEmpty || !completeness.startsLate else { return nil }
        guard connect == nil, netStreams.isEmpty else { return nil }
        // A tunnel with a session ID was opened.
        if isTunneled, handshake.isEmpty {
            return Text(conversation == nil ? "outcome.rtmp.noTunnel" : "outcome.rtmp.unseen")
        }
        if handshake[.s0] == nil, handshake[.s1] == nil {
            return Text("outcome.rtmp.noS0")
        }
        if let other = otherProtocol {
            return Text("outcome.rtmp.otherAnswer", .string(other.name), .integer(other.frame))
        }
        if handshake[.s1] == nil { return Text("outcome.rtmp.noS1") }
        if handshake[.c1] == nil { return Text("outcome.rtmp.noC1") }
        if handshake[.c2] == nil { return Text("outcome.rtmp.noC2") }
        if handshake[.s2] == nil { return Text("outcome.rtmp.noS2") }
        return Text("outcome.rtmp.noConnect")
    }

    /// The protocol of a server that answers in another one, and the frame: S0 is then the first octet of HTTP, or of a
    /// TLS record, and S1 is never complete.
    var otherProtocol: (name: String, frame: Int)? {
        guard let (part, mark) = handshake[.s0], let version = part.version, let next = handshake[.s1]?.part,
            next.isUnfinished, let time = next.time
        else { return nil }
        // The field for the time has the next four octets.
        if version == UInt8(ascii: "H"), time == 0x5454_502F { return ("HTTP", mark.frame) }
        return (version == 21 || version == 22) && time >> 24 == 3 ? ("TLS", mark.frame) : nil
    }

    private func brokenConnect() -> Text? {
        guard let connect, connectAnswer == nil, netStreams.isEmpty else { return nil }
        return Text("outcome.rtmp.connectUnanswered", .integer(connect.mark.frame))
    }

    private func brokenStream() -> Text {
        guard let stream = netStreams.last(where: { $0.role != nil }), let role = stream.role else {
            if let request = pending.first(where: { $0.command.kind == .createStream }) {
                return Text("outcome.rtmp.createUnanswered", .integer(request.mark.frame))
            }
            if netStreams.isEmpty {
                return Text("outcome.rtmp.stoppedAfter", spoken(lastCommand?.name ?? "connect"))
            }
            return Text("outcome.rtmp.nothingAsked")
        }
        if stream.accepted == nil, let request = stream.request {
            return Text("outcome.rtmp.unanswered", .string(role.rawValue), .integer(request.mark.frame))
        }
        // nginx accepts unwanted publishers and then closes the connection.
        if role == .publish, (firstToFinish ?? resetBy)?.direction == .serverToClient {
            return Text("outcome.rtmp.publishDropped")
        }
        return Text("outcome.rtmp.\(role.rawValue)NoMedia")
    }

    private func refusal(_ status: Status, _ key: String) -> Text {
        let words = status.description.map { "\"\($0)\"" } ?? ""
        let code = (status.code ?? status.name) + (words.isEmpty ? "" : " ")
        return Text(key, .string(code), spoken(words, about: code), .integer(status.mark.frame))
    }

    // MARK: - The end

    /// Whether a FIN preceded the RST: on the same side it always does, whatever the order in the file.
    private func isBeforeReset(_ finish: (direction: Direction, frame: Int)) -> Bool {
        resetBy.map { finish.direction == $0.direction || finish.frame <= $0.frame } ?? true
    }

    /// The side that closed first, if the capture shows it.
    var firstToClose: (direction: Direction, frame: Int)? {
        if let finish = firstToFinish, isBeforeReset(finish) { return finish }
        return isFinishUnknown || closedBy == .close ? nil : resetBy
    }

    /// Describes the end unless it was regular: `deleteStream` or similar, then FIN or, as many clients do, RST.
    private func ending(isFlowing: Bool) -> [Text] {
        if isTornDown, closedBy != nil { return [] }
        if let finish = firstToFinish, isBeforeReset(finish) {
            // The side that was not captured may have closed first.
            if isOneSided { return [Text("outcome.rtmp.closedUnsure")] }
            guard finish.direction == .clientToServer else {
                return [Text("outcome.rtmp.closedByServer", .integer(finish.frame))]
            }
            // The closing segment may contain the teardown command.
            if teardownMark != nil { return [] }
            let isMissed = isFlowing && publishes && !lacksMessages
            let key = isMissed ? "outcome.rtmp.closedByClient" : "outcome.rtmp.leftByClient"
            return [Text(key, .integer(finish.frame))]
        }
        // Without the FINs, the side that closed first is unknown.
        if isFinishUnknown || closedBy == .close { return [Text("outcome.rtmp.closedUnsure")] }
        guard let resetBy else {
            let isUnseen = isOneSided && messagesOfClient == 0 || beganBehind
            return [Text(isUnseen ? "outcome.endUnseen" : "outcome.open")]
        }
        let key = resetBy.direction == .clientToServer ? "outcome.rtmp.resetByClient" : "outcome.rtmp.resetByServer"
        return [Text(key, .integer(resetBy.frame))]
    }
}
