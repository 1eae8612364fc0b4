/// How a rule observes steps without their events.
public enum BriefObservation: Sendable {
    /// It needs events.
    case none
    /// It observes all steps, of several in one frame the first, and answers later: at the end, or to steps with events.
    case all
    /// It observes those that differ from earlier ones. The answer to a step with the sender, container and view of one that passed is
    /// the same, unless it has observed others in between.
    case distinct
}
