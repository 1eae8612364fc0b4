import WeirEngine
import WeirPackets

/// RTMP-RESULT: every transaction is answered.
///
/// A command that expects a response has a transaction ID (RTMP §7.2.1.2); the response is `_result` or `_error` with
/// the same ID (§7.2.1.1 to §7.2.1.3). Commands outside the specification need no answer and are excluded, as are
/// commands answered by onStatus. A client that disconnects within 10 seconds did not wait.
struct RTMPTransactionResult: Rule {
    /// The time limit for the response, in seconds.
    private static let longest = RuleLimit("RTMP-RESULT.longest", 10, "s")

    static let info = RuleInfo(
        "RTMP-RESULT", .error, .plain, needsFullCapture: true, reference: "RTMP §7.2.1.1-§7.2.1.3",
        check: "Each command with a transaction ID is answered with _result or _error of the same ID within 10 s.",
        example: "connect (transaction 1)\n(the server closes the connection)", limits: [longest])

    static var sorts: MessageSorts { .rtmpResult }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.said, said.kind == .result || said.kind == .error else { return }
        guard let answers = step.event.answers else {
            if step.mayHaveMissed || step.completeness?.isOneSided == true {
                judgement.notApplicable()
            } else {
                judgement.fail(
                    Text("RTMP-RESULT.unasked", .wire(said.transactionText)), severity: .warning, subject: "unasked")
            }
            return
        }
        let seconds = Double(answers.latency) / 1_000_000_000
        if seconds > judgement.limit(Self.longest) {
            judgement.fail(
                Text("RTMP-RESULT.late", .decimal(seconds, places: 1)), severity: .warning, subject: "late")
        } else {
            judgement.pass()
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession else { return }
        for command in session.unanswered where command.command.kind?.isAnsweredByStatus != true {
            let answerer = command.direction.opposite
            guard
                session.hadTime(
                    judgement.limit(Self.longest), since: command.mark, toAnswer: answerer, until: session.lastTime)
                    || session.completeness.endsEarly
            else { continue }
            judgement.fail(
                Text("RTMP-RESULT.never", .wire(command.command.name), .wire(command.command.transactionText)),
                subject: command.command.name, frame: command.mark.frame)
        }
    }
}

/// RTMP-ONSTATUS: publish and play are answered with a well-formed status.
///
/// The server reports the start of publishing (RTMP §7.2.2.6) and of playback (§7.2.2.1) with onStatus; §7.3.1 shows
/// `_result` instead, which is accepted as well. An onStatus about something else is not an answer. The information
/// object has at least `level`, `code` and `description`, where the level is `warning`, `status` or `error` (§7.2.2). The
/// status of a stream is sent on its message stream, as the commands of NetStream are.
struct RTMPStatusAnswer: Rule {
    /// The time limit for the response, in seconds.
    private static let limit = 3.0

    static let info = RuleInfo(
        "RTMP-ONSTATUS", .error, .plain, needsFullCapture: true, reference: "RTMP §7.2.2",
        check: "publish and play are answered with onStatus with level, code and description.",
        example: "publish \"***\" live\n(the server closes the connection)")

    static var sorts: MessageSorts { .rtmpStatus }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.said, said.kind == .onStatus else { return }
        guard let information = said.arguments.first(where: { $0.properties != nil }) else {
            judgement.fail(Text("RTMP-ONSTATUS.noInformation"), subject: "information")
            return
        }
        var isKept = true
        for name in ["level", "code", "description"] where information[name]?.text == nil {
            isKept = false
            judgement.fail(
                Text("RTMP-ONSTATUS.missing", .string(name)), severity: name == "description" ? .note : nil,
                subject: name)
        }
        if let level = information["level"]?.text, !["status", "warning", "error"].contains(level) {
            isKept = false
            judgement.fail(
                Text("RTMP-ONSTATUS.level"), actual: .wire(level), severity: .warning, subject: "level.other")
        }
        if let (code, id) = Self.misplaced(information["code"]?.text, step) {
            isKept = false
            judgement.fail(
                Text("RTMP-ONSTATUS.stream", .wire(code), .integer(Int(id))), severity: .warning, subject: "stream")
        }
        if isKept { judgement.pass() }
    }

    /// Returns the code of a status of publishing or playing on message stream 0, and the stream that was requested.
    private static func misplaced(_ code: String?, _ step: Step) -> (code: String, id: UInt32)? {
        guard let code, code.hasPrefix("NetStream.Publish.") || code.hasPrefix("NetStream.Play."),
            step.rtmp?.messageStreamID == 0,
            let requested = step.rtmpSession?.netStreams.last(where: { $0.role != nil }),
            requested.id != 0
        else { return nil }
        return (code, requested.id)
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTMPSession else { return }
        for stream in session.netStreams {
            guard let role = stream.role, let request = stream.request else { continue }
            if stream.accepted != nil || stream.refusal != nil { continue }
            if stream.statuses.contains(where: { $0.isAnswer(to: role) }) { continue }
            guard
                session.hadTime(Self.limit, since: request.mark, toAnswer: .serverToClient, until: session.lastTime)
                    || session.completeness.endsEarly
            else { continue }
            judgement.fail(
                Text("RTMP-ONSTATUS.never", .string(role.rawValue)), subject: role.rawValue, frame: request.mark.frame)
        }
    }
}
