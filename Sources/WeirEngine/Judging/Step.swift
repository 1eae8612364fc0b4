/// One step of the timeline, as a rule sees it.
public struct Step {
    /// The event, linked to what it answers.
    public let event: Event
    /// The session it belongs to, as it is after this step.
    public let session: Session?
    /// What the rules of the message's protocol ask of it, found out once; nil for messages of which they ask nothing.
    public let view: AnyObject?

    /// Whether the capture begins after the session did, lacks octets of it, or shows one side only.
    public var completeness: Session.Completeness? { session?.completeness }

    /// The message, if it is of this type. The types are compared first: a cast that fails is dear.
    @inlinable
    public func message<Kind: Message>(_ kind: Kind.Type) -> Kind? {
        type(of: event.message) == kind ? event.message as? Kind : nil
    }

    /// Looks at an event.
    public init(event: Event, session: Session?) {
        self.event = event
        self.session = session
        view = event.message.view(of: event)
    }
}
