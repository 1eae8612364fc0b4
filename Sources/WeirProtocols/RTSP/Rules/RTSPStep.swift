public import WeirEngine
import WeirPackets

/// What the rules of RTSP ask of a step with a message, found out once.
final class RTSPStep {
    /// The message.
    let message: RTSPMessage
    /// For an answer: the request it answers.
    let request: RTSPMessage?
    /// A request of the client.
    let clientRequest: RTSPMessage?
    /// An answer, and the request that it answers. Provisional answers (1xx) are left out.
    let answered: (request: RTSPMessage, answer: RTSPMessage)?
    /// The method of a request of the client to which this is an answer of class 2xx.
    let acceptedMethod: String?

    init(_ message: RTSPMessage, _ event: Event) {
        self.message = message
        request = event.isAnswer ? event.answers?.request as? RTSPMessage : nil
        let isFromClient = event.direction == .clientToServer
        clientRequest = isFromClient && message.isRequest ? message : nil
        if let request, let status = message.status, status >= 200 {
            answered = (request, message)
            acceptedMethod = !isFromClient && message.isSuccess ? request.method : nil
        } else {
            answered = nil
            acceptedMethod = nil
        }
    }
}

extension Step {
    private var rtspStep: RTSPStep? { view as? RTSPStep }

    /// The session, if it is one of RTSP.
    var rtspSession: RTSPSession? { session as? RTSPSession }
    /// The message, if it is RTSP.
    var rtsp: RTSPMessage? { rtspStep?.message }
    /// For an answer: the request it answers.
    var request: RTSPMessage? { rtspStep?.request }
    /// A request of the client.
    var clientRequest: RTSPMessage? { rtspStep?.clientRequest }
    /// An answer, and the request that it answers. Provisional answers (1xx) are left out.
    var answered: (request: RTSPMessage, answer: RTSPMessage)? { rtspStep?.answered }
    /// The method of a request of the client to which this is an answer of class 2xx.
    var acceptedMethod: String? { rtspStep?.acceptedMethod }
}

extension RTSPMessage {
    /// What rules ask of it.
    public func view(of event: Event) -> AnyObject? { RTSPStep(self, event) }
}
