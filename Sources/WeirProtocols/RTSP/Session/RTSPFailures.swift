import WeirEngine
import WeirPackets

/// Failures during a session, for its outcome.
struct RTSPFailures {
    /// The frame in which the server reported an unknown session, and the seconds since the previous request.
    var unknown: (frame: Int, silence: Double)?
    /// The error response to TEARDOWN.
    var refusedTeardown: (status: Int, reason: String)?
    /// The longest unrequested interruption of media: seconds, and the frame that ended it.
    var silence: (seconds: Double, frame: Int)?
    /// Time of the latest request, or response to one, that starts or stops media.
    var latestTurn: Timestamp?
    /// Time of the PAUSE or TEARDOWN request that stopped flowing media.
    var stopped: Timestamp?
    /// Time of the last packet of the regular streams without BYE, and whether one of them continued to the end.
    var steady: (end: Timestamp, isToTheEnd: Bool)?
    /// Time of the client's latest request, and the seconds since the one before.
    var latestRequest: (time: Timestamp, silence: Double)?
}

extension RTSPSession {
    /// Records when media was requested and stopped: silence at such turns proves nothing.
    func noteTurn(_ message: RTSPMessage, _ time: Timestamp) {
        let isFlowing = state == .playing || state == .recording
        switch message.knownMethod {
        case .play where state == .playing && message.range == nil: break
        case .play, .record:
            failures.latestTurn = time
            failures.stopped = nil
        case .pause, .teardown:
            failures.latestTurn = time
            if isFlowing, failures.stopped == nil { failures.stopped = time }
        default: break
        }
    }

    /// Records the client's silence before this request.
    func noteRequest(_ time: Timestamp) {
        let silence = failures.latestRequest.map { time.seconds(since: $0.time) } ?? 0
        failures.latestRequest = (time, silence)
    }

    /// Records an error response.
    func noteFailure(_ request: RTSPMessage, _ answer: RTSPMessage, _ frame: Int) {
        guard let status = answer.status else { return }
        if status == 454, knows(request) {
            failures.unknown = (frame, failures.latestRequest?.silence ?? 0)
        } else if request.knownMethod == .teardown, status >= 400, status != 401, status != 407 {
            failures.refusedTeardown = (status, answer.reason ?? "")
        } else if request.knownMethod == .pause {
            failures.stopped = nil
        }
    }

    /// Records an error response as a possible cause of the end.
    func noteRefusal(_ request: PendingRequest, _ answer: RTSPMessage, _ event: Event) {
        guard request.direction == .clientToServer else { return }
        credentials.note(request.message)
        if answer.status == 401 || answer.status == 407 {
            credentials.refuse(request.message, in: request.frame, by: answer, in: event.frame)
        } else if request.message.knownMethod != .options {
            // What failed later failed for another reason.
            credentials.accept()
        }
        marks.refuse(
            request.message, in: request.frame, by: answer, in: event.frame, at: event.time,
            isFlowing: state == .playing || state == .recording)
        if request.message.knownMethod == .setup, let status = answer.status, ![401, 407, 461].contains(status) {
            marks.refuse(
                setup: request.message, isPresentation: request.message.uri.map(isPresentation) ?? false,
                isUnknown: request.message.uri.map { !isControlURL($0) } ?? false,
                in: (request.frame, event.frame), status: status)
        }
    }

    /// Whether a URI is that of the whole presentation, whose media have their own.
    func isPresentation(_ uri: String) -> Bool {
        guard let description, description.media.count > 1, let base = baseURI, mediumIndex(for: uri) == nil else {
            return false
        }
        return ControlURL.comparable(ControlURL.resolve(description.control ?? "*", base: base))
            == ControlURL.comparable(uri)
    }

    /// Whether a URI is a control URL of the description, or may be one of a description that is not known.
    private func isControlURL(_ uri: String) -> Bool {
        guard let description, let base = baseURI else { return true }
        let target = ControlURL.comparable(uri)
        return (description.media.compactMap(\.control) + [description.control ?? "*"]).contains { control in
            ControlURL.comparable(ControlURL.resolve(control, base: base)) == target
                || ControlURL.comparable(ControlURL.concatenate(control, base: base)) == target
        }
    }

    /// Records a success response and the causes it rules out.
    func noteAcceptance(_ request: PendingRequest, _ answer: RTSPMessage, _ event: Event) {
        guard request.direction == .clientToServer else { return }
        credentials.note(request.message)
        // Servers answer OPTIONS without credentials.
        if request.message.knownMethod != .options { credentials.accept() }
        marks.accept(request.message, sent: request.time, by: answer, in: event.frame)
    }

    /// Whether the request contains the session ID that the server assigned.
    func knows(_ request: RTSPMessage) -> Bool {
        guard let identifier, !setups.isEmpty else { return false }
        return request.session?.identifier == identifier
    }

    /// Clears failures that a later success resolves.
    func noteSuccess(_ method: RTSPMethod?) {
        switch method {
        case .setup:
            failures.unknown = nil
            failures.refusedTeardown = nil
        case .teardown: failures.refusedTeardown = nil
        default: break
        }
    }

    /// Records that a stream was silent since `time` until `frame`; returns whether that exceeds what was negotiated.
    func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool {
        if let turn = failures.latestTurn, turn >= time { return false }
        if seconds > failures.silence?.seconds ?? 0 { failures.silence = (seconds, frame) }
        return true
    }

    /// Records the end of a stream.
    func noteEnd(of stream: MediaStream) {
        guard let until = wantedUntil, !stream.reports.hasBye, stream.packets > MediaStream.silenceDistances,
            stream.mainFormat?.hasRhythm ?? true
        else { return }
        let before = failures.steady
        failures.steady = (
            max(before?.end ?? stream.endTime, stream.endTime),
            before?.isToTheEnd ?? false || !stream.isSilent(until: until)
        )
    }

    /// When media should have stopped: at a request or when the connection closed; nil if the capture ends first.
    private var wantedUntil: Timestamp? {
        if let stopped = failures.stopped { return stopped }
        guard state == .playing || state == .recording else { return nil }
        return phases.last { $0.phase == .close }?.startTime
    }

    /// Seconds without any media before it should have stopped, or nil if media continued to the end.
    var silentAtEnd: Double? {
        guard let until = wantedUntil, let steady = failures.steady, !steady.isToTheEnd else { return nil }
        return until.seconds(since: steady.end)
    }

    /// Whether media uses a multicast group, which other sessions may receive as well.
    var hasMulticast: Bool {
        setups.indices.contains { setups[$0].rtpEndpoints.contains(where: \.address.isMulticast) }
    }
}
