public import WeirPackets

/// An immutable snapshot of a session after an event, for reports.
///
/// It does not refer to analyzer state, so that reports can be written on another thread during the analysis.
public final class SessionReference: Sendable {
    /// The number, from 1.
    public let id: Int
    /// The plugin's name for this kind of session, such as `rtsp`.
    public let kind: String
    /// The endpoint that opened the first flow.
    public let client: Endpoint
    /// The other endpoint.
    public let server: Endpoint
    /// The flow ids so far, in order of joining.
    public var flows: [Int] { flowList.all }
    private let flowList: FlowList
    /// The phases so far, in order.
    public let phases: [Phase]
    /// Which parts of the session the capture contains.
    public let completeness: Session.Completeness
    private let subject: Subject

    /// The subject of a session under both secret policies.
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
        // Not the doubt that lasts only while a message is processed: it does not invalidate the cached reference.
        var seen = session.completeness
        seen.mayHaveGap = false
        completeness = seen
        self.subject = subject
    }

    /// Returns the subject of the session, such as its URI, or nil if unknown.
    public func subject(_ secrets: SecretPolicy) -> String? {
        secrets == .masked ? subject.masked : subject.revealed
    }

    /// Returns a one-line title for display: addresses and subject.
    public func title(_ secrets: SecretPolicy) -> String {
        "\(client) → \(server)" + (subject(secrets).map { "  " + $0 } ?? "")
    }
}
