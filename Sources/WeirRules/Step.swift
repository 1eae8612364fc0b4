public import WeirDissectors
import WeirPackets
public import WeirSessions

/// One step of the timeline, as a rule sees it: what many rules ask is found out once.
public struct Step {
    /// The event, linked to what it answers.
    public let event: Event
    /// The session it belongs to, as it is after this step.
    public let session: Session?
    /// The RTSP session.
    public let rtspSession: RTSPSession?
    /// The RTMP session.
    public let rtmpSession: RTMPSession?
    /// What the message says; nil for reports, of which there are most, and for protocols from elsewhere.
    private let words: Words?

    /// The message, if it is RTSP.
    public var rtsp: RTSPMessage? { words?.rtsp }
    /// The message, if it is a session description.
    public var description: SessionDescription? { words?.description }
    /// For an RTSP answer: the request it answers.
    public var request: RTSPMessage? { words?.request }
    /// The message, if it is RTMP.
    public var rtmp: RTMPMessage? { words?.rtmp }
    /// The message, if it is a part of RTMP's handshake.
    public var handshake: RTMPHandshakePart? { words?.handshake }
    /// The RTMP command in the message, if it holds one.
    public var said: RTMPSaid? { words?.said }
    /// A request of the client.
    var clientRequest: RTSPMessage? { words?.clientRequest }
    /// An answer, and the request that it answers. Provisional answers (1xx) are left out.
    var answered: (request: RTSPMessage, answer: RTSPMessage)? { words?.answered }
    /// The method of a request of the client to which this is an answer of class 2xx.
    var acceptedMethod: String? { words?.acceptedMethod }
    /// Whether the capture begins after the session did, lacks octets of it, or shows one side only.
    public var evidence: Session.Evidence? { session?.evidence }

    init(event: Event, session: Session?) {
        self.event = event
        self.session = session
        rtspSession = session as? RTSPSession
        rtmpSession = rtspSession == nil ? session as? RTMPSession : nil
        words = Words.hasWords(event) ? Words(event) : nil
    }
}

/// What the message of a step says, its type found out once.
private final class Words {
    let rtsp: RTSPMessage?
    let description: SessionDescription?
    let request: RTSPMessage?
    let rtmp: RTMPMessage?
    let handshake: RTMPHandshakePart?
    let said: RTMPSaid?
    let clientRequest: RTSPMessage?
    let answered: (request: RTSPMessage, answer: RTSPMessage)?
    let acceptedMethod: String?

    /// Whether the message is of one of the types above.
    static func hasWords(_ event: Event) -> Bool {
        // A cast that fails costs more than a look at the type, and an object more than both.
        let type = type(of: event.message)
        return type == RTSPMessage.self || type == SessionDescription.self || type == RTMPMessage.self
            || type == RTMPHandshakePart.self
    }

    init(_ event: Event) {
        let type = type(of: event.message)
        let message = type == RTSPMessage.self ? event.message as? RTSPMessage : nil
        rtsp = message
        description = type == SessionDescription.self ? event.message as? SessionDescription : nil
        rtmp = type == RTMPMessage.self ? event.message as? RTMPMessage : nil
        handshake = type == RTMPHandshakePart.self ? event.message as? RTMPHandshakePart : nil
        said = rtmp == nil ? nil : RTMPSaid(rtmp)
        request = event.isAnswer ? event.answers?.request as? RTSPMessage : nil
        let isFromClient = event.direction == .clientToServer
        clientRequest = isFromClient && message?.isRequest == true ? message : nil
        if let message, let request, let status = message.status, status >= 200 {
            answered = (request, message)
            acceptedMethod = !isFromClient && message.isSuccess ? request.method : nil
        } else {
            answered = nil
            acceptedMethod = nil
        }
    }
}
