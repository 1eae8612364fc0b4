import WeirEngine
import WeirPackets

// Commands: their purpose, the matching of answers, and their effect.

extension RTMPSession {
    /// Processes a command or an answer; returns the exchange of an answer.
    func observe(_ said: RTMPCommandView, _ message: RTMPMessage, _ event: inout Event) -> Event.Exchange? {
        if said.isAnswer { return answer(said, message, &event) }
        let mark = Mark(event)
        let command = PendingCommand(message: message, command: said, direction: event.direction, mark: mark)
        if event.direction == .clientToServer {
            ask(command)
            lastCommand = (said.name, mark)
        }
        if let number = said.transactionID, number != 0 || said.kind?.isAnsweredByStatus == true {
            if message.length > limits[RTMPLimits.self].commandOctets {
                forgotten += 1
                return nil
            }
            pending.append(command)
            if pending.count > limits.outstandingRequests {
                pending.removeFirst()
                forgotten += 1
            }
        }
        return nil
    }

    /// Applies a command of the client.
    private func ask(_ command: PendingCommand) {
        let stream = command.message.messageStreamID
        switch command.command.kind {
        case .connect:
            phase = .connectCommand
            connect = connect ?? command
            // The client's side is read later where its first chunks need proof.
            if let earlyAnswer, earlyAnswer.transaction == command.command.transactionID,
                earlyAnswer.status.mark.frame > command.mark.frame
            {
                connectAnswer = connectAnswer ?? earlyAnswer.status
            }
            let object = command.command.arguments.first
            app = app ?? object?["app"]?.text
            url = url ?? object?["tcUrl"]?.text
            flashVersion = flashVersion ?? object?["flashVer"]?.text
        case .releaseStream, .fcPublish, .createStream: phase = .createStream
        case .fcSubscribe, .getStreamLength: phase = .play
        case .publish:
            // publish(false) stops publishing.
            if case .boolean(false)? = command.command.arguments.dropFirst().first {
                end(stream, command.mark)
            } else {
                use(stream, .publish, command)
            }
        case .play, .play2: use(stream, .play, command)
        case .pause: phase = .pause
        case .seek: phase = .seek
        case .closeStream: end(stream, command.mark)
        case .deleteStream: end(command.command.number ?? stream, command.mark)
        case .fcUnpublish:
            teardownMark = teardownMark ?? command.mark
            if netStreams.count(where: \.isActive) <= 1 { phase = .close }
        default: break
        }
    }

    private func use(_ stream: UInt32, _ role: RTMPNetStream.Role, _ command: PendingCommand) {
        phase = role == .publish ? .publish : .play
        let index = netStreamIndex(stream) ?? add(stream, nil)
        guard let index else { return }
        if netStreams[index].role != nil, netStreams[index].ended != nil {
            guard let next = add(stream, netStreams[index].created) else { return }
            fill(next, role, command)
        } else {
            fill(index, role, command)
        }
    }

    private func fill(_ index: Int, _ role: RTMPNetStream.Role, _ command: PendingCommand) {
        netStreams[index].role = role
        netStreams[index].request = command
        netStreams[index].name = command.command.streamName ?? netStreams[index].name
        // The name is masked in the title.
        noteSubject()
        netStreams[index].refusal = nil
        if role == .publish { netStreams[index].publishType = command.command.arguments.dropFirst(2).first?.text }
    }

    /// Records that the client deletes or closes a message stream.
    private func end(_ stream: UInt32, _ mark: Mark) {
        teardownMark = teardownMark ?? mark
        if let index = netStreamIndex(stream), netStreams[index].ended == nil { netStreams[index].ended = mark }
        // Data sent by the server may still be in flight.
        endTracks(of: stream, from: .clientToServer)
        guard !netStreams.contains(where: \.isActive) else { return }
        phase = .close
        fromClientMedia.stop()
        fromServerMedia.stop()
    }

    /// Returns the latest message stream with this ID; IDs are reused.
    func netStreamIndex(_ id: UInt32) -> Int? { netStreams.lastIndex { $0.id == id } }

