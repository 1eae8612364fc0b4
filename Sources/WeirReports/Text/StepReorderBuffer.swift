import WeirEngine
import WeirPackets

/// The latest steps of a timeline, in the order of their times: most come so, and few are told later than they were.
struct StepReorderBuffer {
    /// One line, or a few; behind a reference, since steps are moved several times.
    indirect enum Step {
        case event(Event, SessionReference?, [Finding])
        case finding(Finding, SessionReference?)
    }

    /// Steps that are held back at once.
    private static let most = 512

    private var steps: [(step: Step, time: Int64)] = []
    /// Steps at the front that were taken.
    private var head = 0

    /// Holds a step back, in its place; gives the one that is due now, if there are too many.
    mutating func take(_ step: Step, at time: Timestamp) -> Step? {
        var place = steps.count
        while place > head, steps[place - 1].time > time.nanoseconds { place -= 1 }
        steps.insert((step, time.nanoseconds), at: place)
        return steps.count - head > Self.most ? next() : nil
    }

    /// Holds back what is about no single step: it stands behind all that is held.
    mutating func take(_ step: Step) -> Step? {
        take(step, at: Timestamp(nanoseconds: steps.last?.time ?? .min))
    }

    /// Whether the next step is what the message of this one brings: of the same frame, by another protocol.
    func nextIsInside(_ event: Event) -> Bool {
        guard head < steps.count, case .event(let next, _, _) = steps[head].step else { return false }
        return next.frame == event.frame && next.flow == event.flow
            && next.message.protocolName != event.message.protocolName
    }

    /// The first step that is held back.
    mutating func next() -> Step? {
        guard head < steps.count else {
            steps.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
        let step = steps[head].step
        head += 1
        if head >= Self.most {
            steps.removeFirst(head)
            head = 0
        }
        return step
    }
}
