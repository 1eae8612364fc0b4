public import WeirEngine

/// The view of a description step that SDP rules share.
final class SDPStep {
    /// The description.
    let description: SessionDescription

    init(_ description: SessionDescription) {
        self.description = description
    }
}

extension Step {
    /// Whether the message is a description outside of any exchange of offers and answers.
    var isPresentation: Bool { (view as? SDPStep)?.description.role == .presentation }
    /// The message, if it is a session description.
    var description: SessionDescription? { (view as? SDPStep)?.description }
}

extension SessionDescription {
    /// Returns the view of the step that rules share.
    public func view(of event: Event) -> AnyObject? { SDPStep(self) }
}
