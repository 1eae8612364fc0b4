import WeirEngine
import WeirPackets

/// Counts the recurring steps of each kind in long sessions, of which only the first are shown.
struct StepRepeats {
    /// A kind of step of a flow; small, since long captures have many of them.
    private struct Kind: Hashable {
        var flow: Int
        /// Stream, direction and kind.
        var step: Int
    }

    /// The maximum number of counters; when reached, counting restarts.
    private static let mostCounted = 10_000
    /// The maximum number of kinds of messages.
    private static let mostNames = 255

    private var counts: [Kind: Int] = [:]
    /// The kinds of messages, numbered by their index.
    private var names: [String] = []

    /// Counts a step, and returns the number of steps of its kind on the flow; 0 for kinds that do not recur.
    mutating func count(_ event: Event) -> Int {
        guard let name = event.message.recurrence else { return 0 }
        if counts.count >= Self.mostCounted || names.count >= Self.mostNames {
            counts = [:]
            names = []
        }
        let step = (event.stream ?? 0) << 17 | Int(event.direction.rawValue) << 16 | number(of: name)
        counts[Kind(flow: event.flow, step: step), default: 0] += 1
        return counts[Kind(flow: event.flow, step: step)] ?? 0
    }

    /// Returns the number of a kind of message, from 1.
    private mutating func number(of name: String) -> Int {
        if let known = names.firstIndex(of: name) { return known + 1 }
        names.append(name)
        return names.count
    }
}
