/// An event with its session, as passed to rules.
public struct Step {
    /// The event, linked to the message it responds to.
    public let event: Event
    /// The session of the event, in the state after the event.
    public let session: Session?
    /// The rules' view of the message, computed once; nil for messages without one.
    public let view: AnyObject?

    /// The completeness of the session: whether it started before the capture, has gaps, or is one-sided.
    public var completeness: Session.Completeness? { session?.completeness }

    /// Returns the message if it has the given type. Comparing types first avoids a failing cast, which is slow.
    @inlinable
    public func message<Kind: Message>(_ kind: Kind.Type) -> Kind? {
        Event.type(of: event.message) == ObjectIdentifier(kind) ? event.message as? Kind : nil
    }

    /// Creates a step from an event.
    public init(event: Event, session: Session?) {
        view = event.message.view(of: event)
        self.session = session
        // Last, so that the event is moved.
        self.event = event
    }

    /// The step without its event.
    package var brief: BriefStep {
        let whole = event.whole
        return BriefStep(
            event.message.protocolName,
            at: EventContext(
                frame: event.frame, time: event.time, flow: event.flow, direction: event.direction,
                source: event.source,
                destination: event.destination),
            in: session, whole: whole, view: view)
    }
}
