public import WeirEngine

/// What the rules of SDP ask of a step with a description.
final class SDPStep {
    /// The description.
    let description: SessionDescription

    init(_ description: SessionDescription) {
        self.description = description
    }
}

extension Step {
    /// The message, if it is a session description.
    var description: SessionDescription? { (view as? SDPStep)?.description }
}

extension SessionDescription {
    /// What rules ask of it.
    public func view(of event: Event) -> AnyObject? { SDPStep(self) }
}
