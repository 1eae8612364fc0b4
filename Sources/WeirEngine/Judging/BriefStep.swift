/// A step without its event, for rules that need no more of it: where it was captured, what contains it, and their view of the
/// message.
///
/// Frequent messages are judged so, and their events are created only if the report needs them. Most RTCP packets are such
/// messages.
public struct BriefStep {
    /// The protocol of the message.
    public let protocolName: String
    /// When and where it was captured.
    public let place: EventContext
    /// The session, in the state after the step.
    public let session: Session?
    /// The container of the message, such as a compound datagram, for the rules of its protocol.
    package let whole: (any Sendable & AnyObject)?
    /// The rules' view of the message; nil for messages without one.
    public let view: AnyObject?

    /// Creates a step.
    package init(
        _ protocolName: String, at place: EventContext, in session: Session?, whole: (any Sendable & AnyObject)?,
        view: AnyObject?
    ) {
        self.protocolName = protocolName
        self.place = place
        self.session = session
        self.whole = whole
        self.view = view
    }
}

/// What the event of a brief step has in addition.
package struct BriefOrigin {
    /// The number in the timeline.
    let event: Int
    /// Nanoseconds since the first packet of the capture.
    let offset: Int64
    /// The media stream id.
    let stream: Int?
    /// The name under which the report counts the step.
    let name: String
    /// The sorts of the message.
    let sorts: MessageSorts
}
