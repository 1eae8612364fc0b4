/// The waiting steps of flows without a session.
struct LooseSteps {
    private var flows = NumberTable<WaitingSteps>()
    private var total = WaitingTotal()

    /// Whether steps have to be printed before more are added.
    var isFull: Bool { total.isFull }

    /// Adds a step; one without a time after all so far.
    mutating func insert(
        _ step: consuming StepReorderBuffer.Step, to flow: Int, at time: Int64?, frame: Int?, octets: Int = 0
    ) {
        var steps = flows.remove(flow) ?? WaitingSteps()
        steps.insert(total.entry(step, at: time, octets: octets), frame: frame, octets: octets)
        flows.insert(steps, at: flow)
    }

    /// Removes and returns the steps of a flow.
    mutating func remove(_ flow: Int) -> WaitingSteps? {
        guard let removed = flows.remove(flow) else { return nil }
        total.remove(removed)
        return removed
    }

    /// Removes and returns the steps of all flows, in order of time.
    mutating func takeAll() -> [WaitingSteps.Entry] {
        let all = flows.all
        flows = NumberTable()
        for steps in all { total.remove(steps) }
        return all.flatMap { $0.sorted }.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
    }
}
