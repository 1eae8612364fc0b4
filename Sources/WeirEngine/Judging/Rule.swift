/// A conformance rule: observes the steps of one session and judges whether a clause is met.
///
/// There is one instance per session, or per flow for streams and messages outside any session. State must be bounded
/// by what is open, such as pending requests.
public protocol Rule: SendableMetatype {
    /// The description of the rule: what it checks, and by which clause.
    static var info: RuleInfo { get }
    /// Names of the protocols whose messages the rule observes, as in the report's `protocol`.
    static var observes: [String] { get }
    /// The message sorts that the rule observes; others are not passed to it.
    static var sorts: MessageSorts { get }
    /// Whether the judgement of a step depends only on the message's ``Message/sharedContent`` and on the kind of
    /// session; a content that passed is then not judged again. Only for rules without state.
    static var dependsOnlyOnContent: Bool { get }

    /// Which steps the rule observes without their events.
    static var briefly: BriefObservation { get }

    /// Creates the state for a session.
    init()

    /// Judges a step.
    mutating func observe(_ step: Step, _ judgement: inout Judgement)

    /// Judges a step without its event. Called for frequent messages, and only if the rule observes such steps.
    mutating func observe(_ step: BriefStep, _ judgement: inout Judgement)

    /// Judges an ended media stream.
    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement)

    /// Judges an ended session, such as for messages that never arrived.
    mutating func finish(_ session: Session, _ judgement: inout Judgement)

    /// Judges an ended flow with messages outside any session, such as for messages that never arrived.
    mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement)
}

extension Rule {
    /// The default: messages of the rule's own protocol.
    public static var observes: [String] { [info.protocolName] }

    /// The default: all sorts.
    public static var sorts: MessageSorts { .all }

    /// The default: false.
    public static var dependsOnlyOnContent: Bool { false }

    /// The default: none.
    public static var briefly: BriefObservation { .none }

    /// The default implementation judges without the event, if the rule does so.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if Self.briefly != .none { observe(step.brief, &judgement) }
    }

    /// The default implementation does nothing.
    public mutating func observe(_ step: BriefStep, _ judgement: inout Judgement) {}

    /// The default implementation ignores streams.
    public mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        judgement.ignore()
    }

    /// The default implementation ignores the end of sessions.
    public mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        judgement.ignore()
    }

    /// The default implementation ignores the end of flows.
    public mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement) {
        judgement.ignore()
    }
}
