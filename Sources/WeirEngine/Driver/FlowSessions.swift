/// The sessions of a flow, in the order in which they joined; nearly always at most one.
package struct FlowSessions: RandomAccessCollection {
    /// The first one.
    package private(set) var first: Session?
    private var others: [Session] = []

    package var startIndex: Int { 0 }
    package var endIndex: Int { first == nil ? 0 : others.count &+ 1 }
    package subscript(index: Int) -> Session {
        if index == 0, let first { return first }
        return others[index &- 1]
    }
    /// The most recent one.
    package var last: Session? { others.last ?? first }

    /// Adds a session.
    mutating func join(_ session: Session) {
        // A list that grows would have room for several.
        if first == nil { first = session } else { others = others + [session] }
    }

    /// Removes a session; returns whether it was the first.
    mutating func remove(_ lost: Session) -> Bool {
        others = others.filter { $0 !== lost }
        guard first === lost else { return false }
        first = others.first
        others = Array(others.dropFirst())
        return true
    }
}
