public import WeirEngine

/// What the rules of RTMP ask of a step with a message, found out once.
final class RTMPStep {
    /// The message; nil for a part of the handshake.
    let message: RTMPMessage?
    /// The part of the handshake; nil for a message.
    let handshake: RTMPHandshakePart?
    /// The command in the message, if it holds one.
    let said: RTMPCommandView?

    init(_ message: RTMPMessage) {
        let message: RTMPMessage? = message
        said = RTMPCommandView(message)
        self.message = message
        handshake = nil
    }

    init(_ part: RTMPHandshakePart) {
        message = nil
        handshake = part
        said = nil
    }
}

extension Step {
    private var rtmpStep: RTMPStep? { view as? RTMPStep }

    /// The session, if it is one of RTMP.
    var rtmpSession: RTMPSession? { session as? RTMPSession }
    /// The message, if it is RTMP.
    var rtmp: RTMPMessage? { rtmpStep?.message }
    /// The message, if it is a part of RTMP's handshake.
    var handshake: RTMPHandshakePart? { rtmpStep?.handshake }
    /// The RTMP command in the message, if it holds one.
    var said: RTMPCommandView? { rtmpStep?.said }
}

extension RTMPMessage {
    /// What rules ask of it.
    public func view(of event: Event) -> AnyObject? { RTMPStep(self) }
}

extension RTMPHandshakePart {
    /// What rules ask of it.
    public func view(of event: Event) -> AnyObject? { RTMPStep(self) }
}
