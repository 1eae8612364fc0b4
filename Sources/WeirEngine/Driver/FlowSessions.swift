/// The sessions of a flow, of which most have one: no array is allocated to go through them.
package struct FlowSessions: RandomAccessCollection {
    let first: Session?
    let others: [Session]

    package var startIndex: Int { 0 }
    package var endIndex: Int { first == nil ? 0 : others.count &+ 1 }
    package subscript(index: Int) -> Session {
        if index == 0, let first { return first }
        return others[index &- 1]
    }
}
