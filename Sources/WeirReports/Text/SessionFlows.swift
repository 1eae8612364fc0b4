import WeirEngine

/// The first session of each flow: earlier steps on the flow belong to it, too.
struct SessionFlows {
    /// The maximum number of flows whose session is kept.
    private static let most = 10_000

    private var sessions = NumberTable<SessionReference>()

    /// The first session of a flow, or nil if it is unknown.
    subscript(flow: Int) -> SessionReference? { sessions[flow] }

    /// Records the first session of a flow that has none; returns false at the limit.
    mutating func add(_ session: SessionReference, to flow: Int) -> Bool {
        guard sessions.count < Self.most else { return false }
        sessions.insert(session, at: flow)
        return true
    }

    /// Removes a session that ended from its flows.
    mutating func end(_ session: Int, of flows: [Int]) {
        for flow in flows where sessions[flow]?.id == session { sessions.remove(flow) }
    }
}
