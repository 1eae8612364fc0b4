public import WeirEngine
import WeirPackets

/// The view of a message step that RTSP rules share, computed once.
final class RTSPStep {
    /// The message.
    let message: RTSPMessage
    /// The request, if the message is a response.
    let request: RTSPMessage?
    /// Whether the message is a request from the client.
    let isClientRequest: Bool
    /// Whether the message is a final response to a request: a provisional one (1xx) does not answer it.
    let isAnswer: Bool
    /// The method of the client's request, if this is its 2xx response.
    let accepted: RTSPMethod?

    init(_ message: RTSPMessage, _ event: borrowing Event) {
        self.message = message
        request = event.isAnswer ? event.answers.flatMap { RTSPMessage($0.request) } : nil
        let isFromClient = event.direction == .clientToServer
        isClientRequest = isFromClient && message.isRequest
        isAnswer = request != nil && message.status.map { $0 >= 200 } ?? false
        accepted = isAnswer && !isFromClient && message.isSuccess ? request?.knownMethod : nil
    }
}

extension Step {
    private var rtspStep: RTSPStep? { view as? RTSPStep }

    /// The session, if it is an RTSP session.
    var rtspSession: RTSPSession? { session as? RTSPSession }
    /// The message, if it is an RTSP message.
    var rtsp: RTSPMessage? { rtspStep?.message }
    /// The request, if the message is a response.
    var request: RTSPMessage? { rtspStep?.request }
    /// The message, if it is a request from the client.
    var clientRequest: RTSPMessage? {
        guard let rtspStep, rtspStep.isClientRequest else { return nil }
        return rtspStep.message
    }
    /// A response with its request. Provisional responses (1xx) are excluded.
    ///
    /// The pair is made here: a stored tuple would be copied by the runtime, which takes three times as long.
    @inline(__always)
    var answered: (request: RTSPMessage, answer: RTSPMessage)? {
        guard let rtspStep, rtspStep.isAnswer, let request = rtspStep.request else { return nil }
        return (request, rtspStep.message)
    }
    /// The method of the client's request, if this is its 2xx response.
    var acceptedMethod: RTSPMethod? { rtspStep?.accepted }
    /// Whether it is a 2xx response to a client request with this method.
    func accepts(_ method: RTSPMethod) -> Bool { rtspStep?.accepted == method }
    /// Returns a 2xx response to a client request with this method, with the request.
    func accepted(_ method: RTSPMethod) -> (request: RTSPMessage, answer: RTSPMessage)? {
        guard let rtspStep, rtspStep.accepted == method, let request = rtspStep.request else { return nil }
        return (request, rtspStep.message)
    }
}

extension RTSPMessage {
    /// Returns the view of the step that rules share.
    public func view(of event: Event) -> AnyObject? { RTSPStep(self, event) }
}
