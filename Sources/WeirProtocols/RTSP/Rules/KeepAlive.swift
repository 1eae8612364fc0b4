import WeirEngine
import WeirPackets

/// Keeping a session alive.
enum KeepAlive {
    /// Methods that clients use for it: OPTIONS (RFC 2326 §10.1), GET_PARAMETER (§10.8), and SET_PARAMETER.
    static let methods: Set = ["OPTIONS", "GET_PARAMETER", "SET_PARAMETER"]
    /// Seconds without a sign of life when the server says nothing (RFC 2326 §12.37).
    static let defaultTimeout = 60
    /// The share of the timeout beyond which a silence is close to it.
    static let close = 0.9
}

/// RTSP-KEEPALIVE: the client shows signs of life.
///
/// The timeout says how long the server keeps a session without hearing a command, 60 seconds if none is given (RFC
/// 2326 §12.37). A server MAY take RTCP for a sign of life as well (§A.2): where only RTCP bridges the silence, it is a
/// known habit to count on it. A silence of more than 0.9 of the timeout is a note.
///
/// A silence that the capture shows proves itself; only missing parts of the control connection make it inconclusive.
struct RTSPKeepAlive: Rule {
    static let info = RuleInfo(
        "RTSP-KEEPALIVE", .warning, .plain, restsOnTimes: true, reference: "RFC 2326 §12.37",
        check: "The client sends a request within each session timeout.",
        example: "Session: 12345678;timeout=60\n(75 s of media without a request)")
    static let observes = ["rtsp", "rtcp", "rtp", "tcp"]

    /// When the client last sent a request, once a session exists.
    private var lastRequest: Timestamp?
    /// The frame of that request.
    private var lastFrame: Int?
    /// When the client last sent a request or RTCP.
    private var lastSign: Timestamp?
    /// The longest time without either since the last request.
    private var longestSilence = 0.0
    private var latest: Timestamp?
    private var isOver = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let session = step.rtspSession else { return }
        let time = step.event.time
        latest = max(latest ?? time, time)
        if step.event.message.protocolName == "rtcp", step.event.source.address == session.client.address {
            if lastRequest != nil { sign(time) }
        }
        if step.accepted("SETUP") != nil {
            isOver = false
            if lastRequest == nil { begin(step.event) }
        } else if let request = step.clientRequest {
            if lastRequest != nil, !isOver { judge(until: time, session, frame: nil, &judgement) }
            isOver = request.method == "TEARDOWN"
            if lastRequest != nil || request.session != nil { begin(step.event) }
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        latest = max(latest ?? stream.endTime, stream.endTime)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let latest, lastRequest != nil, !isOver else { return }
        judge(until: latest, session, frame: lastFrame, &judgement)
    }

    private mutating func begin(_ event: Event) {
        lastRequest = event.time
        lastSign = event.time
        lastFrame = event.frame
        longestSilence = 0
    }

    private mutating func sign(_ time: Timestamp) {
        if let lastSign { longestSilence = max(longestSilence, time.seconds(since: lastSign)) }
        lastSign = time
    }

    /// Judges the silence since the last request; `frame` is that request's where the session ends in silence.
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

/// RTSP-KEEPALIVE-METHOD: the keep-alive is one that the server takes.
///
/// GET_PARAMETER without a body is meant for it (RFC 2326 §10.8), OPTIONS does not change state (§10.1), PLAY without a
/// range tests whether the server lives (§10.5). Whatever is used should be listed in Public, be accepted, and be answered
/// with its own CSeq. Judged while media flows.
struct RTSPKeepAliveMethod: Rule {
    static let info = RuleInfo(
        "RTSP-KEEPALIVE-METHOD", .note, .practice, reference: "RFC 2326 §10.8",
        check: "The keep-alive uses a method that the server lists and accepts.",
        example: "SET_PARAMETER … Session: 12345678\nRTSP/1.0 451 Parameter Not Understood")

    private var listed: [String] = []

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard !step.isFromClient, let (request, answer) = step.answered, let method = request.method else { return }
        defer {
            if method == "OPTIONS", answer.isSuccess, !answer.publicMethods.isEmpty { listed = answer.publicMethods }
        }
        guard let session = step.rtspSession, session.state == .playing || session.state == .recording,
            request.bodyLength == 0,
            KeepAlive.methods.contains(method)
        else { return }
        // A session that is over can be kept alive by nothing.
        guard answer.status != 401, answer.status != 407, answer.status != 454 || !session.knows(request) else {
            judgement.notApplicable()
            return
        }
        if !answer.isSuccess {
            judgement.fail(
                Text("RTSP-KEEPALIVE-METHOD.refused", .wire(method), .integer(answer.status ?? 0)),
                actual: .integer(answer.status ?? 0, answer), quirk: "Q-KEEPALIVE", subject: method)
        } else if method != "OPTIONS", !listed.isEmpty, !listed.contains(method) {
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
