public import WeirEngine

/// The content of a step, extracted once for all RTMP rules.
final class RTMPStep {
    /// The message, or nil for a part of the handshake.
    let message: RTMPMessage?
    /// The message, if it was sent in its own chunks, not as part of an aggregate message.
    let chunked: RTMPMessage?
    /// The part of the handshake, or nil for a message.
    let handshake: RTMPHandshakePart?
    /// The command in the message, if any.
    let said: RTMPCommandView?
    /// The values in the message.
    let amf: AMFContent

    init(_ message: RTMPMessage) {
        said = RTMPCommandView(message)
        amf = AMFContent(message)
        self.message = message
        chunked = message.framing.isInAggregate ? nil : message
        handshake = nil
    }

    init(_ part: RTMPHandshakePart) {
        (message, chunked) = (nil, nil)
        handshake = part
        said = nil
        amf = .none
    }
}

extension Step {
    /// The content for the rules of RTMP, or nil for other events.
    var rtmpStep: RTMPStep? { view as? RTMPStep }

    /// The session, if it is an RTMP session.
    var rtmpSession: RTMPSession? { session as? RTMPSession }
    /// The RTMP message, if any.
    var rtmp: RTMPMessage? { rtmpStep?.message }
    /// The RTMP message, if it was sent in its own chunks, not as part of an aggregate message.
    var chunked: RTMPMessage? { rtmpStep?.chunked }
    /// The part of the RTMP handshake, if any.
    var handshake: RTMPHandshakePart? { rtmpStep?.handshake }
    /// The RTMP command in the message, if any.
    var said: RTMPCommandView? { rtmpStep?.said }
}

extension RTMPMessage {
    /// Returns the view of the message used by rules.
    public func view(of event: Event) -> AnyObject? { RTMPStep(self) }
}

extension RTMPHandshakePart {
    /// Returns the view of the part used by rules.
    public func view(of event: Event) -> AnyObject? { RTMPStep(self) }
}
