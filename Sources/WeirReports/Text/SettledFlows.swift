/// Flows with a session that the report knows: most steps then need no search. A few of them, until a session ends.
struct SettledFlows {
    /// At the index of the flow's number, modulo their count; ids begin at 1.
    private var places = [(flow: Int, session: Int)](repeating: (0, 0), count: 32)

    /// Whether the session of a flow is known.
    func contains(_ flow: Int, _ session: Int) -> Bool {
        places[flow & 31] == (flow, session)
    }

    /// Records that the session of a flow is known.
    mutating func insert(_ flow: Int, _ session: Int) {
        places[flow & 31] = (flow, session)
    }
}
