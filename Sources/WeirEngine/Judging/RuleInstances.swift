/// The rule instances of one session, or of one flow outside sessions.
final class RuleInstances {
    /// The rules that have observed something. Instances are created lazily, since many sessions end before most
    /// rules apply.
    struct State {
        var rules: [any Rule] = []
        /// The index in `rules` of each rule, by rule position; -1 if not created.
        var places: [Int16]
        /// Findings per rule; sparse, since most rules have none.
        private var found: [(position: Int, count: Int)] = []
        /// The findings of events, with their repetitions.
        var repeats = FindingRepeats()

        init(_ types: [any Rule.Type], capacity: Int) {
            places = [Int16](repeating: -1, count: types.count)
            rules.reserveCapacity(capacity)
        }

        /// Creates the rule at a position, and returns its index.
        mutating func create(_ position: Int, _ types: [any Rule.Type]) -> Int {
            places[position] = Int16(truncatingIfNeeded: rules.count)
            rules.append(types[position].init())
            return rules.count - 1
        }

        /// Increments the finding count of the rule at a position, and returns the new count.
        mutating func count(_ position: Int) -> Int {
            for place in found.indices where found[place].position == position {
                found[place].count += 1
                return found[place].count
            }
            found.append((position, 1))
            return 1
        }
    }

    var state: Lent<State>
    /// The number of the latest step that may have changed the answers to repeated ones.
    var change = 0
    /// The findings of events that occurred more than once.
    var repeats: [RepeatedFinding] { state.current.repeats.all }
    /// The usual number of rules that observe a session, as the initial capacity; flows outside sessions need few.
    static let usual = 32

    init(_ types: [any Rule.Type], capacity: Int) {
        state = Lent(State(types, capacity: capacity))
    }
}
