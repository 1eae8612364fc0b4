import WeirEngine
import WeirPackets

/// The latest steps of a timeline, in the order of their times: most come so, and few are told later than they were.
struct StepReorderBuffer {
    /// One line, or a few; behind a reference, since steps are moved several times.
    indirect enum Step {
        case event(Event, SessionReference?, [Finding])
        case finding(Finding, SessionReference?)

        /// Whether it is what the message of an event brings: of the same frame, by another protocol.
        func isInside(_ event: Event) -> Bool {
            guard case .event(let own, _, _) = self else { return false }
            return own.frame == event.frame && own.flow == event.flow
                && own.message.protocolName != event.message.protocolName
        }
    }

    /// Steps that are held back at once.
    private static let most = 512
    /// Octets of text that the messages of steps keep that are held back.
    private static let mostOctets = 1 << 20

    /// What was taken is no more.
    private var steps: [(step: Step?, time: Int64, octets: Int)] = []
    /// Steps at the front that were taken.
    private var head = 0
    private var octets = 0

    /// Holds a step back, in its place.
    ///
    /// - Parameter octets: what its message keeps.
    mutating func hold(_ step: Step, octets: Int = 0, at time: Timestamp) {
        var place = steps.count
        while place > head, steps[place - 1].time > time.nanoseconds { place -= 1 }
        steps.insert((step, time.nanoseconds, octets), at: place)
        self.octets &+= octets
    }

    /// Holds back what is about no single step: it stands behind all that is held.
    mutating func hold(_ step: Step) {
        hold(step, at: Timestamp(nanoseconds: steps.last?.time ?? .min))
    }

    /// The step that is due now, if there are too many.
    mutating func due() -> Step? {
        steps.count - head > Self.most || octets > Self.mostOctets ? next() : nil
    }

    /// The first step that is held back, which stays.
    var first: Step? { head < steps.count ? steps[head].step : nil }

    /// Takes the steps that a session's end waits for, in order; others stay.
    mutating func take(where isWanted: (Step) -> Bool) -> [Step] {
        var taken: [Step] = []
        var rest: [(step: Step?, time: Int64, octets: Int)] = []
        for entry in steps.dropFirst(head) {
            guard let step = entry.step else { continue }
            if isWanted(step) {
                taken.append(step)
                octets &-= entry.octets
            } else {
                rest.append(entry)
            }
        }
        (steps, head) = (rest, 0)
        return taken
    }

    /// The first step that is held back.
    mutating func next() -> Step? {
        guard head < steps.count else {
            steps.removeAll(keepingCapacity: true)
            (head, octets) = (0, 0)
            return nil
        }
        let step = steps[head].step.take()
        octets &-= steps[head].octets
        head += 1
        if head >= Self.most {
            steps.removeFirst(head)
            head = 0
        }
        return step
    }
}
