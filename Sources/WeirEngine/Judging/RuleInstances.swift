/// The rule instances of one session, or of one flow outside sessions.
final class RuleInstances {
    /// The rules that have observed something. Instances are created lazily, since many sessions end before most
    /// rules apply.
    struct State {
        var rules: [any Rule] = []
        /// The index in `rules` of each rule, by rule position; -1 if not created.
        var places: [Int16]
    }

    var state: Lent<State>
    /// Findings per rule; sparse, since most rules have none.
    private var found: [(position: Int, count: Int)] = []
    /// The findings of events, with their repetitions.
    var repeats = FindingRepeats()
    /// The usual number of rules that observe a session, as the initial capacity; flows outside sessions need few.
    static let usual = 32

    init(_ types: [any Rule.Type], capacity: Int) {
        var state = State(places: [Int16](repeating: -1, count: types.count))
        state.rules.reserveCapacity(capacity)
        self.state = Lent(state)
    }

    /// Increments the finding count of the rule at a position, and returns the new count.
    func count(_ position: Int) -> Int {
        guard let place = found.firstIndex(where: { $0.position == position }) else {
            found.append((position, 1))
            return 1
        }
        found[place].count += 1
        return found[place].count
    }
}
