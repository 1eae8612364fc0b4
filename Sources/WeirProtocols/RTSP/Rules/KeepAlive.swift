import WeirEngine
import WeirPackets

/// Definitions for session keep-alive.
enum KeepAlive {
    /// The default session timeout, in seconds (RFC 2326 §12.37).
    static let defaultTimeout = 60
    /// The fraction of the timeout from which silence is reported.
    static let close = 0.9
}

/// RTSP-KEEPALIVE: the client keeps the session alive.
///
/// The timeout is the time after which the server ends a session without requests, 60 seconds by default (RFC 2326
/// §12.37). A server MAY also accept RTCP as a sign of life (§A.2); relying on RTCP alone is a known habit. Silence of
/// more than 0.9 of the timeout is a note.
///
/// Captured silence is conclusive; only missing parts of the control connection make the result inconclusive.
struct RTSPKeepAlive: Rule {
    static let info = RuleInfo(
        "RTSP-KEEPALIVE", .warning, .plain, restsOnTimes: true, reference: "RFC 2326 §12.37",
        check: "The client sends a request within each session timeout period.",
        example: "Session: 12345678;timeout=60\n(75 s of media without a request)")
    static let observes = ["rtsp", "rtcp", "rtp", "tcp"]
    static let briefly = BriefObservation.all

    /// Time of the client's latest request, once a session exists.
    private var lastRequest: Timestamp?
    /// The frame of that request.
    private var lastFrame: Int?
    /// Time of the client's latest request or RTCP packet.
    private var lastSign: Timestamp?
    /// The longest silence of requests and RTCP since the latest request, in seconds.
    private var longestSilence = 0.0
    private var latest: Timestamp?
    private var isOver = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.view is RTSPStep else { return observe(step.brief, &judgement) }
        guard let session = step.rtspSession else { return }
        let time = step.event.time
        latest = max(latest ?? time, time)
        if let request = step.clientRequest {
            if lastRequest != nil, !isOver { judge(until: time, session, frame: nil, &judgement) }
            isOver = request.knownMethod == .teardown
            if lastRequest != nil || request.hasSession { begin(step.event) }
        } else if step.accepts(.setup) {
            isOver = false
            if lastRequest == nil { begin(step.event) }
        }
    }

    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {
        guard let session = step.session as? RTSPSession else { return }
        let time = step.place.time
        latest = max(latest ?? time, time)
        if lastRequest != nil, step.protocolName == "rtcp", step.place.source.address == session.client.address {
            sign(time)
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        latest = max(latest ?? stream.endTime, stream.endTime)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let latest, lastRequest != nil, !isOver else { return }
        judge(until: latest, session, frame: lastFrame, &judgement)
    }

    private mutating func begin(_ event: borrowing Event) {
        lastRequest = event.time
        lastSign = event.time
        lastFrame = event.frame
        longestSilence = 0
    }

    private mutating func sign(_ time: Timestamp) {
        if let lastSign { longestSilence = max(longestSilence, time.seconds(since: lastSign)) }
        lastSign = time
    }

    /// Checks the silence since the latest request; `frame` is the frame of that request if the session ends in
    /// silence.
    private mutating func judge(
        until time: Timestamp, _ session: RTSPSession, frame: Int?, _ judgement: inout Judgement
    ) {
        guard let lastRequest else { return }
        sign(time)
        let silence = time.seconds(since: lastRequest)
        let limit = session.timeoutSeconds ?? KeepAlive.defaultTimeout
        guard limit > 0 else {
            judgement.notApplicable()
            return
        }
        guard silence > Double(limit) * KeepAlive.close else {
            judgement.pass()
            return
        }
        let isLimitKnown = session.timeoutSeconds != nil || !session.completeness.startsLate
        guard isLimitKnown, !session.completeness.hasGap, !session.completeness.isOneSided, !session.completeness.isCut
        else {
            judgement.inconclusive(Text("RTSP-KEEPALIVE.inconclusive", .integer(limit)), frame: frame)
            return
        }
        let seconds = Text.Argument.decimal(silence, places: 1)
        if silence <= Double(limit) {
            judgement.fail(Text("RTSP-KEEPALIVE.close", seconds, .integer(limit)), severity: .note, frame: frame)
        } else if longestSilence <= Double(limit) {
            judgement.fail(
                Text("RTSP-KEEPALIVE.rtcp", seconds, .integer(limit)), quirk: "Q-KEEPALIVE", reference: "RFC 2326 §A.2",
                frame: frame)
        } else {
            judgement.fail(Text("RTSP-KEEPALIVE.silent", seconds, .integer(limit)), frame: frame)
        }
    }
}

/// RTSP-KEEPALIVE-METHOD: the server accepts the keep-alive method.
///
/// GET_PARAMETER without a body is meant for keep-alive (RFC 2326 §10.8), OPTIONS does not change state (§10.1), PLAY
/// without a range tests whether the server is alive (§10.5). The method used should be listed in Public, be accepted,
/// and be answered with its own CSeq. Checked while media is sent.
struct RTSPKeepAliveMethod: Rule {
    static let info = RuleInfo(
        "RTSP-KEEPALIVE-METHOD", .note, .practice, reference: "RFC 2326 §10.8",
        check: "The keep-alive uses a method that the server lists and accepts.",
        example: "SET_PARAMETER … Session: 12345678\nRTSP/1.0 451 Parameter Not Understood")

    private var listed: [String] = []

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard !step.isFromClient, let (request, answer) = step.answered, request.isKeepAlive,
            let method = request.method
        else { return }
        defer {
            if request.knownMethod == .options, answer.isSuccess, !answer.publicMethods.isEmpty {
                listed = answer.publicMethods
            }
        }
        guard let session = step.rtspSession, session.state == .playing || session.state == .recording,
            request.bodyLength == 0
        else { return }
        // A session that has ended cannot be kept alive.
        guard answer.status != 401, answer.status != 407, answer.status != 454 || !session.knows(request) else {
            judgement.notApplicable()
            return
        }
        if !answer.isSuccess {
            judgement.fail(
                Text("RTSP-KEEPALIVE-METHOD.refused", .wire(method), .integer(answer.status ?? 0)),
                actual: .integer(answer.status ?? 0, answer), quirk: "Q-KEEPALIVE", subject: method)
        } else if request.knownMethod != .options, !listed.isEmpty, !listed.contains(method) {
            judgement.fail(
                Text("RTSP-KEEPALIVE-METHOD.unlisted", .wire(method)),
                actual: .wire(listed.joined(separator: ", ")), subject: method)
        } else if step.event.answers?.pairing != .number {
            judgement.fail(Text("RTSP-KEEPALIVE-METHOD.number", .wire(method)), quirk: "Q-CSEQ", subject: method)
        } else {
            judgement.pass()
        }
    }
}