    private func add(_ id: UInt32, _ created: Mark?) -> Int? {
        if netStreams.count >= limits.outstandingRequests {
            forgotten += 1
            guard let over = netStreams.firstIndex(where: { $0.ended != nil }) else { return nil }
            netStreams.remove(at: over)
            noteSubject()
        }
        netStreams.append(RTMPNetStream(id: id, created: created))
        return netStreams.count - 1
    }
}

// MARK: - Answers

extension RTMPSession {
    private func answer(_ said: RTMPCommandView, _ message: RTMPMessage, _ event: inout Event) -> Event.Exchange? {
        let information = said.information
        let status = Status(
            name: said.name, level: Self.clip(information?["level"]), code: Self.clip(information?["code"]),
            description: Self.clip(information?["description"]), mark: Mark(event))
        if said.kind == .onStatus { return changes(status, message, event) }
        guard let index = pair(said, message, event.direction) else {
            if connect == nil, event.direction == .serverToClient {
                earlyAnswer = earlyAnswer ?? (said.transactionID, status)
            }
            return nil
        }
        let request = pending.remove(at: index)
        conclude(request, said, status, &event)
        return exchange(request, event, .number)
    }

    /// Returns the text, truncated to what is kept.
    private static func clip(_ value: AMFValue?) -> String? {
        value?.text.map { $0.utf8.count <= 512 ? $0 : String($0.prefix(128)) + "…" }
    }

    private func exchange(_ request: PendingCommand, _ event: Event, _ pairing: Event.Pairing) -> Event.Exchange {
        Event.Exchange(
            requestEvent: request.mark.event, request: request.message,
            latency: max(0, event.time.nanoseconds &- request.mark.time.nanoseconds), pairing: pairing)
    }

    /// Returns the command that a `_result` or `_error` answers: by transaction ID; if ambiguous, by chunk stream, then
    /// by message stream, then the oldest.
    private func pair(_ said: RTMPCommandView, _ message: RTMPMessage, _ direction: Direction) -> Int? {
        func isCandidate(_ index: Int) -> Bool {
            pending[index].direction == direction.opposite && pending[index].command.transactionID == said.transactionID
        }
        guard let first = pending.indices.first(where: isCandidate) else { return nil }
        guard pending.indices[(first + 1)...].contains(where: isCandidate) else { return first }
        let candidates = pending.indices.filter(isCandidate)
        return candidates.first { pending[$0].message.chunkStreamID == message.chunkStreamID }
            ?? candidates.first { pending[$0].message.messageStreamID == message.messageStreamID }
            ?? candidates.first
    }

    private func conclude(_ request: PendingCommand, _ said: RTMPCommandView, _ status: Status, _ event: inout Event) {
        let isRefused = status.isError
        if isRefused { lastFailure = (request.command.name, status) }
        switch request.command.kind {
        case .connect:
            connectAnswer = connectAnswer ?? status
            describeServer(said)
        case .createStream:
            if !isRefused, let id = said.number {
                // If the order is uncertain, the open tracks may belong to this new stream.
                if !completeness.hasGap { endTracks(of: id, from: nil) }
                _ = add(id, status.mark)
                event.note = Text("rtmp.result.createStream", .integer(Int(id)))
            }
        case .publish, .play:
            if let index = netStreamIndex(request.message.messageStreamID) { settle(index, status, isRefused) }
        default: break
        }
        if isRefused, event.note == nil, status.code == nil {
            event.note = Text("rtmp.error.\(known(request.command))")
        }
    }

    /// Returns the name of a command whose failure has a specific explanation, otherwise "other".
    private func known(_ command: RTMPCommandView) -> String {
        switch command.kind {
        case .releaseStream, .fcPublish, .createStream, .connect, .checkBandwidth: command.name
        default: "other"
        }
    }

    private func describeServer(_ said: RTMPCommandView) {
        for value in said.arguments {
            serverVersion = serverVersion ?? value["fmsVer"]?.text
            for property in value.properties ?? [] {
                if let text = property.value.text, property.name != "fmsVer" { note(server: property.name, text) }
                for inner in property.value.properties ?? [] {
                    if let text = inner.value.text { note(server: inner.name, text) }
                }
            }
        }
    }

