import WeirEngine
import WeirPackets

/// RTSP-VERSION: both sides use the same version.
///
/// 1. The version is `RTSP/1.0` or `RTSP/2.0`; leading zeros MUST NOT be sent (RFC 2068 §3.1, which RFC 2326 §3.1
///    adopts; RFC 7826 §4.1).
/// 2. A response has the major version of its request. A server MUST NOT respond to 1.0 with 2.0 (RFC 7826 appendix H).
///    Exceptions: a 505 may have the server's own version; a 1.0 response of a 1.0 server to a 2.0 request is how
///    appendix H lets clients detect the version, so it is only a note, and not reported for an error response.
/// 3. A client keeps its version, unless a response indicated that the server has another (appendix H).
struct RTSPVersionRule: Rule {
    static let info = RuleInfo(
        "RTSP-VERSION", .error, .must, reference: "RFC 2326 §3.1",
        check:
            "Every message has RTSP/1.0 or RTSP/2.0, a response has the major version of its request, and clients keep "
            + "their version.",
        example: "OPTIONS * RTSP/1.0\nRTSP/2.0 200 OK")

    private var clientMajor: Int?
    private var mayChange = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        let version = message.version
        let isKnown = (version.major == 1 || version.major == 2) && version.minor == 0
        let isSpelled =
            version.text == "RTSP/1.0" || ASCII.equalIgnoringCase(version.text, "RTSP/\(version.major).0")
        guard isKnown, isSpelled else {
            judgement.fail(
                Text("RTSP-VERSION.unknown", .wire(version.text)), expected: .wire("RTSP/1.0"),
                actual: .wire(version.text), subject: version.text)
            return
        }
        if message.status == 505 {
            mayChange = true
            judgement.pass()
        } else if !message.isRequest, let request = step.request {
            answer(message, to: request, &judgement)
        } else if step.clientRequest != nil {
            request(message, &judgement)
        } else {
            judgement.pass()
        }
    }

    private mutating func answer(_ answer: RTSPMessage, to request: RTSPMessage, _ judgement: inout Judgement) {
        let asked = request.head.start.version.major
        guard asked != answer.head.start.version.major else {
            judgement.pass()
            return
        }
        mayChange = true
        let isOlderServer = answer.version.major < asked
        if isOlderServer, !answer.isSuccess {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-VERSION.answer", .wire(answer.version.text), .wire(request.version.text)),
                expected: .wire(request.version.text), actual: .wire(answer.version.text),
                severity: isOlderServer ? .note : nil, reference: "RFC 7826 §H", subject: answer.version.text)
        }
    }

    private mutating func request(_ message: RTSPMessage, _ judgement: inout Judgement) {
        defer {
            clientMajor = message.head.start.version.major
            mayChange = false
        }
        guard let clientMajor, clientMajor != message.head.start.version.major, !mayChange else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTSP-VERSION.mixed", .wire(message.version.text), .integer(clientMajor)),
            expected: .wire("RTSP/\(clientMajor).0"), actual: .wire(message.version.text), reference: "RFC 7826 §H",
            subject: message.version.text)
    }
}

/// RTSP-REQLINE: the request line.
///
/// `Request-Line = Method SP Request-URI SP RTSP-Version CRLF`, `Request-URI = "*" | absolute_URI` (RFC 2326 §6.1);
/// methods are case-sensitive (§10).
struct RTSPRequestLine: Rule {
    static let info = RuleInfo(
        "RTSP-REQLINE", .error, .plain, reference: "RFC 2326 §6.1",
        check: "A request line is a method, a space, an absolute URI or *, a space and the version.",
        example: "DESCRIBE /live.264 RTSP/1.0\nDESCRIBE rtsp://192.0.2.1/live.264 RTSP/1.0")

    private static let faults: [(RTSPMessage.Oddities, String)] = [
        (.relativeURI, "relativeURI"), (.blankInURI, "blankInURI"), (.startLineBlanks, "blanks"),
        (.startLineCase, "case"),
    ]
    /// Whether AirPlay paths, usual in that dialect, have been reported.
    private var hasReportedAirPlay = false

