import WeirEngine
import WeirPackets

/// RTSP-PLAY-PENDING: PLAY follows the SETUP responses.
///
/// The client must not send PLAY before each of its SETUPs is accepted (RFC 2326 §10.5). RTSP 2.0 allows pipelining
/// with Pipelined-Requests (RFC 7826 §18.33).
struct RTSPPlayPending: Rule {
    static let info = RuleInfo(
        "RTSP-PLAY-PENDING", .error, .must, reference: "RFC 2326 §10.5",
        check: "PLAY is not sent while a SETUP is pending.",
        example: "SETUP … CSeq: 3\nPLAY … CSeq: 4\n200 OK … CSeq: 3")

    private var sawAnswer = false

    static var sorts: MessageSorts { [.rtspStart, .rtspAnswer] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if step.rtsp?.status != nil { sawAnswer = true }
        guard let request = step.clientRequest, request.knownMethod == .play, !request.isVersion2,
            let session = step.rtspSession
        else { return }
        let setup = session.pending.first {
            $0.direction == .clientToServer && $0.message.knownMethod == .setup && $0.event != step.event.id
        }
        guard let setup else {
            judgement.pass()
            return
        }
        guard sawAnswer, !step.mayHaveMissed else {
            judgement.inconclusive(Text("RTSP-PLAY-PENDING.inconclusive"))
            return
        }
        judgement.fail(
            Text("RTSP-PLAY-PENDING.pending", .integer(setup.frame), .uri(Text.clip(setup.message.uri ?? ""))))
    }
}

/// RTSP-STATE: methods are allowed in the current state.
///
/// 1. The client must not use a method that the table of RFC 2326 §A.1 does not list for the state. OPTIONS, ANNOUNCE,
///    DESCRIBE, GET_PARAMETER and SET_PARAMETER are not part of it. A 2xx response changes the state; 3xx leads to
///    Init, 4xx changes nothing.
/// 2. The server responds with 455 to a method not allowed (§11.3.6); accepting it is a warning.
///
/// Not checked: requests sent while another is pending, and those after a TEARDOWN of one of several streams. If the
/// capture starts late, the state is unknown until the first response indicates it.
struct RTSPState: Rule {
    static let info = RuleInfo(
        "RTSP-STATE", .error, .must, reference: "RFC 2326 §A.1",
        check: "The client sends only methods that its state allows; the server responds to others with 455.",
        example: "DESCRIBE …\nPLAY … (nothing was set up)")

    private enum State: String {
        case initial = "Init"
        case ready = "Ready"
        case playing = "Playing"
        case recording = "Recording"

        /// The methods that it allows.
        var methods: [RTSPMethod] {
            switch self {
            case .initial: [.setup, .teardown]
            case .ready: [.play, .record, .setup, .teardown]
            case .playing: [.pause, .play, .setup, .teardown]
            case .recording: [.pause, .record, .setup, .teardown]
            }
        }
    }

    /// Whether a method is part of the table.
    private static func isJudged(_ method: RTSPMethod?) -> Bool {
        switch method {
        case .setup, .teardown, .play, .record, .pause: true
        default: false
        }
    }

    private var state: State? = .initial
    private var isStarted = false
    /// Requests not allowed in their state, by event.
    private var unfit: Recent<Int, String> = Recent()
    /// URIs of accepted SETUPs.
    private var media: Recent<String, Bool> = Recent(limit: 64)

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if !isStarted {
            isStarted = true
            if step.completeness?.startsLate ?? true { state = nil }
        }
        if let request = step.clientRequest {
            asked(request, step, &judgement)
        } else if !step.isFromClient, let (request, answer) = step.answered {
            answered(request, answer, step, &judgement)
        }
    }

    private mutating func asked(_ request: RTSPMessage, _ step: Step, _ judgement: inout Judgement) {
        guard let method = request.knownMethod, Self.isJudged(method), let session = step.rtspSession else {
            return
        }
        let isBehind = session.pending.contains {
            $0.direction == .clientToServer && $0.event != step.event.id && Self.isJudged($0.message.knownMethod)
        }
        guard !isBehind else {
            judgement.notApplicable()
            return
        }
        guard let state, let completeness = step.completeness, !completeness.hasGap else {
            let name = method.name
            judgement.inconclusive(Text("RTSP-STATE.inconclusive", .wire(name)), subject: name)
            return
        }
        let allowed = state.methods
        guard !allowed.contains(method) else {
            judgement.pass()
            return
        }
        let name = method.name
        unfit[step.event.id] = name
        judgement.fail(
            Text("RTSP-STATE.unfit", .wire(name), .string(state.rawValue)),
            expected: .wire(allowed.map(\.name).joined(separator: ", ")), actual: .wire(name),
            subject: "\(state.rawValue) \(name)")
    }

    private mutating func answered(
        _ request: RTSPMessage, _ answer: RTSPMessage, _ step: Step, _ judgement: inout Judgement
    ) {
        guard let status = answer.status else { return }
        if !unfit.isEmpty, let event = step.event.answers?.requestEvent, let method = unfit[event] {
            unfit[event] = nil
            if answer.isSuccess {
                judgement.fail(
                    Text("RTSP-STATE.accepted", .wire(method), .integer(status)), expected: .wire("455"),
                    actual: .integer(status, answer), severity: .warning, reference: "RFC 2326 §11.3.6",
                    subject: "accepted \(method)")
            } else {
                judgement.pass()
            }
        }
        guard let method = request.knownMethod, Self.isJudged(method) else { return }
        if (300..<400).contains(status) { state = .initial }
        if answer.isSuccess { move(method, request.uri ?? "") }
    }

    private mutating func move(_ method: RTSPMethod, _ uri: String) {
        switch method {
        case .setup:
            media[uri] = true
            if state == .initial { state = .ready }
        case .play: state = .playing
        case .record: state = .recording
        case .pause: state = .ready
        default:
            // Ending one of several streams leaves the others as they are, so there is no common state any more.
            let isPart = media[uri] != nil && media.keys.count > 1
            media[uri] = nil
            if isPart {
                state = nil
            } else {
                state = .initial
                media.removeAll()
            }
        }
    }
}

