import WeirEngine
import WeirPackets

/// RTSP-CSEQ-PRESENT: every message has a number.
///
/// CSeq is a MUST in requests and in answers (RFC 2326 §12.17, RFC 7826 §18.20). A number with something behind it is
/// read as far as it goes, and named. Cameras and AirTunes receivers are known for answers without it.
struct RTSPCSeqPresent: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-PRESENT", .error, .must, reference: "RFC 2326 §12.17",
        check: "CSeq is in every request and every answer, and is a number.",
        example: "RTSP/1.0 200 OK\nServer: camera")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        let subject = message.method ?? step.request?.method ?? ""
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

/// RTSP-CSEQ-ECHO: an answer has the number of its request.
///
/// To each request there is an answer that repeats its number (RFC 2326 §12.17). What is wrong is named: off by one,
/// stuck at one value, or some other number. An answer to nothing is a fault only when the capture shows the requests
/// of that connection without a gap.
struct RTSPCSeqEcho: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-ECHO", .error, .plain, reference: "RFC 2326 §12.17",
        check: "The CSeq of an answer is the one of the request it answers.",
        example: "PLAY … CSeq: 4\nRTSP/1.0 200 OK … CSeq: 3")

    private var judge = EchoJudge()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        judge.observe(step, Self.info.id, version2: false, &judgement)
    }
}

/// RTSP-CSEQ-UNIQUE: a number stands for one request.
///
/// Each new request has the next number (RFC 2326 §9.2), so another request never has a number again that one in the
/// same direction of the connection had. The same request with the same number is a retransmission, which
/// RTSP-TCP-NO-RETX judges; a request repeated with credentials is judged by RTSP-AUTH-CHALLENGE.
struct RTSPCSeqUnique: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-UNIQUE", .error, .plain, reference: "RFC 2326 §9.2",
        check: "No two different requests of one direction have the same CSeq.",
        example: "SETUP … CSeq: 4\nPLAY … CSeq: 4")

    private var history = RequestHistory()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.isRequest, !message.isVersion2 else { return }
        history.judgeUnique(step.event, message, Self.info.id, &judgement)
    }
}

/// RTSP-CSEQ-STEP: numbers go up one by one.
///
/// Each new request has the next number (RFC 2326 §9.2; without a keyword, so this is a note). The first number of a
/// connection is free. After a gap in the capture the next step is not judged.
struct RTSPCSeqStep: Rule {
    static let info = RuleInfo(
        "RTSP-CSEQ-STEP", .note, .plain, reference: "RFC 2326 §9.2",
        check: "CSeq grows by exactly 1 from request to request.",
        example: "OPTIONS … CSeq: 1\nDESCRIBE … CSeq: 5")
    static let observes = ["rtsp", "tcp"]

    private var steps = StepJudge()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        steps.observe(step, Self.info.id, version2: false, &judgement)
    }
}

/// RTSP2-CSEQ: the numbers of RTSP 2.0.
///
/// RFC 7826 §18.20:
/// 1. Each new request MUST have the next number, counted for each direction of a connection.
/// 2. The response MUST repeat the number of its request; responses may come in another order than the requests.
struct RTSP2CSeq: Rule {
    static let info = RuleInfo(
        "RTSP2-CSEQ", .error, .must, reference: "RFC 7826 §18.20",
        check: "Under RTSP 2.0 CSeq grows by 1 with each request, is used once, and is repeated in the answer.",
        example: "SETUP … RTSP/2.0 CSeq: 3\nPLAY … RTSP/2.0 CSeq: 5")
    static let observes = ["rtsp", "tcp"]

    private var echo = EchoJudge()
    private var history = RequestHistory()
    private var steps = StepJudge()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        echo.observe(step, Self.info.id, version2: true, &judgement)
        steps.observe(step, Self.info.id, version2: true, &judgement)
        guard let message = step.rtsp, message.isRequest, message.isVersion2 else { return }
        history.judgeUnique(step.event, message, Self.info.id, &judgement)
    }
}

/// RTSP-TCP-NO-RETX: a request is not sent again over TCP.
///
/// Where the transport is reliable, requests must not be repeated (RFC 2326 §9.2, RFC 7826 §10.1): the same request
/// with the same number came again. URLs of the scheme `rtspu` are for datagrams, where it is allowed.
struct RTSPNoRetransmission: Rule {
    static let info = RuleInfo(
        "RTSP-TCP-NO-RETX", .warning, .must, reference: "RFC 2326 §9.2",
        check: "Over TCP no request is sent a second time with the same CSeq.",
        example: "DESCRIBE … CSeq: 2\nDESCRIBE … CSeq: 2")

    private var history = RequestHistory()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.isRequest, let number = message.cseq else { return }
        let method = message.method ?? ""
        switch history.add(step.event, message, number) {
        case .same where !TextSyntax.hasPrefix(message.uri ?? "", "rtspu:"):
            judgement.fail(
                Text("RTSP-TCP-NO-RETX.again", .wire(method), .integer(Int(number))), subject: method)
        case .same, .other: judgement.notApplicable()
        case .new: judgement.pass()
        }
    }
}
