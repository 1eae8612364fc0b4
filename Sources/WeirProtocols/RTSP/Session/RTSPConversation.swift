import WeirEngine
import WeirPackets

// State changes of an RTSP session by requests and responses.

extension RTSPSession {
    /// The effects of a message.
    struct Effects {
        /// The request that the message answers.
        var exchange: Event.Exchange?
        /// The flows to expect.
        var claims: [Claim] = []
    }

    /// Records the subject of the session from its first message, before the session is reported.
    func introduce(_ message: RTSPMessage) {
        if uri == nil, let named = message.uri, named != "*" { uri = named }
    }

    /// Updates the state from a message; `event` is its event, not yet emitted.
    func observe(_ message: RTSPMessage, _ event: inout Event) -> Effects {
        defer { event.phase = phase }
        if dialect == nil, messagesLookedAt < Self.dialectSampleSize {
            messagesLookedAt += 1
            if let sign = message.airPlaySign {
                dialect = .airPlay
                event.remarks.append(Remark(Text("rtsp.remark.airPlay", .string(sign))))
            }
        }
        return message.isRequest ? request(message, &event) : answer(message, &event)
    }

    /// Records a description from the body of the last message.
    func observe(_ description: SessionDescription) {
        self.description = SharedValue(description)
        for index in setups.indices where setups[index].mediumIndex == nil {
            setups[index].mediumIndex = mediumIndex(for: setups[index].uri)
        }
    }

    private func request(_ message: RTSPMessage, _ event: inout Event) -> Effects {
        if firstRequestTime == nil { firstRequestTime = event.time }
        noteTurn(message, event.time)
        userAgent = userAgent ?? message.userAgent
        let request = PendingRequest(
            message: message, event: event.id, frame: event.frame, time: event.time, direction: event.direction)
        if event.direction == .clientToServer {
            lastRequest = request
            marks.ask(message, event.frame, event.time)
            noteRequest(event.time)
        }
        pending.append(request)
        if pending.count > limits.outstandingRequests {
            pending.removeFirst()
            forgotten += 1
        }
        enterPhase(asked: message, at: event.time)
        if dialect == .airPlay, let purpose = message.airPlayPurpose {
            event.note = Text("rtsp.request.airPlay.\(purpose)")
        }
        if message.knownMethod == .teardown {
            saidGoodbye = true
            closeTime = closeTime ?? event.time
        }
        if message.knownMethod == .announce { setBase(message, request: message) }
        if message.knownMethod == .play || message.knownMethod == .record {
            sawPlay = true
            wasRecording = message.knownMethod == .record
            playRequestTime = playRequestTime ?? event.time
            endPause()
            return lacksAnswers ? assumeSetupsGranted(event) : Effects()
        }
        return Effects()
    }

    private func enterPhase(asked message: RTSPMessage, at time: Timestamp) {
        switch message.knownMethod {
        case .teardown: phase = .close
        case .pause: phase = .pause
        case .play where state == .playing || phase == .pause:
            // Requests in a connection of their own may be dissected after the response.
            let isAnother = mediaAccepted.map { $0.time < time } ?? true
            if message.range != nil, isAnother { phase = .seek }
        default:
            // The closed connection need not be the last of the session.
            if phase == .close { phase = state == .playing || state == .recording ? .media : .negotiate }
            if phase == .connect { phase = .negotiate }
        }
    }

    private func answer(_ message: RTSPMessage, _ event: inout Event) -> Effects {
        if phase == .connect { phase = .negotiate }
        serverName = serverName ?? message.server
        guard let (index, pairing) = pair(message, event.direction) else { return unasked(message, event) }
        let request = pending[index]
        if let status = message.status, status >= 200 {
            lastAnswered.note(request)
            pending.remove(at: index)
            answered += 1
            // A retransmitted request repeats its number (RFC 2326 §9.2): one response is enough.
            if let number = request.message.cseq {
                pending.removeAll {
                    $0.direction == request.direction && $0.message.cseq == number
                        && $0.message.method == request.message.method
                }
            }
        }
        var effects = Effects()
        effects.exchange = Event.Exchange(
            requestEvent: request.event, request: request.message,
            latency: max(0, event.time.nanoseconds &- request.time.nanoseconds), pairing: pairing)
        if request.direction == .clientToServer { marks.answer(request.message, by: message, pairing, event) }
        conclude(request, message, &event, &effects)
        return effects
    }

    /// Indexes in the description of the media with a pending SETUP.
    var pendingMedia: Set<Int> {
        Set(
            pending.compactMap {
                $0.message.knownMethod == .setup ? $0.message.uri.flatMap { mediumIndex(for: $0) } : nil
            })
    }