/// RTSP-UNSET-MEDIA: all described media is set up.
///
/// No clause requires this: a client may omit media. Reported once, with the first PLAY or RECORD, since media omitted
/// by mistake goes unnoticed.
struct RTSPUnsetMedia: Rule {
    static let info = RuleInfo(
        "RTSP-UNSET-MEDIA", .note, .practice, reference: "RFC 2326 §10.4",
        check: "Every media section of the description is set up before PLAY or RECORD.",
        example: "m=video … m=audio …\nSETUP …/track1\nPLAY …")

    private var isJudged = false
    /// Media whose SETUP the server rejected: status by URI.
    private var refused: Recent<String, Int> = Recent(limit: 32)

    static var sorts: MessageSorts { [.rtspStart, .rtspSetupAnswered] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if !step.isFromClient, let (request, answer) = step.answered, request.knownMethod == .setup, !answer.isSuccess {
            refused[request.uri ?? ""] = answer.status
        }
        guard !isJudged, let request = step.clientRequest,
            request.knownMethod == .play || request.knownMethod == .record,
            let session = step.rtspSession
        else { return }
        isJudged = true
        guard let description = session.description else {
            judgement.notApplicable()
            return
        }
        let set = session.setups.compactMap(\.mediumIndex)
        // A SETUP whose URI matches no control attribute may be that of any medium.
        let hasUnmatched = session.setups.contains { $0.mediumIndex == nil }
        let pending = session.pendingMedia
        for (index, medium) in description.media.enumerated() {
            if set.contains(index) {
                judgement.pass()
            } else if pending.contains(index) || hasUnmatched {
                judgement.notApplicable()
            } else if step.mayHaveMissed {
                judgement.inconclusive(Text("RTSP-UNSET-MEDIA.inconclusive", .integer(index + 1)), subject: "\(index)")
            } else if let status = status(medium) {
                judgement.fail(
                    Text("RTSP-UNSET-MEDIA.refused", .integer(index + 1), .wire(medium.type), .integer(status)),
                    subject: "\(index)")
            } else {
                judgement.fail(
                    Text("RTSP-UNSET-MEDIA.left", .integer(index + 1), .wire(medium.type)),
                    actual: medium.control.map { .wire("a=control:\($0)") }, subject: "\(index)")
            }
        }
    }

    private func status(_ medium: MediaDescription) -> Int? {
        guard let control = medium.control, control != "*", !control.isEmpty else { return nil }
        return refused.keys.first { $0.hasSuffix(control) }.flatMap { refused[$0] }
    }
}

/// RTSP-RECORD-FLOW: the request sequence of a publisher.
///
/// 1. RECORD follows SETUPs, each with a transport that has `mode=record`; without `mode` the media is to be played
///    (RFC 2326 §12.39).
/// 2. ANNOUNCE before RECORD describes the media to the server; this is customary, and servers with RECORD must
///    implement ANNOUNCE too (§10.3, §D.1). Its absence is a note.
/// 3. RECORD in state Init is checked by RTSP-STATE.
struct RTSPRecordFlow: Rule {
    static let info = RuleInfo(
        "RTSP-RECORD-FLOW", .warning, .plain, reference: "RFC 2326 §10.11",
        check: "RECORD follows ANNOUNCE, and a SETUP with mode=record.",
        example: "SETUP … Transport: RTP/AVP;unicast;client_port=5000-5001\nRECORD …")

    private var sawAnnounce = false

    static var sorts: MessageSorts { [.rtspStart, .rtspAnnounce] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let request = step.clientRequest else { return }
        if request.knownMethod == .announce { sawAnnounce = true }
        guard request.knownMethod == .record, let session = step.rtspSession else { return }
        guard !step.mayHaveMissed || (sawAnnounce && session.setups.contains(where: \.isRecording)) else {
            judgement.inconclusive(Text("RTSP-RECORD-FLOW.inconclusive"))
            return
        }
        // The response does not repair a missing mode: the server had to guess it.
        let lacksMode = session.setups.contains { setup in
            !setup.offered.isEmpty && !setup.offered.contains { $0.isRecord }
        }
        if lacksMode || !session.setups.isEmpty && !session.setups.contains(where: \.isRecording) {
            judgement.fail(
                Text("RTSP-RECORD-FLOW.mode"), expected: .wire("Transport: …;mode=record"),
                reference: "RFC 2326 §12.39", subject: "mode")
        } else if !sawAnnounce {
            judgement.fail(
                Text("RTSP-RECORD-FLOW.announce"), severity: .note, reference: "RFC 2326 §10.3", subject: "announce")
        } else {
            judgement.pass()
        }
    }
}
