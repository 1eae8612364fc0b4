import WeirEngine
import WeirPackets

/// RTSP-TEARDOWN: a session is ended in words.
///
/// At TEARDOWN the server stops sending, and gives back what it held for it (RFC 2326 §10.7); without it the server
/// holds that until its timeout (§12.37), and goes on sending over UDP. Judged where something was set up, unless the
/// server has said that the session is over (454, §11.3.5). Where the server left first, that is said instead.
struct RTSPTeardown: Rule {
    static let info = RuleInfo(
        "RTSP-TEARDOWN", .note, .plain, needsFullCapture: true, reference: "RFC 2326 §10.7",
        check: "A session that was set up ends with TEARDOWN rather than with the connection.",
        example: "PLAY … 200 OK\n(the client closes the connection)")
    static let observes = ["rtsp", "tcp"]

    private var isSetUp = false
    private var isTornDown = false
    private var isReset = false
    /// The server said that it does not know the session any more.
    private var isUnknown = false
    /// The frame of the latest step.
    private var lastFrame: Int?

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        lastFrame = step.event.frame
        if step.accepted("SETUP") != nil {
            isSetUp = true
            isTornDown = false
            isUnknown = false
        }
        if let (request, answer) = step.answered, answer.status == 454, step.rtspSession?.knows(request) ?? false {
            isUnknown = true
        }
        if step.clientRequest?.method == "TEARDOWN" { isTornDown = true }
        if let event = step.message(TCPEvent.self), event.step == .reset { isReset = true }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard isSetUp || isTornDown else { return }
        if isTornDown {
            judgement.pass()
        } else if isUnknown {
            judgement.notApplicable()
        } else if session.completeness.endsEarly {
            judgement.inconclusive(Text("RTSP-TEARDOWN.inconclusive"), frame: lastFrame)
        } else if session.completeness.mayLackEnd(of: .clientToServer) {
            judgement.inconclusive(Text("RTSP-TEARDOWN.unseen"), frame: lastFrame)
        } else if (session as? RTSPSession)?.firstToLeave == .serverToClient {
            judgement.fail(Text("RTSP-TEARDOWN.byServer"), frame: lastFrame)
        } else {
            let setups = (session as? RTSPSession)?.setups ?? []
            let form = isReset ? "reset" : setups.contains { $0.channels == nil } ? "closed" : "closedInterleaved"
            judgement.fail(Text("RTSP-TEARDOWN.\(form)"), frame: lastFrame)
        }
    }
}