    /// Finds the request of a response, by CSeq or else by order. If messages are missing, a response whose number
    /// matches no pending request belongs to a request that is not captured.
    private func pair(_ message: RTSPMessage, _ direction: Direction) -> (Int, Event.Pairing)? {
        let sent = direction.opposite
        if let number = message.cseq,
            let index = pending.firstIndex(where: { $0.direction == sent && $0.message.cseq == number })
        {
            return (index, .number)
        }
        let mayHaveMissed =
            completeness.hasGap || completeness.hasDrops
            || (completeness.startsLate && answered == 0)
        guard mayHaveMissed else { return pending.firstIndex { $0.direction == sent }.map { ($0, .order) } }
        // The response to a request before one that was answered is among those missing. Of several others, any may be.
        let after = lastAnswered[sent]
        let possible = pending.indices.filter {
            pending[$0].direction == sent && pending[$0].event > after
                && (message.cseq == nil || pending[$0].message.cseq == nil)
        }
        return possible.count == 1 ? (possible[0], .order) : nil
    }

    private func conclude(
        _ request: PendingRequest, _ message: RTSPMessage, _ event: inout Event, _ effects: inout Effects
    ) {
        guard let status = message.status, let name = request.message.method else { return }
        let method = request.message.knownMethod
        if method == .setup, beginsAgain(request.message, message) { beginAgain(since: request.time) }
        if let session = message.session { recordObserved(session, isNew: method == .setup) }
        noteTurn(request.message, event.time)
        guard (200..<300).contains(status) else {
            if status >= 400 { lastFailure = (name, status, message.reason ?? "", event.frame, event.time) }
            if (300..<400).contains(status), let location = message.head.first(.location) {
                redirection = (name, status, location)
            }
            noteFailure(request.message, message, event.frame)
            noteRefusal(request, message, event)
            if status == 401, let credentials = request.message.authorization {
                event.remarks.append(Remark(message.refusal(of: credentials)))
            }
            // A rejected PAUSE has no effect.
            if method == .pause, state == .playing || state == .recording { phase = .media }
            return
        }
        lastFailure = nil
        redirection = nil
        noteSuccess(method)
        noteAcceptance(request, message, event)
        event.note = Text(method?.responseKey ?? "rtsp.response.200.\(name)")
        switch method {
        case .describe: setBase(message, request: request.message)
        case .setup:
            setUp(request, message, event, &effects)
            ready()
        case .play:
            noteAccepted(event)
            let isAgain = mediaTurns > firstTurn
            starts.note(asked: request.time, answered: event.time)
            mediaTurns += 1 + acceptedPauses
            acceptedPauses = 0
            play(message, event.time)
            if isAgain { turns.note(asked: request.time, answered: event.time, announced: announcedSequences) }
            noteUnsignaledTurn(request, event)
        case .record:
            noteAccepted(event)
            pausedSince = nil
            state = .recording
            phase = .media
            playAnswerTime = playAnswerTime ?? event.time
        case .pause:
            acceptedPauses += 1
            turns.note(asked: request.time, answered: event.time)
            noteUnsignaledTurn(request, event)
            wasPaused = true
            pausedSince = pausedSince ?? request.time
            state = .ready
            phase = .pause
        case .teardown:
            state = .initial
        default: break
        }
    }

    /// Whether a response to SETUP begins another session on the connection after media was accepted: the client has
    /// sent TEARDOWN before, or it sets up the same medium again without a session ID and gets another one, as to try
    /// another transport.
    private func beginsAgain(_ request: RTSPMessage, _ response: RTSPMessage) -> Bool {
        guard let status = response.status, (200..<300).contains(status), mediaAccepted != nil, request.hasNoSession
        else { return false }
        if state == .initial { return true }
        guard let uri = request.uri, setupNames.place(of: uri) != nil, let other = response.session?.identifier else {
            return false
        }
        return !other.isEmpty && other != identifier
    }

    /// The maximum number of media without a packet that are kept of an earlier session.
    private static let mostFormer = 16

    /// Forgets what was accepted before, so that the media of another session is not judged by it.
    private func beginAgain(since time: Timestamp) {
        restarts += 1
        if let accepted = mediaAccepted, mediaPackets == 0, firstMediaTime == nil, formerMedia.isEmpty {
            formerMedia = setups.filter { $0.isRTP && $0.unreachable == nil }.prefix(Self.mostFormer).map {
                FormerMedium(
                    name: $0.uri, isOverUDP: !$0.rtpEndpoints.isEmpty, frame: accepted.frame,
                    waited: time.seconds(since: accepted.time))
            }
        }
        for index in setups.indices { setups[index].isReleased = true }
        mediaAccepted = nil
        if firstMediaTime == nil { (playRequestTime, playAnswerTime) = (nil, nil) }
        (firstTurn, acceptedPauses, wasPaused, pausedSince) = (mediaTurns, 0, false, nil)
        (saidGoodbye, closeTime) = (false, nil)
        rtpInfo = []
        state = .initial
        phase = .negotiate
    }

