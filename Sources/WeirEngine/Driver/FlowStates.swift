/// The states of flows, by their index in the flow table; nil for ignored flows.
final class FlowStates: Sequence {
    private var list = Lent<[FlowState?]>([])

    /// The indices with room for a state.
    var indices: Range<Int> { list.current.indices }

    /// The state of the flow at an index.
    subscript(index: Int) -> FlowState? {
        @inline(__always) get { list.current[index] }
        @inline(__always) set {
            var taken = list.take()
            taken[index] = newValue
            list.put(consume taken)
        }
    }

    func makeIterator() -> IndexingIterator<[FlowState?]> { list.current.makeIterator() }

    /// Makes room for the state of the flow at an index.
    func reserve(_ index: Int) {
        guard index >= list.current.count else { return }
        var taken = list.take()
        while taken.count <= index { taken.append(nil) }
        list.put(consume taken)
    }
}
