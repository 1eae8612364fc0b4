/// The sessions of a flow, in the order in which they joined; nearly always at most one.
package struct FlowSessions: RandomAccessCollection {
    /// The first one.
    package let first: Session?
    private let others: [Session]

    init(first: Session? = nil, others: [Session] = []) {
        (self.first, self.others) = (first, others)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { first == nil ? 0 : others.count &+ 1 }
    package subscript(index: Int) -> Session {
        if index == 0, let first { return first }
        return others[index &- 1]
    }
    /// The most recent one.
    package var last: Session? { others.last ?? first }

    /// Returns these sessions and another one.
    func adding(_ session: Session) -> FlowSessions {
        // A list that grows would have room for several.
        first == nil ? FlowSessions(first: session) : FlowSessions(first: first, others: others + [session])
    }

    /// Returns these sessions without one of them.
    func removing(_ lost: Session) -> FlowSessions {
        let others = others.filter { $0 !== lost }
        guard first === lost else { return FlowSessions(first: first, others: others) }
        return FlowSessions(first: others.first, others: Array(others.dropFirst()))
    }
}
