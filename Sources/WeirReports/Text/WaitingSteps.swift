import WeirEngine

/// Steps of sessions until it is known whether they are printed: printing all would cost more than it takes to analyze
/// them.
struct WaitingSteps {
    private struct Group {
        var steps: [StepReorderBuffer.Step] = []
        /// The octets of text in their messages.
        var octets = 0
    }

    /// The maximum number of steps.
    private static let most = 4096
    /// The maximum number of octets of text in their messages.
    private static let mostOctets = 1 << 20

    private var groups: [Int: Group] = [:]
    private var count = 0
    private var octets = 0

    /// Whether steps have to be printed before more are added.
    var isFull: Bool { count > Self.most || octets > Self.mostOctets }

    /// Appends a step to those of a group.
    mutating func append(_ step: StepReorderBuffer.Step, to group: Int) {
        let added = if case .event(let event, _, _) = step { event.message.keptOctets } else { 0 }
        groups[group, default: Group()].steps.append(step)
        groups[group, default: Group()].octets &+= added
        count += 1
        octets &+= added
    }

    /// Removes and returns the steps of a group, in order.
    mutating func take(_ group: Int) -> [StepReorderBuffer.Step] {
        guard let taken = groups.removeValue(forKey: group) else { return [] }
        count -= taken.steps.count
        octets &-= taken.octets
        return taken.steps
    }
}
