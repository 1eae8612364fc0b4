import WeirEngine

/// Steps of sessions until it is known whether they are printed: printing all would cost more than it takes to analyze
/// them.
struct WaitingSteps {
    /// The maximum number of steps.
    private static let most = 4096
    /// The maximum number of octets of text in their messages.
    private static let mostOctets = 1 << 20

    private var steps: [Int: [StepReorderBuffer.Step]] = [:]
    private var count = 0
    private var octets = 0

    /// Whether steps have to be printed before more are added.
    var isFull: Bool { count > Self.most || octets > Self.mostOctets }

    /// Appends a step to those of a group.
    mutating func append(_ step: StepReorderBuffer.Step, to group: Int) {
        steps[group, default: []].append(step)
        count += 1
        octets &+= step.keptOctets
    }

    /// Removes and returns the steps of a group, in order.
    mutating func take(_ group: Int) -> [StepReorderBuffer.Step] {
        guard let taken = steps.removeValue(forKey: group) else { return [] }
        count -= taken.count
        for step in taken { octets &-= step.keptOctets }
        return taken
    }
}

extension StepReorderBuffer.Step {
    /// The octets of text in the message.
    var keptOctets: Int {
        if case .event(let event, _, _) = self { event.message.keptOctets } else { 0 }
    }
}