    /// Records a turn of media whose setup was not captured.
    private func noteUnsignaledTurn(_ request: PendingRequest, _ event: Event) {
        guard setups.isEmpty else { return }
        media.noteTurn(from: server.address, to: client.address, asked: request.time, answered: event.time)
    }

    /// Expects the end of the pause when paused media is requested again: its first packet may precede the response.
    private func endPause() {
        if let pausedSince { media.expectEndOfPause(of: self, since: pausedSince) }
    }

    func recordObserved(_ session: SessionHeader, isNew: Bool = false) {
        if identifier == nil || isNew { identifier = session.identifier }
        timeoutSeconds = session.timeoutSeconds ?? timeoutSeconds
    }

    /// Enters the ready state after a SETUP.
    func ready() {
        if state == .initial { state = .ready }
    }

    /// The next sequence numbers of the media, from RTP-Info of the latest PLAY response.
    private var announcedSequences: [Int: UInt16] {
        var sequences: [Int: UInt16] = [:]
        for case let (entry, setup?) in rtpInfo {
            sequences[setup] = entry.sequence.map { UInt16(truncatingIfNeeded: $0) }
        }
        return sequences
    }

    func noteAccepted(_ event: Event) { mediaAccepted = mediaAccepted ?? (event.time, event.frame) }

    /// Records an accepted PLAY.
    ///
    /// - Parameter isAsked: whether the request is captured. If not, the setups may be guesses, and it is unknown which
    ///   of   them RTP-Info refers to.
    func play(_ message: RTSPMessage, _ time: Timestamp, isAsked: Bool = true) {
        // Packets of the previous position may still be in flight while media is sent.
        if mediaTurns > firstTurn + 1, state == .ready { media.expectResumption(of: self) }
        if !isAsked { endPause() }
        pausedSince = nil
        state = .playing
        phase = .media
        playAnswerTime = playAnswerTime ?? time
        rtpInfo = message.rtpInfo.map { ($0, isAsked ? setupIndex(for: $0.url) : nil) }
        for (entry, setup) in rtpInfo {
            guard let sequence = entry.sequence, let setup else { continue }
            setups[setup].announcedSequence = UInt16(truncatingIfNeeded: sequence)
        }
    }

    func setUp(
        _ request: PendingRequest, _ message: RTSPMessage, _ answer: Event, _ effects: inout Effects
    ) {
        guard let uri = request.message.uri else { return }
        setUp(
            uri, offered: request.message.transports, in: (request.event, request.frame),
            granted: message.transports.first, keys: Self.keys(request.message) + Self.keys(message), answer, &effects)
    }

    /// Returns the SRTP keys that a message sends with MIKEY.
    private static func keys(_ message: RTSPMessage) -> [SRTPKey] {
        message.head.headers.all("KeyMgmt").prefix(mostKeyMessages).flatMap { MIKEYMessage(header: $0)?.keys ?? [] }
    }

    /// The maximum number of KeyMgmt headers parsed in a message.
    private static let mostKeyMessages = 4

    func setUp(
        _ uri: String, offered: [SharedValue<TransportSpec>], in request: (event: Int, frame: Int),
        granted: SharedValue<TransportSpec>?,
        keys: [SRTPKey] = [], _ answer: Event, _ effects: inout Effects
    ) {
        // Without Transport in the response the first offer counts as granted (RFC 2326 §12.39 makes it a MAY).
        guard let granted = granted ?? offered.first else { return }
        var setup = MediaSetup(
            uri: uri, mediumIndex: mediumIndex(for: uri), offered: offered, granted: granted,
            requestEvent: request.event, requestFrame: request.frame, answerEvent: answer.id, answerFrame: answer.frame,
            answerTime: answer.time, isRecording: granted.isRecord || offered.contains { $0.isRecord })
        setup.keys = keys
        if granted.lowerTransport == .tcp || granted.interleaved != nil {
            let channels = granted.interleaved ?? offered.lazy.compactMap { $0.interleaved }.first
            setup.channels = channels.map { Int($0.lowerBound)...Int($0.upperBound) }
        }
        // The URI is unknown for a response whose request is not captured.
        let known = uri.isEmpty ? nil : setupNames.place(of: uri)
        let index = known ?? setups.count
        let claims = setup.announce(
            as: index, client: client, server: server, group: setup.mediumIndex.flatMap { group(ofMedium: $0) })
        if let known {
            setup.mediaPackets = setups[known].mediaPackets
            setups[known] = setup
        } else if setups.count < limits.outstandingRequests {
            if !uri.isEmpty { setupNames.add(uri, at: setups.count) }
            setups.append(setup)
        } else {
            forgotten += 1
            return
        }
        effects.claims = claims
    }
}
