import WeirEngine
import WeirPackets

/// RTSP-TEARDOWN: a session ends with TEARDOWN.
///
/// On TEARDOWN the server stops sending and frees its resources (RFC 2326 §10.7); without it the server keeps them
/// until the timeout (§12.37) and continues sending over UDP. Checked if something was set up, unless the server
/// reported that the session does not exist (454, §11.3.5). If the server closed first, that is reported instead.
struct RTSPTeardown: Rule {
    static let info = RuleInfo(
        "RTSP-TEARDOWN", .note, .plain, needsFullCapture: true, reference: "RFC 2326 §10.7",
        check: "A session that was set up ends with TEARDOWN, not with the connection.",
        example: "PLAY … 200 OK\n(the client closes the connection)")
    static let observes = ["rtsp", "tcp"]

    private var isSetUp = false
    private var isTornDown = false
    private var isReset = false
    /// Whether the server reported that the session does not exist.
    private var isUnknown = false
    /// The frame of the latest step.
    private var lastFrame: Int?

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        lastFrame = step.event.frame
        guard let message = step.rtsp else {
            if let event = step.message(TCPEvent.self), event.step == .reset { isReset = true }
            return
        }
        if message.knownMethod == .teardown {
            if step.isFromClient { isTornDown = true }
        } else if step.accepts(.setup) {
            isSetUp = true
            isTornDown = false
            isUnknown = false
        } else if message.status == 454, let (request, _) = step.answered, step.rtspSession?.knows(request) ?? false {
            isUnknown = true
        }
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
        } else {
            let session = session as? RTSPSession
            let close = session?.firstClose
            let setups = session?.setups ?? []
            let form = isReset ? "reset" : setups.contains { $0.channels == nil } ? "closed" : "closedInterleaved"
            judgement.fail(
                Text("RTSP-TEARDOWN.\(close?.direction == .serverToClient ? "byServer" : form)"),
                frame: close?.frame ?? lastFrame, time: close == nil ? nil : session?.closeTime)
        }
    }
}
