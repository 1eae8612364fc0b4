import WeirEngine
import WeirPackets

/// What went wrong in a session on the way, for its outcome.
struct RTSPFailures {
    /// The server said that it does not know the session: in which frame, and how many seconds after the request before.
    var unknown: (frame: Int, silence: Double)?
    /// The answer that refused TEARDOWN.
    var refusedTeardown: (status: Int, reason: String)?
    /// The longest time without media that nobody had asked for: seconds, and the frame in which it ended.
    var silence: (seconds: Double, frame: Int)?
    /// When media was last asked for or stopped, or the answer to that came.
    var latestTurn: Timestamp?
    /// When media that flowed was to stop: PAUSE or TEARDOWN was asked for.
    var stopped: Timestamp?
    /// The last packet of the streams that have a rhythm and did not say goodbye, and whether one of them went on to
    /// the end.
    var steady: (end: Timestamp, isToTheEnd: Bool)?
    /// When the client last sent a request, and how many seconds after the one before.
    var latestRequest: (time: Timestamp, silence: Double)?
}

extension RTSPSession {
    /// Follows when media was asked for and stopped: around such a turn no silence proves anything.
    func noteTurn(_ message: RTSPMessage, _ time: Timestamp) {
        let isFlowing = state == .playing || state == .recording
        switch message.method {
        case "PLAY" where state == .playing && message.range == nil: break
        case "PLAY", "RECORD":
            failures.latestTurn = time
            failures.stopped = nil
        case "PAUSE", "TEARDOWN":
            failures.latestTurn = time
            if isFlowing, failures.stopped == nil { failures.stopped = time }
        default: break
        }
    }

    /// Remembers how long the client had said nothing before this request.
    func noteRequest(_ time: Timestamp) {
        let silence = failures.latestRequest.map { time.seconds(since: $0.time) } ?? 0
        failures.latestRequest = (time, silence)
    }

    /// Takes note of an answer that is no success.
    func noteFailure(_ request: RTSPMessage, _ answer: RTSPMessage, _ frame: Int) {
        guard let status = answer.status else { return }
        if status == 454, knows(request) {
            failures.unknown = (frame, failures.latestRequest?.silence ?? 0)
        } else if request.method == "TEARDOWN", status >= 400, status != 401, status != 407 {
            failures.refusedTeardown = (status, answer.reason ?? "")
        } else if request.method == "PAUSE" {
            failures.stopped = nil
        }
    }

    /// Takes note of an answer that is no success, for what it may cause.
    func noteRefusal(_ request: PendingRequest, _ answer: RTSPMessage, _ event: Event) {
        guard request.direction == .clientToServer else { return }
        if answer.status == 401 || answer.status == 407 {
            credentials.refuse(request.message, in: request.frame, by: answer, in: event.frame)
        }
        marks.refuse(
            request.message, in: request.frame, by: answer, in: event.frame, at: event.time,
            isFlowing: state == .playing || state == .recording)
    }

    /// Takes note of an answer that is a success, for what it rules out.
    func noteAcceptance(_ request: PendingRequest, _ answer: RTSPMessage, _ event: Event) {
        guard request.direction == .clientToServer else { return }
        // Servers answer OPTIONS without credentials.
        if request.message.method != "OPTIONS" { credentials.accept() }
        marks.accept(request.message, sent: request.time, by: answer, in: event.frame)
    }

    /// Whether the request names the session by the identifier that the server gave.
    package func knows(_ request: RTSPMessage) -> Bool {
        guard let identifier, !setups.isEmpty else { return false }
        return request.session?.identifier == identifier
    }

    /// What a later success makes good.
    func noteSuccess(_ method: String) {
        switch method {
        case "SETUP":
            failures.unknown = nil
            failures.refusedTeardown = nil
        case "TEARDOWN": failures.refusedTeardown = nil
        default: break
        }
    }

    /// A stream was silent until this frame, since `time`; returns whether that is more than what the peers agreed on.
    package func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool {
        if let turn = failures.latestTurn, turn >= time { return false }
        if seconds > failures.silence?.seconds ?? 0 { failures.silence = (seconds, frame) }
        return true
    }

    /// A stream ended.
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

    /// Until when media was to flow: until it was to stop, or the connection was closed; nil when the capture ends first.
    private var wantedUntil: Timestamp? {
        if let stopped = failures.stopped { return stopped }
        guard state == .playing || state == .recording else { return nil }
        return phases.last { $0.phase == .close }?.startTime
    }

    /// Seconds for which all media stood still before it was to stop; nil when it went on to the end.
    var silentAtEnd: Double? {
        guard let until = wantedUntil, let steady = failures.steady, !steady.isToTheEnd else { return nil }
        return until.seconds(since: steady.end)
    }

    /// Whether media comes from a multicast group, which other sessions may receive as well.
    package var hasMulticast: Bool { setups.contains { $0.rtpEndpoints.contains(where: \.address.isMulticast) } }
}