    private func note(server name: String, _ words: String) {
        if serverWords.count < 32 { serverWords.append(name + "=" + words) }
    }

    /// Applies a status to the stream it was sent on; servers that send it on stream 0 mean the pending one.
    private func changes(_ status: Status, _ message: RTMPMessage, _ event: Event) -> Event.Exchange? {
        let code = status.code ?? ""
        if Self.announcingJumps.contains(code) {
            for index in tracks.indices where tracks[index].messageStreamID == message.messageStreamID {
                tracks[index].expectJump()
            }
        }
        let own = netStreamIndex(message.messageStreamID).flatMap { netStreams[$0].role == nil ? nil : $0 }
        guard let index = own ?? netStreams.lastIndex(where: { $0.isActive && $0.accepted == nil }) else {
            if status.isError { lastFailure = (lastCommand?.name ?? "", status) }
            return nil
        }
        if !netStreams[index].add(status, most: limits[RTMPLimits.self].statusesPerStream) { forgottenStatuses += 1 }
        let request = request(of: index, code)
        if status.isError { lastFailure = (request?.command.name ?? netStreams[index].role?.rawValue ?? "", status) }
        switch code {
        case "NetStream.Publish.Start", "NetStream.Play.Start", "NetStream.Play.Reset", "NetStream.Publish.Idle":
            settle(index, status, status.isError)
            if netStreams[index].firstMedia != nil { phase = .media }
        case "NetStream.Unpublish.Success", "NetStream.Play.Stop", "NetStream.Play.Complete",
            "NetStream.Play.UnpublishNotify", "NetStream.Pause.Notify", "NetStream.Play.PublishNotify":
            break
        case "NetStream.Unpause.Notify", "NetStream.Seek.Notify": phase = .media
        default:
            // A refused pause or seek does not refuse the stream.
            if status.isError, code.hasPrefix("NetStream.P"), !code.hasPrefix("NetStream.Pause") {
                settle(index, status, true)
            }
        }
        guard let request else { return nil }
        pending.removeAll { $0.mark == request.mark }
        return exchange(request, event, .stream)
    }

    /// Statuses after which timestamps may jump or pause on request.
    private static let announcingJumps: Set = [
        "NetStream.Seek.Notify", "NetStream.Unpause.Notify", "NetStream.Play.Reset", "NetStream.Play.Start",
        "NetStream.Play.Switch", "NetStream.Play.Transition",
    ]

    private func settle(_ index: Int, _ status: Status, _ isRefused: Bool) {
        if isRefused {
            if netStreams[index].firstMedia == nil { netStreams[index].refusal = status }
        } else {
            netStreams[index].accepted = netStreams[index].accepted ?? status.mark
        }
    }

    /// Returns the command that a status answers, by its code.
    private func request(of index: Int, _ code: String) -> PendingCommand? {
        let stream = netStreams[index].id
        func waiting(_ kinds: RTMPCommandKind...) -> PendingCommand? {
            pending.last { $0.command.kind.map(kinds.contains) == true && $0.message.messageStreamID == stream }
        }
        if code.hasPrefix("NetStream.Pause") || code.hasPrefix("NetStream.Unpause") { return waiting(.pause) }
        if code.hasPrefix("NetStream.Seek") { return waiting(.seek) }
        if code.hasPrefix("NetStream.Unpublish") { return ending(stream) }
        if code.hasPrefix("NetStream.Publish") || code.hasPrefix("NetStream.Play") {
            // Once media flows, a status is a notification, not an answer.
            return netStreams[index].firstMedia == nil ? netStreams[index].request : nil
        }
        return waiting(.publish, .play, .play2)
    }

    private func ending(_ stream: UInt32) -> PendingCommand? {
        pending.last {
            switch $0.command.kind {
            case .deleteStream, .closeStream, .fcUnpublish, .publish: true
            default: false
            }
        }
    }
}