    static var sorts: MessageSorts { .rtspRequest }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp, message.isRequest else { return }
        let oddities = message.oddities
        guard !oddities.isEmpty else { return judgement.pass() }
        let found = Self.faults.filter { oddities.contains($0.0) }
        guard !found.isEmpty else { return judgement.pass() }
        let method = message.method ?? ""
        guard step.airPlay == nil || !hasReportedAirPlay else {
            judgement.notApplicable()
            return
        }
        hasReportedAirPlay = step.airPlay != nil
        for (_, name) in found {
            judgement.fail(
                Text("RTSP-REQLINE.\(name)", .wire(method), .uri(Text.clip(message.uri ?? ""))),
                expected: .wire("\(TextSyntax.uppercased(method)) rtsp://… \(message.version.text)"),
                actual: Text(
                    "{0} {1} {2}", .wire(method), .uri(Text.clip(message.uri ?? "")), .wire(message.version.text)),
                quirk: step.airPlay, severity: step.airPlay == nil ? nil : .note, subject: method)
        }
    }
}

/// RTSP-CRLF: line ends.
///
/// 1. A line ends in CRLF; receivers should also accept CR or LF alone (RFC 2326 §4): other line ends work, and are
///    reported as a habit.
/// 2. A client must not send line ends before a request (RFC 2068 §4.1); receivers skip them.
///
/// Reported once for each side and form.
struct RTSPLineEnds: Rule {
    static let info = RuleInfo(
        "RTSP-CRLF", .warning, .plain, reference: "RFC 2326 §4",
        check: "Lines end in CRLF; not every peer accepts other line ends.",
        example: "CSeq: 1<LF>\nCSeq: 1<CR><LF>")

    private static let forms: [(RTSPMessage.Oddities, String, String, String)] = [
        (.bareLineFeed, "lineFeed", "Q-LF", "RFC 2326 §4"),
        (.bareCarriageReturn, "carriageReturn", "Q-LF", "RFC 2326 §4"),
        (.leadingLineEnds, "leading", "Q-CRLF-LEAD", "RFC 2068 §4.1"),
    ]

    private var habits = Habits()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
        let oddities = message.oddities
        guard !oddities.isEmpty else { return judgement.pass() }
        var isClean = true
        for (oddity, name, quirk, reference) in Self.forms where oddities.contains(oddity) {
            isClean = false
            guard habits.isNews(name, step.event) else { continue }
            judgement.fail(
                Text("RTSP-CRLF.\(name)"), expected: .wire("CR LF"), quirk: quirk, reference: reference,
                subject: "\(step.isFromClient)")
        }
        if isClean { judgement.pass() }
    }
}

/// RTSP-DATE-FORMAT: the date of a message.
///
/// The format must be that of RFC 1123 (RFC 2068 §14.19, adopted by RFC 2326 §12.18), in GMT (§3.3.1). A date without
/// weekday, as in RFC 2326's own examples, has its own text. Reported once for each side and form.
struct RTSPDateFormat: Rule {
    static let info = RuleInfo(
        "RTSP-DATE-FORMAT", .note, .must, reference: "RFC 2068 §14.19",
        check: "Date is an RFC 1123 date in GMT.",
        example: "Date: Wed, Aug 10 2016 05:41:03 GMT\nDate: Wed, 10 Aug 2016 05:41:03 GMT")

    private var habits = Habits()

    static var sorts: MessageSorts { .rtspDate }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let date = step.rtsp?.date else { return }
        let name: String
        switch date.form {
        case .rfc1123:
            judgement.pass()
            return
        case .noWeekday: name = "noWeekday"
        case .monthFirst: name = "monthFirst"
        case .other: name = "other"
        }
        guard habits.isNews(name, step.event) else { return }
        judgement.fail(
            Text("RTSP-DATE-FORMAT.\(name)", .wire(date.text)), expected: .wire("Sun, 06 Nov 1994 08:49:37 GMT"),
            actual: .wire(date.text), subject: "\(step.isFromClient)")
    }
}
