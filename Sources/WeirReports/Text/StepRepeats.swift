import WeirEngine
import WeirPackets

/// How often steps of each kind came that a long session takes over and over: the first ones show what there is to see.
struct StepRepeats {
    /// A kind of step of a flow; small, since long captures have many of them.
    private struct Kind: Hashable {
        var flow: Int
        /// Stream, direction and kind.
        var step: Int
    }

    /// Kinds of one flow that are counted at once; beyond, counting begins anew.
    private static let mostCounted = 10_000
    /// Kinds of messages that are counted at once.
    private static let mostNames = 255

    private var counts: [Kind: Int] = [:]
    /// The kinds of messages, which are numbers in these.
    private var names: [String] = []

    /// How many steps of this kind the flow has had; 0 for what does not go on and on by its nature.
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

    /// The number of a kind of message, from 1.
    private mutating func number(of name: String) -> Int {
        if let known = names.firstIndex(of: name) { return known + 1 }
        names.append(name)
        return names.count
    }
}
