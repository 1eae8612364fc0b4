public import WeirPackets

/// A session as reports know it: what it was after a step, in values that change no more.
///
/// It refers to nothing of the analysis, so that a report may be written elsewhere while the analysis goes on.
public final class SessionReference: Sendable {
    /// Number, from 1.
    public let id: Int
    /// What its plugin calls sessions of its kind, such as `rtsp`.
    public let kind: String
    /// The side that opened the first flow.
    public let client: Endpoint
    /// The other side.
    public let server: Endpoint
    /// The flows that took part so far, in order.
    public var flows: [Int] { flowList.all }
    private let flowList: FlowList
    /// The phases that it was in so far, in order.
    public let phases: [Phase]
    /// What keeps the capture from holding the whole session.
    public let completeness: Session.Completeness
    private let subject: Subject

    /// What a session is about, for either policy.
    struct Subject {
        var masked: String?
        var revealed: String?
    }

    init(_ session: Session, phases: [Phase], _ subject: Subject) {
        id = session.id
        kind = session.kind
        client = session.client
        server = session.server
        flowList = session.flowList
        self.phases = phases
        completeness = session.completeness
        self.subject = subject
    }

    /// What the session is about, such as its URI; nil when that is not known.
    public func subject(_ secrets: SecretPolicy) -> String? {
        secrets == .masked ? subject.masked : subject.revealed
    }

    /// One line that names the session for people: addresses, and what it is about.
    public func title(_ secrets: SecretPolicy) -> String {
        "\(client) → \(server)" + (subject(secrets).map { "  " + $0 } ?? "")
    }
}
