import WeirEngine
import WeirPackets

/// RTSP-CSEQ-PRESENT: every message has a CSeq number.
///
/// CSeq is a MUST in requests and responses (RFC 2326 §12.17, RFC 7826 §18.20). The leading digits of a number with
/// trailing text are used, and the text is reported. Some cameras and AirTunes receivers send responses without CSeq.
struct RTSPCSeqPresent: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-PRESENT", .error, .must, reference: "RFC 2326 §12.17",
        check: "Every request and response has a numeric CSeq.",
        example: "RTSP/1.0 200 OK\nServer: camera")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        var subject: String { message.method ?? step.request?.method ?? "" }
        guard let sent = message.cseqText else {
            judgement.fail(
                Text(
                    message.isRequest
                        ? "RTSP-CSEQ-PRESENT.request"
                        : subject.isEmpty ? "RTSP-CSEQ-PRESENT.lone" : "RTSP-CSEQ-PRESENT.answer", .wire(subject)),
                expected: message.isRequest ? nil : step.request?.cseqText.map { .wire("CSeq: \($0)") },
                quirk: step.airPlay ?? (message.isRequest ? nil : "Q-CSEQ"),
                severity: step.airPlay == nil ? nil : .note, subject: subject)
            return
        }
        if message.oddities.contains(.cseqNotNumber) {
            judgement.fail(Text("RTSP-CSEQ-PRESENT.notNumber", .wire(sent)), actual: .wire(sent), subject: subject)
        } else if message.oddities.contains(.cseqTrailingBlank) {
            judgement.fail(
                Text("RTSP-CSEQ-PRESENT.trailingBlank", .wire(sent)), quirk: "Q-CSEQ", severity: .warning,
                subject: subject)
        } else {
            judgement.pass()
        }
    }
}

/// RTSP-CSEQ-ECHO: a response has the CSeq of its request.
///
/// Each request has a response that repeats its number (RFC 2326 §12.17). The finding describes the error: off by one,
/// stuck at one value, or another number. An unmatched response is an error only if the requests of the connection are
/// captured without gaps.
struct RTSPCSeqEcho: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-ECHO", .error, .plain, reference: "RFC 2326 §12.17",
        check: "The CSeq of a response is the one of its request.",
        example: "PLAY … CSeq: 4\nRTSP/1.0 200 OK … CSeq: 3")

    private var judge = EchoJudge()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        judge.observe(step, message, Self.info.id, version2: false, &judgement)
    }
}

/// RTSP-CSEQ-UNIQUE: a CSeq number identifies one request.
///
/// Each new request has the next number (RFC 2326 §9.2), so no other request in the same direction of the connection
/// reuses it. The same request with the same number is a retransmission, which RTSP-TCP-NO-RETX checks; a request
/// repeated with credentials is checked by RTSP-AUTH-CHALLENGE.
struct RTSPCSeqUnique: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-UNIQUE", .error, .plain, reference: "RFC 2326 §9.2",
        check: "Each request of a direction has its own CSeq.",
        example: "SETUP … CSeq: 4\nPLAY … CSeq: 4")

    private var history = RequestHistory()

    static var sorts: MessageSorts { .rtspRequest }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.isRequest, !message.isVersion2 else { return }
        history.judgeUnique(step.event, message, Self.info.id, &judgement)
    }
}

/// RTSP-CSEQ-STEP: CSeq increases by one.
///
/// Each new request has the next number (RFC 2326 §9.2; without a keyword, so this is a note). The first number of a
/// connection is arbitrary. The first step after a gap in the capture is not checked.
struct RTSPCSeqStep: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-STEP", .note, .plain, reference: "RFC 2326 §9.2",
        check: "CSeq increases by exactly 1 with each request.",
        example: "OPTIONS … CSeq: 1\nDESCRIBE … CSeq: 5")
    static let observes = ["rtsp", "tcp"]

    private var steps = StepJudge()

    static var sorts: MessageSorts { .rtspRequest }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        steps.observe(step, Self.info.id, version2: false, &judgement)
    }
}

/// RTSP2-CSEQ: CSeq in RTSP 2.0.
///
/// RFC 7826 §18.20:
/// 1. Each new request MUST have the next number, counted separately for each direction of a connection.
/// 2. The response MUST repeat the number of its request; responses may be out of order.
struct RTSP2CSeq: Rule {
    static let info = RuleInfo(
        "RTSP2-CSEQ", .error, .must, reference: "RFC 7826 §18.20",
        check: "In RTSP 2.0, CSeq increases by 1 with each request, is unique, and is repeated in the response.",
        example: "SETUP … RTSP/2.0 CSeq: 3\nPLAY … RTSP/2.0 CSeq: 5")
    static let observes = ["rtsp", "tcp"]

    private var echo = EchoJudge()
    private var history = RequestHistory()
    private var steps = StepJudge()

    // Requests and responses of 1.0 on the same connection tell what was captured of it.
    static var sorts: MessageSorts { [.rtspRequest, .rtspAnswer] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return steps.observe(step, Self.info.id, version2: true, &judgement) }
        echo.observe(step, message, Self.info.id, version2: true, &judgement)
        guard message.isRequest, message.isVersion2 else { return }
        steps.observe(step, Self.info.id, version2: true, &judgement)
        history.judgeUnique(step.event, message, Self.info.id, &judgement)
    }
}

/// RTSP-TCP-NO-RETX: no request is retransmitted over TCP.
///
/// Over a reliable transport, requests must not be repeated (RFC 2326 §9.2, RFC 7826 §10.1): the same request with the
/// same number arrived again. `rtspu` URLs are for datagrams, where retransmission is allowed.
struct RTSPNoRetransmission: Rule {
    static let info = RuleInfo(
        "RTSP-TCP-NO-RETX", .warning, .must, reference: "RFC 2326 §9.2",
        check: "Over TCP, no request is retransmitted with the same CSeq.",
        example: "DESCRIBE … CSeq: 2\nDESCRIBE … CSeq: 2")

    private var history = RequestHistory()

    static var sorts: MessageSorts { .rtspRequest }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.isRequest, let number = message.cseq else { return }
        var method: String { message.method ?? "" }
        switch history.add(step.event, message, number) {
        case .same where !TextSyntax.hasPrefix(message.uri ?? "", "rtspu:"):
            judgement.fail(
                Text("RTSP-TCP-NO-RETX.again", .wire(method), .integer(Int(number))), subject: method)
        case .same, .other: judgement.notApplicable()
        case .new: judgement.pass()
        }
    }
}
