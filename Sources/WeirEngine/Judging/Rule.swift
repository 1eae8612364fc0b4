/// A conformance rule: one small value that watches the steps of one session and says whether a clause is kept.
///
/// One value lives for each session (or, for streams and messages outside any session, for each flow). It may remember
/// what it saw there; what it remembers must be bounded by what is open, such as the requests without an answer.
public protocol Rule {
    /// What the rule checks, and by which clause.
    static var info: RuleInfo { get }
    /// Names of the protocols whose messages the rule looks at, as in the report's `protocol`.
    static var observes: [String] { get }
    /// Which sorts of those messages it looks at: others are not shown to it.
    static var sorts: MessageSorts { get }

    /// Begins watching a session.
    init()

    /// Looks at one step.
    mutating func observe(_ step: Step, _ judgement: inout Judgement)

    /// Looks at a media stream that ended.
    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement)

    /// The session has ended; judge what never came.
    mutating func finish(_ session: Session, _ judgement: inout Judgement)

    /// A flow has ended of which messages outside any session were looked at; judge what never came.
    mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement)
}

extension Rule {
    /// By default the messages of the rule's own protocol.
    public static var observes: [String] { [info.protocolName] }

    /// By default all.
    public static var sorts: MessageSorts { .all }

    /// By default messages are not looked at.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {}

    /// By default streams are not looked at.
    public mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        judgement.ignore()
    }

    /// By default nothing is awaited.
    public mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        judgement.ignore()
    }

    /// By default nothing is awaited there either.
    public mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement) {
        judgement.ignore()
    }
}
