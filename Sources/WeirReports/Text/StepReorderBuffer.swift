import WeirEngine
import WeirPackets

/// A buffer that sorts the latest steps of a timeline by time: most arrive in order, and a few are reported late.
struct StepReorderBuffer {
    /// One or several lines.
    enum Step {
        case event(Event, SessionReference?, [Finding])
        case finding(Finding, SessionReference?)

        /// The frame of an event.
        var frame: Int? { if case .event(let event, _, _) = self { event.frame } else { nil } }

        /// Whether the step is of a message inside that of an event: of the same frame, by another protocol.
        func isInside(_ event: Event) -> Bool {
            guard case .event(let own, _, _) = self else { return false }
            return own.frame == event.frame && own.flow == event.flow
                && own.message.protocolName != event.message.protocolName
        }
    }

    /// The maximum number of buffered steps.
    private static let most = 512
    /// The maximum number of octets of text in the messages of buffered steps.
    private static let mostOctets = 1 << 20

    /// The buffered steps; nil for those already removed.
    private var steps: [(step: Step?, time: Int64, octets: Int)] = []
    /// The number of removed steps at the front.
    private var head = 0
    private var octets = 0

    /// Inserts a step by its time.
    ///
    /// - Parameter octets: The octets of text in its message.
    mutating func hold(_ step: Step, octets: Int = 0, at time: Timestamp) {
        var place = steps.count
        while place > head, steps[place - 1].time > time.nanoseconds { place -= 1 }
        steps.insert((step, time.nanoseconds, octets), at: place)
        self.octets &+= octets
    }

    /// Appends a step without a time, after all others.
    mutating func hold(_ step: Step) {
        hold(step, at: Timestamp(nanoseconds: steps.last?.time ?? .min))
    }

    /// Removes the first step if the buffer is full.
    mutating func due() -> Step? {
        steps.count - head > Self.most || octets > Self.mostOctets ? next() : nil
    }

    /// The first step, which stays in the buffer.
    var first: Step? { head < steps.count ? steps[head].step : nil }

    /// Removes the first step.
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
